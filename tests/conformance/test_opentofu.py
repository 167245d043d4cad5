"""Both engines agree with every recording of OpenTofu 1.12.6.

There is one test per set of recordings, area and engine. `diffharness run PATH --flavour opentofu` shows where a case
does not agree.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from harness.case.case import find_cases
from harness.compare.ruling import Ruling
from harness.engines.registry import ENGINES
from shared_nodes.flavour import OPENTOFU_1_12
from tests.judging import judge_by_recording

CONFORMANCE: Final = Path(__file__).parent.parent.parent / "corpus" / "conformance"
SETS: Final = {"scenarios": 386, "provider-scenarios": 170, "opentofu/scenarios": 169}
"""The sets of recordings, and how many cases each has: a case that was lost in a copy or a merge must show."""

AREAS: Final = sorted((name, area.name) for name in SETS for area in (CONFORMANCE / name).iterdir() if area.is_dir())


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(("name", "area"), AREAS)
def test_every_case_agrees(name: str, area: str, engine: str) -> None:
    cases = find_cases([CONFORMANCE / name / area])
    verdicts = {case.name: judge_by_recording(case, engine, flavour=OPENTOFU_1_12.name) for case in cases}
    wrong = [f"{case}: {found.first}" for case, found in verdicts.items() if found.ruling is not Ruling.EQUAL]
    assert wrong == []
    assert [case for case, found in verdicts.items() if found.differences] == [], "in the words of a message"


def test_corpus_is_whole() -> None:
    assert {name: len(find_cases([CONFORMANCE / name])) for name in SETS} == SETS
