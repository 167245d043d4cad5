"""Marks on values that name what the values were computed from."""

from __future__ import annotations

from typing import Final

from shared_nodes.addresses.resource import AbsResourceInstance
from shared_nodes.record import record
from shared_nodes.values.marks import Marks
from shared_nodes.values.rebuild import map_elements
from shared_nodes.values.value import Value

__all__ = [
    "DEFERRED",
    "InstanceMark",
    "attach_dependencies",
    "dependency_marks",
    "is_deferred",
    "marked_instances",
    "without_dependency_marks",
]


@record
class InstanceMark:
    """The value was computed from this instance. What the instance itself was computed from is not repeated:
    `ValueOrigins` has it."""

    instance: AbsResourceInstance


@record
class _Deferred:
    """The value was computed from something that is deferred to a later run."""


DEFERRED: Final = _Deferred()


def marked_instances(marks: Marks) -> frozenset[AbsResourceInstance]:
    """Return the instances that marks name."""
    return frozenset([mark.instance for mark in marks if isinstance(mark, InstanceMark)])


def is_deferred(marks: Marks) -> bool:
    return DEFERRED in marks


def without_dependency_marks(value: Value) -> Value:
    """Return the value as other nodes know it, without these marks. The language's own marks stay."""
    if not dependency_marks(value.deep_marks()):
        return value
    if value.is_known and not value.is_null and isinstance(value.payload, tuple | dict):
        value = map_elements(value, without_dependency_marks)
    return value.without_marks().with_marks(value.marks - dependency_marks(value.marks))


def dependency_marks(marks: Marks) -> Marks:
    """Return the marks that name dependencies."""
    return frozenset([mark for mark in marks if isinstance(mark, InstanceMark | _Deferred)])


def attach_dependencies(marked: Value, ordinary: Value) -> Value:
    """Return the ordinary value with the dependencies of the marked one: part by part, if the two are otherwise equal.
    Marks can change a result (they hide a literal null); then all of them are put on the value as a whole."""
    candidate = marked.with_marks(ordinary.marks)
    if without_dependency_marks(candidate) == ordinary:
        return candidate
    return ordinary.with_marks(dependency_marks(marked.deep_marks()))
