"""The baseline against itself: whatever the schedule, it comes to the same outcome and guarantees the same order.

What differs here would be noise, and nothing it shows about another engine could be believed. A sample is run with the
suite; `diffharness run corpus --engines legacy --schedules 50 --parallelism 10` runs all of it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from harness.case.case import find_cases
from harness.compare.ruling import Ruling
from harness.play.schedule import Schedule
from tests.judging import judge_engines

CORPUS: Final = Path(__file__).parents[2] / "corpus"
SAMPLE: Final = find_cases([CORPUS])[::40]
WAYS: Final = [Schedule(seed=seed, parallelism=parallelism) for seed, parallelism in ((0, 10), (1, 10), (2, 2), (3, 1))]


@pytest.mark.parametrize("case", SAMPLE, ids=lambda case: f"{case.parent.name}/{case.name}")
def test_baseline_agrees_with_itself(case: Path) -> None:
    verdict = judge_engines(case, ["legacy"], WAYS).of["legacy"]
    assert verdict.ruling is Ruling.EQUAL, verdict.first
    assert verdict.runs == len(WAYS)
