"""A mutant is in force where and as long as it should be, and leaves nothing behind."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import trio

import legacy_engine.api
import legacy_engine.transforms.vertices
import new_engine.api
import new_engine.nodes.instance
import shared_nodes.nodes.statements.removed
from harness.compare.verdict import Agreement, judge_engines
from harness.mutants.mutant import Mutant, applied, in_force, mutated
from harness.mutants.patches import answers, answers_later, changes, changes_later, told
from legacy_engine import pipelines
from new_engine.replace_order import creating_first
from shared_nodes.addresses.module import ROOT_INSTANCE
from shared_nodes.addresses.resource import AbsResourceInstance, Resource, ResourceMode

FORGOTTEN = "shared_nodes.nodes.statements.removed:is_forgotten"
THING = AbsResourceInstance(ROOT_INSTANCE, Resource(ResourceMode.MANAGED, "sim_thing", "a"), None)
ENGINES = {"legacy": legacy_engine.api, "new": new_engine.api}


def mutant(target: str, patch: Callable[[Any], Any], engine: str = "new") -> Mutant:
    return Mutant("T01", "", target, patch, "plan", "plan", (), engine)


@pytest.fixture
def asking(monkeypatch: pytest.MonkeyPatch) -> None:
    """Engines that do nothing but ask one shared function, by the name each of them has imported it under."""

    async def plan(_request: Any) -> Any:
        async with trio.open_nursery() as nursery:
            answered: list[Any] = []

            async def task() -> None:
                answered.append(shared_nodes.nodes.statements.removed.is_forgotten([], THING))

            nursery.start_soon(task)
        return answered[0]

    for engine in ENGINES.values():
        monkeypatch.setattr(engine, "plan", plan)


@pytest.mark.usefixtures("asking")
@pytest.mark.parametrize("broken", ["legacy", "new"])
def test_shared_code_is_broken_for_one_engine_only(broken: str) -> None:
    """Also in tasks the engine starts. Broken for both, it would make them agree in being wrong."""
    with applied(mutant(FORGOTTEN, answers(lambda: "broken"), broken)):
        found = {name: trio.run(engine.plan, None) for name, engine in ENGINES.items()}
        outside = shared_nodes.nodes.statements.removed.is_forgotten([], THING)
    assert found == {name: "broken" if name == broken else False for name in ENGINES}
    assert outside is False


def test_what_goes_on_behind_an_engine_is_broken_with_it() -> None:
    """Renewing belongs to no task of a walk, and to the engine that began it all the same."""
    case = Path(__file__).parents[4] / "corpus" / "cases" / "ephemeral" / "renewed_while_needed"
    with applied(mutant("shared_nodes.context.renewal:Renewal._renew", answers_later(lambda: None))):
        verdict = judge_engines(case, ("legacy", "new"))
    assert verdict.between["new"].agreement is Agreement.DIFFERS


def test_names_that_were_imported_are_replaced_and_put_back() -> None:
    importing = vars(new_engine.nodes.instance)
    before = shared_nodes.nodes.statements.removed.is_forgotten
    with applied(mutant(FORGOTTEN, answers(lambda: True))):
        assert importing["is_forgotten"] is shared_nodes.nodes.statements.removed.is_forgotten
        assert importing["is_forgotten"] is not before
    assert importing["is_forgotten"] is shared_nodes.nodes.statements.removed.is_forgotten is before


def test_steps_in_tables_are_replaced_and_put_back() -> None:
    """The steps that make a graph are called by their place in a table, and never by name."""
    before = {name: getattr(pipelines, name) for name in ("_PLAN", "_PIPELINES")}
    steps = {operation: tuple(found) for operation, found in pipelines._PIPELINES.items()}
    with applied(mutant("legacy_engine.transforms.vertices:add_locals", answers(list), "legacy")):
        assert legacy_engine.transforms.vertices.add_locals in pipelines._PLAN
        assert all(legacy_engine.transforms.vertices.add_locals in found for found in pipelines._PIPELINES.values())
        assert before["_PLAN"] != pipelines._PLAN
    assert before["_PLAN"] == pipelines._PLAN
    assert pipelines._PIPELINES is before["_PIPELINES"]
    assert steps == pipelines._PIPELINES


def test_a_module_that_is_imported_meanwhile_does_not_keep_the_mistake() -> None:
    before = shared_nodes.nodes.statements.removed.is_forgotten
    late = ModuleType("new_engine.late")
    try:
        with applied(mutant(FORGOTTEN, answers(lambda: True))):
            sys.modules[late.__name__] = late
            vars(late)["is_forgotten"] = shared_nodes.nodes.statements.removed.is_forgotten
        assert vars(late)["is_forgotten"] is before
    finally:
        sys.modules.pop(late.__name__, None)


def test_everything_is_put_back_after_a_crash() -> None:
    before, plan = new_engine.replace_order.creating_first, new_engine.api.plan
    with pytest.raises(ZeroDivisionError), applied(mutant("new_engine.replace_order:creating_first", answers(set))):
        raise ZeroDivisionError
    assert new_engine.replace_order.creating_first is before is creating_first
    assert new_engine.api.plan is plan
    assert in_force() == ""


@pytest.mark.parametrize(
    "target",
    [
        "new_engine.nodes.resource:PlanResource._without_key",
        "new_engine.nodes.leg:LegNode.block",
        "new_engine.compiled:Compiled.inside",
    ],
    ids=["static method", "property", "method"],
)
def test_members_of_classes_stay_what_they_are(target: str) -> None:
    owner: Any = sys.modules[target.partition(":")[0]]
    kind, name = target.partition(":")[2].split(".")
    before = vars(vars(owner)[kind])[name]
    with applied(mutant(target, answers(list))):
        broken = vars(vars(owner)[kind])[name]
        assert broken is not before
        assert type(broken) is type(before)
    assert vars(vars(owner)[kind])[name] is before


def test_it_is_known_which_one_is_in_force() -> None:
    """For processes that are started meanwhile."""
    with applied(mutant(FORGOTTEN, answers(list))):
        assert in_force() == "T01"
    with mutated(""):
        assert in_force() == ""


def test_patches() -> None:
    def answer(item: Mutant, *, extra: int = 0) -> list[Any]:
        return [item.identifier, extra]

    async def later(item: Mutant) -> str:
        return item.identifier

    given = mutant(FORGOTTEN, answers(list))
    assert answers(dict)(answer)(given) == {}
    assert changes(len)(answer)(given) == 2
    assert told(0, identifier="T02")(answer)(given, extra=1) == ["T02", 1]
    assert trio.run(answers_later(list)(later), given) == []
    assert trio.run(changes_later(str.lower)(later), given) == "t01"
