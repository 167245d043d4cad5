"""Schedules of generated stories."""

from __future__ import annotations

from dataclasses import replace

from harness.generate.campaign import CampaignOptions, StoryTask, story_of_task
from harness.generate.story_execution import schedules_for
from harness.simulation.simcloud.faults import Fault, FaultKind, Verb

_OPTIONS = CampaignOptions(seed=9, profile="small", schedules=1)


def test_where_a_process_is_killed_as_much_as_ever_goes_on_at_a_time() -> None:
    """A process is killed once nothing else can run, so what is done by then must not depend on the parallelism."""
    story = replace(story_of_task(StoryTask(_OPTIONS, 0)), faults=())
    fault = Fault(None, "r1", FaultKind.STUCK, Verb.CREATE, type_name="simcloud_updated")
    assert {way.parallelism for way in schedules_for(0, 3, story)} == {10, 2, 1}
    assert {way.parallelism for way in schedules_for(0, 3, replace(story, kills={0: fault}))} == {10}
