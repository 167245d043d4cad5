"""The catalogue: every mutant says what it is, can be put in force, and is found by the case it names."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest

from harness.case.unit import Unit, UnitKind
from harness.engines.registry import DEFAULT_ENGINES
from harness.execute.unit import judge_unit
from harness.mutants.catalogue import MUTANTS, bugs, changes, defects, missing, mutant_named, seeds
from harness.mutants.catalogue.shown import SHOWN_BY
from harness.mutants.mutant import Mutant, UnknownMutantError, applied, original_of
from harness.mutants.table import markdown_table
from harness.mutants.trial import in_order
from harness.play.run_spec import RunSpec

ROOT: Final = Path(__file__).parents[4]
CORPUS: Final = ROOT / "corpus"
ALL: Final = [mutant for module in (bugs, changes, missing, defects, seeds) for mutant in module.MUTANTS]


def test_identifiers_are_unique_and_there_are_enough() -> None:
    assert len(MUTANTS) == len(ALL) >= 90
    assert all(re.fullmatch(r"[BCMOLS]\d\d[a-z]?", identifier) for identifier in MUTANTS)
    assert [mutant.kind for mutant in ALL] == [identifier[0] for identifier in MUTANTS]


@pytest.mark.parametrize("mutant", ALL, ids=lambda mutant: mutant.identifier)
def test_mutant_is_applied_and_undone(mutant: Mutant) -> None:
    """Its target is a function that exists: who renames one has to look after its mutants."""
    before = original_of(mutant)
    assert before.__module__ == mutant.target.partition(":")[0]
    assert mutant.target.startswith(("shared_nodes.", f"{mutant.engine}_engine."))
    with applied(mutant):
        assert original_of(mutant) is not before
    assert original_of(mutant) is before
    assert mutant.breaks.endswith(".")


def test_documentation_has_the_table() -> None:
    """`diffharness mutants list --markdown` prints it."""
    text = (ROOT / "docs" / "mutants.md").read_text(encoding="utf-8")
    assert text.endswith(f"\n\n{markdown_table()}")


def test_cases_that_show_mutants_exist() -> None:
    assert SHOWN_BY.keys() <= MUTANTS.keys()
    assert [case for case in SHOWN_BY.values() if not (CORPUS / case / "case.yaml").is_file()] == []


@pytest.mark.parametrize(("identifier", "case"), SHOWN_BY.items())
def test_mutant_is_found_by_the_case_it_names(identifier: str, case: str) -> None:
    """In the field it should show in. Without it the engines agree there, as other tests make sure."""
    settings = RunSpec(DEFAULT_ENGINES, trusted=(CORPUS,), timeout_s=10, mutant=identifier)
    found = judge_unit(Unit(UnitKind.CASE, CORPUS / case), settings).open_findings
    fields = {re.split(r"[.\[]", finding.field)[0] or str(finding.signature.ruling) for finding in found}
    assert MUTANTS[identifier].field in fields


def test_the_case_that_is_known_comes_first_and_then_those_of_the_area() -> None:
    cases = ("cases/plan/P01_x", "cases/moved/M99_x", SHOWN_BY["M15"])
    units = [Unit(UnitKind.EXPRESSIONS, CORPUS / "a.jsonl"), *(Unit(UnitKind.CASE, CORPUS / case) for case in cases)]
    ordered = [unit.path.relative_to(CORPUS).as_posix() for unit in in_order(MUTANTS["M15"], units)]
    assert ordered == [SHOWN_BY["M15"], "cases/moved/M99_x", "cases/plan/P01_x"]


def test_an_unknown_name_is_told() -> None:
    with pytest.raises(UnknownMutantError, match="there is no mutant B99: `diffharness mutants list` shows all"):
        mutant_named("B99")
