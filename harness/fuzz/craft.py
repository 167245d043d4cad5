"""What the generator works with: decisions, how much each feature is wanted, and what has been used."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from harness.fuzz.chooser import Chooser

__all__ = ["NEUTRAL", "Craft"]

NEUTRAL: Final = 100
"""Per cent: what a feature is wanted by that nobody has an opinion on."""

_MOST: Final = 90


@dataclass(slots=True)
class Craft:
    chooser: Chooser
    weights: Mapping[str, int] = field(default_factory=dict)
    """By feature, in per cent of what it would be wanted otherwise."""

    forbidden: frozenset[str] = frozenset()
    used: set[str] = field(default_factory=set)
    names: int = 0

    def wants(self, feature: str, per_cent: float) -> bool:
        """Decided by chance and weight, and remembered."""
        if feature in self.forbidden:
            return False
        if not self.chooser.chance(min(_MOST, per_cent * self.weights.get(feature, NEUTRAL) / NEUTRAL)):
            return False
        self.used.add(feature)
        return True

    def pick(self, options: Sequence[tuple[str, int]]) -> str:
        """One of several features that exclude each other, by their weights; the first is the simplest."""
        weighted = [
            (feature, max(1, weight * self.weights.get(feature, NEUTRAL) // 10))
            for feature, weight in options
            if feature not in self.forbidden and weight
        ]
        feature = self.chooser.weighted(weighted)
        self.used.add(feature)
        return feature

    def allows(self, feature: str) -> bool:
        return feature not in self.forbidden

    def name(self, stem: str) -> str:
        """One that no node of the story has had."""
        self.names += 1
        return f"{stem}{self.names}"
