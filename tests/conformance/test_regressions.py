"""Stories in which an engine once differed: from Terraform, with a recording made when the difference was found, or
from the other engine, where Terraform cannot run the story.

All of them agree in both engines, without exceptions. A story that no longer agrees shows that a bug has returned.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from harness.case.case import find_cases
from harness.case.recordings import GOLDEN_FILE
from harness.compare.ruling import Ruling
from harness.engines.registry import DEFAULT_ENGINES
from harness.play.schedule import PlanTransfer, Schedule
from tests.judging import judge_by_recording, judge_engines

REGRESSIONS: Final = Path(__file__).parent.parent.parent / "corpus" / "regressions"
SCHEDULES: Final = (Schedule(), Schedule(seed=1, parallelism=1), Schedule(seed=2, parallelism=2))
PARALLEL_SCHEDULES: Final = (Schedule(), Schedule(seed=1), Schedule(seed=2))
"""A simulated provider crashes when nothing else can make progress, which depends on the parallelism. So it is the same
in all of these."""

AREAS: Final = sorted(path.name for path in REGRESSIONS.iterdir() if path.is_dir())

every_area: Final = pytest.mark.parametrize("area", AREAS)
every_engine: Final = pytest.mark.parametrize("engine", DEFAULT_ENGINES)


@every_engine
@every_area
def test_what_once_differed_agrees(area: str, engine: str) -> None:
    recorded = [case for case in find_cases([REGRESSIONS / area]) if (case / GOLDEN_FILE).exists()]
    verdicts = {case.name: judge_by_recording(case, engine, SCHEDULES) for case in recorded}
    assert [f"{name}: {found.first}" for name, found in verdicts.items() if found.ruling is not Ruling.EQUAL] == []


@every_area
def test_engines_that_once_differed_agree(area: str) -> None:
    unrecorded = [case for case in find_cases([REGRESSIONS / area]) if not (case / GOLDEN_FILE).exists()]
    found = [
        (case.name, verdict)
        for case in unrecorded
        for _, verdict in judge_engines(case, DEFAULT_ENGINES, PARALLEL_SCHEDULES).all
    ]
    assert [f"{name}: {each.first}" for name, each in found if each.ruling is not Ruling.EQUAL] == []


@every_engine
def test_a_refused_plan_writes_no_state_in_another_process(engine: str) -> None:
    case = REGRESSIONS / "planning_modes" / "refresh-only-output-unknown"
    assert judge_by_recording(case, engine, [Schedule(handover=PlanTransfer.PROCESS)]).ruling is Ruling.EQUAL


@every_engine
def test_an_ephemeral_output_is_evaluated_again_where_a_plan_is_applied_at_once(engine: str) -> None:
    case = REGRESSIONS / "outputs_locals" / "ephemeral-output-is-not-a-planned-change"
    assert judge_by_recording(case, engine, [Schedule(handover=PlanTransfer.MEMORY)]).ruling is Ruling.EQUAL
