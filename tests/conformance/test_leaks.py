"""No leaks: at the end of every case the cloud contains exactly the objects of the state.

Exceptions are objects whose response a fault suppressed, objects that existed before and were not imported, and objects
that were dropped from the state on purpose. One engine is enough, because other tests check that both engines leave the
same state and the same cloud.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import cast

import pytest

from harness.case.case import find_cases, read_case
from harness.case.case_cloud import furnished_cloud
from harness.observe.observation import Observation
from harness.play.step_context import EngineSpec, StepContext
from harness.play.step_runner import EngineSteps
from harness.simulation.simcloud.leaks import find_leaks
from harness.simulation.simcloud.simulation import Simulation
from harness.simulation.simcloud.thing import THING_TYPE
from shared_nodes.processes import REAL
from shared_nodes.state.file import read_state
from shared_nodes.values.json import Tree
from shared_nodes.world import World

CORPUS = Path(__file__).parents[2] / "corpus"
CASES = {
    f"{case.parent.name}/{case.name}": case
    for case in find_cases([CORPUS / "cases", CORPUS / "faults", CORPUS / "conformance" / "provider-scenarios"])
}
NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


def find_forgotten(step: Observation) -> Iterator[str]:
    plan = cast("Mapping[str, list[Mapping[str, Mapping[str, Mapping[str, Tree]]]]] | None", step.get("plan"))
    for change in [] if plan is None else plan["resource_changes"]:
        if "forget" in change["change"]["actions"]:
            yield f"{change['type']} {change['change']['before']['id']}"


def find_preexisting(simulation: Simulation) -> Iterator[str]:
    """Yield the objects that existed before the first step."""
    yield from (f"{THING_TYPE} {identifier}" for identifier in simulation.cloud.things)
    yield from (f"{type_name} {identifier}" for type_name, identifier in simulation.cloud.objects.objects)


@pytest.mark.parametrize("area", sorted({name.partition("/")[0] for name in CASES}))
def test_the_cloud_holds_what_the_state_knows(tmp_path: Path, area: str) -> None:
    found: list[str] = []
    for name in sorted(name for name in CASES if name.startswith(f"{area}/")):
        case = read_case(CASES[name])
        simulation = Simulation(furnished_cloud(case.cloud))
        excused = {*find_preexisting(simulation)}
        world = World.confined(tmp_path, case.seed, NOW, processes=REAL)
        stage = StepContext(EngineSpec("legacy", case.flavour, timeout_s=60), world, simulation)
        state = None if case.prior_state is None else (case.directory / case.prior_state).read_text()
        for number, step in enumerate(case.steps):
            place = tmp_path / case.directory.name / str(number)
            shutil.copytree(case.directory / step.config, place)
            simulation.begin_step(case.faults_of(number))
            observation, state = EngineSteps(stage).run(place, step, state)
            excused |= {*find_forgotten(observation)}
        known, _, problems = read_state(state or "", stage.flavour)
        if not problems:
            found += [
                f"{name}: {leak}"
                for leak in find_leaks(simulation.cloud.inventory(), known, {*excused, *simulation.lost})
            ]
    assert found == []
