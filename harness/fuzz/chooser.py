"""Where the generator's decisions come from: one primitive, `integer`, behind which any source can stand.

The generator never asks a random generator itself. So the same code makes a hundred thousand stories from seeds, fast,
and one story in Hypothesis' hands, which can then make it smaller. To that end low numbers are the simple choices: what
comes first in `choice` and what a `chance` refuses is what a shrunk story has.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from random import Random
from typing import Final, TypeVar

__all__ = ["Chooser", "DrawingChooser", "SeededChooser"]

_Option = TypeVar("_Option")
_PER_CENT: Final = 100


class Chooser(ABC):
    __slots__ = ()

    @abstractmethod
    def integer(self, low: int, high: int) -> int:
        """Both ends included."""

    def choice(self, options: Sequence[_Option]) -> _Option:
        return options[self.integer(0, len(options) - 1)]

    def chance(self, per_cent: float) -> bool:
        """Nothing is drawn for what is sure either way."""
        if per_cent <= 0 or per_cent >= _PER_CENT:
            return per_cent > 0
        return self.integer(0, _PER_CENT - 1) >= _PER_CENT - per_cent

    def weighted(self, options: Sequence[tuple[_Option, int]]) -> _Option:
        """Options with their weights, whole numbers of which at least one is positive."""
        rest = self.integer(0, sum(weight for _, weight in options) - 1)
        for option, weight in options:
            rest -= weight
            if rest < 0:
                return option
        raise AssertionError("weights add up")

    def some(self, options: Sequence[_Option], most: int) -> list[_Option]:
        """Different ones, at most that many, at least one where there is one."""
        left, found = list(options), list[_Option]()
        for _ in range(self.integer(1, most) if left else 0):
            if left:
                found.append(left.pop(self.integer(0, len(left) - 1)))
        return found


class SeededChooser(Chooser):
    """A text as a seed gives the same numbers on every machine and in every version of Python."""

    __slots__ = ("_random",)

    def __init__(self, seed: str) -> None:
        self._random = Random(seed)

    def integer(self, low: int, high: int) -> int:
        # Not randint, which takes three times as long and is most of what generating costs.
        return low + int(self._random.random() * (high - low + 1))


class DrawingChooser(Chooser):
    """Draws by a function such as `lambda low, high: draw(st.integers(low, high))`."""

    __slots__ = ("_draw",)

    def __init__(self, draw: Callable[[int, int], int]) -> None:
        self._draw = draw

    def integer(self, low: int, high: int) -> int:
        return low if low == high else self._draw(low, high)
