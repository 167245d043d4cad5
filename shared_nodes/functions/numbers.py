"""Number functions: abs ceil floor log max min parseint pow signum.

abs, ceil, floor, max and min work on numbers of any size and keep the precision of the argument they return. log and
pow compute with the original's 64-bit floats, exact to the last digit. That digit depends on the algorithm, not only on
rounding, so the algorithms of the original's runtime are reproduced here (`log(1000, 10)` is 2.9999999999999996, and so
is `pow(27, 1/3)`); the functions of the C library differ in two results out of three.
"""

from __future__ import annotations

import math
import re
import struct
import sys
from typing import Final

from shared_nodes.functions.context import FunctionContext
from shared_nodes.lang.function import ArgumentError, Arguments, Function, FunctionError, PanicError, Parameter
from shared_nodes.values import number as numbers
from shared_nodes.values.multiprecision import gmpy2, mpfr
from shared_nodes.values.text import quoted
from shared_nodes.values.types import DYNAMIC, NUMBER, STRING, Type, friendly_name
from shared_nodes.values.value import Value, integer, number

__all__ = ["functions", "whole_number"]

_WHOLE_RANGE: Final = (-(2**63), 2**63 - 1)


def whole_number(value: Value) -> int:
    """The argument as the 64-bit integer that the original's implementation expects."""
    payload = value.payload
    low, high = _WHOLE_RANGE
    if not (numbers.is_whole(payload) and low <= payload <= high):
        raise FunctionError(f"value must be a whole number, between {low} and {high}")
    return numbers.to_int(payload)


def _abs(arguments: Arguments, _type: Type) -> Value:
    payload = arguments[0].payload
    return number(numbers.negate(payload)) if gmpy2.is_signed(payload) else arguments[0]


def _round(payload: mpfr, *, up: bool) -> mpfr:
    """The next whole number up or down, at the same precision.

    Zero loses its sign, because the original converts to an integer. A number that is already whole is not converted,
    since it may have a billion digits.
    """
    if gmpy2.is_zero(payload):
        return mpfr(0, payload.precision)
    if numbers.is_infinite(payload) or numbers.is_whole(payload):
        return payload
    truncated = numbers.to_int(payload)
    if up:
        return mpfr(truncated + 1 if payload > 0 else truncated, payload.precision)
    return mpfr(truncated - 1 if payload < 0 else truncated, payload.precision)


def _ceil(arguments: Arguments, _type: Type) -> Value:
    return number(_round(arguments[0].payload, up=True))


def _floor(arguments: Arguments, _type: Type) -> Value:
    return number(_round(arguments[0].payload, up=False))


def _require_numbers(arguments: Arguments) -> None:
    if not arguments:
        raise FunctionError("must pass at least one number")


def _max(arguments: Arguments, _type: Type) -> Value:
    """The greatest argument. The first of equal numbers wins, which affects the sign of zero and the precision."""
    _require_numbers(arguments)
    return max(arguments, key=lambda argument: argument.payload)


def _min(arguments: Arguments, _type: Type) -> Value:
    _require_numbers(arguments)
    return min(arguments, key=lambda argument: argument.payload)


def _signum(arguments: Arguments, _type: Type) -> Value:
    whole = whole_number(arguments[0])
    return integer((whole > 0) - (whole < 0))


# parseint ------------------------------------------------------------------------------------------------------------

_DIGITS: Final = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
_CASELESS_BASE: Final = 36
"""Up to this base letters are case-insensitive; above it, capitals follow the small letters."""


def _parse_integer(text: str, base: int) -> int | None:
    digits = text if base > _CASELESS_BASE else text.lower()
    if not text.isascii() or not re.fullmatch(f"[+-]?[{_DIGITS[:base]}]+", digits):
        return None
    # gmpy2 orders the two alphabets the other way round where they differ.
    return int(
        gmpy2.mpz(digits.removeprefix("+").swapcase() if base > _CASELESS_BASE else digits.removeprefix("+"), base)
    )


def _parseint_type(arguments: Arguments) -> Type:
    """Return the result type. Only a string is accepted: a number here is most likely a mistake, so it is not
    converted."""
    given = arguments[0].type
    if given is not STRING:
        raise ArgumentError(0, f"first argument must be a string, not {friendly_name(given)}")
    return NUMBER


