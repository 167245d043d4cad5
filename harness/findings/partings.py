"""Where two engines part: the shared functions that begin to behave differently in one of them.

Both engines run over the same packages, so most of their work is done by the same functions with the same arguments.
If such a function answers differently, or calls other functions than it did for the baseline, and everything that it
called before answered alike, then the mistake is in this function or in what it sees of its surroundings. So a case
says by itself where to look, and two cases that part in different places hardly have the same cause.

Calls are compared within one operation of the engines: by function and arguments, whatever the order is in which an
engine makes them. Calls without a counterpart are those of a stray: an engine makes them itself, and the other one
never does. Some always are, because engines are built differently. If others come first, the mistake is in the engine.
"""

from __future__ import annotations

from bisect import bisect
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from enum import StrEnum
from typing import Any, NamedTuple

from shared_nodes.record import record

__all__ = [
    "Call",
    "CasePartings",
    "OperationCalls",
    "Parting",
    "PartingKind",
    "Place",
    "find_partings",
    "partings_from_json",
    "partings_to_json",
]


class Place(NamedTuple):
    """A shared function."""

    file: str
    """The path below the directory of the package, with slashes."""

    line: int
    function: str
    """The qualified name."""

    def __str__(self) -> str:
        return f"{self.function} ({self.file}:{self.line})"


class PartingKind(StrEnum):
    ANSWERS = "answers"
    """The function answers differently, or raises in one engine only."""

    CONTRADICTS = "contradicts"
    """It answers differently although its arguments say everything that it can know."""

    ACTS = "acts"
    """It answers alike, but calls something else."""

    REMEMBERS = "remembers"
    """It has answered alike without making the same calls again, for the same engine. So what it calls says nothing."""

    ADDED = "added"
    """A stray of the candidate."""

    MISSING = "missing"
    """A stray of the baseline."""

    @property
    def is_stray(self) -> bool:
        return self in (PartingKind.ADDED, PartingKind.MISSING)


class Parting(NamedTuple):
    kind: PartingKind
    place: Place


CasePartings = Mapping[str, Sequence[Parting]]
"""How engines part in each case, in the order of time."""


@record(frozen=False)
class Call:
    """One call of a shared function. It is completed when the function returns."""

    place: Place
    arguments: int
    """A digest of the arguments, as far as they are immutable."""

    began: int
    """A number that grows with every call and every return."""

    is_bound: bool = False
    """Whether it is a method of something mutable: what it answers depends on what others have put there."""

    is_closed: bool = False
    """Whether the digest covers the arguments entirely."""

    ended: int = 0
    result: int = 0
    """A digest of the result, or of the fact that there is none."""

    calls: list[Call] = field(default_factory=list)
    """The calls that it makes, without those that an engine makes on its behalf."""

    @property
    def key(self) -> _Key:
        return self.place, self.arguments

    @property
    def shape(self) -> tuple[_Key, ...]:
        return tuple([call.key for call in self.calls])


_Key = tuple[Place, int]


@record(frozen=False)
class OperationCalls:
    """The calls of one operation of an engine."""

    operation: str
    made: list[Call] = field(default_factory=list)
    """Those that the engine itself made. All others are below them."""


def find_partings(baseline: Sequence[OperationCalls], candidate: Sequence[OperationCalls]) -> tuple[Parting, ...]:
    """Return how a candidate parts from the baseline, in the order of time, each once.

    Operations belong together by their order. After a difference, the candidate runs steps once more from the state of
    the baseline; these are compared with those operations of the baseline that they have most calls in common with.
    """
    found: dict[Parting, None] = {}
    for number, one in enumerate(candidate):
        other = _counterpart(number, one, baseline)
        if other is not None:
            found |= dict.fromkeys(_Comparison(other.made, one.made).partings())
    return tuple(found)


def _counterpart(number: int, one: OperationCalls, baseline: Sequence[OperationCalls]) -> OperationCalls | None:
    if number < len(baseline) and baseline[number].operation == one.operation:
        return baseline[number]
    able = [other for other in baseline if other.operation == one.operation]
    wanted = Counter(call.key for call in one.made)
    return max(able, key=lambda other: (wanted & Counter(call.key for call in other.made)).total(), default=None)


