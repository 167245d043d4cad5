"""Values as they are after being saved in a plan or passed to a provider.

Both are encoded as MessagePack, which represents a whole number as a 64-bit integer and a fraction as a float64 if that
is exact, and otherwise by decimal text. This changes the precision and thereby the text form: a product that printed 50
digits may print 17 afterwards. Negative zero becomes zero.
"""

from __future__ import annotations

from operator import is_

from shared_nodes.values import number as numbers
from shared_nodes.values.multiprecision import mpfr
from shared_nodes.values.rebuild import map_elements, with_elements
from shared_nodes.values.types import NUMBER
from shared_nodes.values.value import NULL, Unknown, Value, null, number

__all__ = ["stored", "unknown_as_null"]

_INT64 = range(-(2**63), 2**63)


def stored(value: Value) -> Value:
    """The value with every number at the precision it has after storing. Marks and unknowns are kept. A value that
    storing does not change is returned itself, because most are large and without numbers."""
    payload = value.payload
    if payload is NULL or payload.__class__ is Unknown:
        return value
    if value.type is NUMBER:
        return number(_stored_number(payload)).with_marks(value.marks)
    if payload.__class__ is tuple or payload.__class__ is dict:
        parts = [*payload.values()] if payload.__class__ is dict else payload
        kept = [*map(stored, parts)]
        return value if all(map(is_, kept, parts)) else with_elements(value, kept)
    return value


def unknown_as_null(value: Value) -> Value:
    """The value with every unknown replaced by a null of its type, which is how values still unknown after apply are
    saved."""
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
    try:
        reparsed = numbers.parse(numbers.number_text(payload))
    except numbers.NumberTooLargeError:
        return payload  # writing the value anywhere is what fails, with a diagnostic
    assert reparsed is not None
    return reparsed
