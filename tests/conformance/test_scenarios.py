"""Recorded stories of the real Terraform are also ours.

One test an area. It runs the cases that are known to agree, and fails when one of them no longer does;
`diffharness run corpus/conformance/scenarios` shows where. Cases that have come to agree are added to the list with
`diffharness run --update-agreeing corpus/conformance/scenarios`: the list may only grow.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from harness.scenarios.case import find_cases
from harness.scenarios.judge import Agreement, judge_case
from harness.scenarios.ledger import agreeing, known_differences

SCENARIOS: Final = Path(__file__).parent.parent.parent / "corpus" / "conformance" / "scenarios"
CASES: Final = {f"{case.parent.name}/{case.name}": case for case in find_cases([SCENARIOS])}
AGREEING: Final = agreeing(SCENARIOS)


@pytest.mark.parametrize("area", sorted({name.partition("/")[0] for name in CASES}))
def test_what_agreed_with_terraform_still_does(area: str) -> None:
    names = sorted(name for name in AGREEING if name.startswith(f"{area}/"))
    verdicts = [judge_case(CASES[name]) for name in names]
    assert [f"{found.identifier}: {found.first}" for found in verdicts if found.agreement is not Agreement.AGREES] == []


def test_corpus_is_whole() -> None:
    """A case lost in a copy or a merge would otherwise pass unnoticed."""
    assert len(CASES) == 386


def test_lists_name_cases_that_exist_each_in_one_list() -> None:
    known = known_differences(SCENARIOS)
    assert CASES.keys() >= AGREEING
    assert known.keys() <= CASES.keys()
    assert not AGREEING & known.keys()


def test_known_differences_only_shrink() -> None:
    """Raise this bound never, lower it often."""
    assert len(known_differences(SCENARIOS)) <= 0
