"""Takes a plan from planning to applying: at once, through a file, or through a file in another process.

Through a file nothing passes but the file, the text of the state, and what a person would give at the command line.
What another process needs beyond that (which engine, which directory, which randomness) is a `RemoteApply`.
"""

from __future__ import annotations

import tempfile
import traceback
from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from datetime import datetime
from pathlib import Path
from typing import Final

from harness.case.case import Step
from harness.child_process import forkserver_context
from harness.engines.registry import DEFAULT_ENGINES, engine_module
from harness.engines.session import EngineSession, Planned
from harness.mutants.activation import active_mutants, apply_mutants
from harness.observe.json_trees import as_items, as_object, as_texts
from harness.observe.observation import observed_counts, observed_diagnostics, observed_events, observed_order
from harness.play.schedule import PlanTransfer
from harness.play.step_context import EngineSpec, StepContext
from harness.simulation.simcloud.faults import Fault, Phase
from harness.simulation.simcloud.simulation import Simulation, simulation_from_json
from shared_nodes import tasks
from shared_nodes.lang.diagnostics import Diagnostic, error
from shared_nodes.operations.engine import ApplyResult
from shared_nodes.plan.event_stream import unannounced_counts
from shared_nodes.plan.events import Event, EventSink
from shared_nodes.plan.file import SavedPlan, read_plan, snapshot_of, write_plan
from shared_nodes.plan.order import EffectOrder
from shared_nodes.plan.plan import Plan
from shared_nodes.processes import REAL, Command, RecordedProcesses
from shared_nodes.record import record
from shared_nodes.state.file import Schemas, StateMeta, write_state
from shared_nodes.state.model import State
from shared_nodes.values.json import JsonError, Tree, dumps, loads
from shared_nodes.world import World

__all__ = [
    "STATE_BEFORE",
    "Applied",
    "ApplyingProcessError",
    "RemoteApply",
    "apply_plan",
    "commands_of",
    "merge_cloud",
    "merge_commands",
    "perform_remote_apply",
    "read_remote_result",
    "remote_apply_of",
    "run_in_process",
    "save_plan",
]

_PLAN: Final = "step.tfplan"
STATE_BEFORE: Final = "before.tfstate"
_RESULT: Final = "applied.json"
_APPLYING: Final = ("legacy_engine.apply", "new_engine.apply")
"""Modules that our engines import only to apply."""
_COMMANDS: Final = "commands"


@record
class Applied:
    """What was observed of an apply. `state` is the text of the state file afterwards, empty where there is none: a
    refused plan writes no state."""

    ok: bool
    diagnostics: list[Tree]
    events: list[Tree]
    summary: Tree
    state: str
    calls: Tree
    cloud: Tree
    """The simulated cloud afterwards, as JSON."""

    order: Tree = None
    """Which effects come before which in every schedule; None where the engine does not report it."""


class ApplyingProcessError(Exception):
    """The applying process has crashed. The message is its traceback."""


def apply_plan(
    context: StepContext, step: Step, planned: Planned, state: str, applying: StepContext | None = None
) -> Applied:
    """Apply a plan in the context in which it was made, or in that of another engine, which can only get a file."""
    context.simulation.phase = Phase.APPLY
    if context.spec.schedule.handover is PlanTransfer.MEMORY and applying is None:
        return _apply_at_once(context, step, planned, state)
    with tempfile.TemporaryDirectory(prefix="diffharness-plan-") as place:
        directory = Path(place)
        try:
            save_plan(context, step, planned, state, directory)
        except JsonError as failure:
            detail = f"The plan file could not be written: {failure.message}."
            return _unsaved(context, state, error("Failed to write plan file", detail))
        if context.spec.schedule.handover is PlanTransfer.PROCESS:
            return _apply_elsewhere(applying or context, step, directory)
        return _apply_saved(applying or context, step, directory)