def _parseint(arguments: Arguments, _type: Type) -> Value:
    text: str = arguments[0].payload
    try:
        base = whole_number(arguments[1])
    except FunctionError as error:
        raise ArgumentError(1, error.message) from None
    if not 2 <= base <= len(_DIGITS):
        raise ArgumentError(1, f"base must be a whole number between 2 and {len(_DIGITS)} inclusive")
    parsed = _parse_integer(text, base)
    if parsed is None:
        raise ArgumentError(0, f"cannot parse {quoted(text)} as a base {base} integer")
    return integer(parsed)


# 64-bit floats -------------------------------------------------------------------------------------------------------

_LARGEST: Final = f"{sys.float_info.max:f}"


def _to_float(value: Value) -> float:
    """The nearest float. Digits may be lost, but a finite number must not become infinite."""
    rounded = float(value.payload)
    if math.isinf(rounded) and not numbers.is_infinite(value.payload):
        raise FunctionError(f"value must be between -{_LARGEST} and {_LARGEST} inclusive")
    return rounded


def _from_float(result: float) -> Value:
    if math.isnan(result):
        raise PanicError("Float.SetFloat64(NaN)")
    return number(numbers.from_float(result))


def _quotient(dividend: float, divisor: float) -> float:
    if divisor != 0:
        return dividend / divisor
    if dividend == 0 or math.isnan(dividend):
        return math.nan
    return math.copysign(math.inf, dividend) * math.copysign(1, divisor)


_LN2_HIGH: Final = 6.93147180369123816490e-01
_LN2_LOW: Final = 1.90821492927058770002e-10
_LOG_ODD: Final = (
    6.666666666666735130e-01,
    2.857142874366239149e-01,
    1.818357216161805012e-01,
    1.479819860511658591e-01,
)
_LOG_EVEN: Final = (3.999999999940941908e-01, 2.222219843214978396e-01, 1.531383769920937332e-01)
_MANTISSA_BITS: Final = 52
_HALF_EXPONENT: Final = 0x3FE
"""The exponent field of floats from one half up to one."""


def _log(x: float) -> float:
    """The natural logarithm, by the polynomial of FreeBSD's msun.

    Mantissa and exponent are taken directly from the bits, as the original does on amd64, so that results for subnormal
    numbers are wrong in the same way.
    """
    if x == 0:
        return -math.inf
    if math.isnan(x) or x < 0:
        return math.nan
    if math.isinf(x):
        return x
    bits = int(struct.unpack("<q", struct.pack("<d", x))[0])
    exponent = float((bits >> _MANTISSA_BITS) - _HALF_EXPONENT)
    mantissa_bits = bits & ((1 << _MANTISSA_BITS) - 1) | _HALF_EXPONENT << _MANTISSA_BITS
    mantissa = float(struct.unpack("<d", struct.pack("<q", mantissa_bits))[0])
    if mantissa < math.sqrt(2) / 2:
        mantissa *= 2
        exponent -= 1
    f = mantissa - 1
    s = f / (2 + f)
    s2 = s * s
    s4 = s2 * s2
    odd = s2 * (_LOG_ODD[0] + s4 * (_LOG_ODD[1] + s4 * (_LOG_ODD[2] + s4 * _LOG_ODD[3])))
    even = s4 * (_LOG_EVEN[0] + s4 * (_LOG_EVEN[1] + s4 * _LOG_EVEN[2]))
    half_square = 0.5 * f * f
    return exponent * _LN2_HIGH - ((half_square - (s * (half_square + (odd + even)) + exponent * _LN2_LOW)) - f)


_LOG2_E: Final = 1.4426950408889634
_LN2_UPPER: Final = 0.69314718055966295651160180568695068359375
_LN2_LOWER: Final = 0.28235290563031577122588448175013436025525412068e-12
_EXP_TAYLOR: Final = (1 / 40320, 1 / 5040, 1 / 720, 1 / 120, 1 / 24, 1 / 6, 1 / 2, 1.0)
_FLOAT_CONTEXT: Final = gmpy2.context(precision=53)


