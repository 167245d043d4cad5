"""What a pass is: a function that proposes changes, and the sentence that the history of a reduction shows for it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from harness.reduce.specimens.specimen import Specimen, SpecimenChange
from shared_nodes.record import record

__all__ = ["Pass"]


@record
class Pass:
    make: Callable[[Specimen], Sequence[SpecimenChange]]
    description: str
    """What the pass does, as recorded in the history."""

    at_once: bool = False
    """Whether several of its changes can be combined."""