def _apply_at_once(context: StepContext, step: Step, planned: Planned, state: str) -> Applied:
    assert planned.plan is not None
    session = context.session(step)
    _, meta, _ = session.open_state(state)
    events: list[Event] = []
    orders: list[EffectOrder] = []
    result = context.run(session.apply, planned, context.sink(events, orders))
    try:
        state_text = _write_state(session, result.state, meta, planned.providers.schemas)
    except JsonError as failure:
        detail = f"An error occurred while serializing the state: {failure.message}."
        return _unsaved(context, state, error("Failed to serialize state", detail))
    return replace(_applied(context, planned.plan, state_text, result, events), order=_observe_order(orders))


def _unsaved(context: StepContext, state: str, problem: Diagnostic) -> Applied:
    """Return the result of an apply whose plan or state cannot be saved. Infinity, for example, has no form on disk."""
    simulation = context.simulation
    calls, diagnostics = simulation.record.summary(Phase.APPLY), observed_diagnostics("apply", [problem])
    return Applied(False, diagnostics, [], None, state, calls, simulation.to_json())


def _write_state(session: EngineSession, state: State, meta: StateMeta, schemas: Schemas) -> str:
    return session.encryption()[0].state_to_text(write_state(state, meta, schemas))


def save_plan(context: StepContext, step: Step, planned: Planned, state: str, directory: Path) -> None:
    """Save a plan and the state before it. `directory` is one that the configuration cannot read."""
    assert planned.plan is not None
    assert planned.request is not None
    session = context.session(step)
    _, meta, _ = session.open_state(state)
    configuration, schemas = snapshot_of(planned.request.config, context.world.files), planned.providers.schemas
    saved = SavedPlan(planned.plan, meta, configuration)
    write_plan(directory / _PLAN, saved, schemas, context.flavour, session.encryption()[0].plan_to_bytes)
    (directory / STATE_BEFORE).write_text(state, encoding="utf-8", errors="surrogateescape")


def _apply_saved(context: StepContext, step: Step, directory: Path) -> Applied:
    here = context.session(step)
    saved = read_plan(directory / _PLAN, context.flavour, here.encryption()[0].plan_from_bytes)
    assert isinstance(saved, SavedPlan), saved
    text = (directory / STATE_BEFORE).read_text(encoding="utf-8", errors="surrogateescape")
    state, meta, _ = here.open_state(text)
    events: list[Event] = []
    orders: list[EffectOrder] = []
    session = here.of_saved(saved)
    result = context.run(session.apply_saved, saved.plan, state, context.options(step), context.sink(events, orders))
    state_text = _write_state(here, result.state, meta, session.providers.schemas)
    applied = replace(_applied(context, saved.plan, state_text, result, events), order=_observe_order(orders))
    was_refused = result.state is state
    return replace(applied, state=text) if was_refused else applied


def _applied(context: StepContext, plan: Plan, state: str, result: ApplyResult, events: list[Event]) -> Applied:
    counts = unannounced_counts(plan)
    for event in events:
        counts.count(event)
    return Applied(
        result.ok,
        observed_diagnostics("apply", result.diagnostics),
        observed_events(events),
        observed_counts(counts, with_forgotten=context.flavour.summary_counts_forgotten),
        state,
        context.simulation.record.summary(Phase.APPLY),
        context.simulation.to_json(),
    )


def _observe_order(orders: list[EffectOrder]) -> Tree:
    return observed_order(orders[0]) if orders else None


# Another process


@record
class RemoteApply:
    """A request to apply the plan in `directory` in another process, and to leave the result there as well."""

    spec: EngineSpec
    step: Step
    directory: Path
    working_directory: Path
    root: Path
    seed: int
    """Seed of the ids and the randomness of that process: another one each time, or two steps would make equal ids."""

    now: datetime
    cloud: str
    """The simulated cloud as planning has left it, as JSON."""

    faults: tuple[Fault, ...]
    may_execute: bool
    mutant: str = ""
    """The mutant that is active here (`harness.mutants`) and must be active there as well."""


def remote_apply_of(context: StepContext, step: Step, directory: Path) -> RemoteApply:
    files = context.world.files
    assert files.root is not None, "cases run in a confined world"
    return RemoteApply(
        context.spec,
        step,
        directory,
        files.working_directory,
        files.root,
        context.world.random.getrandbits(64),
        context.world.now(),
        dumps(context.simulation.to_json(), escape_html=False),
        tuple(context.simulation.watch.faults),
        context.world.processes is REAL,
        active_mutants(),
    )


