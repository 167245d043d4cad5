"""A mutant: one mistake in the source of an engine, written as a small diff.

A mutant is data: it names a module and the lines to change in it. `source.py` finds these lines, `patching.py`
exchanges the code of their functions, `activation.py` keeps mutants active for as long as a run needs them.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from shared_nodes.record import record

__all__ = ["Mutant", "MutantKind"]

_SHARED: Final = "shared_nodes."


class MutantKind(StrEnum):
    """The first letter of an identifier."""

    BUG = "B"
    CHANGE = "C"
    MISSING = "M"
    OBSOLETE = "O"
    DEFECT = "L"
    RULE = "S"


@record
class Mutant:
    identifier: str
    breaks: str
    """What it breaks, in one sentence."""

    module: str
    """The module that it changes."""

    change: str
    """A diff: lines to remove start with `-`, lines to add with `+`, unchanged lines around them with a space. A line
    `@@` separates hunks. See `source.parse_diff`."""

    phase: str
    """The operation in which it is expected to show first."""

    field: str
    """The part of an observation in which it is expected to show."""

    areas: tuple[str, ...]
    """Areas and tags of the corpus in which it should show: cases that have one of them are tried first."""

    engine: str = "new"

    @property
    def kind(self) -> MutantKind:
        return MutantKind(self.identifier[0])

    @property
    def is_shared(self) -> bool:
        """Whether both engines run the code that it changes."""
        return self.module.startswith(_SHARED)
