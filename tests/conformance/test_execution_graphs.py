"""Equal plans give equal execution graphs, byte for byte, on every recorded story.

Each step is planned from the same state in worlds with the same randomness, but in another order and with another
parallelism. Any influence of the schedule on a graph, including on the keys of deposed objects, would be detected.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import pytest

from harness.case.case import Case, Step, find_cases, read_case
from harness.engines.session import Planned
from harness.play.schedule import Schedule
from harness.play.step_context import EngineSpec, StepContext
from new_engine.execgraph.codec import dump, load
from new_engine.execgraph.graph import ExecutionGraph
from shared_nodes.flavour import FLAVOURS
from shared_nodes.plan.events import EventSink
from shared_nodes.processes import REAL
from shared_nodes.state.file import read_state
from shared_nodes.values.json import dumps
from shared_nodes.world import World

SCENARIOS: Final = Path(__file__).parent.parent.parent / "corpus" / "conformance" / "scenarios"
CASES: Final = find_cases([SCENARIOS])
NOW: Final = datetime(2026, 1, 2, tzinfo=UTC)
SCHEDULES: Final = (Schedule(seed=1, parallelism=1), Schedule(seed=2, parallelism=10))


class Story:
    """A case whose steps are each planned with every schedule. One of the plans is applied, for the next step."""

    def __init__(self, case: Case, directory: Path) -> None:
        self._case = case
        self._directory = directory
        prior = "" if case.prior_state is None else (case.directory / case.prior_state).read_text(encoding="utf-8")
        self._state, _, self._problems = read_state(prior, FLAVOURS[case.flavour])

    def plans(self) -> Iterator[list[Planned]]:
        steps = [] if self._problems else self._case.steps
        for number, step in enumerate(steps):
            place = self._directory / step.config
            shutil.copytree(self._case.directory / step.config, place)
            if step.operation != "validate":
                others = [self._plan(self._context(place, schedule, number), step) for schedule in SCHEDULES[1:]]
                yield [*others, self._plan_and_apply(self._context(place, SCHEDULES[0], number), step)]
            shutil.rmtree(place)

    def _context(self, place: Path, schedule: Schedule, number: int) -> StepContext:
        world = World.confined(self._directory, number, NOW, processes=REAL)
        return StepContext(EngineSpec("new", self._case.flavour, schedule, 60), world).at(place)

    def _plan(self, context: StepContext, step: Step) -> Planned:
        return context.run(context.session(step).plan, self._state.copy(), context.options(step), EventSink())

    def _plan_and_apply(self, context: StepContext, step: Step) -> Planned:
        planned = self._plan(context, step)
        if step.operation != "plan" and planned.can_be_applied:
            self._state = context.run(context.session(step).apply, planned, EventSink()).state
        return planned


@pytest.mark.parametrize("area", sorted({case.parent.name for case in CASES}))
def test_equal_plans_give_equal_graphs(area: str, tmp_path: Path) -> None:
    for directory in (case for case in CASES if case.parent.name == area):
        for plans in Story(read_case(directory), tmp_path).plans():
            graphs = [None if planned.plan is None else planned.plan.execution_tree for planned in plans]
            assert len({dumps(graph) for graph in graphs}) == 1, directory
            for tree in graphs:
                graph = ExecutionGraph() if tree is None else load(tree)
                assert isinstance(graph, ExecutionGraph)
                assert tree is None or dumps(dump(graph)) == dumps(tree), directory
