"""What the types of null and random have in common: a map of values that replace the object, and chance."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Final

from harness.simulation.utilities.definition import optional
from shared_nodes.values.raw_equality import raw_equals
from shared_nodes.values.types import STRING, MapType
from shared_nodes.values.value import Value
from shared_nodes.world import World

__all__ = ["KEEPERS", "TEXTS", "random_for"]

TEXTS: Final = MapType(STRING)


def _if_values_change(_planned: Value, config: Value, prior: Value) -> bool:
    """Return whether any value changes. Null values that were not there before do not count, because early releases of
    these providers did not store them. A map that is unknown as a whole has no values yet."""
    wanted, known = _values(config), _values(prior)
    new = (value for key, value in wanted.items() if key not in known)
    return (
        not known.keys() <= wanted.keys()
        or any(not value.is_null for value in new)
        or any(not raw_equals(wanted[key], value) for key, value in known.items())
    )


def _values(side: Value) -> Mapping[str, Value]:
    return side.payload if side.is_known and not side.is_null else {}


KEEPERS: Final = optional(TEXTS, replaces=_if_values_change)


def random_for(world: World, owner: str, seed: str = "") -> random.Random:
    """Return the random numbers of one object. Without a seed of its own they follow from its address and the World, so
    that they do not depend on the order in which objects are created. A seed always gives the same numbers, though not
    those of the original."""
    return random.Random(seed or world.identifiers.new(owner))