class _Comparison:
    """The calls of one operation, by both engines."""

    def __init__(self, baseline: Sequence[Call], candidate: Sequence[Call]) -> None:
        self._baseline, self._candidate = baseline, candidate
        self._variants: dict[_Key, dict[tuple[int, tuple[_Key, ...]], Call]] = defaultdict(dict)
        for call in _all_calls(baseline):
            self._variants[call.key].setdefault((call.result, call.shape), call)
        self._remembering = _find_remembering(baseline) | _find_remembering(candidate)

    def partings(self) -> list[Parting]:
        found = [(0, Parting(PartingKind.REMEMBERS, place)) for place in self._remembering]
        found += self._added()
        found += self._missing()
        for call in _all_calls(self._candidate):
            if not call.is_bound and self._deviates(call) and (parting := self._part(call)) is not None:
                found.append(parting)
        return [parting for _, parting in sorted(found)]

    def _added(self) -> Iterator[tuple[int, Parting]]:
        for call in self._candidate:
            if call.key not in self._variants:
                yield call.began, Parting(PartingKind.ADDED, call.place)

    def _missing(self) -> Iterator[tuple[int, Parting]]:
        """Yield the strays of the baseline. Each is as late as the call of the candidate that corresponds to the last
        call before it."""
        began: dict[_Key, int] = {}
        for call in _all_calls(self._candidate):
            began[call.key] = min(call.began, began.get(call.key, call.began))
        known = sorted((call.began, began[call.key]) for call in _all_calls(self._baseline) if call.key in began)
        for call in self._baseline:
            if call.key not in began:
                position = bisect(known, (call.began, 0))
                yield known[position - 1][1] if position else 0, Parting(PartingKind.MISSING, call.place)

    def _deviates(self, call: Call) -> bool:
        """Return whether the baseline has made this call too, and never with this result and these further calls."""
        variants = self._variants.get(call.key)
        return variants is not None and (call.result, call.shape) not in variants

    def _part(self, call: Call) -> tuple[int, Parting] | None:
        """Return how and when the call begins to deviate, or None if one that it makes has done so before."""
        shape, variants = call.shape, self._variants[call.key].values()
        closest = max(variants, key=lambda other: (_common(other.shape, shape), other.result == call.result))
        alike = _common(closest.shape, shape)
        if any(self._deviates(inner) for inner in call.calls[:alike]):
            return None
        kind = PartingKind.CONTRADICTS if call.is_closed else PartingKind.ANSWERS
        if closest.result == call.result:
            kind = PartingKind.ACTS
        when = call.calls[alike].began if alike < len(shape) else call.ended
        return when, Parting(kind, call.place)


def _all_calls(calls: Iterable[Call]) -> Iterator[Call]:
    pending = list(calls)
    while pending:
        call = pending.pop()
        yield call
        pending.extend(call.calls)


def _find_remembering(calls: Iterable[Call]) -> set[Place]:
    """Return functions that answer the same without making the same calls again: they remember what they found."""
    shapes: dict[tuple[_Key, int], tuple[_Key, ...]] = {}
    return {
        call.place for call in _all_calls(calls) if shapes.setdefault((call.key, call.result), call.shape) != call.shape
    }


def _common(one: Sequence[_Key], other: Sequence[_Key]) -> int:
    """Return how many calls two sequences have in common at their beginning."""
    for number, (first, second) in enumerate(zip(one, other, strict=False)):
        if first != second:
            return number
    return min(len(one), len(other))


# On disk


def partings_to_json(partings: CasePartings) -> dict[str, Any]:
    places = sorted({each.place for own in partings.values() for each in own})
    numbers = {place: number for number, place in enumerate(places)}
    cases = {case: [[each.kind, numbers[each.place]] for each in own] for case, own in partings.items()}
    return {"places": [place._asdict() for place in places], "cases": cases}


def partings_from_json(tree: Any) -> CasePartings:
    """Decode partings. Anything else raises TypeError, ValueError, KeyError, IndexError or AttributeError."""
    places = [Place(str(each["file"]), int(each["line"]), str(each["function"])) for each in tree["places"]]
    return {
        str(case): tuple(Parting(PartingKind(kind), places[number]) for kind, number in own)
        for case, own in tree["cases"].items()
    }
