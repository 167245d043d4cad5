"""Schedules of generated stories."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from harness.generate.campaign import CampaignOptions, StoryTask, story_of_task
from harness.generate.story_execution import (
    StorySchedules,
    run_story,
    schedules_for,
    schedules_of_story,
    story_scratch_directory,
)
from harness.mutants.activation import apply_mutants
from harness.observe.observation import Observation
from harness.play.schedule import Schedule
from harness.simulation.simcloud.faults import Fault, FaultKind, Verb
from shared_nodes.values.json import JsonNumber, Tree

_OPTIONS = CampaignOptions(seed=9, profile="small", schedules=1)


def test_where_a_process_is_killed_as_much_as_ever_goes_on_at_a_time() -> None:
    """A process is killed once nothing else can run, so what is done by then must not depend on the parallelism."""
    story = replace(story_of_task(StoryTask(_OPTIONS, 0)), faults=())
    fault = Fault(None, "r1", FaultKind.STUCK, Verb.CREATE, type_name="simcloud_updated")
    assert {way.parallelism for way in schedules_for(0, 3, story)} == {10, 2, 1}
    assert {way.parallelism for way in schedules_for(0, 3, replace(story, kills={0: fault}))} == {10}


def test_a_story_is_run_under_one_of_its_schedules_and_a_sample_under_all() -> None:
    story = replace(story_of_task(StoryTask(_OPTIONS, 0)), faults=())
    chosen = [schedules_of_story(index, 2, story, ("legacy", "new")) for index in range(40)]
    for index, schedules in enumerate(chosen):
        assert len(schedules.always) == 1
        assert sorted(map(str, schedules.always + schedules.further)) == sorted(
            map(str, schedules_for(index, 2, story, ("legacy", "new")))
        )
    assert Counter(schedules.always[0].parallelism for schedules in chosen) == {10: 20, 2: 20}
    assert sum(schedules.is_sampled for schedules in chosen) == 10


def test_a_binary_runs_every_story_under_all_schedules() -> None:
    story = story_of_task(StoryTask(_OPTIONS, 1))
    engines = ("terraform", "legacy")
    assert schedules_of_story(1, 2, story, engines) == StorySchedules(schedules_for(1, 2, story, engines))


@pytest.mark.parametrize(
    ("effects", "before", "is_concurrent"),
    [
        (0, [], False),
        (1, [], False),
        (2, [], True),
        (2, [[0, 1]], False),
        (3, [[0, 1], [1, 2]], False),
        (3, [[0, 2], [1, 2]], True),
        (3, [[0, 1], [0, 2]], True),
        (3, [[0, 1]], True),
        (4, [[0, 1], [0, 2], [1, 3], [2, 3]], True),
    ],
)
def test_only_where_effects_are_unordered_further_schedules_are_worth_it(
    effects: int, before: list[list[int]], is_concurrent: bool
) -> None:
    pairs: list[Tree] = [[JsonNumber(str(first)), JsonNumber(str(second))] for first, second in before]
    order: dict[str, Tree] = {"effects": [[f"a.b{number}", "create"] for number in range(effects)], "before": pairs}
    observations = {"plan": Observation("plan", True), "apply": Observation("apply", True, order=order, has_order=True)}
    sampled = StorySchedules((), (), is_sampled=True)
    assert sampled.are_worth_it(observations) == is_concurrent
    assert not replace(sampled, is_sampled=False).are_worth_it(observations)


def test_where_engines_differ_all_schedules_are_run() -> None:
    story = story_of_task(StoryTask(_OPTIONS, 1))
    ways = StorySchedules((Schedule(1),), (Schedule(2, 2), Schedule(3, 1)))
    engines = ("legacy", "new")
    with story_scratch_directory() as place:
        assert {name: one.runs for name, one in run_story(story, place, engines, ways).of.items()} == {
            "legacy": 1,
            "new": 1,
        }
        with apply_mutants("M01"):
            differing = [
                run_story(story_of_task(StoryTask(_OPTIONS, index)), place, engines, ways) for index in range(6)
            ]
    runs = {
        (any(one.differences for one in verdict.between.values()), one.runs)
        for verdict in differing
        for one in verdict.of.values()
    }
    assert runs == {(False, 1), (True, 3)}
