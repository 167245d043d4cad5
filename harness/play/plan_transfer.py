"""From a plan to what applying it does: at once, through a file, or through a file in another process.

Through a file nothing passes but the file, the text of the state, and what a person would give at the command line.
What a process needs beyond that (which engine, which directory, which randomness) is its `Order`.
"""

from __future__ import annotations

import tempfile
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from datetime import datetime
from multiprocessing import get_context
from pathlib import Path
from typing import Final, cast

import trio

from harness.case.case import Step
from harness.engines.registry import DEFAULT_ENGINES, engine_module
from harness.engines.session import Planned
from harness.mutants.activation import in_force, mutated
from harness.observe.observation import observed_counts, observed_diagnostics, observed_events, observed_order
from harness.play.schedule import PlanTransfer, Schedule
from harness.play.step_context import StepContext
from harness.simulation.simcloud.faults import Fault, Phase
from harness.simulation.simcloud.simulation import Simulation, simulation_from_json
from shared_nodes.flavour import FLAVOURS
from shared_nodes.lang.diagnostics import Diagnostic, error
from shared_nodes.operations.engine import ApplyResult
from shared_nodes.plan.event_stream import ChangeCounts, planned_counts
from shared_nodes.plan.events import Event, EventSink
from shared_nodes.plan.file import SavedPlan, read_plan, snapshot_of, write_plan
from shared_nodes.plan.order import EffectOrder
from shared_nodes.plan.plan import Plan
from shared_nodes.processes import REAL, Command, RecordedProcesses
from shared_nodes.state.file import read_state, write_state
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
"""What our engines import only where they apply."""
_COMMANDS: Final = "commands"


@dataclass(frozen=True, slots=True)
class Applied:
    """What applying has shown; `state` is the text of the state file afterwards, empty where there is none: a plan that
    is refused writes no state."""

    ok: bool
    diagnostics: list[Tree]
    events: list[Tree]
    summary: Tree
    state: str
    calls: Tree
    cloud: Tree
    """What the simulated cloud has come to, in its own form."""

    order: Tree = None
    """Which effects come before which, whatever the schedule; None where the engine does not tell."""


class ApplyingProcessError(Exception):
    """The process that was to apply has crashed. The message is its traceback."""


def apply_plan(stage: StepContext, step: Step, planned: Planned, state: str) -> Applied:
    stage.simulation.phase = Phase.APPLY
    if stage.way.handover is PlanTransfer.MEMORY:
        return _apply_at_once(stage, step, planned, state)
    with tempfile.TemporaryDirectory(prefix="diffharness-plan-") as place:
        directory = Path(place)
        try:
            save_plan(stage, planned, state, directory)
        except JsonError as failure:
            detail = f"The plan file could not be written: {failure.message}."
            return _unsaved(stage, state, error("Failed to write plan file", detail))
        if stage.way.handover is PlanTransfer.PROCESS:
            return _apply_elsewhere(stage, step, directory)
        return _apply_saved(stage, step, directory)


def _apply_at_once(stage: StepContext, step: Step, planned: Planned, state: str) -> Applied:
    assert planned.plan is not None
    _, meta, _ = read_state(state, stage.flavour)
    events: list[Event] = []
    orders: list[EffectOrder] = []
    result = stage.run(stage.session(step).apply, planned, stage.sink(events, orders))
    try:
        state_text = write_state(result.state, meta, planned.providers.schemas)
    except JsonError as failure:
        detail = f"An error occurred while serializing the state: {failure.message}."
        return _unsaved(stage, state, error("Failed to serialize state", detail))
    return replace(_applied(stage, planned.plan, state_text, result, events), order=_told(orders))


def _unsaved(stage: StepContext, state: str, problem: Diagnostic) -> Applied:
    """Infinity, for one, can be planned and has no form on disk: what cannot be saved ends the step."""
    simulation = stage.simulation
    calls, diagnostics = simulation.record.summary(Phase.APPLY), observed_diagnostics("apply", [problem])
    return Applied(False, diagnostics, [], None, state, calls, simulation.to_json())


