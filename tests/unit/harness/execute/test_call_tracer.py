"""Calls of shared functions: what is recorded of real engines, and where they part if one of them makes a mistake."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

import pytest

from harness.case.unit import Unit, UnitKind
from harness.engines.registry import DEFAULT_ENGINES
from harness.execute.call_tracer import trace_calls
from harness.execute.line_recording import partings_of_unit
from harness.execute.local import judge_safely
from harness.findings.cause_places import choose_places
from harness.mutants.catalogue.known_cases import KNOWN_CASES
from harness.play.run_spec import RunSpec

CORPUS: Final = Path(__file__).parents[4] / "corpus"
APIS: Final = ("legacy_engine.api", "new_engine.api")


def known_case(mutant: str) -> Unit:
    return Unit(UnitKind.CASE, CORPUS / KNOWN_CASES[mutant])


def specification(mutant: str = "") -> RunSpec:
    return RunSpec(DEFAULT_ENGINES, trusted=(CORPUS,), mutant=mutant, timeout_s=20)


@pytest.mark.parametrize(
    ("mutant", "function"),
    [
        ("S46", "drift_between"),
        ("S42", "settle_action"),
        ("M20", "announce"),
        ("B15", "_taint_on_failure"),
        ("M16", "removed_destroys"),
    ],
)
def test_engines_part_first_where_the_mistake_is(mutant: str, function: str) -> None:
    unit = known_case(mutant)
    before = partings_of_unit(unit, specification())
    found = partings_of_unit(unit, specification(mutant))
    places = choose_places({"with": found, "the same": found, "without": before}, {"with", "the same"})
    assert function in {place.function for place in places}


def test_nothing_is_recorded_afterwards_and_another_profiler_gets_its_place_back() -> None:
    before = sys.getprofile()
    with trace_calls(APIS) as calls:
        judge_safely(known_case("S42"), specification())
    assert sys.getprofile() is before
    recorded = {api: len(own) for api, own in calls.items()}
    assert all(recorded.values())
    judge_safely(known_case("S42"), specification())
    assert {api: len(own) for api, own in calls.items()} == recorded


def test_both_engines_make_the_same_operations_and_many_of_the_same_calls() -> None:
    with trace_calls(APIS) as calls:
        judge_safely(known_case("S42"), specification())
    legacy, new = (calls[api] for api in APIS)
    assert [each.operation for each in legacy] == [each.operation for each in new]
    keys = {call.key for operation in legacy for call in operation.made}
    assert sum(call.key in keys for operation in new for call in operation.made) > len(keys) // 4


def test_of_engines_that_are_one_module_or_of_one_engine_nothing_is_known() -> None:
    assert partings_of_unit(known_case("S42"), RunSpec(("legacy",), trusted=(CORPUS,))) == ()
    assert partings_of_unit(known_case("S42"), RunSpec(("legacy", "legacy+new>new"), trusted=(CORPUS,))) == ()
