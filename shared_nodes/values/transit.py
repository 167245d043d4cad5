"""What a value is like after it went through a plan file or to a provider and back.

Both use a binary encoding that writes a number as an integer, as a float or as decimal text, whichever is exact, and
reading it gives a number of the precision that goes with the form. So numbers come back with another text form:
`log(10, 3) * 1` is 2.09590327428938483222964350716210901737213134765625 in an expression and 2.095903274289385 in the
state, and `-0` comes back as 0.
"""

from __future__ import annotations

from gmpy2 import mpfr

from shared_nodes.values import number as numbers
from shared_nodes.values.number import NumberTooLargeError, number_text
from shared_nodes.values.value import Value

__all__ = ["after_transit", "number_after_transit"]

_LEAST_INTEGER = -(2**63)
_GREATEST_INTEGER = 2**64 - 1


def number_after_transit(number: mpfr) -> mpfr:
    if numbers.is_infinite(number):
        return number
    if numbers.is_whole(number):
        if _LEAST_INTEGER <= number <= _GREATEST_INTEGER:
            return numbers.from_int(numbers.to_int(number))
    elif (shortened := numbers.from_float(float(number))) == number:
        return shortened
    try:
        return numbers.parse(number_text(number)) or number
    except NumberTooLargeError:
        return number


def after_transit(value: Value) -> Value:
    """The value with every number in it as it comes back. Marks and unknown parts are carried beside the encoding
    and stay."""
    payload = value.payload
    if payload.__class__ is tuple or payload.__class__ is dict:
        return value.map_elements(after_transit)
    if isinstance(payload, mpfr):
        return Value(value.type, number_after_transit(payload), value.marks)
    return value
