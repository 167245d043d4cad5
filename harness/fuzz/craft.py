"""What the generator works with: decisions, how much each feature is wanted, and what has been used."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from harness.generate.choices import Chooser
from harness.generate.model import Node

__all__ = ["NEUTRAL", "Craft"]

NEUTRAL: Final = 100
"""Per cent: what a feature is wanted by that nobody has an opinion on."""

_MOST: Final = 90
_UNSEEN: Final = 250
"""What a feature is wanted by that others have opinions beside: no story so far had it."""


@dataclass(slots=True)
class Craft:
    chooser: Chooser
    weights: Mapping[str, int] = field(default_factory=dict)
    """By feature, in per cent of what it would be wanted otherwise."""

    forbidden: frozenset[str] = frozenset()
    used: set[str] = field(default_factory=set)
    names: int = 0
    touched: list[Node] = field(default_factory=list)
    """What the edits that lead to the current version changed: it is where something may go wrong."""

    def wants(self, feature: str, per_cent: float) -> bool:
        """Decided by chance and weight, and remembered."""
        if feature in self.forbidden:
            return False
        if not self.chooser.chance(min(_MOST, per_cent * self._weight(feature) / NEUTRAL)):
            return False
        self.used.add(feature)
        return True

    def pick(self, options: Sequence[tuple[str, int]]) -> str:
        """One of several features that exclude each other, by their weights; the first is the simplest."""
        weighted = [
            (feature, max(1, weight * self._weight(feature) // 10))
            for feature, weight in options
            if feature not in self.forbidden and weight
        ]
        feature = self.chooser.weighted(weighted)
        self.used.add(feature)
        return feature

    def _weight(self, feature: str) -> int:
        return self.weights.get(feature, _UNSEEN if self.weights else NEUTRAL)

    def allows(self, feature: str) -> bool:
        return feature not in self.forbidden

    def name(self, stem: str) -> str:
        """One that no node of the story has had."""
        self.names += 1
        return f"{stem}{self.names}"
