"""Scores the causes that were found for a mix of mutants by what each mutant does alone.

A mutant *must* have the cases in which the mix makes a difference that this mutant makes alone and no other mutant of
the mix does. It *may* have every case that it shows alone: another mutant can hide what it does there, or make the same
difference. A mutant *shows* if there is a case that it must have.

A cause *fits* a mutant if the mutant may have every case of it, and if nine tenths of the cases that the mutant must
have are in it. A case can belong to several causes. The causes of a mix are *perfect* if each fits a mutant of its own
and no mutant that shows is left over. A mutant that does not show may have a cause or have none. They are *exact* if
the same is true with all cases that a mutant must have.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import permutations
from statistics import mean
from typing import Final, NamedTuple

from harness.trials.mutant_truth import Truth
from shared_nodes.record import record

__all__ = ["CauseCases", "ExpectedCause", "MixScore", "MixSummary", "expect_causes", "score_mix", "summarise"]

_NEEDED: Final = Fraction(9, 10)
_ALL: Final = Fraction(1)


class CauseCases(NamedTuple):
    """A cause that was found: its title and its cases."""

    title: str
    cases: frozenset[str]


class ExpectedCause(NamedTuple):
    """What one mutant of a mix should be found as."""

    mutant: str
    must: frozenset[str]
    may: frozenset[str]

    def agreement(self, cause: CauseCases) -> tuple[float, float]:
        """Return how well a cause agrees: 1 if it has all cases that it must have and no other than it may have. The
        second number decides between equals: the Jaccard index with all cases that the mutant shows alone."""
        common = len(cause.cases & self.may)
        return common / len(cause.cases | self.must), common / len(cause.cases | self.may)

    def fits(self, cause: CauseCases, needed: Fraction) -> bool:
        return cause.cases <= self.may and len(cause.cases & self.must) >= needed * len(self.must)


@record
class MixScore:
    mutants: tuple[str, ...]
    showing: tuple[str, ...]
    causes: tuple[tuple[str, CauseCases], ...]
    """Each cause with the mutant that it agrees with best, or an empty text if it has no case of any."""

    is_perfect: bool
    is_exact: bool
    purity: float
    """The mean over all causes: the share of cases that the mutant of the cause may have."""

    problems: tuple[str, ...]
    """What was split, merged or confused, in sentences."""


class MixSummary(NamedTuple):
    mixes: int
    perfect: int
    exact: int
    purity: float
    causes_per_mutant: float
    """All causes, divided by all mutants that show."""


def expect_causes(mutants: Sequence[str], truth: Truth, seen: Mapping[str, Collection[str]]) -> list[ExpectedCause]:
    """Return what the mutants of a mix should be found as. `seen` has the marks of the differences that the mix makes
    in each case."""
    return [
        ExpectedCause(
            mutant,
            frozenset(case for case in truth[mutant] if _is_distinct(case, mutant, mutants, truth, seen)),
            frozenset(case for case in truth[mutant] if seen.get(case)),
        )
        for mutant in mutants
    ]


def _is_distinct(
    case: str, mutant: str, mutants: Sequence[str], truth: Truth, seen: Mapping[str, Collection[str]]
) -> bool:
    of_others = frozenset[str]().union(*(truth[other].get(case, ()) for other in mutants if other != mutant))
    return bool((truth[mutant][case] - of_others).intersection(seen.get(case, ())))


def score_mix(expected: Sequence[ExpectedCause], causes: Sequence[CauseCases]) -> MixScore:
    found = tuple((_assign(cause, expected), cause) for cause in causes)
    may = {each.mutant: each.may for each in expected}
    shares = [len(cause.cases & may.get(name, frozenset())) / len(cause.cases) for name, cause in found if cause.cases]
    return MixScore(
        mutants=tuple(each.mutant for each in expected),
        showing=tuple(each.mutant for each in expected if each.must),
        causes=found,
        is_perfect=_is_bijection(expected, causes, _NEEDED),
        is_exact=_is_bijection(expected, causes, _ALL),
        purity=mean(shares) if shares else 1.0,
        problems=tuple(_describe_problems(expected, found)),
    )


def _assign(cause: CauseCases, expected: Sequence[ExpectedCause]) -> str:
    """Return the mutant that a cause agrees with best. One that shows is preferred to one that need not be found."""
    able = [each for each in expected if cause.cases & each.may]
    best = max(able, key=lambda each: (bool(each.must), each.agreement(cause)), default=None)
    return "" if best is None else best.mutant


def _is_bijection(expected: Sequence[ExpectedCause], causes: Sequence[CauseCases], needed: Fraction) -> bool:
    """Return whether each cause fits a mutant of its own, and each mutant that shows has a cause. There are so few
    mutants in a mix that all assignments can be tried."""
    showing = {each.mutant for each in expected if each.must}
    if not len(showing) <= len(causes) <= len(expected):
        return False
    return any(
        showing <= {each.mutant for each in chosen}
        and all(each.fits(cause, needed) for each, cause in zip(chosen, causes, strict=True))
        for chosen in permutations(expected, len(causes))
    )


def summarise(scores: Sequence[MixScore]) -> MixSummary:
    shown = sum(len(score.showing) for score in scores)
    return MixSummary(
        mixes=len(scores),
        perfect=sum(score.is_perfect for score in scores),
        exact=sum(score.is_exact for score in scores),
        purity=mean(score.purity for score in scores) if scores else 1.0,
        causes_per_mutant=sum(len(score.causes) for score in scores) / max(1, shown),
    )


# In sentences


def _describe_problems(expected: Sequence[ExpectedCause], found: Sequence[tuple[str, CauseCases]]) -> Iterator[str]:
    for each in expected:
        own = [cause for name, cause in found if name == each.mutant]
        if each.must and not own:
            yield _describe_merge(each, found)
        if len(own) > 1:
            yield f"{each.mutant} is split into {len(own)} causes, of {_join(len(cause.cases) for cause in own)} cases"
        for cause in own:
            if others := len(cause.cases - each.may):
                yield f'"{cause.title}" is {each.mutant}, but {others} of its {len(cause.cases)} cases do not show it'
        if len(own) == 1 and (missing := len(each.must - own[0].cases)):
            yield f"{each.mutant} lacks {missing} of the {len(each.must)} cases that it must have"
    for name, cause in found:
        if not name:
            yield f'"{cause.title}" has no case of any mutant'


def _describe_merge(expected: ExpectedCause, found: Sequence[tuple[str, CauseCases]]) -> str:
    name, cause = max(found, key=lambda each: len(each[1].cases & expected.must), default=("", None))
    if cause is None or not cause.cases & expected.must:
        return (
            f"{expected.mutant} was not found: none of the {len(expected.must)} cases that it must have is in a cause"
        )
    common = len(cause.cases & expected.must)
    of = f"which is {name}"
    return f'{expected.mutant} is merged: {common} of {len(expected.must)} cases are in "{cause.title}", {of}'


def _join(numbers: Iterator[int]) -> str:
    *firsts, last = map(str, numbers)
    return f"{', '.join(firsts)} and {last}"