def _apply_elsewhere(context: StepContext, step: Step, directory: Path) -> Applied:
    status = run_in_process(remote_apply_of(context, step, directory), _perform)
    return read_remote_result(context, directory, status)


def read_remote_result(context: StepContext, directory: Path, status: int | None) -> Applied:
    """Return the result that another process has left, and bring the simulated cloud of this one up to date."""
    file = directory / _RESULT
    if not file.exists():
        raise ApplyingProcessError(f"the applying process ended with exit code {status}, and left nothing")
    found = as_object(loads(file.read_text(encoding="utf-8", errors="surrogateescape")))
    if "crash" in found:
        raise ApplyingProcessError(found["crash"])
    applied = Applied(
        ok=found["ok"] is True,
        diagnostics=as_items(found["diagnostics"]),
        events=as_items(found["events"]),
        summary=found["summary"],
        state=str(found["state"]),
        calls=found["calls"],
        cloud=found["cloud"],
        order=found["order"],
    )
    merge_cloud(context.simulation, applied.cloud)
    merge_commands(context, found, directory)
    return applied


def merge_commands(context: StepContext, found: Mapping[str, Tree], directory: Path) -> None:
    """Add the commands that another process was asked for and has only pretended to run."""
    if isinstance(context.world.processes, RecordedProcesses):
        asked = [as_texts(command) for command in as_items(found[_COMMANDS])]
        context.world.processes.commands.extend(Command(command, {}, directory) for command in asked)


def commands_of(world: World) -> dict[str, Tree]:
    """Return the commands that this process has pretended to run, for `merge_commands`."""
    processes = world.processes
    asked = processes.commands if isinstance(processes, RecordedProcesses) else ()
    return {_COMMANDS: [list(command.arguments) for command in asked]}


def merge_cloud(simulation: Simulation, cloud: Tree) -> None:
    """Take over the simulated cloud of another process. Faults go on counting where they stopped there."""
    left = simulation_from_json(as_object(cloud), simulation.watch.faults)
    simulation.cloud, simulation.watch, simulation.lost = left.cloud, left.watch, left.lost
    simulation.tokens.counts, simulation.replayed = left.tokens.counts, left.replayed


def run_in_process(request: RemoteApply, perform: Callable[[RemoteApply], None]) -> int | None:
    """Run `perform` in another process, and return its exit code.

    The process is forked from a server that has imported what is needed and done nothing else, which is as good as a
    new interpreter and much faster. The command line is preloaded because every process that is started this way
    imports the main program first.
    """
    engines = sorted({request.spec.engine, *DEFAULT_ENGINES})
    context = forkserver_context([perform.__module__, "harness.cli", *map(engine_module, engines), *_APPLYING])
    process = context.Process(target=perform, args=(request,))
    process.start()
    try:
        process.join(2 * request.spec.timeout_s)
        if process.exitcode is None:
            raise tasks.TooSlowError
        return process.exitcode
    finally:
        process.kill()
        process.join()
        process.close()


def _perform(request: RemoteApply) -> None:
    perform_remote_apply(request)


def perform_remote_apply(request: RemoteApply, attend: Callable[[StepContext, EventSink], None] | None = None) -> None:
    """Apply the plan in this process, and record what happened, a crash as well. `attend` is called at the start."""
    processes = REAL if request.may_execute else RecordedProcesses()
    world = World.confined(request.root, request.seed, request.now, processes=processes)
    simulation = simulation_from_json(as_object(loads(request.cloud)), request.faults)
    simulation.phase = Phase.APPLY
    context = StepContext(request.spec, world, simulation, attend).at(request.working_directory)
    result: dict[str, Tree]
    try:
        with apply_mutants(request.mutant):
            applied = _apply_saved(context, request.step, request.directory)
        result = {field.name: getattr(applied, field.name) for field in fields(applied)} | commands_of(world)
    except BaseException:  # the parent process raises the traceback again
        result = {"crash": traceback.format_exc()}
    text = dumps(result, escape_html=False)
    (request.directory / _RESULT).write_text(text, encoding="utf-8", errors="surrogateescape")
