"""A mutant is active only where and as long as it should be, and leaves nothing behind."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import trio

import legacy_engine.api
import new_engine.api
from harness.compare.ruling import Ruling
from harness.mutants.activation import active_mutants, apply_mutant, apply_mutants
from harness.mutants.catalogue import MUTANTS
from harness.mutants.catalogue.mutant import Mutant
from harness.mutants.patching import exchange_code, find_function
from harness.mutants.source import PatchError, targets_of
from new_engine.planning.replace_order import find_creating_first
from shared_nodes.addresses.module import ROOT_INSTANCE
from shared_nodes.addresses.resource import AbsResourceInstance, Resource, ResourceMode
from shared_nodes.nodes.statements.removed import removed_destroys
from tests.judging import judge_engines

BROKEN = MUTANTS["M16"].change.replace("return None", "return 'broken'")
OTHER = MUTANTS["M16"].change.replace("return None", "return 'other'")
NOT_RENEWED = "+return None\n is_refused = has_errors(answer.problems)"
THING = AbsResourceInstance(ROOT_INSTANCE, Resource(ResourceMode.MANAGED, "sim_thing", "a"), None)
ENGINES = {"legacy": legacy_engine.api, "new": new_engine.api}


def make_mutant(change: str, engine: str = "new") -> Mutant:
    return replace(MUTANTS["M16"], identifier="T01", change=change, engine=engine)


@pytest.fixture
def calling_engines(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replace both engines by ones that only call a shared function in a task."""

    async def plan(_request: Any) -> Any:
        async with trio.open_nursery() as nursery:
            answered: list[Any] = []

            async def task() -> None:
                answered.append(removed_destroys([], THING))

            nursery.start_soon(task)
        return answered[0]

    for engine in ENGINES.values():
        monkeypatch.setattr(engine, "plan", plan)


@pytest.mark.usefixtures("calling_engines")
@pytest.mark.parametrize("broken", ["legacy", "new"])
def test_shared_code_is_broken_for_one_engine_only(broken: str) -> None:
    """This holds in tasks that the engine starts as well. If both engines were broken, they would agree on the wrong
    result."""
    with apply_mutant(make_mutant(BROKEN, broken)):
        found = {name: trio.run(engine.plan, None) for name, engine in ENGINES.items()}
        outside = removed_destroys([], THING)
    assert found == {name: "broken" if name == broken else None for name in ENGINES}
    assert outside is None


@pytest.mark.usefixtures("calling_engines")
def test_shared_code_is_broken_for_both_engines_in_different_ways() -> None:
    with apply_mutant(make_mutant(BROKEN)), apply_mutant(make_mutant(OTHER, "legacy")):
        found = {name: trio.run(engine.plan, None) for name, engine in ENGINES.items()}
    assert found == {"legacy": "other", "new": "broken"}


def test_what_goes_on_behind_an_engine_is_broken_with_it() -> None:
    """A renewal does not belong to any task of a walk, but it belongs to the engine that started it."""
    case = Path(__file__).parents[4] / "corpus" / "cases" / "ephemeral" / "renewed_while_needed"
    with apply_mutant(replace(MUTANTS["S54"], module="shared_nodes.context.renewal", change=NOT_RENEWED)):
        verdict = judge_engines(case, ("legacy", "new"))
    assert verdict.between["new"].ruling is Ruling.DIFFERS


def test_everything_is_put_back_after_a_crash() -> None:
    before, plan = find_creating_first.__code__, new_engine.api.plan
    with pytest.raises(ZeroDivisionError), apply_mutant(MUTANTS["M03"]):
        raise ZeroDivisionError
    assert find_creating_first.__code__ is before
    assert new_engine.api.plan is plan
    assert active_mutants() == ""


def test_a_source_that_has_changed_since_its_import_is_refused() -> None:
    """Otherwise the mutant would contain another version of the engine."""
    function = find_function(targets_of(MUTANTS["M03"])[0])
    with (
        exchange_code({function: function.__code__.replace(co_firstlineno=1000)}),
        pytest.raises(PatchError, match="first: its source has changed since it was imported; start again"),
        apply_mutant(MUTANTS["M03"]),
    ):
        pass


def test_the_names_of_mutants_in_force_are_known() -> None:
    """Child processes need the names to apply the same mutants."""
    with apply_mutant(make_mutant(BROKEN)):
        assert active_mutants() == "T01"
    with apply_mutants(""):
        assert active_mutants() == ""
