"""The baseline agrees with itself: every schedule has the same outcome and guarantees the same order.

A difference here would be noise, and then differences of another engine would mean nothing. The suite runs a sample;
`diffharness run corpus --engines legacy --schedules 50 --parallelism 10` runs everything.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from harness.case.case import find_cases
from harness.case.recordings import is_foreign
from harness.compare.ruling import Ruling
from harness.play.schedule import Schedule
from tests.judging import judge_engines

CORPUS: Final = Path(__file__).parents[2] / "corpus"
SAMPLE: Final = [case for case in find_cases([CORPUS]) if not is_foreign(case)][::40]
SCHEDULES: Final = [
    Schedule(seed=seed, parallelism=parallelism) for seed, parallelism in ((0, 10), (1, 10), (2, 2), (3, 1))
]


@pytest.mark.parametrize("case", SAMPLE, ids=lambda case: f"{case.parent.name}/{case.name}")
def test_baseline_agrees_with_itself(case: Path) -> None:
    verdict = judge_engines(case, ["legacy"], SCHEDULES).of["legacy"]
    assert verdict.ruling is Ruling.EQUAL, verdict.first
    assert verdict.runs == len(SCHEDULES)