def save_plan(stage: StepContext, planned: Planned, state: str, directory: Path) -> None:
    """Not in the working directory, where the configuration could find it."""
    assert planned.plan is not None
    assert planned.request is not None
    _, meta, _ = read_state(state, stage.flavour)
    configuration, schemas = snapshot_of(planned.request.config, stage.world.files), planned.providers.schemas
    write_plan(directory / _PLAN, SavedPlan(planned.plan, meta, configuration), schemas, stage.flavour)
    (directory / STATE_BEFORE).write_text(state, encoding="utf-8", errors="surrogateescape")


def _apply_saved(stage: StepContext, step: Step, directory: Path) -> Applied:
    saved = read_plan(directory / _PLAN)
    assert isinstance(saved, SavedPlan), saved
    text = (directory / STATE_BEFORE).read_text(encoding="utf-8", errors="surrogateescape")
    state, meta, _ = read_state(text, stage.flavour)
    events: list[Event] = []
    orders: list[EffectOrder] = []
    session = stage.session(step).of_saved(saved)
    result = stage.run(session.apply_saved, saved.plan, state, stage.options(step), stage.sink(events, orders))
    state_text = write_state(result.state, meta, session.providers.schemas)
    applied = replace(_applied(stage, saved.plan, state_text, result, events), order=_told(orders))
    was_refused = result.state is state
    return replace(applied, state=text) if was_refused else applied


def _applied(stage: StepContext, plan: Plan, state: str, result: ApplyResult, events: list[Event]) -> Applied:
    counts = ChangeCounts(imported=planned_counts(plan).imported)
    for event in events:
        counts.count(event)
    return Applied(
        result.ok,
        observed_diagnostics("apply", result.diagnostics),
        observed_events(events),
        observed_counts(counts),
        state,
        stage.simulation.record.summary(Phase.APPLY),
        stage.simulation.to_json(),
    )


def _told(orders: list[EffectOrder]) -> Tree:
    return observed_order(orders[0]) if orders else None


# Another process


@dataclass(frozen=True, slots=True)
class RemoteApply:
    """To apply the plan in `directory`, and to leave what came of it there as well."""

    directory: Path
    engine: str
    step: Step
    flavour: str
    way: Schedule
    patience_s: float
    working_directory: Path
    root: Path
    seed: int
    """Of the ids and the randomness of that process. Another one each time, or two steps would make equal ids."""

    now: datetime
    cloud: str
    """The simulated cloud as planning has left it, as JSON."""

    faults: tuple[Fault, ...]
    permissive: tuple[str, ...]
    may_execute: bool
    changes: frozenset[str] = frozenset()
    mutant: str = ""
    """The mistake in force here (`harness.mutants`): it is to be in force there, too."""


def remote_apply_of(stage: StepContext, step: Step, directory: Path) -> RemoteApply:
    files = stage.world.files
    assert files.root is not None, "cases run in a confined world"
    return RemoteApply(
        directory,
        stage.engine,
        step,
        stage.flavour.name,
        stage.way,
        stage.patience_s,
        files.working_directory,
        files.root,
        stage.world.random.getrandbits(64),
        stage.world.now(),
        dumps(stage.simulation.to_json(), escape_html=False),
        tuple(stage.simulation.watch.faults),
        stage.permissive,
        stage.world.processes is REAL,
        stage.changes,
        in_force(),
    )


def _apply_elsewhere(stage: StepContext, step: Step, directory: Path) -> Applied:
    status = run_in_process(remote_apply_of(stage, step, directory), _carry_out)
    return read_remote_result(stage, directory, status)


