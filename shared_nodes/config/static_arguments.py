"""The arguments of a module that are evaluated statically: where its calls lead, and what is declared constant."""

from __future__ import annotations

from dataclasses import replace

from shared_nodes.addresses.references import InputVariable, Reference
from shared_nodes.config.blocks import ModuleCallBlock
from shared_nodes.config.blocks.module_call import located_call
from shared_nodes.config.static_evaluation import StaticEvaluator
from shared_nodes.config.syntax.version_constraint import constraint_text
from shared_nodes.lang.diagnostics import Diagnostic, has_errors
from shared_nodes.lang.source import NOWHERE, Range
from shared_nodes.values.types import STRING

__all__ = ["constant_problems", "evaluated_call"]


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


def constant_problems(evaluator: StaticEvaluator, call_range: Range | None) -> list[Diagnostic]:
    """Report variables that are declared constant and whose values cannot be computed. `call_range` is where the module
    is called; the root module is not."""
    names = [name for name, variable in evaluator.module.variables.items() if variable.const]
    references = [Reference(InputVariable(name), NOWHERE, ()) for name in names]
    return evaluator.scope(references, evaluator.use("", call_range))[1]
