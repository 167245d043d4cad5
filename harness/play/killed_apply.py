"""An apply that is killed half-way, and what it leaves: the state file and its journal, and what is in the cloud.

A process of its own applies the saved plan to a state file as the command line does, and is killed by SIGKILL when the
call it was to die at is the only thing left to wait for. Nothing in it gets a chance to tidy up. By then everything
that does not depend on the call has been done, in every engine and every schedule: outcomes can be compared. Then the
state is opened like any other, which is when the journal is read.
"""

from __future__ import annotations

import os
import signal
import tempfile
from functools import partial
from pathlib import Path
from typing import Final, cast

from harness.case.steps import Step
from harness.engines.session import Planned
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
from harness.play.story_runner import KILLED
from harness.simulation.simcloud.faults import Phase
from shared_nodes.plan.events import Event, EventSink
from shared_nodes.state.store import open_store
from shared_nodes.values.json import Tree, dumps, loads

__all__ = ["apply_until_killed"]

_LAST_WORDS: Final = "killed.json"


def apply_until_killed(stage: StepContext, step: Step, planned: Planned, state: str) -> Applied:
    """To be given to `run_step`. The whole apply, where the call at which it was to be killed never came."""
    stage.simulation.phase = Phase.APPLY
    with tempfile.TemporaryDirectory(prefix="diffharness-killed-") as place:
        directory = Path(place)
        save_plan(stage, planned, state, directory)
        status = run_in_process(remote_apply_of(stage, step, directory), _carry_out_until_killed)
        if status == -signal.SIGKILL:
            return _left(stage, directory)
        return read_remote_result(stage, directory, status)


def _left(stage: StepContext, directory: Path) -> Applied:
    found = cast("dict[str, Tree]", loads((directory / _LAST_WORDS).read_text(encoding="utf-8")))
    merge_cloud(stage.simulation, found["cloud"])
    merge_commands(stage, found, directory)
    file = directory / STATE_BEFORE
    store, problems = open_store(file, stage.world, stage.flavour)
    assert store is not None, problems
    store.close()
    told: Tree = {"phase": "apply", "severity": "error", "summary": KILLED, "detail": ""}
    text = file.read_text(encoding="utf-8", errors="surrogateescape")
    events = cast("list[Tree]", found["events"])
    return Applied(False, [told], events, None, text, found["calls"], found["cloud"], None)


# In the other process


def _carry_out_until_killed(order: RemoteApply) -> None:
    perform_remote_apply(order, partial(_await_death, order.directory))


def _await_death(directory: Path, stage: StepContext, sink: EventSink) -> None:
    """The state is kept as the command line keeps it. What only an observer can know is written down at the last
    moment, by the cloud's side of the call as it were."""
    store, problems = open_store(directory / STATE_BEFORE, stage.world, stage.flavour)
    assert store is not None, problems
    store.listen_to(sink, stage.schemas)
    events: list[Event] = []
    receive = sink.receive

    def received(event: Event) -> None:
        events.append(event)
        receive(event)

    def die() -> None:
        simulation = stage.simulation
        words: dict[str, Tree] = {
            "events": observed_events(events),
            "calls": simulation.record.summary(Phase.APPLY),
            "cloud": simulation.to_json(),
            **commands_of(stage.world),
        }
        (directory / _LAST_WORDS).write_text(dumps(words, escape_html=False), encoding="utf-8")
        os.kill(os.getpid(), signal.SIGKILL)

    sink.receive = received
    stage.simulation.interrupt = die
