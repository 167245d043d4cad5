"""Reduce a generated story by reducing the decisions it was generated from, as Hypothesis does.

Every shorter or lower sequence of decisions is still a story that the generator could have produced. No result needs to
be checked for validity, and decisions that belong together are dropped together, including versions and steps. Missing
decisions default to the simplest. This is coarse and quick; the passes over the files do the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from harness.generate.choices import Chooser

__all__ = ["Choices", "RecordingChooser", "ReplayingChooser", "reduce_choices"]

_WIDEST: Final = 64

Choices = tuple[int, ...]
"""For each decision, how far it was above the lowest possible number."""


class RecordingChooser(Chooser):
    """Passes decisions on from another chooser and records them."""

    __slots__ = ("_decides", "made")

    def __init__(self, decides: Chooser) -> None:
        self._decides = decides
        self.made: list[int] = []

    def integer(self, low: int, high: int) -> int:
        number = self._decides.integer(low, high)
        self.made.append(number - low)
        return number


class ReplayingChooser(Chooser):
    """Repeats recorded decisions as far as they are possible, then makes the simplest ones."""

    __slots__ = ("_given", "made")

    def __init__(self, given: Sequence[int]) -> None:
        self._given = given
        self.made: list[int] = []

    def integer(self, low: int, high: int) -> int:
        at = len(self.made)
        self.made.append(min(self._given[at], high - low) if at < len(self._given) else 0)
        return low + self.made[-1]


def _trim(choices: Sequence[int]) -> Choices:
    """Remove trailing decisions that equal the default."""
    end = len(choices)
    while end and not choices[end - 1]:
        end -= 1
    return tuple(choices[:end])


def reduce_choices(choices: Sequence[int], made_if_interesting: Callable[[Choices], Sequence[int] | None]) -> Choices:
    """Return the shortest, then lowest decisions that can be reached. `made_if_interesting` returns the decisions
    actually made for a story that is still interesting, and None for any other."""
    best = _trim(choices)
    before = None
    while before != best:
        before = best
        width = _WIDEST
        while width:
            best = _drop_runs(best, width, made_if_interesting)
            width //= 2
        best = _lower(best, made_if_interesting)
    return best


def _try_choices(
    best: Choices, tried: Choices, made_if_interesting: Callable[[Choices], Sequence[int] | None]
) -> Choices | None:
    if (len(tried), tried) >= (len(best), best):
        return None
    made = made_if_interesting(tried)
    if made is None:
        return None
    found = _trim(made)
    return found if (len(found), found) < (len(best), best) else tried


def _drop_runs(best: Choices, width: int, made_if_interesting: Callable[[Choices], Sequence[int] | None]) -> Choices:
    """Drop runs of decisions from the end, because later decisions depend on earlier ones and not vice versa."""
    end = len(best)
    while end > 0:
        start = max(0, end - width)
        found = _try_choices(best, _trim(best[:start] + best[end:]), made_if_interesting)
        best = best if found is None else found
        end = min(start, len(best))
    return best


def _lower(best: Choices, made_if_interesting: Callable[[Choices], Sequence[int] | None]) -> Choices:
    position = 0
    while position < len(best):
        for lower in dict.fromkeys((0, best[position] // 2, best[position] - 1)):
            if 0 <= lower < best[position]:
                found = _try_choices(best, _trim((*best[:position], lower, *best[position + 1 :])), made_if_interesting)
                if found is not None:
                    best = found
                    break
        position += 1
    return best
