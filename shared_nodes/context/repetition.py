"""The number of instances of a block: `count`, `for_each` or `enabled`, evaluated, checked and registered.

Keys must be known when planning, because they become part of addresses; while validating, unknown keys are accepted.
Values of `for_each` may be unknown and may be sensitive, keys may be neither.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Protocol

from shared_nodes.addresses.expression_references import references
from shared_nodes.addresses.provider import AbsProviderConfig
from shared_nodes.addresses.references import ResourceInstance
from shared_nodes.addresses.resource import AbsResource, Resource, ResourceMode
from shared_nodes.config.blocks import ResourceBlock
from shared_nodes.config.for_each import ForEach, ForEachRules, evaluate_for_each, suggest_exclusion
from shared_nodes.context.enabled import evaluate_enabled
from shared_nodes.context.expander import Repetition
from shared_nodes.context.node_context import NodeContext
from shared_nodes.context.scope import ModuleScope
from shared_nodes.flavour import TERRAFORM_1_11, Flavour
from shared_nodes.lang.diagnostics import Diagnostic, error, has_errors
from shared_nodes.lang.tree import Expression
from shared_nodes.record import record
from shared_nodes.state.model import ResourceState
from shared_nodes.values import number as numbers
from shared_nodes.values.marks import EPHEMERAL
from shared_nodes.values.types import NUMBER, STRING
from shared_nodes.values.value import DYNAMIC_UNKNOWN, Value, unknown

__all__ = [
    "ANY_INSTANCE",
    "LARGEST_COUNT",
    "Repeatable",
    "ResourceExpansion",
    "check_repetition",
    "check_settled_repetition",
    "deciding_argument",
    "evaluate_repetition",
    "expand_resource",
    "refers_to_itself",
    "unexpanded",
]

LARGEST_COUNT: Final = 1_000_000
"""The original has no limit except memory, and crashes far below 2^63. A number in a configuration must not do that
here."""

_INT64: Final = range(-(2**63), 2**63)


class Repeatable(Protocol):
    """A resource block or a module call."""

    @property
    def count(self) -> Expression | None: ...

    @property
    def for_each(self) -> Expression | None: ...

    @property
    def enabled(self) -> Expression | None: ...


@record
class ResourceExpansion:
    """A resource block in one module instance."""

    address: AbsResource
    block: ResourceBlock
    provider: AbsProviderConfig


async def expand_resource(context: NodeContext, request: ResourceExpansion) -> list[Diagnostic]:
    """Evaluate which instances there are and register them. The working state gets a record of the resource even
    without instances: it makes `count = 0` an empty list in expressions instead of an unknown value."""
    problems = refers_to_itself(request.block, context.flavour)
    if problems:
        return problems
    scope = context.scope(request.address.module)
    repetition, problems = evaluate_repetition(scope, request.block, str(request.address))
    if repetition is None:
        return problems
    if request.address.resource.mode is not ResourceMode.EPHEMERAL:
        record = context.working.resources.setdefault(request.address, ResourceState(request.provider))
        record.provider = request.provider
    context.expander.register_resource(request.address, repetition)
    return problems


def refers_to_itself(block: ResourceBlock, flavour: Flavour = TERRAFORM_1_11) -> list[Diagnostic]:
    """Report references of a repetition to its own resource. Only planning checks this, although it depends on the text
    alone: validation accepts it, as in the original."""
    found: list[Diagnostic] = []
    if flavour.counts_may_use_their_own_resource:
        return found
    for expression in (block.count, block.for_each):
        if expression is None:
            continue
        for reference in references(expression, flavour)[0]:
            subject = reference.subject
            resource = subject.resource if isinstance(subject, ResourceInstance) else subject
            if isinstance(resource, Resource) and resource == block.resource:
                detail = f"Configuration for {resource} may not refer to itself."
                found.append(error("Self-referential block", detail, reference.range))
    return found


def evaluate_repetition(
    scope: ModuleScope, block: Repeatable, address: str | None = None
) -> tuple[Repetition | None, list[Diagnostic]]:
    """Return the instances of a block, or None and the reason if they cannot be determined. `address` is the object
    that messages suggest to exclude in that case."""
    if block.count is not None:
        return _evaluate_count(scope, block.count, address)
    if block.for_each is not None:
        return _evaluate_for_each(scope, block.for_each, address)
    if block.enabled is not None:
        return evaluate_enabled(scope, block.enabled)
    return Repetition.single(), []


def _evaluate_for_each(
    scope: ModuleScope, expression: Expression, address: str | None
) -> tuple[Repetition | None, list[Diagnostic]]:
    found = evaluate_for_each(scope, expression, ForEachRules(must_be_known=True, address=address))
    if has_errors(found.problems):
        return None, found.problems
    return Repetition.for_each(found.elements), found.problems


def check_repetition(scope: ModuleScope, block: Repeatable) -> list[Diagnostic]:
    """Check a repetition for validation: as when evaluating it, except that unknown values are accepted, and `enabled`
    is not looked at."""
    if block.count is not None:
        return _count_value(scope, block.count)[1]
    return [] if block.for_each is None else _unsettled_for_each(scope, block.for_each).problems


def check_settled_repetition(scope: ModuleScope, block: Repeatable) -> list[Diagnostic]:
    """Check a repetition for validation, as far as its value is settled: problems of others are left to planning."""
    if block.for_each is None:
        return check_repetition(scope, block)
    found = _unsettled_for_each(scope, block.for_each)
    return found.problems if found.is_settled else []


def _unsettled_for_each(scope: ModuleScope, expression: Expression) -> ForEach:
    return evaluate_for_each(scope, expression, ForEachRules(must_be_known=False))


def deciding_argument(block: Repeatable) -> Expression | None:
    """Return the argument that decides which instances there are, if there is one."""
    return next((one for one in (block.count, block.for_each, block.enabled) if one is not None), None)


ANY_INSTANCE: Final[Mapping[str, Mapping[str, Value]]] = {
    "count": {"index": unknown(NUMBER)},
    "each": {"key": unknown(STRING), "value": DYNAMIC_UNKNOWN},
}
"""What expressions of any instance of a repeated block may see, whichever way it is repeated."""


def unexpanded(block: Repeatable) -> Mapping[str, Mapping[str, Value]]:
    """Return what expressions see as `count` and `each` before the block is expanded: unknown keys and values."""
    if block.count is not None:
        return {"count": ANY_INSTANCE["count"]}
    if block.for_each is not None:
        return {"each": ANY_INSTANCE["each"]}
    return {}


def _evaluate_count(
    scope: ModuleScope, expression: Expression, address: str | None
) -> tuple[Repetition | None, list[Diagnostic]]:
    value, problems = _count_value(scope, expression)
    if has_errors(problems):
        return None, problems
    if not value.is_known:
        return None, [*problems, _count_problem(_unknown_count(scope.flavour, address), expression)]
    count = numbers.to_int(value.payload)
    if count > LARGEST_COUNT:
        detail = f"{_COUNT_UNSUITABLE}more than {LARGEST_COUNT} instances are not supported."
        return None, [*problems, _count_problem(detail, expression)]
    return Repetition.count(count), problems


_COUNT_UNSUITABLE: Final = 'The given "count" argument value is unsuitable: '
_COUNT_EPHEMERAL: Final = (
    'The given "count" is derived from an ephemeral value, which means that Terraform cannot persist it between '
    "plan/apply rounds. Use only non-ephemeral values to specify the number of resource instances."
)
_COUNT_EPHEMERAL_KEYS: Final = (
    "Ephemeral values, or values derived from ephemeral values, cannot be used as count arguments. If used, the "
    "ephemeral value could be exposed as a resource instance key."
)


def _unknown_count(flavour: Flavour, address: str | None) -> str:
    problem = (
        'The "count" value depends on resource attributes that cannot be determined until apply, so '
        f"{flavour.product} cannot predict how many instances will be created."
    )
    if flavour.unknown_repetition_suggests_exclusion and address is not None:
        return f"{problem}\n\nTo work around this, {suggest_exclusion(address)}"
    return (
        f"{problem} To work around this, use the -target argument to first apply only the resources that the count "
        "depends on."
    )


def _count_problem(detail: str, expression: Expression) -> Diagnostic:
    """Report a problem of `count`. Unlike those of `for_each`, it does not list the values that the expression refers
    to."""
    return error("Invalid count argument", detail, expression.range)


def _count_value(scope: ModuleScope, expression: Expression) -> tuple[Value, list[Diagnostic]]:
    """Return the number, or an unknown number. It may be sensitive, because only the number of instances becomes
    visible."""
    value, problems = scope.evaluate_as(expression, NUMBER)
    if has_errors(problems):
        return value, problems
    if EPHEMERAL in value.marks:
        names_context = scope.flavour.ephemeral_problems_name_context
        detail = _COUNT_EPHEMERAL_KEYS if names_context else _COUNT_EPHEMERAL
        return value, [*problems, _count_problem(detail, expression)]
    value = value.without_marks()
    if value.is_null:
        detail = 'The given "count" argument value is null. An integer is required.'
        return value, [*problems, _count_problem(detail, expression)]
    if not value.is_known:
        return value, problems
    unsuitable = _unsuitable_count(value)
    return value, [*problems, _count_problem(unsuitable, expression)] if unsuitable else problems


def _unsuitable_count(value: Value) -> str | None:
    payload = value.payload
    whole = not numbers.is_infinite(payload) and abs(payload) <= 2**64 and numbers.is_whole(payload)
    if not whole or numbers.to_int(payload) not in _INT64:
        bounds = f"between {_INT64.start} and {_INT64.stop - 1}"
        return f"{_COUNT_UNSUITABLE}value must be a whole number, {bounds}."
    if numbers.to_int(payload) < 0:
        return f"{_COUNT_UNSUITABLE}must be greater than or equal to zero."
    return None
