"""The arguments of a module that are evaluated statically: where its calls lead, which instances its provider
configurations have, and what is declared constant."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from shared_nodes.addresses.references import InputVariable, Reference
from shared_nodes.config.blocks import ModuleCallBlock
from shared_nodes.config.blocks.module_call import located_call
from shared_nodes.config.for_each import ForEachRules, evaluate_for_each
from shared_nodes.config.static_evaluation import StaticEvaluator, StaticUse
from shared_nodes.config.syntax.version_constraint import constraint_text
from shared_nodes.flavour import Flavour
from shared_nodes.lang.diagnostics import Diagnostic, has_errors
from shared_nodes.lang.scope import Scope
from shared_nodes.lang.source import NOWHERE, Range
from shared_nodes.lang.tree import Expression
from shared_nodes.record import record
from shared_nodes.values.types import STRING
from shared_nodes.values.value import Value

__all__ = ["constant_problems", "evaluated_call", "evaluated_providers"]


def evaluated_call(call: ModuleCallBlock, evaluator: StaticEvaluator) -> tuple[ModuleCallBlock, list[Diagnostic]]:
    """Return the call with its source and version. A version of null counts as absent."""
    problems: list[Diagnostic] = []
    version, argument = "", call.version_argument
    if argument is not None:
        use = evaluator.use(f"module.{call.name}.version", argument.range)
        value, problems = evaluator.evaluate(argument.expression, use)
        if not has_errors(problems) and value.is_null:
            call = replace(call, version_argument=None)
        elif not has_errors(problems):
            version = constraint_text(argument, value, problems)
    source = None
    if call.source_argument is not None:
        use = evaluator.use(f"module.{call.name}.source", call.source_range)
        source = evaluator.decode(call.source_argument.expression, use, STRING, problems)
    call, found = located_call(call, source if isinstance(source, str) else None, version, evaluator.module.flavour)
    return call, [*problems, *found]


def evaluated_providers(
    evaluator: StaticEvaluator,
) -> tuple[dict[tuple[str, str | None], Mapping[str, Value]], list[Diagnostic]]:
    """Return the instances of each provider configuration that has `for_each`, by local name and alias."""
    instances: dict[tuple[str, str | None], Mapping[str, Value]] = {}
    problems: list[Diagnostic] = []
    for key, block in evaluator.module.providers.items():
        if block.for_each is None:
            continue
        use = evaluator.use(f"provider.{block.name}.{block.alias or ''}.for_each", block.for_each.range)
        found = evaluate_for_each(_StaticScope(evaluator, use), block.for_each, ForEachRules(must_be_known=True))
        problems += found.problems
        if not has_errors(found.problems):
            instances[key] = found.elements
    return instances, problems


@record
class _StaticScope:
    """What is known before anything runs, for one use."""

    evaluator: StaticEvaluator
    use: StaticUse

    @property
    def flavour(self) -> Flavour:
        return self.evaluator.module.flavour

    def evaluate(self, expression: Expression) -> tuple[Value, list[Diagnostic]]:
        return self.evaluator.evaluate(expression, self.use)

    def reference_problems(self, expression: Expression) -> list[Diagnostic]:
        return self._seen(expression)[1]

    def seen_by(self, expression: Expression) -> Scope:
        return self._seen(expression)[0]

    def _seen(self, expression: Expression) -> tuple[Scope, list[Diagnostic]]:
        prepared = self.evaluator.module.expressions.prepare(expression)
        scope, problems = self.evaluator.scope(prepared.references, self.use)
        return scope, [*prepared.problems, *problems]


def constant_problems(evaluator: StaticEvaluator, call_range: Range | None) -> list[Diagnostic]:
    """Report variables that are declared constant and whose values cannot be computed. `call_range` is where the module
    is called; the root module is not."""
    names = [name for name, variable in evaluator.module.variables.items() if variable.const]
    references = [Reference(InputVariable(name), NOWHERE, ()) for name in names]
    return evaluator.scope(references, evaluator.use("", call_range))[1]
