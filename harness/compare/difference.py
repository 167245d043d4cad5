"""One thing in which two outcomes of a step differ."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from enum import StrEnum

from shared_nodes.record import record

__all__ = ["Difference", "DifferenceKind", "merge_alike"]


class DifferenceKind(StrEnum):
    """How two outcomes differ."""

    VALUE = "value"
    TYPE = "type"
    """A number where there should be a text, one object where there should be a list, ..."""

    MISSING = "missing"
    SURPLUS = "surplus"
    ORDER = "order"


@record
class Difference:
    """Where two outcomes differ. `field` begins with a field of the observation and continues to the exact place;
    `shape` is the same without names and indices, so that one bug has one shape in every case."""

    field: str
    expected: str
    got: str
    is_detail: bool = False
    shape: str = ""
    kind: DifferenceKind = DifferenceKind.VALUE
    role: str = ""
    """What the plans intend for the object it is about: `update`, or `replace > no-op` where they intend different
    things. Empty if it is about no object, or if one side has no plan."""

    objects: tuple[str, ...] = ()
    """The addresses of the objects it is about."""

    count: int = 1
    """How many places of the step differ in this way. `field` is the first of them."""

    def __str__(self) -> str:
        more = f" (and {self.count - 1} more like it)" if self.count > 1 else ""
        return f"{self.field}: expected {self.expected}, got {self.got}{more}"


def merge_alike(differences: Iterable[Difference]) -> list[Difference]:
    """Return one difference for all that are alike but for their exact place, in the order of the first of each. A plan
    of a thousand objects that all lack a key has one difference, not a thousand."""
    found: dict[tuple[str, DifferenceKind, str, bool], Difference] = {}
    for each in differences:
        key = (each.shape, each.kind, each.role, each.is_detail)
        first = found.get(key)
        found[key] = each if first is None else _with_another(first, each)
    return list(found.values())


def _with_another(first: Difference, other: Difference) -> Difference:
    objects = tuple(dict.fromkeys((*first.objects, *other.objects)))
    return replace(first, count=first.count + other.count, objects=objects)
