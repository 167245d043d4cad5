"""Output values: those of the root, which are saved and planned, and those of other modules, which last as long as the
walk.

While planning, the change of an output is recorded in addition to the working state; unknown parts of a root output are
null in the state and unknown in the change. Applying keeps a value that was wholly known in the plan, and evaluates the
others again.
"""

from __future__ import annotations

from typing import Final

from shared_nodes.addresses.module import ROOT_INSTANCE, ModuleInstance, ModulePath
from shared_nodes.config.blocks import OutputBlock
from shared_nodes.context.check_results import CheckKind
from shared_nodes.context.depends_on import check_depends_on
from shared_nodes.context.node_context import NodeContext
from shared_nodes.context.operation import Operation
from shared_nodes.flavour import Flavour
from shared_nodes.lang.diagnostics import Diagnostic, error, has_errors
from shared_nodes.lang.source import Range
from shared_nodes.nodes.checks.conditions import Checkable, check_rules
from shared_nodes.plan.change import Action, OutputChange
from shared_nodes.record import record
from shared_nodes.state.model import OutputState, State
from shared_nodes.values.equality import equals
from shared_nodes.values.marks import EPHEMERAL, SENSITIVE
from shared_nodes.values.stored import unknown_as_null
from shared_nodes.values.value import NULL_DYNAMIC, Value

__all__ = [
    "OutputRequest",
    "delete_output",
    "evaluate_output",
    "output_checkable",
    "output_names",
    "unexpected_ephemeral_problem",
]


@record
class OutputRequest:
    module: ModuleInstance
    block: OutputBlock


def output_checkable(module: ModuleInstance, name: str) -> Checkable:
    return CheckKind.OUTPUT, module.path.prefix(f"output.{name}"), module.prefix(f"output.{name}")


def output_names(module: ModulePath, name: str) -> list[tuple[ModulePath, str]]:
    """The names of a module's output in the parent module: `module.m`, because a reference to the whole module reads
    this output too, and `module.m.o`. An output of the root cannot be referred to."""
    if not module.names:
        return []
    call = f"module.{module.names[-1]}"
    return [(module.parent, call), (module.parent, f"{call}.{name}")]


def evaluate_output(context: NodeContext, request: OutputRequest) -> list[Diagnostic]:
    """Check preconditions, then evaluate. If a precondition fails, the value is neither evaluated nor changed."""
    module, block = request.module, request.block
    if not module.steps and block.ephemeral and not context.flavour.outputs_refuse_ephemeral_values_first:
        detail = "Ephemeral outputs are not allowed in context of a root module"
        return [error("Ephemeral output not allowed", detail, block.range)]
    problems: list[Diagnostic] = []
    scope = context.scope(module)
    if context.operation is not Operation.DESTROY:
        lenient = context.operation.is_planning and (
            context.options.refresh_only or context.options.pre_destroy_refresh
        )
        checkable = output_checkable(module, block.name)
        problems = check_rules(context, checkable, "precondition", block.preconditions, scope, as_warning=lenient)
        if has_errors(problems):
            return problems
    value = _planned_value(context, request)
    if value is None:
        value, found = scope.evaluate(block.expression)
        problems = [*problems, *found, *check_depends_on(scope, block.depends_on)]
        problems += _forbidden_marks(value, request, context.flavour, wrong_already=has_errors(problems))
        if has_errors(problems):
            return problems
    _record(context, request, value)
    return problems


def _planned_value(context: NodeContext, request: OutputRequest) -> Value | None:
    if not context.operation.is_applying:
        return None
    change = context.changes.outputs.get((request.module, request.block.name))
    return change.after if change is not None and change.after.is_wholly_known else None


_SENSITIVE_ROOT: Final = (
    "To reduce the risk of accidentally exporting sensitive data that was intended to be only internal, {} "
    "requires that any root module output containing sensitive data be explicitly marked as sensitive, to confirm your "
    "intent.\n\nIf you do intend to export this data, annotate the output value as sensitive by adding the following "
    "argument:\n    sensitive = true"
)


def _forbidden_marks(
    value: Value, request: OutputRequest, flavour: Flavour, *, wrong_already: bool
) -> list[Diagnostic]:
    """Report marks that the output does not allow. A sensitive value is always reported; an ephemeral one only if there
    are no other errors, or instead, if it is asked for first."""
    block, marks = request.block, value.deep_marks()
    if flavour.outputs_refuse_ephemeral_values_first and (refused := _refused_first(value, request, flavour)):
        return refused
    if not request.module.steps and not block.sensitive and SENSITIVE in marks:
        return [error("Output refers to sensitive values", _SENSITIVE_ROOT.format(flavour.product), block.range)]
    if block.ephemeral and EPHEMERAL not in value.marks:
        return [] if wrong_already or flavour.ephemeral_outputs_take_any_value else [_not_ephemeral_problem(block)]
    is_asked_last = not flavour.outputs_refuse_ephemeral_values_first
    if is_asked_last and not block.ephemeral and EPHEMERAL in marks and not wrong_already:
        return [unexpected_ephemeral_problem(block.expression.range, flavour)]
    return []


