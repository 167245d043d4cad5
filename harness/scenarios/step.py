"""One step of a case, run and observed.

A step is what a person does at a command line: a directory, a state file, variables in a file, some options. The state
passes from step to step as the text of its file, because that is all that outlives a command: a number that would lose
digits on the way, or an object that could not be read back, must show.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, cast

import trio

from harness.engines.documents import published_plan
from harness.engines.providers import SCHEMAS
from harness.engines.registry import Engine
from harness.engines.session import Planned, Session
from harness.scenarios.case import Step
from harness.scenarios.observation import (
    STEP_VARIABLES,
    observed_diagnostics,
    observed_events,
    observed_plan,
    observed_state,
)
from shared_nodes.config.inputs import VarFile
from shared_nodes.diagnostics import Diagnostic, has_errors
from shared_nodes.engine import ApplyResult, Mode, Options
from shared_nodes.flavour import Flavour
from shared_nodes.plan.event_stream import ChangeCounts, planned_counts
from shared_nodes.plan.events import Event, EventSink
from shared_nodes.plan.file import SavedPlan, read_plan, snapshot_of, write_plan
from shared_nodes.plan.plan import Plan
from shared_nodes.state.file import StateMeta, read_state, write_state
from shared_nodes.values.json import JsonNumber, Tree, loads
from shared_nodes.world import Files, World

__all__ = ["Observation", "Stage", "run_step"]

Observation = dict[str, Tree]

_PLAN_FILE: Final = "step.tfplan"


@dataclass(frozen=True, slots=True)
class Stage:
    """Where steps are run: by which engine, in which world."""

    engine: Engine
    world: World
    flavour: Flavour
    parallelism: int = 10
    seed: int = 0

    def at(self, directory: Path) -> Stage:
        """The same with another working directory. Ids and randomness go on where they were."""
        files = self.world.files
        return replace(self, world=replace(self.world, files=Files(directory, root=files.root, home=files.home)))


def run_step(
    stage: Stage, step: Step, state: str | None, patience_s: float = math.inf
) -> tuple[Observation, str | None]:
    """What happened, and the text of the state file afterwards (None: there is none yet). TooSlowError where an
    engine waits for longer than that."""

    async def limited() -> tuple[Observation, str | None]:
        with trio.fail_after(patience_s):
            return await _run_step(stage, step, state)

    return trio.run(limited)


async def _run_step(stage: Stage, step: Step, state: str | None) -> tuple[Observation, str | None]:
    given = [VarFile(STEP_VARIABLES, step.variables)] if step.variables is not None else []
    session = Session(stage.engine, stage.world, stage.flavour, given)
    observation: Observation = {"op": step.operation, "config": step.config}
    if step.operation == "validate":
        problems = await session.validate()
        observation |= {"ok": not has_errors(problems), "diagnostics": observed_diagnostics("validate", problems)}
        return observation, state
    return await _plan_and_apply(session, stage, step, state, observation)


async def _plan_and_apply(
    session: Session, stage: Stage, step: Step, text: str | None, observation: Observation
) -> tuple[Observation, str | None]:
    state, meta, problems = read_state(text or "", stage.flavour)
    events: list[Event] = []
    if problems:
        planned = Planned(problems)
    else:
        planned = await session.plan(state, _options(stage, step), EventSink(events.append))
    diagnostics = observed_diagnostics("plan", planned.diagnostics)
    observation |= {"ok": not has_errors(planned.diagnostics), "diagnostics": diagnostics, "plan": None}
    if planned.plan is not None and planned.request is not None:
        document = published_plan(planned.plan, planned.request.config, stage.flavour)
        observation["plan"] = None if isinstance(document, Diagnostic) else observed_plan(document)
        observation["plan_summary"] = _summary(planned_counts(planned.plan))
    observation["plan_events"] = observed_events(events)
    if step.operation == "plan":
        return observation, text
    if planned.can_be_applied:
        saved = _saved_and_read_again(stage, planned, meta)
        events = []
        applying = session.of_saved(saved)
        result = await applying.apply(saved.plan, state, _options(stage, step), EventSink(events.append))
        _observe_apply(observation, saved.plan, result, events)
        text = write_state(result.state, meta, SCHEMAS)
    observation["state"] = None if text is None else observed_state(cast("dict[str, Tree]", loads(text)))
    return observation, text


def _saved_and_read_again(stage: Stage, planned: Planned, meta: StateMeta) -> SavedPlan:
    """Recordings apply saved plans, and it shows: what a plan file does not hold is evaluated again."""
    assert planned.plan is not None
    assert planned.request is not None
    files = stage.world.files
    path = files.working_directory / _PLAN_FILE
    configuration = snapshot_of(planned.request.config, files)
    write_plan(path, SavedPlan(planned.plan, meta, configuration), SCHEMAS, stage.flavour)
    saved = read_plan(path)
    assert isinstance(saved, SavedPlan), saved
    path.unlink()
    return saved


def _observe_apply(observation: Observation, plan: Plan, result: ApplyResult, events: list[Event]) -> None:
    diagnostics = cast("list[Tree]", observation["diagnostics"])
    diagnostics.extend(observed_diagnostics("apply", result.diagnostics))
    observation["events"] = observed_events(events)
    if result.ok:
        counts = ChangeCounts(imported=planned_counts(plan).imported)
        for event in events:
            counts.count(event)
        observation["apply_summary"] = _summary(counts)
    else:
        observation["ok"] = False


def _options(stage: Stage, step: Step) -> Options:
    mode = Mode.DESTROY if step.operation == "destroy" else Mode(step.mode)
    return Options(
        mode=mode,
        targets=step.targets,
        replace=step.replace,
        refresh=step.refresh,
        parallelism=stage.parallelism,
        seed=stage.seed,
    )


def _summary(counts: ChangeCounts) -> Tree:
    named = {"add": counts.add, "change": counts.change, "import": counts.imported, "remove": counts.remove}
    return {name: JsonNumber(str(count)) for name, count in named.items()}
