"""Both engines agree with recordings of Terraform that use a provider which fails, drifts and rejects.

There is one test per area and engine, for the cases known to agree. `diffharness run
corpus/conformance/provider-scenarios` shows where one does not, and `--update-agreeing` adds new ones that do.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from harness.case.case import find_cases
from harness.compare.ruling import Ruling
from harness.engines.registry import ENGINES
from harness.play.schedule import PlanTransfer, Schedule
from harness.record.agreeing import agreeing
from tests.judging import judge_by_recording

STORIES: Final = Path(__file__).parent.parent.parent / "corpus" / "conformance" / "provider-scenarios"
CASES: Final = {f"{case.parent.name}/{case.name}": case for case in find_cases([STORIES])}
AGREEING: Final = agreeing(STORIES)
SCHEDULES: Final = (Schedule(), Schedule(seed=1, parallelism=1), Schedule(seed=2, handover=PlanTransfer.MEMORY))
"""The recorded schedule, one operation at a time, and a plan that is applied without a file."""


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("area", sorted({name.partition("/")[0] for name in CASES}))
def test_what_agreed_with_terraform_still_does_however_it_is_run(area: str, engine: str) -> None:
    names = sorted(name for name in AGREEING if name.startswith(f"{area}/"))
    verdicts = {name: judge_by_recording(CASES[name], engine, SCHEDULES) for name in names}
    assert [f"{name}: {found.first}" for name, found in verdicts.items() if found.ruling is not Ruling.EQUAL] == []


def test_corpus_is_whole() -> None:
    """Detect a case that was lost in a copy or a merge."""
    assert len(CASES) == 170


def test_every_case_is_known_to_agree() -> None:
    assert CASES.keys() == AGREEING