def _refused_first(value: Value, request: OutputRequest, flavour: Flavour) -> list[Diagnostic]:
    """Report an output that is ephemeral and must not be. A value with unknown parts is asked only if it is marked as a
    whole."""
    block = request.block
    if not request.module.steps and block.ephemeral:
        detail = "Root modules are not allowed to have outputs defined as ephemeral"
        return [error("Invalid output configuration", detail, block.range)]
    is_settled = bool(value.marks) or value.is_wholly_known
    if is_settled and not block.ephemeral and EPHEMERAL in value.deep_marks():
        return [unexpected_ephemeral_problem(block.expression.range, flavour)]
    return []


def unexpected_ephemeral_problem(subject: Range | None, flavour: Flavour) -> Diagnostic:
    """Report the ephemeral value of an output that is not declared to have one."""
    if flavour.ephemeral_problems_name_context:
        detail = "The value that was generated for the output is ephemeral, but it is not configured to allow one."
        return error("Output does not allow ephemeral value", detail, subject)
    detail = (
        "This output value is not declared as returning an ephemeral value, so it cannot be set to a result "
        "derived from an ephemeral value."
    )
    return error("Ephemeral value not allowed", detail, subject)


def _not_ephemeral_problem(block: OutputBlock) -> Diagnostic:
    """Report that an ephemeral output has another value. The value as a whole must be ephemeral: an object that
    contains an ephemeral value is not enough."""
    detail = (
        "This output value is declared as returning an ephemeral value, so it can only be set to an ephemeral value."
    )
    return error("Value not allowed in ephemeral output", detail, block.expression.range)


def _record(context: NodeContext, request: OutputRequest, value: Value) -> None:
    module, block = request.module, request.block
    if context.operation.is_planning:
        if not block.ephemeral or context.flavour.plans_ephemeral_outputs:
            context.changes.outputs[module, block.name] = _compare_with_prior(context.working, request, value)
    elif context.operation.is_applying:
        context.changes.outputs.pop((module, block.name), None)
    _store(context.working, request, value)
    if context.operation.is_planning and value.is_wholly_known:
        _store(context.refreshed, request, value)


def _compare_with_prior(working: State, request: OutputRequest, value: Value) -> OutputChange:
    """Return the change of an output. Outputs of modules have no prior value: they are compared with null."""
    module, block = request.module, request.block
    prior = None if module.steps else working.outputs.get(block.name)
    before = NULL_DYNAMIC if prior is None else prior.value
    was_sensitive = prior is not None and prior.sensitive
    if value.is_null and before.is_null:
        action = Action.NO_OP
    elif prior is None:
        action = Action.CREATE
    elif _is_same(value, before) and block.sensitive == was_sensitive:
        action = Action.NO_OP
    else:
        action = Action.UPDATE
    return OutputChange(module, block.name, action, before, value, was_sensitive or block.sensitive)


def _is_same(value: Value, before: Value) -> bool:
    if not value.is_wholly_known:
        return False
    same = equals(value.unmark_deep()[0], before)
    return same.is_known and bool(same.payload)


def _store(state: State, request: OutputRequest, value: Value) -> None:
    """Store the value. Modules keep null outputs, because expressions may refer to them; the root drops them."""
    module, block = request.module, request.block
    if module.steps:
        recorded = OutputState(value, block.sensitive, block.deprecated)
        state.module_outputs.setdefault(module, {})[block.name] = recorded
    elif value.is_null:
        state.outputs.pop(block.name, None)
    else:
        plain = value.unmark_deep()[0]
        known = plain if plain.is_wholly_known else unknown_as_null(plain)
        state.outputs[block.name] = OutputState(known, block.sensitive, block.deprecated)


def delete_output(context: NodeContext, name: str) -> list[Diagnostic]:
    """Delete a root output that is no longer declared, or any root output when everything is destroyed."""
    prior = context.working.outputs.pop(name, None)
    if context.operation.is_planning and prior is not None:
        change = OutputChange(ROOT_INSTANCE, name, Action.DELETE, prior.value, NULL_DYNAMIC, prior.sensitive)
        context.changes.outputs[ROOT_INSTANCE, name] = change
    elif context.operation.is_applying:
        context.changes.outputs.pop((ROOT_INSTANCE, name), None)
    return []
