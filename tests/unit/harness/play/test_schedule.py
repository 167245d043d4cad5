"""The recorded form of schedules, which findings and journals contain."""

from __future__ import annotations

import pytest

from harness.play.schedule import PARALLELISMS, PlanTransfer, Schedule, every_schedule, parse_schedule


def test_the_recorded_form_is_published() -> None:
    assert str(Schedule(3, 2, PlanTransfer.PROCESS)) == "seed 3, parallelism 2, plan by process"


@pytest.mark.parametrize("schedule", [*every_schedule(range(-1, 3), PARALLELISMS, PlanTransfer)], ids=str)
def test_every_schedule_is_read_back(schedule: Schedule) -> None:
    assert parse_schedule(str(schedule)) == schedule


@pytest.mark.parametrize(
    "text", ["", "step 1 (plan v1)", "seed x, parallelism 1, plan by file", "seed 1, parallelism 1"]
)
def test_other_texts_are_not_schedules(text: str) -> None:
    assert parse_schedule(text) is None
