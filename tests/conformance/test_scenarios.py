"""Both engines agree with the recordings of Terraform under every schedule.

There is one test per area and engine. It runs the cases that are known to agree, and fails if one of them no longer
does; `diffharness run corpus/conformance/scenarios` shows where. `diffharness run --update-agreeing
corpus/conformance/scenarios` adds new cases that agree to the list, which may only grow.

Only a few schedules are run here; `diffharness run --schedules 20` runs more.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from harness.case.case import find_cases
from harness.compare.ruling import Ruling
from harness.engines.registry import DEFAULT_ENGINES
from harness.play.schedule import PlanTransfer, Schedule
from harness.record.agreeing import agreeing
from tests.judging import judge_by_recording

SCENARIOS: Final = Path(__file__).parent.parent.parent / "corpus" / "conformance" / "scenarios"
CASES: Final = {f"{case.parent.name}/{case.name}": case for case in find_cases([SCENARIOS])}
AGREEING: Final = agreeing(SCENARIOS)

every_area: Final = pytest.mark.parametrize("area", sorted({name.partition("/")[0] for name in CASES}))
every_engine: Final = pytest.mark.parametrize("engine", DEFAULT_ENGINES)


def find_differences(area: str, engine: str, *schedules: Schedule) -> list[str]:
    """Return the differences of the cases of an area that should agree.

    The first schedule is compared with the recording, and the others with the first.
    """
    names = sorted(name for name in AGREEING if name.startswith(f"{area}/"))
    verdicts = {name: judge_by_recording(CASES[name], engine, schedules) for name in names}
    return [f"{name}: {found.first}" for name, found in verdicts.items() if found.ruling is not Ruling.EQUAL]


@every_engine
@every_area
def test_what_agreed_with_terraform_still_does(area: str, engine: str) -> None:
    assert find_differences(area, engine, Schedule()) == []


@every_engine
@every_area
def test_the_schedule_does_not_show(area: str, engine: str) -> None:
    """Run one, two and ten operations at a time, each in a different order."""
    assert (
        find_differences(
            area, engine, Schedule(seed=1, parallelism=1), Schedule(seed=2, parallelism=2), Schedule(seed=3)
        )
        == []
    )


@every_engine
@every_area
def test_how_a_plan_gets_to_apply_does_not_show(area: str, engine: str) -> None:
    """Recordings and the tests above apply saved plans. Here a plan is applied in memory, and by another process that
    has only the file."""
    assert (
        find_differences(area, engine, Schedule(handover=PlanTransfer.MEMORY), Schedule(handover=PlanTransfer.PROCESS))
        == []
    )


def test_corpus_is_whole() -> None:
    """Detect a case that was lost in a copy or a merge."""
    assert len(CASES) == 386


def test_every_case_is_known_to_agree() -> None:
    assert CASES.keys() == AGREEING
