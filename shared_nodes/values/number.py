"""Numbers: binary floating point of arbitrary size, where each value has its own precision in bits.

The payload of a number value is a `gmpy2.mpfr`: immutable, correctly rounded, with signed zero, infinities and its own
precision, which is exactly the original's model. This module adds what mpfr leaves open: the precision of results and
the decimal text form.

- Parsed literals and strings have 512 bits, integers made by functions 64, results of float functions 53.
- A sum, difference or quotient has the precision of the wider operand; a product has as many bits as it needs.
- The text form is the shortest decimal, without exponent, that identifies the value *at its precision*.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import Final

from shared_nodes.pattern import pattern
from shared_nodes.values.multiprecision import gmpy2, mpfr, mpz

__all__ = [
    "MAX_TEXT_DIGITS",
    "NegativeInfinity",
    "NumberError",
    "NumberTooLargeError",
    "PositiveInfinity",
    "add",
    "divide",
    "from_binary",
    "from_float",
    "from_int",
    "is_infinite",
    "is_signed_zero",
    "is_whole",
    "modulo",
    "multiply",
    "negate",
    "number_text",
    "parse",
    "short_text",
    "subtract",
    "to_binary",
    "to_int",
]

LITERAL_PRECISION: Final = 512
INTEGER_PRECISION: Final = 64
FLOAT_PRECISION: Final = 53

MAX_TEXT_DIGITS: Final = 1_000_000
"""Longer text forms are refused: `1e999999999` is a legal number, but its text would exhaust memory."""

NegativeInfinity: Final = mpfr("-inf", LITERAL_PRECISION)
PositiveInfinity: Final = mpfr("inf", LITERAL_PRECISION)

_LEAST_EXPONENT: Final = -(2**31)
_GREATEST_EXPONENT: Final = 2**31 - 1
"""Limits of the original's binary exponents.

