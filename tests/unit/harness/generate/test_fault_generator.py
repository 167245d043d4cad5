"""Faults of a story: they hit objects that exist, and leave nothing to the schedule."""

from __future__ import annotations

import pytest

from harness.generate.choices import GenerationContext, SeededChooser
from harness.generate.configuration_generator import generate_configuration
from harness.generate.fault_generator import add_drift, add_fault, add_kill
from harness.generate.instances import find_instances
from harness.generate.model import BlockKind, ModelBlock, ModelExpression, ModelModule
from harness.generate.profiles import PROFILES
from harness.generate.story_builder import StoryBuilder
from harness.simulation.simcloud.faults import FaultKind


def builder(seed: int, root: ModelModule | None = None) -> StoryBuilder:
    context = GenerationContext(SeededChooser(str(seed)))
    root = generate_configuration(context, 8) if root is None else root
    return StoryBuilder(context, root, PROFILES["medium"])


@pytest.mark.parametrize("seed", range(20))
def test_faults_name_objects_of_the_configuration_and_ambiguous_ones_hit_every_call(seed: int) -> None:
    story = builder(seed)
    for _ in range(10):
        add_drift(story)
        add_fault(story)
    names = {one.cloud_name for one in find_instances(story.root, *BlockKind)}
    assert {fault.name for fault in story.faults} <= {*names, None}
    assert all(fault.occurrence is None for fault in story.faults if fault.name is None and fault.kind.needs_call)


def test_without_simulated_objects_nothing_is_added() -> None:
    story = builder(1, ModelModule("", [ModelBlock(BlockKind.MANAGED, "a", "terraform_data")]))
    add_drift(story)
    add_kill(story)
    assert add_fault(story) is None
    assert (story.faults, story.kills) == ([], {})


def test_no_process_is_killed_while_a_data_source_waits_for_the_clock() -> None:
    managed = ModelBlock(BlockKind.MANAGED, "a", "simcloud_updated", "a")
    slow = ModelBlock(BlockKind.DATA, "b", "simcloud_slow", "b")
    story = builder(1, ModelModule("", [managed]))
    add_kill(story)
    assert [fault.name for fault in story.kills.values()] == ["a"]
    story = builder(1, ModelModule("", [managed, slow]))
    add_kill(story)
    assert story.kills == {}


def test_drift_changes_an_argument_or_removes_the_object() -> None:
    managed = ModelBlock(
        BlockKind.MANAGED, "a", "simcloud_updated", "a", arguments={"value": ModelExpression(('"x"',))}
    )
    kinds = set[FaultKind]()
    for seed in range(20):
        story = builder(seed, ModelModule("", [managed]))
        add_drift(story)
        (fault,) = story.faults
        kinds.add(fault.kind)
        assert fault.kind is FaultKind.VANISH or fault.attributes == {"value": "drifted"}
    assert kinds == {FaultKind.DRIFT, FaultKind.VANISH}
