"""How many instances a block has: `count` and `for_each`, evaluated, checked and registered.

Keys must be known when planning, because they become part of addresses; while validating, anything unknown may still
turn out fine. Values of `for_each` may stay unknown and may be sensitive, keys may be neither.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Protocol

from shared_nodes.addresses.provider import AbsProviderConfig
from shared_nodes.addresses.references import ResourceInstance
from shared_nodes.addresses.resource import AbsResource, Resource, ResourceMode
from shared_nodes.config.blocks import ResourceBlock
from shared_nodes.diagnostics import Diagnostic, error, has_errors
from shared_nodes.lang.references import references
from shared_nodes.lang.tree import Expression
from shared_nodes.nodes.context import NodeContext
from shared_nodes.nodes.expander import Repetition
from shared_nodes.nodes.scope import ModuleScope
from shared_nodes.state.model import ResourceState
from shared_nodes.values import number as numbers
from shared_nodes.values.convert import ConversionError, convert
from shared_nodes.values.marks import EPHEMERAL, SENSITIVE
from shared_nodes.values.types import DYNAMIC, NUMBER, STRING, MapType, ObjectType, SetType, friendly_name
from shared_nodes.values.value import DYNAMIC_UNKNOWN, Value, string, unknown

__all__ = [
    "LARGEST_COUNT",
    "ResourceExpansion",
    "check_repetition",
    "evaluate_repetition",
    "expand_resource",
    "unexpanded",
]

LARGEST_COUNT: Final = 1_000_000
"""The original knows no limit but memory, and crashes for want of it far below 2^63. A user's number must not do that
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
    """Decide which instances there are and tell the expander. The working state gets a record of the resource even
    without instances: this is what makes `count = 0` an empty list in expressions instead of something unknown."""
    problems = _refers_to_itself(request.block)
    if problems:
        return problems
    repetition, problems = evaluate_repetition(context.scope(request.address.module), request.block)
    if repetition is None:
        return problems
    if request.address.resource.mode is not ResourceMode.EPHEMERAL:
        record = context.working.resources.setdefault(request.address, ResourceState(request.provider))
        record.provider = request.provider
    context.expander.register_resource(request.address, repetition)
    return problems


def _refers_to_itself(block: ResourceBlock) -> list[Diagnostic]:
    """The number of instances cannot depend on the instances. Only planning looks: validation lets this pass."""
    found: list[Diagnostic] = []
    for expression in (block.count, block.for_each):
        if expression is None:
            continue
        for reference in references(expression)[0]:
            subject = reference.subject
            resource = subject.resource if isinstance(subject, ResourceInstance) else subject
            if isinstance(resource, Resource) and resource == block.resource:
                detail = f"Configuration for {resource} may not refer to itself."
                found.append(error("Self-referential block", detail, reference.range))
    return found


def evaluate_repetition(scope: ModuleScope, block: Repeatable) -> tuple[Repetition | None, list[Diagnostic]]:
    """The instances of a block; None where they cannot be told, with the reason."""
    if block.count is not None:
        return _evaluate_count(scope, block.count)
    if block.for_each is not None:
        return _evaluate_for_each(scope, block.for_each)
    return Repetition.single(), []


def check_repetition(scope: ModuleScope, block: Repeatable) -> list[Diagnostic]:
    """What validation says: like evaluating, but unknown is fine."""
    if block.count is not None:
        return _count_value(scope, block.count)[1]
    if block.for_each is None:
        return []
    value, problems = scope.evaluate(block.for_each)
    return problems if has_errors(problems) else [*problems, *_for_each_problems(value, block.for_each)]


def unexpanded(block: Repeatable) -> Mapping[str, Mapping[str, Value]]:
    """What expressions see as `count` and `each` before anything is expanded: some key, some value."""
    if block.count is not None:
        return {"count": {"index": unknown(NUMBER)}}
    if block.for_each is not None:
        return {"each": {"key": unknown(STRING), "value": DYNAMIC_UNKNOWN}}
    return {}


def _evaluate_count(scope: ModuleScope, expression: Expression) -> tuple[Repetition | None, list[Diagnostic]]:
    value, problems = _count_value(scope, expression)
    if has_errors(problems):
        return None, problems
    if not value.is_known:
        return None, [*problems, _count_problem(_COUNT_UNKNOWN, expression)]
    count = numbers.to_int(value.payload)
    if count > LARGEST_COUNT:
        detail = f"{_COUNT_UNSUITABLE}more than {LARGEST_COUNT} instances are not supported."
        return None, [*problems, _count_problem(detail, expression)]
    return Repetition.count(count), problems


_COUNT_UNSUITABLE: Final = 'The given "count" argument value is unsuitable: '
_COUNT_UNKNOWN: Final = (
    'The "count" value depends on resource attributes that cannot be determined until apply, so Terraform cannot '
    "predict how many instances will be created. To work around this, use the -target argument to first apply only the "
    "resources that the count depends on."
)
_COUNT_EPHEMERAL: Final = (
    'The given "count" is derived from an ephemeral value, which means that Terraform cannot persist it between '
    "plan/apply rounds. Use only non-ephemeral values to specify the number of resource instances."
)


def _count_problem(detail: str, expression: Expression) -> Diagnostic:
    return error("Invalid count argument", detail, expression.range)


def _count_value(scope: ModuleScope, expression: Expression) -> tuple[Value, list[Diagnostic]]:
    """The number, or an unknown number. It may be sensitive: only how many there are becomes visible."""
    value, problems = scope.evaluate(expression)
    if has_errors(problems):
        return value, problems
    try:
        value = convert(value, NUMBER)
    except ConversionError as failure:
        detail = f"Invalid expression value: {failure.explain(scope.flavour)}."
        return value, [*problems, error("Incorrect value type", detail, expression.range)]
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


def _evaluate_for_each(scope: ModuleScope, expression: Expression) -> tuple[Repetition | None, list[Diagnostic]]:
    value, problems = scope.evaluate(expression)
    if has_errors(problems):
        return None, problems
    is_set = isinstance(value.type, SetType)
    if not value.is_known or (is_set and not value.is_wholly_known):
        detail = _SET_UNKNOWN if is_set else _MAP_UNKNOWN
        return None, [*problems, error(_FOR_EACH, detail, expression.range)]
    problems = [*problems, *_for_each_problems(value, expression)]
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


def _for_each_problems(value: Value, expression: Expression) -> list[Diagnostic]:
    """Marks are looked at first: what else is wrong with a secret value is not said."""
    where = expression.range
    marked = [
        error(_FOR_EACH, detail, where)
        for mark, detail in ((SENSITIVE, _SENSITIVE), (EPHEMERAL, _EPHEMERAL))
        if mark in value.marks
    ]
    if marked:
        return marked
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
    return _set_problems(value, kind, expression) if isinstance(kind, SetType) else []


def _set_problems(value: Value, kind: SetType, expression: Expression) -> list[Diagnostic]:
    if not value.is_wholly_known or not value.payload:
        return []
    if kind.element is not STRING:
        detail = (
            '"for_each" supports maps and sets of strings, but you have provided a set containing type '
            f"{friendly_name(kind.element)}."
        )
        return [error(_FOR_EACH_SET, _UNSUITABLE + detail, expression.range)]
    if any(element.is_null for element in value.payload):
        detail = '"for_each" sets must not contain null values.'
        return [error(_FOR_EACH_SET, _UNSUITABLE + detail, expression.range)]
    return []
