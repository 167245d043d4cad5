"""Construction of sets: which members are the same element, and in which order the elements iterate.

Strings iterate in byte order, numbers by size, and false before true. Other types have no natural order: the original
sorts them by the key string it also hashes (`set_key`). In every set known elements come first, then unknown ones, then
null.

Two members are the same element when they have the same key *and* are equal. Both conditions matter: `0` and `-0` are
equal but have different keys, so a set can hold both; all unknowns have the same key, but none equals another.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from zlib import crc32

from shared_nodes.values.equality import equals
from shared_nodes.values.marks import NO_MARKS
from shared_nodes.values.multiprecision import mpfr
from shared_nodes.values.number import is_whole
from shared_nodes.values.set_key import set_key
from shared_nodes.values.types import BOOL, NUMBER, STRING, SetType, Type
from shared_nodes.values.value import NULL, TRUE, Unknown, Value

__all__ = ["distinct_in_set_order", "set_of"]


def set_of(element: Type, elements: Iterable[Value]) -> Value:
    """A set of these members. Their marks move to the set; equal members are merged and the rest put in order."""
    members = list(elements)
    marks = NO_MARKS
    for member in members:
        found = member.deep_marks()
        if found:
            marks = marks | found
    if marks:
        members = [member.unmark_deep()[0] for member in members]
    return Value(SetType(element), distinct_in_set_order(element, members), marks)


def distinct_in_set_order(element: Type, members: Sequence[Value]) -> tuple[Value, ...]:
    """The elements, in iteration order, of the set with these unmarked members."""
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
    """A faster `_distinct` for numbers.

    Whole numbers other than zero are the same element exactly when they are equal, and none tie, so they need no key.
    """
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
    """(key, member) pairs of the elements, in the order that breaks ties between elements that compare equal.

    The original keeps elements in buckets by the checksum of the key and sorts them stably, so ties are broken by the
    checksum (`-0` before `0`) and then by the order of insertion.
    """
    buckets: dict[str, list[Value]] = {}
    for member in members:
        bucket = buckets.setdefault(set_key(member), [])
        if not any(equals(other, member) is TRUE for other in bucket):
            bucket.append(member)
    by_checksum = sorted(buckets, key=lambda key: crc32(key.encode("utf-8", "surrogatepass")))
    return [(key, member) for key in by_checksum for member in buckets[key]]
