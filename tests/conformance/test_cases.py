"""The cases written for this project: both engines behave alike in all of them, effects happen in the required order,
and no object is left in the simulated cloud without a state that knows it.
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Final, cast

import pytest

from harness.case.case import Case, find_cases, read_case
from harness.compare.ruling import Ruling
from harness.engines.registry import DEFAULT_ENGINES
from harness.observe.observation import Observation
from harness.play import case_runner
from harness.play.case_runner import CaseRunner
from harness.play.run_spec import DEFAULT_TIMEOUT_S
from harness.play.schedule import Schedule
from harness.simulation.simcloud.cloud import Cloud
from harness.simulation.simcloud.faults import FaultKind
from harness.simulation.simcloud.simulation import Simulation
from shared_nodes.values.json import Tree
from tests.judging import judge_engines

CASES: Final = {
    f"{case.parent.name}/{case.name}": case
    for case in find_cases([Path(__file__).parent.parent.parent / "corpus" / "cases"])
}

FAMILIES: Final = {"B": 19, "C": 9, "D": 1, "E": 4, "K": 29, "L": 20, "M": 39, "O": 3, "P": 4, "R": 27, "U": 1, "X": 33}
"""The families of tags that corpus/README.md explains, each with its last number."""

TAGS: Final = {
    *(f"S14-{number:03}" for number in range(1, 101)),
    "S14-080b",
    "plugins",
    "products",
    *(f"S{number}" for number in range(57, 67)),
    *(f"{family}{number:02}" for family, last in FAMILIES.items() for number in range(1, last + 1)),
}


def _read(name: str) -> Case:
    return read_case(CASES[name])


def test_every_tag_has_a_case() -> None:
    """No scenario and no known way to go wrong may lose its last case unnoticed."""
    covered = {tag for name in CASES for tag in _read(name).tags}
    assert sorted(TAGS - covered) == []


@pytest.mark.parametrize("name", sorted(CASES))
def test_case_says_what_it_protects(name: str) -> None:
    case = _read(name)
    assert case.tags
    assert set(case.tags) <= TAGS
    assert ". Reveal" in case.description
    assert case.description.endswith(".")


COMPARED_SCHEDULES: Final = (Schedule(), Schedule(seed=1, parallelism=1))
"""The default schedule, and another order with one operation at a time."""


@pytest.mark.parametrize("area", sorted({name.partition("/")[0] for name in CASES}))
def test_engines_are_equal(area: str) -> None:
    """Both engines agree with each other, and with the recording of a case if it has one."""
    names = [name for name in CASES if name.startswith(f"{area}/")]
    verdicts = {name: judge_engines(CASES[name], DEFAULT_ENGINES, COMPARED_SCHEDULES).all for name in names}
    found = [(name, about, verdict) for name, case in verdicts.items() for about, verdict in case]
    wrong = [each for each in found if each[2].ruling is not Ruling.EQUAL]
    assert [f"{about}: {name}: {verdict.first}" for name, about, verdict in wrong] == []


# No object is lost

OUTLIVING: Final[Mapping[str, frozenset[str]]] = {
    "import/already_in_the_state": frozenset({"other-7"}),
    "import/by_identities_of_for_each_opentofu": frozenset({"us.c-1"}),
    "import/by_identity_opentofu": frozenset({"eu.theirs-1"}),
    "import/ignored_when_destroying": frozenset({"stranger-1"}),
    "removed/deposed_objects_are_forgotten_too": frozenset({"x-1", "x-2"}),
    "removed/forgotten": frozenset({"x-1"}),
    "removed/cannot_be_decoded": frozenset({"a-1", "a-2"}),
    "removed/module_is_forgotten_as_a_whole": frozenset({"x0-1", "x1-1", "y0-1", "y1-1"}),
    "removed/moved_and_removed_at_once": frozenset({"a-1"}),
}
"""Objects that are in the cloud but not in the state on purpose: not imported, or dropped by a removed block."""

_LOSING: Final = (FaultKind.LOST, FaultKind.GONE, FaultKind.CRASH_AFTER)
"""Faults in which the call takes effect but its response is lost."""


@pytest.mark.parametrize("engine", DEFAULT_ENGINES)
@pytest.mark.parametrize("area", sorted({name.partition("/")[0] for name in CASES}))
def test_nothing_lives_on_that_no_state_knows(area: str, engine: str) -> None:
    """After every step the cloud and the state contain the same objects."""
    lost = []
    for name in CASES:
        case = _read(name)
        if case.area != area or any(fault.kind in _LOSING for fault in case.faults):
            continue
        for place, step in _play(case, engine, Schedule()).items():
            if step.get("state") is not None:
                in_state, in_cloud = _ids_in_state(step["state"]), _ids_in_cloud(step["inventory"])
                surplus = in_cloud - in_state - OUTLIVING.get(name, frozenset())
                lost += [(name, place, identifier) for identifier in sorted(surplus | (in_state - in_cloud))]
    assert lost == []


def _play(case: Case, engine: str, schedule: Schedule) -> Mapping[str, Observation]:
    with tempfile.TemporaryDirectory(prefix="diffharness-") as directory:
        return CaseRunner.of(case, Path(directory), ()).run(engine, schedule, DEFAULT_TIMEOUT_S)


def _ids_in_state(state: Tree) -> frozenset[str]:
    """Return the ids of all objects of simulated providers, including deposed ones."""
    resources = cast("list[dict[str, Tree]]", cast("dict[str, Tree]", state)["resources"])
    managed = [resource for resource in resources if resource["mode"] == "managed"]
    return frozenset(
        str(cast("dict[str, Tree]", instance.get("attributes") or instance["attributes_flat"])["id"])
        for resource in managed
        if str(resource["type"]).startswith(("sim_", "simcloud_"))
        for instance in cast("list[dict[str, Tree]]", resource["instances"])
    )


def _ids_in_cloud(inventory: Tree) -> frozenset[str]:
    """Return the ids of an inventory. A `sim_thing` is listed directly, other objects with their type and region."""
    objects = cast("list[dict[str, Tree]]", inventory)
    return frozenset(str(cast("dict[str, Tree]", item.get("object", item))["id"]) for item in objects)


# The order of effects

ORDERS: Final[Mapping[str, tuple[int, str]]] = {
    "create-before-destroy/only_the_last_of_a_chain_requests_it": (2, "base+ middle+ top+ top- middle- base-"),
    "create-before-destroy/destroy_everything": (2, "c- b- a-"),
    "create-before-destroy/switch_to_another_dependency": (2, "id_b+ service+ service- id_a-"),
    "create-before-destroy/requested_in_the_same_run": (2, "lamp+ shade~ lamp-"),
    "create-before-destroy/dropped_while_a_dependency_is_destroyed": (2, "b~ a-"),
    "create-before-destroy/scale_in_create_first": (2, "bar~ foo[1]-"),
    "destroy/dependencies_known_only_from_the_state": (2, "c- b- a-"),
    "drift/only_a_deposed_object_remains": (2, "a+ b~ a-"),
    "expansion/scale_in_under_a_splat": (3, "node[2]- roster~"),
    "failure-and-resume/dependent_fails_after_create_first": (3, "b~ a-"),
    "ordering/deletion_before_the_dependents_update": (2, "foo[1]- bar~"),
    "ordering/update_after_the_deletion_of_a_dependent": (2, "b- a~"),
    "ordering/dependency_that_is_new_in_this_run": (2, "a+ b~ a-"),
    "ordering/explicit_dependencies": (1, "a+ b+"),
    "ordering/direction_reversed_with_replacements": (3, "b- a- b+ a+"),
    "ordering/direction_reversed_with_updates": (2, "b~ a~"),
    "providers/destroy_the_input_of_a_provider": (2, "app- cluster-"),
    "replace/replaced_because_of_a_replacement": (2, "b- a- a+ b+"),
}
"""Per case, a step (counted from 1) and its effects in the required order. `x+` creates, `x~` updates and `x-` deletes
`sim_thing.x`."""

_SIGNS: Final = {"+": "create", "~": "update", "-": "delete"}
_SCHEDULES: Final = (Schedule(), Schedule(seed=3), Schedule(seed=4), Schedule(seed=5, parallelism=2))


@pytest.mark.parametrize("engine", DEFAULT_ENGINES)
@pytest.mark.parametrize("name", sorted(ORDERS))
def test_order_is_kept_in_every_schedule(name: str, engine: str) -> None:
    """A comparison of engines ignores the order of events, because a single run may have the right one by chance."""
    step, due = ORDERS[name]
    for schedule in _SCHEDULES:
        events = _events(list(_play(_read(name), engine, schedule).values())[step - 1])
        places = [_places(events, token) for token in due.split()]
        assert all(end < start for (_, end), (start, _) in pairwise(places)), (schedule, events)


def _events(observation: Observation) -> list[Sequence[Tree]]:
    return cast("list[Sequence[Tree]]", observation["events"])


def _places(events: Sequence[Sequence[Tree]], token: str) -> tuple[int, int]:
    """Return the positions of the start and the completion event."""
    found = [tuple(event[:3]) for event in events]
    subject = (f"sim_thing.{token[:-1]}", _SIGNS[token[-1]])
    return found.index(("apply_start", *subject)), found.index(("apply_complete", *subject))


@pytest.mark.parametrize("engine", DEFAULT_ENGINES)
def test_no_more_at_a_time_than_allowed(engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ten independent deletes run two at a time. The outcome is the same without the limit, so only the record of calls
    shows it."""
    made: list[Simulation] = []

    def make(cloud: Cloud) -> Simulation:
        made.append(Simulation(cloud))
        return made[-1]

    monkeypatch.setattr(case_runner, "Simulation", make)
    _play(_read("ordering/ten_at_a_time"), engine, Schedule(parallelism=2))
    deletions = [call for call in made[0].record.calls if call.verb == "apply-delete"]
    under_way = [sum(other.begin <= call.begin < (other.end or 0) for other in deletions) for call in deletions]
    assert (len(deletions), max(under_way)) == (10, 2)
