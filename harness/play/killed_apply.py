"""An apply that is killed half-way, and what it leaves: the state file and its journal, and the objects in the cloud.

A process of its own applies the saved plan to a state file as the command line does. It is killed by SIGKILL when the
call at which it shall die is the only thing left to wait for, and so nothing in it gets a chance to clean up. By then
everything that does not depend on the call has been done, in every engine and every schedule: outcomes can be compared.
Then the state is opened like any other, which is when the journal is read.
"""

from __future__ import annotations

import os
import signal
import tempfile
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Final

from harness.case.steps import Step
from harness.engines.session import Planned
from harness.observe.json_trees import as_items, as_object
from harness.observe.observation import observed_events
from harness.play.plan_transfer import (
    STATE_BEFORE,
    Applied,
    RemoteApply,
    commands_of,
    merge_cloud,
    merge_commands,
    perform_remote_apply,
    read_remote_result,
    remote_apply_of,
    run_in_process,
    save_plan,
)
from harness.play.step_context import StepContext
from harness.simulation.simcloud.faults import Phase
from shared_nodes.plan.events import Event, EventSink
from shared_nodes.state.store import open_store
from shared_nodes.values.json import Tree, dumps, loads

__all__ = ["KILLED", "KILLED_PROBLEM", "apply_until_killed"]

KILLED: Final = "Killed"
KILLED_PROBLEM: Final[Mapping[str, Tree]] = {"phase": "apply", "severity": "error", "summary": KILLED, "detail": ""}
"""The only diagnostic of an apply that was killed: it had no chance to report any itself."""

_LAST_RECORD: Final = "killed.json"


def apply_until_killed(
    context: StepContext, step: Step, planned: Planned, state: str, applying: StepContext | None = None
) -> Applied:
    """Apply a plan in another process, and kill that at the call that is stuck. Return the result of the whole apply if
    that call never came. `applying` is the context of another engine that applies."""
    context.simulation.phase = Phase.APPLY
    with tempfile.TemporaryDirectory(prefix="diffharness-killed-") as place:
        directory = Path(place)
        save_plan(context, step, planned, state, directory)
        status = run_in_process(remote_apply_of(applying or context, step, directory), _perform_until_killed)
        if status == -signal.SIGKILL:
            return _read_remains(context, directory)
        return read_remote_result(context, directory, status)


def _read_remains(context: StepContext, directory: Path) -> Applied:
    found = as_object(loads((directory / _LAST_RECORD).read_text(encoding="utf-8")))
    merge_cloud(context.simulation, found["cloud"])
    merge_commands(context, found, directory)
    file = directory / STATE_BEFORE
    store, problems = open_store(file, context.world, context.flavour)
    assert store is not None, problems
    store.close()
    text = file.read_text(encoding="utf-8", errors="surrogateescape")
    events = as_items(found["events"])
    return Applied(False, [dict(KILLED_PROBLEM)], events, None, text, found["calls"], found["cloud"], None)


# In the other process


def _perform_until_killed(request: RemoteApply) -> None:
    perform_remote_apply(request, partial(_await_death, request.directory))


def _await_death(directory: Path, context: StepContext, sink: EventSink) -> None:
    """Write the state as the command line does, and kill this process when the simulation would interrupt it. What only
    an observer can know (events, calls, the cloud) is written down at the last moment."""
    store, problems = open_store(directory / STATE_BEFORE, context.world, context.flavour)
    assert store is not None, problems
    problems = store.listen_to(sink, context.schemas)
    assert not problems, problems
    events: list[Event] = []
    receive = sink.receive

    def received(event: Event) -> None:
        events.append(event)
        receive(event)

    def die() -> None:
        simulation = context.simulation
        record: dict[str, Tree] = {
            "events": observed_events(events),
            "calls": simulation.record.summary(Phase.APPLY),
            "cloud": simulation.to_json(),
            **commands_of(context.world),
        }
        (directory / _LAST_RECORD).write_text(dumps(record, escape_html=False), encoding="utf-8")
        os.kill(os.getpid(), signal.SIGKILL)

    sink.receive = received
    context.simulation.interrupt = die
