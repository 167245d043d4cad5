"""Alters answers for faults whose effect has taken place."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from harness.simulation.problems import block_error
from harness.simulation.simcloud.behaviour import text_of, with_parts
from harness.simulation.simcloud.faults import FaultKind, Subject, Verb
from shared_nodes.providers.contract import ApplyResponse, OpenedEphemeral, PlanResponse, ReadObject
from shared_nodes.providers.schema import SchemaBlock, attribute_type, empty_value, implied_type
from shared_nodes.values.types import NUMBER, STRING
from shared_nodes.values.value import Value, integer, null, string, unknown

__all__ = ["spoil_data", "spoil_opened", "spoil_plan", "spoil_read", "spoil_result"]

_LATE: Final = {
    Verb.CREATE: ("Create failed late", "created"),
    Verb.UPDATE: ("Update failed late", "updated"),
    Verb.DELETE: ("Delete failed late", "deleted"),
}


def spoil_plan(answer: PlanResponse, kind: FaultKind, block: SchemaBlock, *, is_creation: bool) -> PlanResponse:
    """Alter a plan. An inconsistent plan changes an attribute that only the server decides and that was known in the
    first plan; for a new object, that is one with a known default."""
    value = answer.value
    if value is None or value.is_null:
        return answer
    if kind is FaultKind.NULL_RESULT:
        return replace(answer, value=null(implied_type(block)))
    if kind is FaultKind.INVALID_PLAN:
        return replace(answer, value=with_parts(value, {_neutral_argument(block): string("invalid")}))
    candidates = [name for name in _computed_names(block) if value.payload[name].is_known]
    if is_creation:
        candidates = [name for name in candidates if name != "id"]
    wrong = {name: _different_value(value.payload[name]) for name in candidates[-1:]}
    return replace(answer, value=with_parts(value, wrong))


def spoil_result(
    answer: ApplyResponse, kind: FaultKind, block: SchemaBlock, subject: Subject, noun: str
) -> ApplyResponse:
    value = answer.value
    subject_value = value if value is not None and not value.is_null else subject.value
    identifier = None if subject_value is None else text_of(subject_value, "id")
    nothing = null(implied_type(block))
    match kind:
        case FaultKind.ERROR_AFTER:
            summary, done = _LATE[subject.verb]
            problem = block_error(summary, f'The cloud {done} {noun} "{identifier}" and then failed.')
            return replace(answer, problems=[problem])
        case FaultKind.PARTIAL if subject_value is not None:
            part = with_parts(empty_value(block), {name: subject_value.payload[name] for name in ("id", "name")})
            problem = block_error("Create incomplete", f'The cloud created {noun} "{identifier}" in part.')
            return replace(answer, value=part, problems=[problem])
        case FaultKind.LOST:
            problem = block_error("Create lost", f'The cloud lost track of {noun} "{subject.name}".')
            return replace(answer, value=nothing, problems=[problem])
        case FaultKind.NULL_RESULT:
            return replace(answer, value=nothing)
        case FaultKind.INCONSISTENT_RESULT if subject_value is not None:
            return replace(answer, value=with_parts(subject_value, {_neutral_argument(block): string("inconsistent")}))
        case FaultKind.UNKNOWN_RESULT if subject_value is not None:
            return replace(answer, value=_with_unknown(subject_value, block))
    return answer


def spoil_read(answer: ReadObject, kind: FaultKind, block: SchemaBlock) -> ReadObject:
    if answer.value is None or answer.value.is_null:
        return answer
    if kind is FaultKind.GONE:
        return replace(answer, value=null(implied_type(block)))
    return replace(answer, value=_with_unknown(answer.value, block))


def spoil_data(answer: ReadObject, kind: FaultKind, block: SchemaBlock) -> ReadObject:
    if answer.value is None:
        return answer
    if kind is FaultKind.NULL_RESULT:
        return replace(answer, value=null(implied_type(block)))
    return replace(answer, value=_with_unknown(answer.value, block))


def spoil_opened(answer: OpenedEphemeral, kind: FaultKind, block: SchemaBlock) -> OpenedEphemeral:
    if answer.value is None:
        return answer
    match kind:
        case FaultKind.UNKNOWN_RESULT:
            return replace(answer, value=_with_unknown(answer.value, block))
        case FaultKind.INCONSISTENT_RESULT:
            return replace(answer, value=with_parts(answer.value, {_neutral_argument(block): string("inconsistent")}))
    return replace(answer, value=null(implied_type(block)))


def _with_unknown(value: Value, block: SchemaBlock) -> Value:
    """Make one attribute unknown, but never the id: an object without one could not be found again, which is a
    different fault."""
    names = [name for name in _computed_names(block) if name != "id"] or ["name"]
    types = {name: attribute_type(attribute) for name, attribute in block.attributes.items()}
    return with_parts(value, {names[-1]: unknown(types[names[-1]])})


def _computed_names(block: SchemaBlock) -> list[str]:
    return sorted(name for name, attribute in block.attributes.items() if attribute.computed)


def _neutral_argument(block: SchemaBlock) -> str:
    """Return the name of an argument that does not identify the object, if there is one."""
    value = block.attributes.get("value")
    return "value" if value is not None and value.type is STRING else "name"


def _different_value(value: Value) -> Value:
    return integer(99) if value.type is NUMBER else string("inconsistent") if value.type is STRING else null(value.type)
