"""The number of instances of a block: `count` and `for_each`, evaluated, checked and registered.

Keys must be known when planning, because they become part of addresses; while validating, unknown keys are accepted.
Values of `for_each` may be unknown and may be sensitive, keys may be neither.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Protocol

import regex

from shared_nodes.addresses.expression_references import references
from shared_nodes.addresses.provider import AbsProviderConfig
from shared_nodes.addresses.references import ResourceInstance
from shared_nodes.addresses.resource import AbsResource, Resource, ResourceMode
from shared_nodes.config.blocks import ResourceBlock
from shared_nodes.context.expander import Repetition
from shared_nodes.context.node_context import NodeContext
from shared_nodes.context.scope import ModuleScope
from shared_nodes.flavour import TERRAFORM_1_11, Flavour
from shared_nodes.lang.diagnostics import Diagnostic, error, found_in, has_errors
from shared_nodes.lang.tree import Expression
from shared_nodes.state.model import ResourceState
from shared_nodes.values import number as numbers
from shared_nodes.values.convert import ConversionError, convert
from shared_nodes.values.marks import EPHEMERAL, SENSITIVE
from shared_nodes.values.types import DYNAMIC, NUMBER, STRING, MapType, ObjectType, SetType, friendly_name
from shared_nodes.values.value import DYNAMIC_UNKNOWN, Value, string, unknown

__all__ = [
    "ANY_INSTANCE",
    "LARGEST_COUNT",
    "Repeatable",
    "ResourceExpansion",
    "check_repetition",
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


@dataclass(frozen=True, slots=True)
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
    return Repetition.single(), []


def check_repetition(scope: ModuleScope, block: Repeatable) -> list[Diagnostic]:
    """Check a repetition for validation: as when evaluating it, except that unknown values are accepted."""
    if block.count is not None:
        return _count_value(scope, block.count)[1]
    if block.for_each is None:
        return []
    value, problems = scope.evaluate(block.for_each)
    return problems if has_errors(problems) else [*problems, *_for_each_problems(scope, value, block.for_each)]


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
        advice = _suggest_exclusion(scope, address)
        detail = f"{_NO_COUNT}.\n\nTo work around this, {advice}" if advice else _COUNT_UNKNOWN
        return None, [*problems, _count_problem(detail.replace("Terraform", scope.flavour.product), expression)]
    count = numbers.to_int(value.payload)
    if count > LARGEST_COUNT:
        detail = f"{_COUNT_UNSUITABLE}more than {LARGEST_COUNT} instances are not supported."
        return None, [*problems, _count_problem(detail, expression)]
    return Repetition.count(count), problems


_COUNT_UNSUITABLE: Final = 'The given "count" argument value is unsuitable: '
_NO_COUNT: Final = (
    'The "count" value depends on resource attributes that cannot be determined until apply, so Terraform cannot '
    "predict how many instances will be created"
)
_COUNT_UNKNOWN: Final = (
    f"{_NO_COUNT}. To work around this, use the -target argument to first apply only the resources that the count "
    "depends on."
)
_COUNT_EPHEMERAL: Final = (
    'The given "count" is derived from an ephemeral value, which means that Terraform cannot persist it between '
    "plan/apply rounds. Use only non-ephemeral values to specify the number of resource instances."
)


_PLAIN_ADDRESS: Final = regex.compile(r"[\w.-]+")


def _suggest_exclusion(scope: ModuleScope, address: str | None) -> str:
    """Explain how to plan without an object whose instances are not known yet; empty if the flavour has no such
    option."""
    if address is None or not scope.flavour.unknown_repetition_suggests_exclusion:
        return ""
    shown = address if _PLAIN_ADDRESS.fullmatch(address) else f"'{address}'"
    return (
        f"use the planning option -exclude={shown} to first apply without this object, and then apply normally to "
        "converge."
    )


def _count_problem(detail: str, expression: Expression) -> Diagnostic:
    """Report a problem of `count`. Unlike those of `for_each`, it does not list the values that the expression refers
    to."""
    return error("Invalid count argument", detail, expression.range)


def _count_value(scope: ModuleScope, expression: Expression) -> tuple[Value, list[Diagnostic]]:
    """Return the number, or an unknown number. It may be sensitive, because only the number of instances becomes
    visible."""
    value, problems = scope.evaluate(expression)
    if has_errors(problems):
        return value, problems
    try:
        value = convert(value, NUMBER)
    except ConversionError as failure:
        detail = f"Invalid expression value: {failure.explain(scope.flavour)}."
        problem = error("Incorrect value type", detail, expression.range)
        return value, [*problems, found_in(problem, expression, scope.seen_by(expression))]
    if EPHEMERAL in value.marks:
        return value, [*problems, _count_problem(_COUNT_EPHEMERAL, expression)]
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


def _evaluate_for_each(
    scope: ModuleScope, expression: Expression, address: str | None
) -> tuple[Repetition | None, list[Diagnostic]]:
    value, problems = scope.evaluate(expression)
    if has_errors(problems):
        return None, problems
    is_set = isinstance(value.type, SetType)
    if not value.is_known or (is_set and not value.is_wholly_known):
        detail = _SET_UNKNOWN if is_set else _MAP_UNKNOWN
        advice = _suggest_exclusion(scope, address)
        if advice:
            detail = detail.replace(_TARGET_FIRST, f"Alternatively, you could {advice}")
        problem = error(_FOR_EACH, detail.replace("Terraform", scope.flavour.product), expression.range)
        return None, [*problems, found_in(problem, expression, scope.seen_by(expression), unknown_is_cause=True)]
    problems = [*problems, *_for_each_problems(scope, value, expression)]
    if has_errors(problems):
        return None, problems
    if is_set:
        return Repetition.for_each({element.payload: string(element.payload) for element in value.payload}), problems
    return Repetition.for_each(value.payload), problems


_FOR_EACH: Final = "Invalid for_each argument"
_FOR_EACH_SET: Final = "Invalid for_each set argument"
_UNSUITABLE: Final = 'The given "for_each" argument value is unsuitable: '
_TARGET_FIRST: Final = (
    "Alternatively, you could use the -target planning option to first apply only the resources that the for_each "
    "value depends on, and then apply a second time to fully converge."
)
_CANNOT_DETERMINE: Final = (
    "derived from resource attributes that cannot be determined until apply, and so Terraform cannot determine the "
    "full set of keys that will identify the instances of this resource."
)
_MAP_UNKNOWN: Final = (
    f'The "for_each" map includes keys {_CANNOT_DETERMINE}\n\n'
    "When working with unknown values in for_each, it's better to define the map keys statically in your configuration "
    f"and place apply-time results only in the map values.\n\n{_TARGET_FIRST}"
)
_SET_UNKNOWN: Final = (
    f'The "for_each" set includes values {_CANNOT_DETERMINE}\n\n'
    "When working with unknown values in for_each, it's better to use a map value where the keys are defined "
    f"statically in your configuration and where only the values contain apply-time results.\n\n{_TARGET_FIRST}"
)
_SENSITIVE: Final = (
    "Sensitive values, or values derived from sensitive values, cannot be used as for_each arguments. If used, the "
    "sensitive value could be exposed as a resource instance key."
)
_EPHEMERAL: Final = (
    'The given "for_each" value is derived from an ephemeral value, which means that Terraform cannot persist it '
    "between plan/apply rounds. Use only non-ephemeral values to specify a resource's instance keys."
)


def _for_each_problems(scope: ModuleScope, value: Value, expression: Expression) -> list[Diagnostic]:
    """Check marks first: other problems of a secret value are not reported."""
    marked = [
        found_in(
            error(_FOR_EACH, detail, expression.range),
            expression,
            scope.seen_by(expression),
            marks_are_cause=frozenset((mark,)),
        )
        for mark, detail in ((SENSITIVE, _SENSITIVE), (EPHEMERAL, _EPHEMERAL))
        if mark in value.marks
    ]
    if marked:
        return marked
    return [
        found_in(problem, expression, scope.seen_by(expression))
        for problem in _unusable_for_each(value, expression, scope.flavour)
    ]


def _unusable_for_each(value: Value, expression: Expression, flavour: Flavour) -> list[Diagnostic]:
    where = expression.range
    kind = value.type
    if value.is_null:
        detail = 'the given "for_each" argument value is null. A map, or set of strings is allowed.'
        return [error(_FOR_EACH, _UNSUITABLE + detail, where)]
    if kind is not DYNAMIC and not isinstance(kind, MapType | SetType | ObjectType):
        detail = (
            'the "for_each" argument must be a map, or set of strings, and you have provided a value of type '
            f"{friendly_name(kind)}."
        )
        return [error(_FOR_EACH, _UNSUITABLE + detail, where)]
    summary = _FOR_EACH_SET if flavour.bad_sets_have_own_summary else _FOR_EACH
    return _set_problems(value, kind, expression, summary) if isinstance(kind, SetType) else []


def _set_problems(value: Value, kind: SetType, expression: Expression, summary: str) -> list[Diagnostic]:
    if not value.is_wholly_known or not value.payload:
        return []
    if kind.element is not STRING:
        detail = (
            '"for_each" supports maps and sets of strings, but you have provided a set containing type '
            f"{friendly_name(kind.element)}."
        )
        return [error(summary, _UNSUITABLE + detail, expression.range)]
    if any(element.is_null for element in value.payload):
        detail = '"for_each" sets must not contain null values.'
        return [error(summary, _UNSUITABLE + detail, expression.range)]
    return []