def read_remote_result(stage: StepContext, directory: Path, status: int | None) -> Applied:
    """What the other process has left, the cloud of this one brought up to date with it."""
    file = directory / _RESULT
    if not file.exists():
        raise ApplyingProcessError(f"the applying process ended with exit code {status}, and left nothing")
    found = cast("dict[str, Tree]", loads(file.read_text(encoding="utf-8", errors="surrogateescape")))
    if "crash" in found:
        raise ApplyingProcessError(found["crash"])
    applied = Applied(
        ok=found["ok"] is True,
        diagnostics=cast("list[Tree]", found["diagnostics"]),
        events=cast("list[Tree]", found["events"]),
        summary=found["summary"],
        state=cast("str", found["state"]),
        calls=found["calls"],
        cloud=found["cloud"],
        order=found["order"],
    )
    merge_cloud(stage.simulation, applied.cloud)
    merge_commands(stage, found, directory)
    return applied


def merge_commands(stage: StepContext, found: Mapping[str, Tree], directory: Path) -> None:
    """Of the commands another process was asked for and has only pretended to run."""
    if isinstance(stage.world.processes, RecordedProcesses):
        asked = cast("list[list[str]]", found[_COMMANDS])
        stage.world.processes.commands.extend(Command(command, {}, directory) for command in asked)


def commands_of(world: World) -> dict[str, Tree]:
    """For `take_note`: those this process has pretended to run."""
    processes = world.processes
    asked = processes.commands if isinstance(processes, RecordedProcesses) else ()
    return {_COMMANDS: [list(command.arguments) for command in asked]}


def merge_cloud(simulation: Simulation, cloud: Tree) -> None:
    """What another process has made of the cloud; and faults go on counting where they were left there."""
    left = simulation_from_json(cast("dict[str, Tree]", cloud), simulation.watch.faults)
    simulation.cloud, simulation.watch, simulation.lost = left.cloud, left.watch, left.lost
    simulation.tokens.counts = left.tokens.counts


def run_in_process(order: RemoteApply, perform_remote_apply: Callable[[RemoteApply], None]) -> int | None:
    """Exit code of the process. It is forked from a server that has imported what is needed and done nothing else,
    which is as good as a new interpreter and much faster. The command line is among it because every process that is
    started this way imports the main program first."""
    context = get_context("forkserver")
    context.set_forkserver_preload(
        [
            perform_remote_apply.__module__,
            "harness.cli",
            *map(engine_module, sorted({order.engine, *DEFAULT_ENGINES})),
            *_APPLYING,
        ]
    )
    process = context.Process(target=perform_remote_apply, args=(order,))
    process.start()
    try:
        process.join(2 * order.patience_s)
        if process.exitcode is None:
            raise trio.TooSlowError
        return process.exitcode
    finally:
        process.kill()
        process.join()
        process.close()


def _carry_out(order: RemoteApply) -> None:
    perform_remote_apply(order)


def perform_remote_apply(order: RemoteApply, attend: Callable[[StepContext, EventSink], None] | None = None) -> None:
    """In the other process: whatever happens is written down, a crash as well. `attend` is told when it begins."""
    processes = REAL if order.may_execute else RecordedProcesses()
    world = World.confined(order.root, order.seed, order.now, processes=processes)
    simulation = simulation_from_json(cast("dict[str, Tree]", loads(order.cloud)), order.faults)
    simulation.phase = Phase.APPLY
    stage = StepContext(
        order.engine, world, FLAVOURS[order.flavour], order.way, order.patience_s, simulation, attend=attend
    )
    stage = replace(stage, changes=order.changes, permissive=order.permissive)
    result: dict[str, Tree]
    try:
        with mutated(order.mutant):
            applied = _apply_saved(stage.at(order.working_directory), order.step, order.directory)
        result = {field.name: getattr(applied, field.name) for field in fields(applied)} | commands_of(world)
    except BaseException:  # the traceback goes to whoever ordered this, who raises it again
        result = {"crash": traceback.format_exc()}
    text = dumps(result, escape_html=False)
    (order.directory / _RESULT).write_text(text, encoding="utf-8", errors="surrogateescape")
