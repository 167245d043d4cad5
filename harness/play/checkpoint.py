"""Where a run was before a step, so that another engine can begin the step in the same place.

A checkpoint has everything that a step can see of the steps before it. A run that continues from a checkpoint uses the
names of the run that made it, so that what both observe at the step can be compared. Making one is cheap: texts and
values are shared, since they never change.
"""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

from harness.observe.normalise import Names
from harness.play.mock_objects import MockObjects
from harness.simulation.simcloud.simulation import Snapshot
from shared_nodes.record import record
from shared_nodes.world import SeededIdentifiers, World

__all__ = ["Checkpoint", "EngineMemory", "remember_engine"]


@record
class EngineMemory:
    """What the steps of an engine of ours have in common besides state and cloud."""

    objects: MockObjects
    """The files of mocked providers."""

    identifiers: SeededIdentifiers
    randomness: tuple[Any, ...]
    """The state of the generator. Ids and randomness go on, or a new object would get the id of an earlier one."""

    def restore(self, world: World, objects: MockObjects) -> None:
        """Continue in the world of another run, which must not have been used yet."""
        objects.stored, objects.local_files = self.objects.stored, self.objects.local_files
        world.random.setstate(self.randomness)
        if isinstance(world.identifiers, SeededIdentifiers):
            world.identifiers.continue_from(self.identifiers)


def remember_engine(world: World, objects: MockObjects) -> EngineMemory | None:
    """Return None for a world that is not reproducible."""
    if not isinstance(world.identifiers, SeededIdentifiers) or isinstance(world.random, random.SystemRandom):
        return None
    return EngineMemory(replace(objects), world.identifiers.copy(), world.random.getstate())


@record
class Checkpoint:
    state: str | None
    """The text of the state file; None where there is none yet."""

    cloud: Snapshot
    names: Names
    memory: EngineMemory | None = None
    """None for a binary, which remembers nothing from one step to the next."""