The original adds the decimal exponent to the size of the mantissa and refuses to read the number if the sum is out of
range, although the power of five, not yet considered then, makes most such numbers infinite. (Computed numbers are
infinite beyond 2**(2**30) here and beyond 2**(2**31) there; both have 300 million digits.)
"""

_DECIMAL: Final = pattern(r"[+-]?([0-9]*)(?:\.([0-9]*))?(?:[eE]([+-]?)0*([0-9]+))?", re.ASCII)
_INFINITY: Final = {"Inf", "+Inf", "-Inf", "inf", "+inf", "-inf"}


class NumberError(ValueError):
    """The operation has no defined result, for example zero divided by zero."""


class NumberTooLargeError(ValueError):
    """The text form of the number is longer than `MAX_TEXT_DIGITS`."""


@cache
def _context(precision: int) -> gmpy2.context:
    """The gmpy2 context that rounds to a precision. One context exists per precision in use."""
    return gmpy2.context(precision=precision, round=gmpy2.RoundToNearest)


@lru_cache(maxsize=4096)
def parse(text: str) -> mpfr | None:
    """Read decimal text, rounded to 512 bits. Returns None if the language does not accept it as a number."""
    if text in _INFINITY:
        return mpfr(text, LITERAL_PRECISION)
    found = _DECIMAL.fullmatch(text)
    if found is None:
        return None
    whole, fraction, exponent_sign, exponent_digits = found.groups(default="")
    if not whole and not fraction:
        return None
    if len(exponent_digits) > _MAX_EXPONENT_DIGITS:
        return None
    exponent = int(f"{exponent_sign}{exponent_digits}" if exponent_digits else "0") - len(fraction)
    if abs(exponent) > _PLAUSIBLE_EXPONENT:
        mantissa = mpz(whole + fraction)
        if mantissa and not _LEAST_EXPONENT <= mantissa.bit_length() + exponent <= _GREATEST_EXPONENT:
            return None
    return mpfr(text, LITERAL_PRECISION)


_MAX_EXPONENT_DIGITS: Final = 18
_PLAUSIBLE_EXPONENT: Final = 1_000_000


def from_int(value: int, precision: int = INTEGER_PRECISION) -> mpfr:
    """An exact number. The precision is larger than the given one if the integer needs more bits."""
    return mpfr(value, max(precision, value.bit_length()))


def from_float(value: float) -> mpfr:
    return mpfr(value, FLOAT_PRECISION)


def to_binary(number: mpfr) -> tuple[int, int]:
    """Return (m, e) with number = m * 2**e, for a finite number whose text would be too long."""
    mantissa, exponent = _mantissa_and_exponent(number)
    return int(mantissa), exponent


def from_binary(mantissa: int, exponent: int) -> mpfr | None:
    """Return m * 2**e, or None if no number of the language is that precise, or that large."""
    if mantissa.bit_length() > LITERAL_PRECISION or not _LEAST_EXPONENT <= exponent <= _GREATEST_EXPONENT:
        return None
    scale = gmpy2.mul_2exp if exponent >= 0 else gmpy2.div_2exp
    with _context(LITERAL_PRECISION):
        return scale(mpfr(mantissa, LITERAL_PRECISION), abs(exponent))


def to_int(number: mpfr) -> int:
    """The integer part of a finite number, truncated toward zero."""
    return int(gmpy2.mpz(gmpy2.trunc(number))) if number.precision <= 53 else int(_truncate(number))


def _truncate(number: mpfr) -> mpz:
    mantissa, exponent = _mantissa_and_exponent(number)
    if exponent >= 0:
        return mantissa << exponent
    return mantissa >> -exponent if mantissa >= 0 else -((-mantissa) >> -exponent)


def _mantissa_and_exponent(number: mpfr) -> tuple[mpz, int]:
    """Return (m, e) with number = m * 2**e, where m is odd or zero."""
    if gmpy2.is_zero(number):
        return mpz(0), 0
    mantissa, exponent = number.as_mantissa_exp()
    shift = gmpy2.bit_scan1(mantissa) or 0
    return mantissa >> shift, int(exponent) + shift


def is_whole(number: mpfr) -> bool:
    return bool(gmpy2.is_integer(number))


def is_infinite(number: mpfr) -> bool:
    return bool(gmpy2.is_infinite(number))


def is_signed_zero(number: mpfr) -> bool:
    return bool(gmpy2.is_zero(number) and gmpy2.is_signed(number))


def negate(number: mpfr) -> mpfr:
    return _context(number.precision).minus(number)


def _require_number(result: mpfr, reason: str) -> mpfr:
    if gmpy2.is_nan(result):
        raise NumberError(reason)
    return result


def add(left: mpfr, right: mpfr) -> mpfr:
    precision = max(left.precision, right.precision)
    return _require_number(_context(precision).add(left, right), "can't compute sum of opposing infinities")


def subtract(left: mpfr, right: mpfr) -> mpfr:
    precision = max(left.precision, right.precision)
    return _require_number(_context(precision).sub(left, right), "can't subtract infinity from itself")


def multiply(left: mpfr, right: mpfr) -> mpfr:
    wide = _require_number(_context(LITERAL_PRECISION).mul(left, right), "can't multiply zero by infinity")
    precision = max(left.precision, right.precision)
    if precision >= LITERAL_PRECISION or gmpy2.is_infinite(wide):
        return wide
    needed = _mantissa_and_exponent(wide)[0].bit_length()
    return _context(max(precision, needed)).plus(wide)


def divide(left: mpfr, right: mpfr) -> mpfr:
    precision = max(left.precision, right.precision)
    return _require_number(_context(precision).div(left, right), "can't divide zero by zero or infinity by infinity")


_MODULO_PANIC: Final = (
    "panic in function implementation: runtime error: invalid memory address or nil pointer dereference"
)
"""The original does not expect an infinite quotient, and reports its own crash."""


def modulo(left: mpfr, right: mpfr) -> mpfr:
    """The remainder of truncated division. Its sign follows the left operand, and `a % 0` is `a`."""
    if gmpy2.is_zero(right):
        return left
    if gmpy2.is_infinite(right):
        raise NumberError("can't use modulo with zero and infinity")
    quotient = divide(left, right)
    if gmpy2.is_infinite(quotient):
        raise NumberError(_MODULO_PANIC)
    whole = mpz(_truncate(quotient))
    product = _context(max(quotient.precision, right.precision)).mul(
        mpfr(whole, max(quotient.precision, whole.bit_length())), right
    )
    return _context(left.precision).sub(left, product)


@lru_cache(maxsize=4096)
def _finite_text(mantissa: mpz, exponent: int, precision: int) -> str:
    bits = mantissa.bit_length()
    if exponent >= 0 and bits + exponent <= precision:
        return str((mantissa << exponent).digits())
    if abs(exponent + bits) > MAX_TEXT_DIGITS * 3.3:
        raise NumberTooLargeError
    return _shortest_decimal(mantissa, exponent, precision)


def _shortest_decimal(mantissa: mpz, exponent: int, precision: int) -> str:
    """The shortest digits strictly between the midpoints to the neighbouring values of this precision.

    Value and bounds are scaled to integers over one power of ten, so that their exact decimal digits can be compared as
    strings. The search stops at the first digit where truncating or incrementing stays within the bounds. Below a power
    of two the lower neighbour is actually half as far away; the original ignores that, so `pow(2, 64)` prints
    18446744073709550000.
    """
    bits = mantissa.bit_length()
    mantissa, exponent = mantissa << (precision - bits), exponent - (precision - bits)
    inclusive = mantissa % 2 == 0
    value, lower, upper = mantissa * 2, mantissa * 2 - 1, mantissa * 2 + 1
    exponent -= 1
    if exponent >= 0:
        scale, point = mpz(1) << exponent, 0
    else:
        scale, point = mpz(5) ** -exponent, exponent
    width = len((upper * scale).digits()) + 1  # one leading zero takes the carry of an increment
    upper_digits = (upper * scale).digits().rjust(width, "0")
    digits = (value * scale).digits().rjust(width, "0")
    lower_digits = (lower * scale).digits().rjust(width, "0")
    kept = _cut_between(digits, lower_digits, upper_digits, inclusive)
    return _place_point(kept, width + point)


def _cut_between(digits: str, lower: str, upper: str, inclusive: bool) -> str:
    """The first prefix of `digits`, rounded down or up, that is between `lower` and `upper`."""
    last = len(digits.rstrip("0"))
    lower_length = len(lower.rstrip("0"))
    upper_delta = 0
    for position in range(last):
        own, low, high = digits[position], lower[position], upper[position]
        down = low != own or (inclusive and position + 1 == lower_length)
        if upper_delta == 0 and int(own) + 1 < int(high):
            upper_delta = 2
        elif upper_delta == 0 and own != high:
            upper_delta = 1
        elif upper_delta == 1 and (own != "9" or high != "0"):
            upper_delta = 2
        up = upper_delta > 0 and (inclusive or upper_delta > 1 or position + 1 < len(upper.rstrip("0")))
        if down and up:
            return _round_at(digits, position + 1)
        if down:
            return digits[: position + 1]
        if up:
            return _increment(digits[: position + 1])
    return digits[:last]


def _round_at(digits: str, length: int) -> str:
    """Round to nearest, ties to even, like the original's decimal type."""
    kept, rest = digits[:length], digits[length:].rstrip("0")
    up = int(kept[-1]) % 2 == 1 if rest == "5" else rest >= "5"
    return _increment(kept) if up else kept


