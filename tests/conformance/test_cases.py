"""The cases of our own: every id of the two lists they stand for is there, both engines do the same in all of them, in
the order that is due, and nothing lives on in the cloud that no state knows.

`S14-...` are the scenarios of the specification of the graph engine, `B`, `C`, `M`, `L`, `O` and `U` those of the
catalogue of differences between two engines. Of the catalogue only N01 has no case: it names no behaviour.
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Final, cast

import pytest

from harness.engines.registry import JUDGED
from harness.scenarios import course
from harness.scenarios.case import Case, find_cases, read_case
from harness.scenarios.course import Theatre
from harness.scenarios.judge import PATIENCE_S, Agreement, judge_engines
from harness.scenarios.observation import Observation
from harness.scenarios.way import Way
from shared_nodes.providers.simcloud.cloud import Cloud
from shared_nodes.providers.simcloud.faults import Kind
from shared_nodes.providers.simcloud.simulation import Simulation
from shared_nodes.values.json import Tree

CASES: Final = {
    f"{case.parent.name}/{case.name}": case
    for case in find_cases([Path(__file__).parent.parent.parent / "corpus" / "cases"])
}

SCENARIOS: Final = (*(f"S14-{number:03}" for number in range(1, 101)), "S14-080b")

_LENGTHS: Final = {"B": 19, "C": 9, "M": 39, "L": 20, "O": 3, "U": 1}
CATALOGUE: Final = tuple(f"{kind}{number:02}" for kind, last in _LENGTHS.items() for number in range(1, last + 1))

OWN: Final = ("D01", "E01", "E02", "E03", "E04", "P01", "P02", "P03", "P04")
"""What neither list has: ends that are planned before anybody looks, ephemeral objects that are renewed, and mocked
providers."""

SEEDED: Final = tuple(f"S{number}" for number in range(57, 67))
"""Seeded bugs that no case had shown, and that are of no kind either list has."""

_RULES: Final = {"K": 29, "R": 27, "X": 33}
BY_LINES: Final = tuple(f"{kind}{number:02}" for kind, last in _RULES.items() for number in range(1, last + 1))
"""Rules that no case had come by, as the lines of the node logic showed: nested blocks and attributes (`K`), replacing,
moving and what goes (`R`), states, imports, data and values (`X`)."""

IDS: Final = frozenset((*SCENARIOS, *CATALOGUE, *OWN, *SEEDED, *BY_LINES))


def _read(name: str) -> Case:
    return read_case(CASES[name])


def test_every_id_has_a_case() -> None:
    assert (len(SCENARIOS), len(CATALOGUE)) == (101, 91)
    covered = {tag for name in CASES for tag in _read(name).tags}
    assert sorted(IDS - covered) == []


@pytest.mark.parametrize("name", sorted(CASES))
def test_case_says_what_it_stands_for(name: str) -> None:
    """Its first tag is the id that its directory is named by, and it says which bug it would reveal."""
    case = _read(name)
    assert set(case.tags) <= IDS
    assert case.directory.name.partition("_")[0].startswith(case.tags[0])
    assert ". Reveal" in case.description
    assert case.description.endswith(".")


WAYS: Final = (Way(), Way(seed=1, parallelism=1))
"""As everybody runs them, and one thing at a time in another order."""


@pytest.mark.parametrize("area", sorted({name.partition("/")[0] for name in CASES}))
def test_engines_are_equal(area: str) -> None:
    """Where a case is recorded, they also do what the real Terraform did."""
    verdicts = [judge_engines(CASES[name], JUDGED, WAYS) for name in CASES if name.startswith(f"{area}/")]
    found = [(about, verdict) for case in verdicts for about, verdict in case.all]
    wrong = [(about, verdict) for about, verdict in found if verdict.agreement is not Agreement.AGREES]
    assert [f"{about}: {verdict.identifier}: {verdict.first}" for about, verdict in wrong] == []


# Nothing is lost

OUTLIVING: Final[Mapping[str, frozenset[str]]] = {
    "import/S14-075_already_in_the_state": frozenset({"other-7"}),
    "import/S14-076_ignored_when_destroying": frozenset({"stranger-1"}),
    "removed/M04_deposed_objects_are_forgotten_too": frozenset({"x-1", "x-2"}),
    "removed/M16_forgotten": frozenset({"x-1"}),
    "removed/R16_cannot_be_decoded": frozenset({"a-1", "a-2"}),
    "removed/S14-078_module_is_forgotten_as_a_whole": frozenset({"x0-1", "x1-1", "y0-1", "y1-1"}),
    "removed/S14-079_moved_and_removed_at_once": frozenset({"a-1"}),
}
"""What is in the cloud and not in the state because the case is about just that: never imported, or forgotten."""

_LOSING: Final = (Kind.LOST, Kind.GONE, Kind.CRASH_AFTER)
"""Faults by which the effect takes place and the answer is lost."""


@pytest.mark.parametrize("engine", JUDGED)
@pytest.mark.parametrize("area", sorted({name.partition("/")[0] for name in CASES}))
def test_nothing_lives_on_that_no_state_knows(area: str, engine: str) -> None:
    """After every step: what is in the cloud is in the state, and the other way round."""
    lost = []
    for name in CASES:
        case = _read(name)
        if case.area != area or any(fault.kind in _LOSING for fault in case.faults):
            continue
        for place, step in _play(case, engine, Way()).items():
            if step.get("state") is not None:
                in_state, in_cloud = _in_state(step["state"]), _in_cloud(step["inventory"])
                surplus = in_cloud - in_state - OUTLIVING.get(name, frozenset())
                lost += [(name, place, identifier) for identifier in sorted(surplus | (in_state - in_cloud))]
    assert lost == []


def _play(case: Case, engine: str, way: Way) -> Mapping[str, Observation]:
    with tempfile.TemporaryDirectory(prefix="diffharness-") as directory:
        return Theatre.of(case, Path(directory), ()).play(engine, way, PATIENCE_S)


def _in_state(state: Tree) -> frozenset[str]:
    """Ids of all objects of simulated providers, deposed ones as well."""
    resources = cast("list[dict[str, Tree]]", cast("dict[str, Tree]", state)["resources"])
    managed = [resource for resource in resources if resource["mode"] == "managed"]
    return frozenset(
        str(cast("dict[str, Tree]", instance["attributes"])["id"])
        for resource in managed
        if str(resource["type"]).startswith(("sim_", "simcloud_"))
        for instance in cast("list[dict[str, Tree]]", resource["instances"])
    )


def _in_cloud(inventory: Tree) -> frozenset[str]:
    """Things are listed as they are; other objects with their type and region around them."""
    objects = cast("list[dict[str, Tree]]", inventory)
    return frozenset(str(cast("dict[str, Tree]", item.get("object", item))["id"]) for item in objects)


# The order in which it happens

ORDERS: Final[Mapping[str, tuple[int, str]]] = {
    "create-before-destroy/S14-001_only_the_last_of_a_chain_asks_for_it": (2, "base+ middle+ top+ top- middle- base-"),
    "create-before-destroy/S14-003_destroying_everything": (2, "c- b- a-"),
    "create-before-destroy/S14-004_switch_to_another_dependency": (2, "id_b+ service+ service- id_a-"),
    "create-before-destroy/S14-008_asked_for_in_the_same_run": (2, "lamp+ shade~ lamp-"),
    "create-before-destroy/S14-009_dropped_while_a_dependency_goes": (2, "b~ a-"),
    "create-before-destroy/S14-021_fewer_instances_create_first": (2, "bar~ foo[1]-"),
    "destroy/S14-029_dependencies_only_the_state_knows": (2, "c- b- a-"),
    "drift/S14-016_only_a_deposed_object_is_left": (2, "a+ b~ a-"),
    "expansion/S14-020_fewer_instances_under_a_splat": (3, "node[2]- roster~"),
    "failure-and-resume/S14-013_dependent_fails_after_create_first": (3, "b~ a-"),
    "ordering/C07_deletion_before_the_dependents_update": (2, "foo[1]- bar~"),
    "ordering/L02_update_after_the_deletion_of_a_dependent": (2, "b- a~"),
    "ordering/L03_dependency_that_is_new_in_this_run": (2, "a+ b~ a-"),
    "ordering/M24_explicit_dependencies": (1, "a+ b+"),
    "ordering/S14-034_direction_reversed_with_replacements": (3, "b- a- b+ a+"),
    "ordering/S14-035_direction_reversed_with_updates": (2, "b~ a~"),
    "providers/S14-031_destroy_what_configures_a_provider": (2, "app- cluster-"),
    "replace/B01_replaced_because_of_a_replacement": (2, "b- a- a+ b+"),
}
"""By case: a step, counted from 1, and what happens in it one after the other. `x+` creates, `x~` updates, `x-` deletes
`sim_thing.x`."""

_SIGNS: Final = {"+": "create", "~": "update", "-": "delete"}
_SCHEDULES: Final = (Way(), Way(seed=3), Way(seed=4), Way(seed=5, parallelism=2))


@pytest.mark.parametrize("engine", JUDGED)
@pytest.mark.parametrize("name", sorted(ORDERS))
def test_order_is_kept_in_every_schedule(name: str, engine: str) -> None:
    """Comparing engines does not look at the order of events, since a single run may happen in one by chance."""
    step, due = ORDERS[name]
    for way in _SCHEDULES:
        events = _events(list(_play(_read(name), engine, way).values())[step - 1])
        places = [_places(events, token) for token in due.split()]
        assert all(end < start for (_, end), (start, _) in pairwise(places)), (way, events)


def _events(observation: Observation) -> list[Sequence[Tree]]:
    return cast("list[Sequence[Tree]]", observation["events"])


def _places(events: Sequence[Sequence[Tree]], token: str) -> tuple[int, int]:
    """Where something begins and where it ends."""
    told = [tuple(event[:3]) for event in events]
    subject = (f"sim_thing.{token[:-1]}", _SIGNS[token[-1]])
    return told.index(("apply_start", *subject)), told.index(("apply_complete", *subject))


@pytest.mark.parametrize("engine", JUDGED)
def test_no_more_at_a_time_than_allowed(engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ten deletions that could all be under way at once, two at a time. Outcomes are the same without a limit, so it
    shows in the record of calls alone."""
    made: list[Simulation] = []

    def make(cloud: Cloud) -> Simulation:
        made.append(Simulation(cloud))
        return made[-1]

    monkeypatch.setattr(course, "Simulation", make)
    _play(_read("ordering/L20_ten_at_a_time"), engine, Way(parallelism=2))
    deletions = [call for call in made[0].record.calls if call.verb == "apply-delete"]
    under_way = [sum(other.begin <= call.begin < (other.end or 0) for other in deletions) for call in deletions]
    assert (len(deletions), max(under_way)) == (10, 2)
