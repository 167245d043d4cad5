"""Where the generator's decisions come from, and what weighs on them.

Every decision is one call of `Chooser.integer`; the generator never uses a random number generator directly. The same
code therefore generates a hundred thousand stories from seeds, quickly, or a single story under Hypothesis, which can
then shrink it. To support shrinking, low numbers are the simple choices: the first option of `choice`, and "no" for
`chance`.

`GenerationContext` adds the features: how likely each is, which are forbidden, and which a story has used.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from random import Random
from typing import Final, TypeVar

from harness.generate.model import ModelBlock
from shared_nodes.flavour import OPENTOFU_1_12, TERRAFORM_1_11, Flavour
from shared_nodes.record import record

__all__ = ["NEUTRAL", "PART_NAMES", "Chooser", "DrawingChooser", "GenerationContext", "SeededChooser"]

_Option = TypeVar("_Option")
_PER_CENT: Final = 100


class Chooser(ABC):
    __slots__ = ()

    @abstractmethod
    def integer(self, low: int, high: int) -> int:
        """Return a number from `low` to `high`, both included."""

    def choice(self, options: Sequence[_Option]) -> _Option:
        return options[self.integer(0, len(options) - 1)]

    def chance(self, per_cent: float) -> bool:
        """Decide with the given probability. Nothing is drawn if the outcome is certain."""
        if per_cent <= 0 or per_cent >= _PER_CENT:
            return per_cent > 0
        return self.integer(0, _PER_CENT - 1) >= _PER_CENT - per_cent

    def weighted_choice(self, options: Sequence[tuple[_Option, int]]) -> _Option:
        """Choose an option by weight. Weights are whole numbers, at least one of them positive."""
        rest = self.integer(0, sum(weight for _, weight in options) - 1)
        for option, weight in options:
            rest -= weight
            if rest < 0:
                return option
        raise AssertionError("weights add up")

    def sample(self, options: Sequence[_Option], most: int) -> list[_Option]:
        """Choose between one and `most` different options; none if there are no options."""
        left, found = list(options), list[_Option]()
        for _ in range(self.integer(1, most) if left else 0):
            if left:
                found.append(left.pop(self.integer(0, len(left) - 1)))
        return found


class SeededChooser(Chooser):
    """Draws from a pseudo-random generator. A text seed gives the same numbers on every machine and Python version."""

    __slots__ = ("_random",)

    def __init__(self, seed: str) -> None:
        self._random = Random(seed)

    def integer(self, low: int, high: int) -> int:
        # randint takes three times as long, and drawing is most of the cost of generating.
        return low + int(self._random.random() * (high - low + 1))


class DrawingChooser(Chooser):
    """Draws with a function such as `lambda low, high: draw(st.integers(low, high))`."""

    __slots__ = ("_draw",)

    def __init__(self, draw: Callable[[int, int], int]) -> None:
        self._draw = draw

    def integer(self, low: int, high: int) -> int:
        return low if low == high else self._draw(low, high)


NEUTRAL: Final = 100
"""Weight, in per cent, of a feature while there is no feedback."""

_MOST: Final = 90
_OPENTOFU: Final = "opentofu"
"""A feature with this word in its name is one that only OpenTofu has."""

_UNSEEN: Final = 250
"""Weight, in per cent, of a feature that has no weight of its own while others do: no story has used it yet."""

PART_NAMES: Final = (
    *("resources", "instances", "checks", "objects", "outputs", "attributes", "before", "after", "after_unknown"),
    *("before_sensitive", "after_sensitive", "dependencies", "sensitive_attributes", "change", "resource_changes"),
    *("sensitive", "value", "type", "inventory", "deposed", "address", "status"),
)
"""Names of parts of plans and states."""


@record(frozen=False)
class GenerationContext:
    chooser: Chooser
    weights: Mapping[str, int] = field(default_factory=dict)
    """Weight per feature, in per cent of its normal probability."""

    forbidden: frozenset[str] = frozenset()
    has_opentofu: bool = False
    """Whether the story may use features that only OpenTofu has. Where it may not, nothing is drawn for them: the
    stories of Terraform do not depend on which of them exist."""

    used_features: set[str] = field(default_factory=set)
    name_count: int = 0
    part_count: int = 0
    edited_blocks: list[ModelBlock] = field(default_factory=list)
    """Blocks changed by the edits that lead to the current version. Faults are aimed at them."""

    @property
    def flavour(self) -> Flavour:
        return OPENTOFU_1_12 if self.has_opentofu else TERRAFORM_1_11

    def chance(self, feature: str, per_cent: float) -> bool:
        """Decide whether to use a feature, by probability and weight, and record it if so."""
        if not self._allows(feature):
            return False
        if not self.chooser.chance(min(_MOST, per_cent * self._weight(feature) / NEUTRAL)):
            return False
        self.used_features.add(feature)
        return True

    def pick_feature(self, options: Sequence[tuple[str, int]]) -> str:
        """Choose one of several mutually exclusive features by weight. The first is the simplest."""
        weighted = [
            (feature, max(1, weight * self._weight(feature) // 10))
            for feature, weight in options
            if weight and self._allows(feature)
        ]
        feature = self.chooser.weighted_choice(weighted)
        self.used_features.add(feature)
        return feature

    def _allows(self, feature: str) -> bool:
        return feature not in self.forbidden and (self.has_opentofu or _OPENTOFU not in feature)

    def _weight(self, feature: str) -> int:
        return self.weights.get(feature, _UNSEEN if self.weights else NEUTRAL)

    def new_name(self, stem: str) -> str:
        """Return a name that no block of the story has had before."""
        self.name_count += 1
        return f"{stem}{self.name_count}"

    def name_part(self) -> str:
        """Return a name that plans and states use for parts of their own, another one each time. A document must be
        read by the places of its parts, so users may have any name. Nothing is drawn for it."""
        self.part_count += 1
        return PART_NAMES[self.part_count % len(PART_NAMES)]
