"""Mutants are found by the cases that are named for them, and those cases are tried first."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest

from harness.case.unit import Unit, UnitKind
from harness.engines.registry import DEFAULT_ENGINES
from harness.execute.judge import judge_unit
from harness.mutants.catalogue import MUTANTS
from harness.mutants.catalogue.known_cases import KNOWN_CASES
from harness.play.run_spec import RunSpec
from harness.trials.table import markdown_table
from harness.trials.trial import sort_cases

ROOT: Final = Path(__file__).parents[4]
CORPUS: Final = ROOT / "corpus"


def test_documentation_has_the_table() -> None:
    """`diffharness mutants list --markdown` prints it."""
    text = (ROOT / "docs" / "mutants.md").read_text(encoding="utf-8")
    assert text.endswith(f"\n\n{markdown_table()}")


def test_cases_that_show_mutants_exist() -> None:
    assert KNOWN_CASES.keys() <= MUTANTS.keys()
    assert [case for case in KNOWN_CASES.values() if not (CORPUS / case / "case.yaml").is_file()] == []


@pytest.mark.parametrize(("identifier", "case"), KNOWN_CASES.items())
def test_mutant_is_found_by_the_case_it_names(identifier: str, case: str) -> None:
    """It is found in the expected field. Other tests check that the engines agree in this case without the mutant."""
    settings = RunSpec(DEFAULT_ENGINES, trusted=(CORPUS,), timeout_s=10, mutant=identifier)
    found = judge_unit(Unit(UnitKind.CASE, CORPUS / case), settings).open_findings
    fields = {re.split(r"[.\[]", finding.field)[0] or str(finding.signature.ruling) for finding in found}
    assert MUTANTS[identifier].field in fields


def test_the_case_that_is_known_comes_first_and_then_those_of_the_area() -> None:
    cases = ("cases/plan/P01_x", "cases/moved/M99_x", KNOWN_CASES["M15"])
    units = [Unit(UnitKind.EXPRESSIONS, CORPUS / "a.jsonl"), *(Unit(UnitKind.CASE, CORPUS / case) for case in cases)]
    ordered = [unit.path.relative_to(CORPUS).as_posix() for unit in sort_cases(MUTANTS["M15"], units)]
    assert ordered == [KNOWN_CASES["M15"], "cases/moved/M99_x", "cases/plan/P01_x"]
