"""The key string of a set element, by which sets find equal elements and order those without a natural order.

The form is an accident of the original that shows in every plan, and is therefore reproduced exactly.
"""

from __future__ import annotations

from typing import Final

from shared_nodes.values.multiprecision import mpfr
from shared_nodes.values.number import is_infinite, is_signed_zero, is_whole
from shared_nodes.values.text import quoted
from shared_nodes.values.types import ListType, MapType, SetType
from shared_nodes.values.value import NULL, Unknown, Value

__all__ = ["set_key"]

_KEY_DIGITS: Final = 10
"""Significant digits of a number in a key. Numbers that differ only beyond these are distinct elements that tie in
order."""

_TEN_DIGITS: Final = 10**_KEY_DIGITS


def set_key(value: Value) -> str:
    """The key of a value. Equal values have equal keys, except that zero and minus zero differ."""
    parts: list[str] = []
    _append_key(value, parts)
    return "".join(parts)


def _append_key(value: Value, parts: list[str]) -> None:
    payload = value.payload
    if payload.__class__ is str:
        parts.append(quoted(payload))
    elif payload.__class__ is bool:
        parts.append("T" if payload else "F")
    elif payload is NULL:
        parts.append("~")
    elif payload.__class__ is Unknown:
        parts.append("?")
    elif payload.__class__ is dict:
        is_map = isinstance(value.type, MapType)
        parts.append("{" if is_map else "<")
        for name, element in payload.items():
            if is_map:
                parts.append(f"{quoted(name)}:")
            _append_key(element, parts)
            parts.append(";")
        parts.append("}" if is_map else ">")
    elif payload.__class__ is tuple:
        opening, closing = "[]" if isinstance(value.type, ListType | SetType) else "<>"
        parts.append(opening)
        for element in payload:
            _append_key(element, parts)
            parts.append(";")
        parts.append(closing)
    else:
        parts.append(_number_key(payload))


def _number_key(number: mpfr) -> str:
    """The number with ten significant digits, in exponent form where the decimal point would be far from them."""
    if is_infinite(number):
        return "+Inf" if number > 0 else "-Inf"
    if not number:
        return "-0" if is_signed_zero(number) else "0"
    if is_whole(number) and -_TEN_DIGITS < number < _TEN_DIGITS:
        return str(int(number))
    digits, point, _ = number.digits(10, _KEY_DIGITS)
    sign, digits = ("-", digits[1:]) if digits[0] == "-" else ("", digits)
    digits = digits.rstrip("0")
    exponent = point - 1
    if exponent < -4 or exponent >= _KEY_DIGITS:
        fraction = f".{digits[1:]}" if len(digits) > 1 else ""
        return f"{sign}{digits[0]}{fraction}e{'-' if exponent < 0 else '+'}{abs(exponent):02d}"
    if point <= 0:
        return f"{sign}0.{'0' * -point}{digits}"
    if len(digits) <= point:
        return f"{sign}{digits.ljust(point, '0')}"
    return f"{sign}{digits[:point]}.{digits[point:]}"