def _fused_multiply_add(left: float, right: float, addend: float) -> float:
    """left * right + addend with a single rounding, which is one instruction on every machine of the original."""
    return float(_FLOAT_CONTEXT.fma(mpfr(left, 53), mpfr(right, 53), mpfr(addend, 53)))


def _exp(x: float) -> float:
    """e to the x, for the arguments that occur in `_pow`, where it can neither overflow nor underflow.

    This is the original's method on amd64: reduce to a sixteenth of the remainder modulo ln 2, compute the Taylor
    series of exp(x) - 1, then square four times by x * (x + 2).
    """
    exponent = round(x * _LOG2_E)
    x = _fused_multiply_add(-float(exponent), _LN2_UPPER, x)
    x = _fused_multiply_add(-float(exponent), _LN2_LOWER, x) * 0.0625
    series = _EXP_TAYLOR[0]
    for coefficient in _EXP_TAYLOR[1:]:
        series = _fused_multiply_add(series, x, coefficient)
    x *= series
    for _ in range(3):
        x *= x + 2.0
    return math.ldexp(_fused_multiply_add(x, x + 2.0, 1.0), exponent)


def _pow_special(x: float, y: float) -> float | None:
    """Results that are defined by convention rather than computed; None for all others."""
    if y == 0 or x == 1:
        return 1.0
    if y == 1:
        return x
    odd = math.isfinite(y) and math.fmod(y, 2) in (1, -1)
    if x == 0 or (math.isinf(x) and math.isfinite(y)):
        magnitude = math.inf if (y > 0) == math.isinf(x) else 0.0
        return math.copysign(magnitude, x) if odd else magnitude
    if abs(y) >= 2.0**63:
        if x == -1:
            return 1.0
        return 0.0 if (abs(x) < 1) == (y > 0) else math.inf
    if abs(y) == 0.5:
        root = math.sqrt(x) if x >= 0 else math.nan
        return root if y > 0 else 1 / root
    if x < 0 and not y.is_integer():
        return math.nan
    return None


_SURELY_OVERFLOWING: Final = 1 << 12


def _pow(x: float, y: float) -> float:
    """x to the y: exp and log for the fraction of y, repeated squaring of a separate mantissa and exponent for the
    rest.

    For a negative y the result is inverted, and then scaled, only at the end: the last digit depends on it.
    """
    special = _pow_special(x, y)
    if special is not None:
        return special
    fraction, whole = math.modf(abs(y))
    if fraction > 0.5:
        fraction -= 1
        whole += 1
    mantissa = _exp(fraction * _log(x)) if fraction else 1.0
    exponent = 0
    square, square_exponent = math.frexp(x)
    remaining = int(whole)
    while remaining:
        if abs(square_exponent) > _SURELY_OVERFLOWING:
            exponent += square_exponent
            break
        if remaining & 1:
            mantissa *= square
            exponent += square_exponent
        square *= square
        square_exponent *= 2
        if square < 0.5:
            square += square
            square_exponent -= 1
        remaining >>= 1
    if y < 0:
        mantissa, exponent = 1 / mantissa, -exponent
    try:
        return math.ldexp(mantissa, exponent)
    except OverflowError:
        return math.copysign(math.inf, mantissa)


def _log_call(arguments: Arguments, _type: Type) -> Value:
    num, base = map(_to_float, arguments)
    return _from_float(_quotient(_log(num), _log(base)))


def _pow_call(arguments: Arguments, _type: Type) -> Value:
    num, power = map(_to_float, arguments)
    return _from_float(_pow(num, power))


def functions(_context: FunctionContext) -> tuple[Function, ...]:
    num = Parameter("num", NUMBER)
    many = Parameter("numbers", NUMBER)
    return (
        Function("abs", (num,), NUMBER, _abs),
        Function("ceil", (num,), NUMBER, _ceil),
        Function("floor", (num,), NUMBER, _floor),
        Function("log", (num, Parameter("base", NUMBER)), NUMBER, _log_call),
        Function("max", (), NUMBER, _max, variadic=many),
        Function("min", (), NUMBER, _min, variadic=many),
        Function("parseint", (Parameter("number", DYNAMIC), Parameter("base", NUMBER)), _parseint_type, _parseint),
        Function("pow", (num, Parameter("power", NUMBER)), NUMBER, _pow_call),
        Function("signum", (num,), NUMBER, _signum),
    )
