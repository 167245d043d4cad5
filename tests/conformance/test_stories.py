"""The stories of the corpus: both engines execute the same tasks, in the expected order."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any, Final

import pytest

from harness.case.case import read_case
from harness.compare.ruling import Ruling
from harness.play.case_runner import CaseRunner
from harness.play.schedule import PlanTransfer, Schedule
from tests.judging import judge_engines

STORIES: Final = Path(__file__).parent.parent.parent / "corpus" / "stories"
TIMEOUT_S: Final = 60

EXPECTED_TASKS: Final = {
    "monitoring_loop": "create change update watch wait watch enough",
    "retry_with_a_cycle": "unreliable build! pause build! pause build check",
    "retried_task": "unreliable build! build! build check",
    "conditional_loop": "apply meddle apply meddle apply destroy gone",
    "join_two_of_three": "begin first second third! rollout done",
    "crash_and_resume": "build built change rebuild rebuilt check",
    "drift_and_repair": "build meddle remove notice repair look repaired",
    "tainted_and_replaced": "build spoil look replace again clean",
}
"""Tasks in the order in which they end. An exclamation mark means that the task failed."""


def test_every_story_has_its_way() -> None:
    assert {path.name for path in STORIES.iterdir() if path.is_dir()} == EXPECTED_TASKS.keys()


@pytest.mark.parametrize("name", EXPECTED_TASKS)
def test_engines_take_the_same_way_through_a_story(name: str) -> None:
    schedules = [Schedule(), Schedule(1, 1, PlanTransfer.MEMORY)]
    verdict = judge_engines(STORIES / name, ["legacy", "new"], schedules)
    assert [(engine, found.first) for engine, found in verdict.all if found.ruling is not Ruling.EQUAL] == []


@pytest.mark.parametrize("name", EXPECTED_TASKS)
def test_the_way_is_the_one_it_is_told_for(name: str) -> None:
    with tempfile.TemporaryDirectory() as place:
        observations: dict[str, Any] = CaseRunner.of(read_case(STORIES / name), Path(place), ()).run(
            "new", Schedule(), TIMEOUT_S
        )
    executions = observations["story"]["story"]["executions"]
    assert (
        " ".join(task if outcome == "succeeded" else f"{task}!" for task, _, outcome in executions)
        == EXPECTED_TASKS[name]
    )
