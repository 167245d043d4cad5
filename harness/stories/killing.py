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

from harness.engines.session import Planned
from harness.scenarios.handover import (
    STATE_BEFORE,
    Applied,
    Order,
    applied_elsewhere,
    carried_out,
    carry_out,
    commands_of,
    order_of,
    save_plan,
    take_note,
    take_over,
)
from harness.scenarios.observation import observed_events
from harness.scenarios.operation import Step
from harness.scenarios.stage import Stage
from harness.simulation.simcloud.faults import Phase
from harness.stories.player import KILLED
from shared_nodes.plan.events import Event, EventSink
from shared_nodes.state.store import open_store
from shared_nodes.values.json import Tree, dumps, loads

__all__ = ["apply_until_killed"]

_LAST_WORDS: Final = "killed.json"


def apply_until_killed(stage: Stage, step: Step, planned: Planned, state: str) -> Applied:
    """To be given to `run_step`. The whole apply, where the call at which it was to be killed never came."""
    stage.simulation.phase = Phase.APPLY
    with tempfile.TemporaryDirectory(prefix="diffharness-killed-") as place:
        directory = Path(place)
        save_plan(stage, planned, state, directory)
        status = carried_out(order_of(stage, step, directory), _carry_out_until_killed)
        if status == -signal.SIGKILL:
            return _left(stage, directory)
        return applied_elsewhere(stage, directory, status)


def _left(stage: Stage, directory: Path) -> Applied:
    found = cast("dict[str, Tree]", loads((directory / _LAST_WORDS).read_text(encoding="utf-8")))
    take_over(stage.simulation, found["cloud"])
    take_note(stage, found, directory)
    file = directory / STATE_BEFORE
    store, problems = open_store(file, stage.world, stage.flavour)
    assert store is not None, problems
    store.close()
    told: Tree = {"phase": "apply", "severity": "error", "summary": KILLED, "detail": ""}
    text = file.read_text(encoding="utf-8", errors="surrogateescape")
    events = cast("list[Tree]", found["events"])
    return Applied(False, [told], events, None, text, found["calls"], found["cloud"], None)


# In the other process


def _carry_out_until_killed(order: Order) -> None:
    carry_out(order, partial(_await_death, order.directory))


def _await_death(directory: Path, stage: Stage, sink: EventSink) -> None:
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
