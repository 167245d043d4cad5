"""A story made smaller by the decisions it was made by, as Hypothesis does.

Each shorter or lower sequence of decisions is still a story the generator could have told: nothing has to be checked
for sense, and decisions that belong together are left out together, versions and steps included. Where decisions run
out, the simplest is taken. It is coarse, and quick; what is left is for the passes over the files.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from harness.generate.choices import Chooser

__all__ = ["Choices", "RecordingChooser", "ReplayingChooser", "reduce_choices"]

_WIDEST: Final = 64

Choices = tuple[int, ...]
"""How far above the lowest each decision was."""


class RecordingChooser(Chooser):
    """Somebody else's decisions, noted."""

    __slots__ = ("_decides", "made")

    def __init__(self, decides: Chooser) -> None:
        self._decides = decides
        self.made: list[int] = []

    def integer(self, low: int, high: int) -> int:
        number = self._decides.integer(low, high)
        self.made.append(number - low)
        return number


class ReplayingChooser(Chooser):
    """Given decisions, as far as they are possible, and then the simplest."""

    __slots__ = ("_given", "made")

    def __init__(self, given: Sequence[int]) -> None:
        self._given = given
        self.made: list[int] = []

    def integer(self, low: int, high: int) -> int:
        at = len(self.made)
        self.made.append(min(self._given[at], high - low) if at < len(self._given) else 0)
        return low + self.made[-1]


def _trim(choices: Sequence[int]) -> Choices:
    """Without what would be decided anyway."""
    end = len(choices)
    while end and not choices[end - 1]:
        end -= 1
    return tuple(choices[:end])


def reduce_choices(choices: Sequence[int], made_if_shown: Callable[[Choices], Sequence[int] | None]) -> Choices:
    """The first in order of length, and then of size, that can be reached. `made_if_shown` gives the decisions that
    were really made for a story that still shows what it should, None for others."""
    best = _trim(choices)
    before = None
    while before != best:
        before = best
        width = _WIDEST
        while width:
            best = _drop_runs(best, width, made_if_shown)
            width //= 2
        best = _lower(best, made_if_shown)
    return best


def _try_choices(
    best: Choices, tried: Choices, made_if_shown: Callable[[Choices], Sequence[int] | None]
) -> Choices | None:
    if (len(tried), tried) >= (len(best), best):
        return None
    made = made_if_shown(tried)
    if made is None:
        return None
    found = _trim(made)
    return found if (len(found), found) < (len(best), best) else tried


def _drop_runs(best: Choices, width: int, made_if_shown: Callable[[Choices], Sequence[int] | None]) -> Choices:
    """From the end: what comes late depends on what comes before, and not the other way round."""
    end = len(best)
    while end > 0:
        start = max(0, end - width)
        found = _try_choices(best, _trim(best[:start] + best[end:]), made_if_shown)
        best = best if found is None else found
        end = min(start, len(best))
    return best


def _lower(best: Choices, made_if_shown: Callable[[Choices], Sequence[int] | None]) -> Choices:
    position = 0
    while position < len(best):
        for lower in dict.fromkeys((0, best[position] // 2, best[position] - 1)):
            if 0 <= lower < best[position]:
                found = _try_choices(best, _trim((*best[:position], lower, *best[position + 1 :])), made_if_shown)
                if found is not None:
                    best = found
                    break
        position += 1
    return best
