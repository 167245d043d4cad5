"""Whether two values are the same in every respect: type, nullness, refinements of unknowns, and marks.

Unlike the `==` of the language, the result is always known. It differs from Python's `==` on values in one respect:
fractions are the same if they would be stored the same, whatever precision they were computed with.
"""

from __future__ import annotations

from shared_nodes.values.equality import numbers_equal
from shared_nodes.values.multiprecision import mpfr
from shared_nodes.values.refinement import UNREFINED
from shared_nodes.values.value import NULL, Unknown, Value, unknown

__all__ = ["raw_equals", "raw_equals_unrefined", "unrefined"]


def raw_equals(left: Value, right: Value) -> bool:
    if left is right:
        return True
    if left.type != right.type or left.marks != right.marks:
        return False
    ours, theirs = left.payload, right.payload
    if ours.__class__ is not theirs.__class__:
        return False
    if ours is NULL:
        return True
    if ours.__class__ is dict:
        return ours.keys() == theirs.keys() and all(raw_equals(part, theirs[key]) for key, part in ours.items())
    if ours.__class__ is tuple:
        return len(ours) == len(theirs) and all(map(raw_equals, ours, theirs))
    if isinstance(ours, mpfr):
        return numbers_equal(ours, theirs)
    return bool(ours == theirs)


def raw_equals_unrefined(left: Value, right: Value) -> bool:
    """Compare like `raw_equals`, but ignore refinements of unknowns."""
    return left is right or raw_equals(unrefined(left), unrefined(right))


def unrefined(value: Value) -> Value:
    """The value with all refinements of unknowns dropped, since providers need not preserve them."""
    payload = value.payload
    if payload.__class__ is Unknown:
        return value if payload.refinement is UNREFINED else unknown(value.type).with_marks(value.marks)
    if payload.__class__ is tuple:
        return Value(value.type, tuple([unrefined(element) for element in payload]), value.marks)
    if payload.__class__ is dict:
        return Value(value.type, {key: unrefined(element) for key, element in payload.items()}, value.marks)
    return value
