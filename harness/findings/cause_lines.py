"""Puts findings together by the places where engines part, and by the lines of source that their cases execute.

Several mistakes at once show in hundreds of cases, each in several ways, and in some cases two of them show together.
The causes are taken to be those that describe all of this in the fewest bits. To describe a cause takes

- the bits to say which of the cases that execute its line show it, where its line is the one that all its cases
  execute and fewest others do: few bits if there is a line that nearly only these cases execute;
- some bits for each kind of finding that it shows as, and some to say which of its cases have it;
- many bits for cases that have no kind of finding in common with the others, not even by way of further cases;
- a constant, so that a cause of its own is worth it only if it makes others simpler.

Where it is known at which shared functions engines part in a case (`cause_places.py`), this says more than any line. A
cause can have such a place instead of a line: then few bits say which of the cases that part there show it, and many
that other cases do. For each place of a case that none of its causes has, many bits are added. So cases that part at
different places are put together only if nearly everything else speaks for it.

A case belongs to several causes if that is cheaper. A kind of finding may belong to several causes as well: the totals
of a plan differ because of nearly any mistake. Whatever one cause of a case explains does not need another one.

The search begins with a cause for each place, and one for each set of findings that some case without a place has. It
joins two of the latter while that saves most, and then improves what is left: it joins causes, and moves cases from one
to another. It finds a good description, not always
the best one. Its result does not depend on the order of anything.

Parts of a cause need not have a finding in common, if many of their cases have a line: one mistake shows in many ways.
In a small run some line fits any two parts by chance, so lines say something only if there are hundreds of cases.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from functools import cache
from heapq import heapify, heappop, heappush
from itertools import combinations
from typing import Final, NamedTuple

from harness.findings.cause_places import choose_places
from harness.findings.executed_lines import ExecutedLines, Line, bits_of
from harness.findings.partings import Place
from shared_nodes.record import record

__all__ = ["Item", "LineCause", "group_by_lines"]

_CAUSE_BITS: Final = 4.0
_ITEM_BITS: Final = 3.0
_DOCUMENT_BITS: Final = 1.0
_IRREGULARITY: Final = 0.2
"""The share that is counted of the bits which say which cases have an item: items of one cause depend on each other, so
that all bits together would be far too many."""

_REGULARITY: Final = 0.5
"""The same for an item that nearly all cases of a cause have: a case that lacks it is probably not one of them."""

_NEARLY_ALL: Final = 5.0
"""How fast one becomes the other: an item that a fifth of the cases lack, 1/5, is no regular one any more."""

_NEEDLESS_BITS: Final = 5.0
"""For a case that belongs to two causes, and shows nothing that only one of them explains."""

_UNPLACED_BITS: Final = 30.0
"""For a place of a case that none of its causes has."""

_ELSEWHERE_BITS: Final = 12.0
"""For a case of a cause with a place that only parts elsewhere."""

_NOWHERE_BITS: Final = 8.0
"""The same for a case of which no place is known."""

_TWICE_BITS: Final = 12.0
"""For a place that a second cause has as well."""

_STRANGER_BITS: Final = 16.0
"""For each further group of cases of a cause that has no kind of finding in common with the others. Two cases that have
nothing else in common nearly always have a rare line in common."""

_SWEEPS: Final = 6
_TOLERANCE: Final = 1e-6
_LISTED_LINES: Final = 2


class Item(NamedTuple):
    """A kind of finding: a signature without ruling and role, which vary from case to case."""

    shape: str
    kind: str
    subject: str = ""
    """The engine."""

    @property
    def document(self) -> tuple[str, str]:
        """What the shape begins with: `plan`, `calls`, `diagnostics`."""
        return re.split(r"[.\[]", self.shape, maxsplit=1)[0], self.kind


class LineCause(NamedTuple):
    cases: frozenset[str]
    items: frozenset[Item]
    lines: tuple[Line, ...]
    """Lines that all these cases execute, and fewest others; empty if all cases of the run do."""

    place: Place | None = None
    """The shared function where engines part in these cases."""


def group_by_lines(shown: Mapping[str, frozenset[Item]], lines: ExecutedLines) -> list[LineCause]:
    """Return the causes of what the cases show, the one with most cases first. A case whose lines are not known may
    belong to any cause."""
    cases = tuple(sorted({*shown, *lines.cases}))
    places = choose_places(lines.partings, {case for case, items in shown.items() if items})
    search = _Search(_Trace.of(cases, lines), _Evidence.of(cases, shown), _Partings.of(cases, places, shown))
    found = [search.describe(cases, members, items) for members, items in search.run()]
    return sorted(found, key=lambda cause: (-len(cause.cases), sorted(cause.cases), sorted(cause.items)))


@record
class _Trace:
    """The lines of all cases, in numbers."""

    executing: tuple[int, ...]
    """The cases of each group of lines, fewest first. The last group is all cases: so there is a line for any cause."""

    names: tuple[tuple[Line, ...], ...]
    sizes: tuple[int, ...]
    """How many cases of which lines are known execute the group."""

    executed: tuple[int, ...]
    """For each case, the groups it executes, as bits. So the lowest common bit of some cases is the group that all of
    them execute and fewest others do."""

    unknown: int
    """The cases whose lines are not known."""

    @staticmethod
    def of(cases: Sequence[str], lines: ExecutedLines) -> _Trace:
        position = {case: number for number, case in enumerate(cases)}
        places = [position[case] for case in lines.cases]
        unknown = sum(1 << position[case] for case in set(cases) - set(lines.cases))
        everything = (1 << len(cases)) - 1
        found = [
            (sum(1 << places[bit] for bit in bits_of(group.cases)) | unknown, group.lines) for group in lines.groups
        ]
        if not found or found[-1][0] != everything:
            found.append((everything, ()))
        executed = [0] * len(cases)
        for number, (executing, _) in enumerate(found):
            for case in bits_of(executing):
                executed[case] |= 1 << number
        sizes = tuple((executing & ~unknown).bit_count() for executing, _ in found)
        names = tuple(() if executing == everything else lines for executing, lines in found)
        return _Trace(tuple(executing for executing, _ in found), names, sizes, tuple(executed), unknown)

    def common(self, members: int) -> int:
        """Return the groups of lines that all of these cases execute, as bits."""
        common = -1
        for case in bits_of(members):
            common &= self.executed[case]
        return common


@record
class _Evidence:
    """What all cases show, in numbers."""

    items: tuple[Item, ...]
    documents: tuple[tuple[str, str], ...]
    showing: tuple[int, ...]
    """The cases that show each item."""

    shown: Mapping[int, frozenset[int]]
    """The items of each case that shows any."""

    patterns: tuple[int, ...]
    """The cases that show exactly the same items, most cases first."""

    @staticmethod
    def of(cases: Sequence[str], shown: Mapping[str, frozenset[Item]]) -> _Evidence:
        items = tuple(sorted(frozenset[Item]().union(*shown.values())))
        number = {item: position for position, item in enumerate(items)}
        found = {place: shown[case] for place, case in enumerate(cases) if shown.get(case)}
        numbers = {place: frozenset(number[item] for item in of_case) for place, of_case in found.items()}
        showing, patterns = [0] * len(items), defaultdict[frozenset[int], int](int)
        for place, of_case in numbers.items():
            patterns[of_case] |= 1 << place
            for item in of_case:
                showing[item] |= 1 << place
        ordered = tuple(sorted(patterns.values(), key=lambda members: (-members.bit_count(), members)))
        return _Evidence(items, tuple(item.document for item in items), tuple(showing), numbers, ordered)


@record
class _Partings:
    """The places of causes, in numbers."""

    places: tuple[Place, ...]
    parting: tuple[int, ...]
    """The cases that part at each place."""

    shown: tuple[int, ...]
    """Those of them that have findings."""

    placed: int
    """The cases with findings that part at any of them."""

    @staticmethod
    def of(cases: Sequence[str], found: Mapping[Place, frozenset[str]], shown: Mapping[str, object]) -> _Partings:
        position = {case: number for number, case in enumerate(cases)}
        parting = tuple(sum(1 << position[case] for case in own if case in position) for own in found.values())
        showing = sum(1 << position[case] for case in shown)
        placed = 0
        for own in parting:
            placed |= own & showing
        return _Partings(tuple(found), parting, tuple(own & showing for own in parting), placed)

    def patterns(self, members: int) -> list[int]:
        """Divide cases by the places where they part."""
        found = defaultdict[tuple[bool, ...], int](int)
        for case in bits_of(members):
            found[tuple(bool(own >> case & 1) for own in self.shown)] |= 1 << case
        return list(found.values())


class _Reason(NamedTuple):
    """What the cases of a cause have in common: a place, or else a line."""

    place: int
    """A number, or -1."""

    bits: float
    unplaced_bits: float
    """Bits for places of the cases that this cause does not have, if no other cause has them."""


_State = tuple[int, ...]
"""The cases of each cause, sorted. A case can be in several."""


@record
class _Search:
    trace: _Trace
    evidence: _Evidence
    partings: _Partings
    _reasons: dict[int, _Reason] = field(default_factory=dict)
    _commons: dict[int, int] = field(default_factory=dict)
    _costs: dict[_State, float] = field(default_factory=dict)

    def run(self) -> Iterator[tuple[int, frozenset[int]]]:
        """Yield the cases and items of each cause."""
        state = self._improved(self._joined_greedily())
        for members, items in zip(state, self._vocabularies(state), strict=True):
            explained = 0
            for item in items:
                explained |= self.evidence.showing[item]
            if members & explained:
                yield members & explained, frozenset(items)

    def describe(self, cases: Sequence[str], members: int, items: Iterable[int]) -> LineCause:
        place = self._reason(members).place
        names = self.trace.names[self._line(members)] if place < 0 else ()
        first_of_each_file = {line.file: line for line in reversed(names)}
        lines = tuple(sorted(first_of_each_file.values()))[:_LISTED_LINES]
        found = frozenset(self.evidence.items[item] for item in items)
        where = None if place < 0 else self.partings.places[place]
        return LineCause(frozenset(cases[case] for case in bits_of(members)), found, lines, where)

    # Bits

    def _common(self, members: int) -> int:
        if (known := self._commons.get(members)) is None:
            known = self._commons[members] = self.trace.common(members)
        return known

    def _line(self, members: int) -> int:
        common = self._common(members)
        return (common & -common).bit_length() - 1

    def _line_bits(self, members: int) -> float:
        executing = self.trace.sizes[self._line(members)] + (members & self.trace.unknown).bit_count()
        return _choice_bits(executing, members.bit_count()) + math.log2(executing + 1)

    def _reason(self, members: int) -> _Reason:
        if (known := self._reasons.get(members)) is None:
            known = self._reasons[members] = min(self._find_reasons(members), key=lambda each: sum(each[1:]))
        return known

    def _find_reasons(self, members: int) -> Iterator[_Reason]:
        placed = members & self.partings.placed
        yield _Reason(-1, self._line_bits(members), _UNPLACED_BITS * placed.bit_count())
        for place, (parting, shown) in enumerate(zip(self.partings.parting, self.partings.shown, strict=True)):
            if inside := members & parting:
                size = parting.bit_count()
                bits = _choice_bits(size, inside.bit_count()) + math.log2(size + 1)
                bits += _ELSEWHERE_BITS * (placed & ~parting).bit_count()
                bits += _NOWHERE_BITS * (members & ~placed & ~parting).bit_count()
                yield _Reason(place, bits, _UNPLACED_BITS * (placed & ~shown).bit_count())

    def _may_have(self, members: int) -> int:
        """Return the cases that may belong to a cause because of its place or line."""
        place = self._reason(members).place
        if place < 0:
            return self.trace.executing[self._line(members)]
        return self.partings.parting[place] | ~self.partings.placed

    def _covered(self, state: _State) -> list[int]:
        """Return for each place the cases of the causes that have it."""
        covered = [0] * len(self.partings.places)
        for members in state:
            if (place := self._reason(members).place) >= 0:
                covered[place] |= members
        return covered

    def _item_bits(self, members: int, items: Sequence[int]) -> float:
        size, total, documents = members.bit_count(), 0.0, set()
        for item in items:
            total += _ITEM_BITS + _presence_bits(size, (self.evidence.showing[item] & members).bit_count())
            documents.add(self.evidence.documents[item])
        return total + _DOCUMENT_BITS * len(documents) + _STRANGER_BITS * self._count_strangers(members, items)

    def _count_strangers(self, members: int, items: Iterable[int]) -> int:
        """Return the number of groups of cases besides the first. Cases with an item in common are in one group."""
        groups: list[int] = []
        for item in items:
            if joined := self.evidence.showing[item] & members:
                for group in groups:
                    joined |= group if group & joined else 0
                groups = [*(group for group in groups if not group & joined), joined]
        return max(0, len(groups) - 1)

    def _bits_alone(self, members: int) -> float:
        """Return the bits of a cause that explains everything in its cases."""
        items = [item for item, showing in enumerate(self.evidence.showing) if showing & members]
        _, bits, unplaced_bits = self._reason(members)
        return _CAUSE_BITS + bits + unplaced_bits + self._item_bits(members, items)

    def _bits(self, state: _State) -> float:
        if (known := self._costs.get(state)) is None:
            known = self._costs[state] = self._count_bits(state)
        return known

    def _count_bits(self, state: _State) -> float:
        vocabularies = [frozenset(items) for items in self._vocabularies(state)]
        total = self._place_bits(state)
        for members, items in zip(state, vocabularies, strict=True):
            if not items:
                return math.inf
            total += _CAUSE_BITS + self._reason(members).bits + self._item_bits(members, sorted(items))
            for others, other_items in zip(state, vocabularies, strict=True):
                if others != members and (needless := members & others):
                    for item in items - other_items:
                        needless &= ~self.evidence.showing[item]
                    total += _NEEDLESS_BITS * needless.bit_count()
        return total

    def _place_bits(self, state: _State) -> float:
        """Return the bits for places that no cause has, or several."""
        had = Counter(place for members in state if (place := self._reason(members).place) >= 0)
        total = _TWICE_BITS * (had.total() - len(had))
        for shown, covered in zip(self.partings.shown, self._covered(state), strict=True):
            total += _UNPLACED_BITS * (shown & ~covered).bit_count()
        return total

    def _vocabularies(self, state: _State) -> list[list[int]]:
        """Return the items of each cause: so few that every item of every case is explained by one of its causes."""
        once = twice = 0
        for members in state:
            twice |= once & members
            once |= members
        found: list[list[int]] = [[] for _ in state]
        for item, showing in enumerate(self.evidence.showing):
            left = showing
            for number, members in enumerate(state):
                if showing & members & ~twice:
                    found[number].append(item)
                    left &= ~members
            while left:
                number = min(range(len(state)), key=lambda number: self._price(state[number], showing, left))
                found[number].append(item)
                left &= ~state[number]
        return found

    def _price(self, members: int, showing: int, left: int) -> float:
        explained = (members & left).bit_count()
        bits = _ITEM_BITS + _presence_bits(members.bit_count(), (members & showing).bit_count())
        return bits / explained if explained else math.inf

    # Searching

    def _joined_greedily(self) -> _State:
        """Join the two causes that save most, again and again, as if each explained everything in its cases. Those with
        places are added in the end."""
        causes = [left for members in self.evidence.patterns if (left := members & ~self.partings.placed)]
        bits = [self._bits_alone(members) for members in causes]
        alive = set(range(len(causes)))
        heap = [entry for one, other in combinations(alive, 2) for entry in self._saving(causes, bits, one, other)]
        heapify(heap)
        while heap:
            _, one, other = heappop(heap)
            if one in alive and other in alive:
                alive -= {one, other}
                causes.append(causes[one] | causes[other])
                bits.append(self._bits_alone(causes[-1]))
                newest = len(causes) - 1
                for each in alive:
                    for entry in self._saving(causes, bits, each, newest):
                        heappush(heap, entry)
                alive.add(newest)
        return _state((*(causes[number] for number in alive), *self.partings.shown))

    def _saving(
        self, causes: Sequence[int], bits: Sequence[float], one: int, other: int
    ) -> Iterator[tuple[float, int, int]]:
        both = causes[one] | causes[other]
        self._commons.setdefault(both, self._common(causes[one]) & self._common(causes[other]))
        change = self._bits_alone(both) - bits[one] - bits[other]
        if change < 0:
            yield change, one, other

    def _improved(self, state: _State) -> _State:
        for _ in range(_SWEEPS):
            before = state
            state = self._with_cases_moved(self._with_cases_shared(self._with_places(self._joined(state))))
            if state == before:
                break
        return state

    def _cheapest(self, state: _State, others: Iterable[_State]) -> _State:
        best, bits = state, self._bits(state) - _TOLERANCE
        for other in others:
            if (other_bits := self._bits(other)) < bits:
                best, bits = other, other_bits - _TOLERANCE
        return best

    def _joined(self, state: _State) -> _State:
        while True:
            pairs = combinations(state, 2)
            joined = self._cheapest(
                state, [_state((one | other, *_without(state, one, other))) for one, other in pairs]
            )
            if joined == state:
                return state
            state = joined

    def _with_places(self, state: _State) -> _State:
        """Let the cases of a place that no cause has belong to a cause with this place."""
        for place, shown in enumerate(self.partings.shown):
            if left := shown & ~self._covered(state)[place]:
                others = [_state((*state, left)), _state((*state, shown))]
                others.append(_state((*(members & ~left for members in state), left)))
                having = [members for members in state if self._reason(members).place == place]
                others += [_state((*_without(state, members), members | left)) for members in having]
                state = self._cheapest(state, others)
        return state

    def _with_cases_shared(self, state: _State) -> _State:
        """Let each cause take all cases of each other one that it may have and that show something it explains, or only
        those that it explains entirely."""
        for source in state:
            for target in state:
                if source != target and source in state and target in state:
                    state = self._cheapest(state, list(self._transfers(state, source, target)))
        return state

    def _transfers(self, state: _State, source: int, target: int) -> Iterator[_State]:
        items = frozenset(self._vocabularies(state)[state.index(target)])
        similar = entire = 0
        for case in bits_of(source & self._may_have(target)):
            if self.evidence.shown[case] & items:
                similar |= 1 << case
                entire |= (self.evidence.shown[case] <= items) << case
        rest = _without(state, source, target)
        for taken, kept in ((similar, source), (entire, source & ~entire), (similar, source & ~similar)):
            if taken:
                yield _state((*rest, kept, target | taken))

    def _with_cases_moved(self, state: _State) -> _State:
        """Move cases that show the same, and part at the same places, to one or two other causes, or to one of their
        own."""
        for pattern in self.evidence.patterns:
            groups = defaultdict[tuple[bool, ...], int](int)
            for case in bits_of(pattern):
                groups[tuple(bool(members >> case & 1) for members in state)] |= 1 << case
            for group in [part for members in groups.values() for part in self.partings.patterns(members)]:
                state = self._cheapest(state, list(self._moves(state, group)))
        return state

    def _moves(self, state: _State, group: int) -> Iterator[_State]:
        yield _state((*(members & ~group for members in state), group))
        able_to_have = [self._may_have(members) for members in state]
        for part in sorted({group, *(group & cases for cases in able_to_have)} - {0}):
            able = [number for number, cases in enumerate(able_to_have) if not part & ~cases]
            for chosen in (*combinations(able, 1), *combinations(able, 2)):
                yield _state(
                    members | part if number in chosen else members & ~part for number, members in enumerate(state)
                )


def _state(causes: Iterable[int]) -> _State:
    return tuple(sorted({members for members in causes if members}))


def _without(state: _State, *causes: int) -> _State:
    return tuple(members for members in state if members not in causes)


@cache
def _choice_bits(count: int, chosen: int) -> float:
    """Return the bits to say which ones are chosen, if it is known how many."""
    return (math.lgamma(count + 1) - math.lgamma(chosen + 1) - math.lgamma(count - chosen + 1)) / math.log(2)


@cache
def _presence_bits(count: int, having: int) -> float:
    lacking = (count - having) / count
    regularity = max(0.0, 1 - _NEARLY_ALL * lacking)
    return _choice_bits(count, having) * (_IRREGULARITY + (_REGULARITY - _IRREGULARITY) * regularity)
