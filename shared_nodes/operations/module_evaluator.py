"""Evaluates expressions of a root module without an engine, for `eval` and the expression corpus.

Local values are evaluated on demand, in dependency order, with an explicit stack, so a chain of any length works.
Module calls are not followed: their outputs are unknown.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field
from enum import Enum
from typing import Final

from shared_nodes.addresses.references import LocalValue
from shared_nodes.addresses.resource import Resource
from shared_nodes.config.blocks import ProviderRequirement
from shared_nodes.config.module import Module
from shared_nodes.context.provider_functions import provider_functions
from shared_nodes.context.scope import ModuleScope
from shared_nodes.flavour import TERRAFORM_1_11, Flavour
from shared_nodes.functions.context import FunctionContext
from shared_nodes.functions.registry import function_table, with_provider_functions
from shared_nodes.lang import tree
from shared_nodes.lang.diagnostics import Diagnostic, error
from shared_nodes.lang.function import Function
from shared_nodes.lang.lazy_function import LazyFunction
from shared_nodes.providers.builtin import block_of
from shared_nodes.providers.schema import implied_type
from shared_nodes.record import record
from shared_nodes.values.marks import EPHEMERAL
from shared_nodes.values.types import DYNAMIC
from shared_nodes.values.value import DYNAMIC_UNKNOWN, FALSE, TRUE, Value, null, string, unknown
from shared_nodes.world import World

__all__ = ["EvaluationPhase", "ModuleEvaluator"]


class EvaluationPhase(Enum):
    """When an evaluation happens. While validating, no value from outside is known; while planning, no impure function
    is."""

    VALIDATE = "validate"
    PLAN = "plan"
    APPLY = "apply"


_BUILTIN_PROVIDER: Final = "terraform.io/builtin/terraform"


@record(frozen=False)
class ModuleEvaluator:
    """Evaluates expressions of one root module in one phase. Values of locals are cached. It is also the value source
    of its own scope."""

    module_declarations: Module
    world: World
    phase: EvaluationPhase
    flavour: Flavour = TERRAFORM_1_11
    resources: Mapping[Resource, Value] | None = None
    """Values of declared resources; None while validating, when none of them is known."""

    scope: ModuleScope = field(init=False)
    _locals: dict[str, Value] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        self.scope = ModuleScope(self.module_declarations, self, self._functions(), block_of, flavour=self.flavour)

    def _functions(self) -> Mapping[str, Function | LazyFunction]:
        context = FunctionContext(
            self.world,
            self.flavour,
            impure_results_known=self.phase is EvaluationPhase.APPLY,
            plan_time_known=self.phase is not EvaluationPhase.VALIDATE,
        )
        offered = {
            name: {function.name: function for function in _functions_of_provider(requirement, context)}
            for name, requirement in self.module_declarations.required_providers.items()
        }
        more = provider_functions(offered, self.flavour, validating=self.phase is EvaluationPhase.VALIDATE)
        return with_provider_functions(function_table(context), more)

    def evaluate(
        self, expression: tree.Expression, repetition: Mapping[str, Mapping[str, Value]] | None = None
    ) -> tuple[Value, list[Diagnostic]]:
        scope = self.scope
        for root, attributes in (repetition or {}).items():
            scope = scope.repeated(root, attributes)
        problems = scope.reference_problems(expression) or self._compute_locals_for(expression)
        return (DYNAMIC_UNKNOWN, problems) if problems else scope.evaluate(expression)

    def _compute_locals_for(self, expression: tree.Expression) -> list[Diagnostic]:
        """Evaluate every local value that the expression needs, dependencies first."""
        problems: list[Diagnostic] = []
        pending = [(name, False) for name in self._local_names(expression)]
        open_names: dict[str, None] = {}
        while pending:
            name, dependencies_done = pending.pop()
            if name in self._locals:
                open_names.pop(name, None)
                continue
            body = self.module_declarations.locals[name].expression
            if dependencies_done:
                open_names.pop(name)
                self._locals[name], found = self.scope.evaluate(body)
                problems.extend(found)
                continue
            if name in open_names:
                return [_cycle_problem(open_names, name)]
            open_names[name] = None
            pending.append((name, True))
            pending.extend((needed, False) for needed in self._local_names(body) if needed not in self._locals)
        return problems

    def _local_names(self, expression: tree.Expression) -> list[str]:
        found = self.module_declarations.expressions.prepare(expression).references
        names = [reference.subject.name for reference in found if isinstance(reference.subject, LocalValue)]
        return [name for name in dict.fromkeys(names) if name in self.module_declarations.locals]

    def variable(self, name: str) -> Value:
        variable = self.module_declarations.variables[name]
        if self.phase is EvaluationPhase.VALIDATE:
            return variable.unknown_value()
        default = variable.default if variable.default is not None else null(DYNAMIC)
        return variable.mark(default)

    def local(self, name: str) -> Value:
        return self._locals[name]

    def resource(self, resource: Resource) -> Value:
        if self.resources is not None:
            return self.resources[resource]
        schema = block_of(resource)
        is_single = self.module_declarations.resources[resource].repetition is None
        if schema is not None and is_single and self.flavour.validation_knows_resource_types:
            return unknown(implied_type(schema))
        return DYNAMIC_UNKNOWN

    def module(self, name: str) -> Value:  # noqa: ARG002  # the contract's name; calls are not followed here
        return DYNAMIC_UNKNOWN

    def path(self, name: str) -> Value:
        return string(str(self.world.files.working_directory) if name == "cwd" else ".")

    def terraform(self, name: str) -> Value:
        if name == "workspace":
            return string("default")
        return (TRUE if self.phase is EvaluationPhase.APPLY else FALSE).mark(EPHEMERAL)


def _functions_of_provider(requirement: ProviderRequirement, context: FunctionContext) -> tuple[Function, ...]:
    if str(requirement.source) != _BUILTIN_PROVIDER:
        return ()
    from shared_nodes.functions import provider_terraform

    return provider_terraform.functions(context)


def _cycle_problem(open_names: Iterable[str], name: str) -> Diagnostic:
    names = list(open_names)
    loop = names[names.index(name) :]
    return error(f"Cycle: {', '.join(f'local.{member} (expand)' for member in loop)}")
