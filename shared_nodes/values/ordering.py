"""Which members of a set are the same element, and in which order its elements iterate.

Strings iterate in byte order, numbers by size, false before true. Everything else has no natural order, so the
original sorts by a key string it also uses for hashing; that accident is visible in every plan and therefore kept.
In every set the known elements come first, then the unknown ones, then null.

Two members are one element when they have the same key *and* are equal. Both halves matter: `0` and `-0` are equal
but have different keys, so a set may hold both; an unknown has the key of any other unknown but equals none.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from zlib import crc32

from gmpy2 import mpfr

from shared_nodes.values.equality import equals
from shared_nodes.values.number import is_infinite, is_whole
from shared_nodes.values.text import quoted
from shared_nodes.values.types import BOOL, NUMBER, STRING, ListType, MapType, SetType, Type
from shared_nodes.values.value import NULL, TRUE, Unknown, Value, is_signed_zero

__all__ = ["distinct_in_set_order", "set_key"]

_KEY_DIGITS = 10
"""Significant digits of a number in a key. Numbers that differ only beyond them stay distinct but tie in order."""

_TEN_DIGITS = 10**_KEY_DIGITS


def distinct_in_set_order(element: Type, members: Sequence[Value]) -> tuple[Value, ...]:
    """The elements of the set with these (unmarked) members."""
    if len(members) <= 1:
        return tuple(members)
    if element is STRING:
        return _distinct_strings(members)
    kept = _distinct_numbers(members) if element is NUMBER else _distinct(members)
    known = [pair for pair in kept if pair[1].payload is not NULL and pair[1].payload.__class__ is not Unknown]
    unknown = [member for _, member in kept if member.payload.__class__ is Unknown]
    null = [member for _, member in kept if member.payload is NULL]
    if element is NUMBER or element is BOOL:
        known.sort(key=lambda pair: pair[1].payload)
    else:
        known.sort(key=lambda pair: pair[0])
    return (*(member for _, member in known), *unknown, *null)


def _distinct_strings(members: Sequence[Value]) -> tuple[Value, ...]:
    known: dict[str, Value] = {}
    unknown: list[Value] = []
    null: list[Value] = []
    for member in members:
        payload = member.payload
        if payload.__class__ is str:
            known.setdefault(payload, member)
        elif payload is NULL:
            null = null or [member]
        else:
            unknown.append(member)
    return (*[known[text] for text in sorted(known)], *unknown, *null)


def _distinct_numbers(members: Iterable[Value]) -> list[tuple[str, Value]]:
    """As `_distinct`. Whole numbers but zero are the same element exactly when they are equal, and none ties with
    another, so they need no key."""
    whole: dict[mpfr, tuple[str, Value]] = {}
    others: list[Value] = []
    for member in members:
        payload = member.payload
        if payload.__class__ is mpfr and payload and is_whole(payload):
            whole.setdefault(payload, ("", member))
        else:
            others.append(member)
    return [*whole.values(), *_distinct(others)]


def _distinct(members: Iterable[Value]) -> list[tuple[str, Value]]:
    """(key, member) of the elements, in the order that decides between elements which compare alike.

    The original keeps its elements in buckets by the checksum of the key and sorts them stably, so the checksum
    breaks ties (`-0` before `0`), and after it the order of insertion.
    """
    buckets: dict[str, list[Value]] = {}
    for member in members:
        bucket = buckets.setdefault(set_key(member), [])
        if not any(equals(other, member) is TRUE for other in bucket):
            bucket.append(member)
    by_checksum = sorted(buckets, key=lambda key: crc32(key.encode("utf-8", "surrogatepass")))
    return [(key, member) for key in by_checksum for member in buckets[key]]


def set_key(value: Value) -> str:
    """The key of a value: equal values (but for the sign of zero) have equal keys."""
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
    """The number with ten significant digits, with an exponent where the decimal point would be far from them."""
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