def _increment(digits: str) -> str:
    return str((mpz(digits or "0") + 1).digits().rjust(len(digits), "0"))


def _place_point(digits: str, point: int) -> str:
    """Insert the decimal point `point` places from the left end of the digits, padding with zeros on either side."""
    stripped = digits.lstrip("0")
    point -= len(digits) - len(stripped)
    stripped = stripped.rstrip("0")
    if point <= 0:
        return "0." + "0" * -point + stripped
    if len(stripped) <= point:
        return stripped + "0" * (point - len(stripped))
    return f"{stripped[:point]}.{stripped[point:]}"


_SMALL_INTEGER: Final = 2**FLOAT_PRECISION
"""Integers below this are exact at every precision in use."""


def number_text(number: mpfr) -> str:
    """The decimal text form used in strings, JSON and keys: `0.5`, `-0`, `18446744073709550000`, `+Inf`."""
    if gmpy2.is_infinite(number):
        return "-Inf" if number < 0 else "+Inf"
    if gmpy2.is_zero(number):
        return "-0" if gmpy2.is_signed(number) else "0"
    if gmpy2.is_integer(number) and -_SMALL_INTEGER < number < _SMALL_INTEGER:
        return str(int(number))
    mantissa, exponent = _mantissa_and_exponent(number)
    text = _finite_text(abs(mantissa), exponent, number.precision)
    return "-" + text if mantissa < 0 else text


_PLAIN_EXPONENTS: Final = range(-4, 6)


def short_text(number: mpfr) -> str:
    """Like `number_text`, but with an exponent from one million on and below 0.0001: `1.5e+06`."""
    text = number_text(number)
    whole, _, fraction = text.lstrip("-").partition(".")
    digits = (whole + fraction).lstrip("0")
    if not digits.isdigit():
        return text
    exponent = len(digits) - len(fraction) - 1
    if exponent in _PLAIN_EXPONENTS:
        return text
    digits = digits.rstrip("0")
    mantissa = digits[0] + (f".{digits[1:]}" if len(digits) > 1 else "")
    return f"{'-' if text.startswith('-') else ''}{mantissa}e{exponent:+03}"
