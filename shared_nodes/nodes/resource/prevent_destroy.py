"""`prevent_destroy`: objects that must not be destroyed.

The argument is evaluated whatever is planned for an object, also for one that the configuration does not declare any
more, which is why it cannot refer to `each` or `count`. A value that would never be usable is an error at once; one
that is null or not known yet only if the object is to be destroyed.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from shared_nodes.addresses.references import CountAttribute, EachAttribute
from shared_nodes.addresses.resource import AbsResource, AbsResourceInstance
from shared_nodes.config.blocks import ResourceBlock
from shared_nodes.context.node_context import NodeContext
from shared_nodes.context.scope import ModuleScope
from shared_nodes.flavour import Flavour
from shared_nodes.lang.diagnostics import Diagnostic, error, found_in, has_errors
from shared_nodes.lang.json_static import static_value
from shared_nodes.lang.tree import Expression
from shared_nodes.plan.change import Action, ResourceChange
from shared_nodes.values.convert import ConversionError, convert
from shared_nodes.values.marks import EPHEMERAL, SENSITIVE
from shared_nodes.values.text import quoted
from shared_nodes.values.types import BOOL
from shared_nodes.values.value import DYNAMIC_UNKNOWN, Value

__all__ = ["check_prevent_destroy", "validate_prevent_destroy"]

_INVALID: Final = "Invalid value for prevent_destroy"


def check_prevent_destroy(
    context: NodeContext, block: ResourceBlock | None, change: ResourceChange
) -> list[Diagnostic]:
    """Report an object that is protected and would be destroyed. The protection is part of the block: removing the
    block removes it too. Forgetting an object is no reason to object."""
    expression = None if block is None else block.lifecycle.prevent_destroy
    if block is None or expression is None:
        return []
    address, scope = change.address, context.scope(change.address.module)
    value, problems = _evaluate(scope, expression, address)
    if has_errors(problems):
        return problems
    if change.action is not Action.DELETE and not change.action.is_replace:
        return []
    if not value.is_known or value.is_null:
        return [*problems, _undecided_problem(scope, expression, value, address)]
    return [*problems, error(*_refusal(address, context.flavour), block.range)] if value.payload else problems


def _evaluate(
    scope: ModuleScope, expression: Expression, address: AbsResourceInstance
) -> tuple[Value, list[Diagnostic]]:
    """Return a boolean without marks, which may be null or unknown."""
    prepared = scope.module.expressions.prepare(expression)
    problems = list(prepared.problems)
    if has_errors(problems):
        return DYNAMIC_UNKNOWN, problems
    for reference in prepared.references:
        if isinstance(reference.subject, CountAttribute | EachAttribute):
            detail = (
                f"A prevent_destroy argument cannot refer to {reference.subject}, because {scope.flavour.product} "
                "needs to evaluate this argument for instances that have already been removed from the configuration "
                "and so whose per-instance data is no longer available."
            )
            problems.append(error("Invalid reference in prevent_destroy", detail, reference.range))
    if has_errors(problems):
        return DYNAMIC_UNKNOWN, problems
    value, found = scope.evaluate(expression)
    problems += found
    if has_errors(problems):
        return DYNAMIC_UNKNOWN, problems
    try:
        value = convert(value, BOOL)
    except ConversionError as failure:
        problem = error(_INVALID, _wrong_type(address, failure, scope.flavour), expression.range)
        return DYNAMIC_UNKNOWN, [*problems, found_in(problem, expression, scope.seen_by(expression))]
    for mark, detail in _forbidden_marks(address, scope.flavour):
        if mark in value.marks:
            problem = error(_INVALID, detail, expression.range)
            shown = frozenset((mark,)) if mark is SENSITIVE else frozenset()
            problems.append(found_in(problem, expression, scope.seen_by(expression), marks_are_cause=shown))
    return value.without_marks(), problems


def _wrong_type(address: AbsResourceInstance | AbsResource, failure: ConversionError, flavour: Flavour) -> str:
    reason = failure.explain(flavour)
    return f"Resource instance {address} has an invalid value for its prevent_destroy argument: {reason}."


def _forbidden_marks(address: AbsResourceInstance, flavour: Flavour) -> Iterator[tuple[object, str]]:
    yield (
        SENSITIVE,
        f"Resource instance {address} has a sensitive value for its prevent_destroy argument, which is invalid because "
        f"it would cause {flavour.product} to disclose the sensitive value by whether deletion is blocked.\n\nIf you "
        "know this value is not sensitive in practice, consider using the nonsensitive function to declare that.",
    )
    yield (
        EPHEMERAL,
        f"Resource instance {address} has an ephemeral value for its prevent_destroy argument, which is invalid "
        "because the decision for whether it's okay to destroy instances of this resource instance must stay "
        "consistent between plan and apply.",
    )


def _undecided_problem(
    scope: ModuleScope, expression: Expression, value: Value, address: AbsResourceInstance
) -> Diagnostic:
    if value.is_known:
        detail = (
            f"Resource instance {address} has prevent_destroy set to null. When making a dynamic decision to allow "
            "destroy, use false instead."
        )
    else:
        detail = (
            f"Resource instance {address} has a prevent_destroy argument but its value will not be known until the "
            f"apply step, so {scope.flavour.product} can't predict whether destroying this is acceptable.\n\nTo "
            "proceed, exclude instances of this resource from this round using:\n"
            f"    -exclude={quoted(str(address.containing))}"
        )
    problem = error(_INVALID, detail, expression.range)
    return found_in(problem, expression, scope.seen_by(expression), unknown_is_cause=not value.is_known)


def _refusal(address: AbsResourceInstance, flavour: Flavour) -> tuple[str, str]:
    """Return summary and detail."""
    if flavour.prevent_destroy_is_evaluated:
        return (
            "Resource instance cannot be destroyed",
            f"Resource instance {address} has prevent_destroy set, but the plan calls for it to be destroyed.\n\nTo "
            "proceed, either disable prevent_destroy for this resource or exclude instances of this resource from this "
            f"round using:\n    -exclude={quoted(str(address.containing))}",
        )
    return (
        "Instance cannot be destroyed",
        f"Resource {address} has lifecycle.prevent_destroy set, but the plan calls for this resource to be destroyed. "
        "To avoid this error and continue with the plan, either disable lifecycle.prevent_destroy or reduce the scope "
        "of the plan using the -target option.",
    )


def validate_prevent_destroy(block: ResourceBlock, address: AbsResource, flavour: Flavour) -> list[Diagnostic]:
    """Check the argument if it is a constant. In JSON every string is one: it is not read as a template here."""
    expression = block.lifecycle.prevent_destroy
    if expression is None:
        return []
    value, problems = static_value(expression)
    if has_errors(problems):
        return []
    try:
        convert(value, BOOL)
    except ConversionError as failure:
        return [error(_INVALID, _wrong_type(address, failure, flavour), expression.range)]
    return []
