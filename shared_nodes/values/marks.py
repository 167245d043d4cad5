"""Marks: labels that accompany a value through every computation.

The language has `SENSITIVE`, `EPHEMERAL` and one `Deprecation` for each deprecated source. Engines may add their own:
any other hashable object is a mark, and `shared_nodes.values` treats all marks alike. Conditional expressions make one
distinction: `kept_by_branch`.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Final

from shared_nodes.record import record

__all__ = ["EPHEMERAL", "NO_MARKS", "SENSITIVE", "Deprecation", "Mark", "Marks", "kept_by_branch"]


@record
class Mark:
    name: str

    def __repr__(self) -> str:
        return self.name


@record
class Deprecation:
    """Marks a value that comes from a deprecated source, such as an output of a module. A warning is due wherever the
    value is used; what was computed from it is not deprecated in turn."""

    source: str
    message: str

    def __repr__(self) -> str:
        return "deprecated"


Marks = frozenset[Hashable]

SENSITIVE: Final = Mark("sensitive")
EPHEMERAL: Final = Mark("ephemeral")
NO_MARKS: Final[Marks] = frozenset()


def kept_by_branch(marks: Marks) -> Marks:
    """The marks that a conditional takes over from the branch that was not taken: those of the language itself.

    Which branch was taken may reveal a secret. An engine's marks record what a value was made from, and the result was
    not made from that branch.
    """
    return frozenset([mark for mark in marks if isinstance(mark, Mark | Deprecation)]) if marks else marks
