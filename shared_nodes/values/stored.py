"""Values as they come back from being saved in a plan or handed to a provider.

Both cross the wire in MessagePack, which keeps a whole number as a 64-bit integer and a fraction as a float64 where
that is exact, and by its decimal text otherwise. Precision changes on the way, and with it the text form: a product
that printed 50 digits may print 17 afterwards. Negative zero comes back as zero.
"""

from __future__ import annotations

from gmpy2 import mpfr

from shared_nodes.values import number as numbers
from shared_nodes.values.rebuild import map_elements
from shared_nodes.values.types import NUMBER
from shared_nodes.values.value import NULL, Unknown, Value, null, number

__all__ = ["stored", "unknown_as_null"]

_INT64 = range(-(2**63), 2**63)


def stored(value: Value) -> Value:
    """The value with the precision of every number as it is after storing. Marks and unknowns stay in place."""
    payload = value.payload
    if payload is NULL or payload.__class__ is Unknown:
        return value
    if value.type is NUMBER:
        return number(_stored_number(payload)).with_marks(value.marks)
    if payload.__class__ is tuple or payload.__class__ is dict:
        return map_elements(value, stored)
    return value


def unknown_as_null(value: Value) -> Value:
    """What is saved of a value that is still unknown after apply: a null of its type."""
    payload = value.payload
    if payload.__class__ is Unknown:
        return null(value.type).with_marks(value.marks)
    if payload.__class__ is tuple or payload.__class__ is dict:
        return map_elements(value, unknown_as_null)
    return value


def _stored_number(payload: mpfr) -> mpfr:
    if numbers.is_infinite(payload):
        return payload
    if numbers.is_whole(payload):
        if abs(payload) < 2**64 and (whole := numbers.to_int(payload)) in _INT64:
            return numbers.from_int(whole)
    elif (as_float := numbers.from_float(float(payload))) == payload:
        return as_float
    reparsed = numbers.parse(numbers.number_text(payload))
    assert reparsed is not None
    return reparsed
