"""Distinguishes the differences that an engine makes from those that follow from its earlier ones.

After the first difference two engines go on from different states, and whatever they do then may differ for that reason
alone. So a later step is run by the candidate once more, from the state of the baseline. What differs only with the
candidate's own history is a consequence. What differs only from the baseline's state was hidden by that history.

A difference is recognised by its place, its shape, its kind and its role, which is what both sides intend for the
object: where exactly it is, and between which values, may depend on the history. Without the role, an object that is
not listed because nothing changes would hide another one that is not there at all.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Final, Protocol, TypeVar

from harness.compare.documents import keyed
from harness.observe.document_layout import OBSERVATION
from harness.observe.json_trees import as_object
from harness.observe.observation import observed_state_file
from harness.play.checkpoint import Checkpoint
from shared_nodes.values.json import Tree

__all__ = ["DifferenceKey", "consequences", "hidden_differences", "is_apart", "key_of", "places_apart"]

DifferenceKey = tuple[str, str, str, str]
"""Place, shape, kind and role of a difference."""

_NO_DIRECTORY: Final = "\0"
"""No text contains this path: a state is compared whole."""


class Shaped(Protocol):
    """A difference, as far as it is recognised."""

    @property
    def shape(self) -> str: ...

    @property
    def kind(self) -> str: ...

    @property
    def role(self) -> str: ...


_Difference = TypeVar("_Difference", bound=Shaped)


def key_of(place: str, difference: Shaped) -> DifferenceKey:
    return place, difference.shape, str(difference.kind), difference.role


def consequences(
    own: Iterable[tuple[str, Shaped]], again: Iterable[tuple[str, Shaped]], places: Collection[str]
) -> frozenset[DifferenceKey]:
    """Return the differences that an engine has only with its own history.

    `own` are its differences from the baseline, `again` those from the baseline's state, at the places that were run
    again. Elsewhere nothing is known, and nothing is a consequence.
    """
    caused = {key_of(*found) for found in again}
    return frozenset(key for found in own if found[0] in places and (key := key_of(*found)) not in caused)


def hidden_differences(
    own: Iterable[tuple[str, _Difference]], again: Iterable[tuple[str, _Difference]]
) -> tuple[tuple[str, _Difference], ...]:
    """Return the differences from the baseline's state that the engine's own history hides."""
    shown = {key_of(*found) for found in own}
    return tuple(found for found in again if key_of(*found) not in shown)


# Where two runs are apart


def places_apart(
    own: Mapping[str, Checkpoint], baseline: Mapping[str, Checkpoint], differences: Iterable[tuple[str, Shaped]]
) -> dict[str, Checkpoint]:
    """Return the checkpoints of the baseline at the steps that an engine begins in another place.

    A step before which nothing differs is not looked at: whatever is apart there can be seen by no step.
    """
    differing = {place for place, _ in differences}
    found: dict[str, Checkpoint] = {}
    is_later = False
    for place, checkpoint in baseline.items():
        if is_later and place in own and is_apart(own[place], checkpoint):
            found[place] = checkpoint
        is_later = is_later or place in differing
    return found


def is_apart(one: Checkpoint, other: Checkpoint) -> bool:
    """Return whether a step could behave differently after these two."""
    if one.cloud != other.cloud:
        return True
    if one.memory is not None and other.memory is not None and one.memory.objects != other.memory.objects:
        return True
    return one.state != other.state and _content(one) != _content(other)


def _content(checkpoint: Checkpoint) -> Tree:
    """Return the content of a state by the names of its run. Texts of equal states differ in ids, lineage and serial.
    An encrypted state cannot be read here, and equals nothing but itself."""
    document, provider_data = observed_state_file(checkpoint.state)
    if document is not None and "encrypted" in document:
        return checkpoint.state
    content = {"state": document, "provider_data": provider_data}
    return keyed(as_object(checkpoint.names.copy().normalised(content, _NO_DIRECTORY)), OBSERVATION)
