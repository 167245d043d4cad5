"""Marks: labels that travel with a value through every computation.

The language has two, `SENSITIVE` and `EPHEMERAL`. Engines may add their own: any hashable object is a mark, and
everything in `shared_nodes.values` treats all marks alike.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Final

__all__ = ["EPHEMERAL", "NO_MARKS", "SENSITIVE", "Mark", "Marks"]


@dataclass(frozen=True, slots=True)
class Mark:
    name: str

    def __repr__(self) -> str:
        return self.name


Marks = frozenset[Hashable]

SENSITIVE: Final = Mark("sensitive")
EPHEMERAL: Final = Mark("ephemeral")
NO_MARKS: Final[Marks] = frozenset()
