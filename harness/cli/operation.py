"""One plan or apply at a command line, from the lock on the state to the last line.

The engine only computes. Here is everything around it: reading and locking the state, journalling each change while
an apply goes on, telling people and programs what happens, saving what came out, and stopping on an interrupt.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import click
import trio

from harness.cli.interrupts import INTERRUPTED, stopping_on_interrupt
from harness.cli.options import Asked
from harness.cli.output import write_file
from harness.cli.reporter import Reporter
from harness.engines.documents import published_plan
from harness.engines.providers import SCHEMAS
from harness.engines.registry import EngineNotFoundError, engine_named
from harness.engines.session import Session
from reports.terminal.plan_view import PlanView
from shared_nodes.config.tree import ConfigTree
from shared_nodes.diagnostics import Diagnostic
from shared_nodes.flavour import FLAVOURS
from shared_nodes.plan.event_stream import EventStream
from shared_nodes.plan.events import EventSink
from shared_nodes.plan.file import SavedPlan, read_plan, schema_problem, snapshot_of, stale_problem, write_plan
from shared_nodes.plan.plan import Plan
from shared_nodes.state.store import StateStore, open_store
from shared_nodes.values.json import dumps
from shared_nodes.world import World

__all__ = ["Operation", "open_operation", "session_in"]

_STATE_FILE: Final = "terraform.tfstate"


def session_in(directory: Path, engine_name: str, asked: Asked) -> Session:
    try:
        engine = engine_named(engine_name)
    except EngineNotFoundError as problem:
        raise click.ClickException(str(problem)) from problem
    world = World.real(directory)
    return Session(engine, world, FLAVOURS[asked.flavour], asked.given)


@contextmanager
def open_operation(place: Path, engine_name: str, asked: Asked) -> Iterator[Operation]:
    """In a directory, or for a saved plan, which belongs to the directory the command is given in."""
    directory = place if place.is_dir() else Path()
    session = session_in(directory, engine_name, asked)
    with ExitStack() as cleanup:
        reporter = Reporter(asked.as_json, session.flavour, _event_stream(cleanup, asked, session))
        store, problems = open_store(asked.state or directory / _STATE_FILE, session.world, session.flavour)
        reporter.problems(problems)
        if store is not None:
            cleanup.callback(store.close)
        operation = Operation(session, asked, reporter, store, EventSink())
        operation.events.receive = reporter.event
        cleanup.enter_context(stopping_on_interrupt(operation.events))
        yield operation


def _event_stream(cleanup: ExitStack, asked: Asked, session: Session) -> EventStream | None:
    """Lines are flushed one by one: whoever follows the file sees an event when it happens."""
    if asked.events is None:
        return None
    try:
        file = cleanup.enter_context(asked.events.open("w", encoding="utf-8", buffering=1))
    except OSError as problem:
        raise click.ClickException(f"cannot write {asked.events}: {problem.strerror}") from problem
    stream = EventStream(file.write, session.world, session.flavour)
    stream.version()
    return stream


def _misfit(saved: SavedPlan, store: StateStore) -> Diagnostic | None:
    return schema_problem(saved, SCHEMAS) or stale_problem(saved, store.meta)


@dataclass(slots=True)
class Operation:
    session: Session
    asked: Asked
    reporter: Reporter
    store: StateStore | None
    """None where it could not be read or locked: then there is nothing to do."""

    events: EventSink
    config: ConfigTree | None = None
    """What the plan was made of, once there is one."""

    def plan(self) -> Plan | None:
        """The plan, if it can be applied. Whatever was planned is shown, also where planning failed half-way."""
        if self.store is None:
            return None
        planned = trio.run(self.session.plan, self.store.state.copy(), self.asked.engine_options, self.events)
        if planned.plan is not None and planned.request is not None:
            self.config = planned.request.config
            self._show(planned.plan, self.config)
        self.reporter.problems(planned.diagnostics)
        return planned.plan if planned.can_be_applied and not self.events.stopping else None

    def _show(self, plan: Plan, config: ConfigTree) -> None:
        document = published_plan(plan, config, self.session.flavour)
        if isinstance(document, Diagnostic):
            return
        if self.asked.plan_json is not None:
            write_file(self.asked.plan_json, dumps(document) + "\n")
        view = PlanView(self.session.flavour, self.asked.mode, SCHEMAS)
        self.reporter.planned(plan, view.text(document))

    def save(self, plan: Plan, out: Path) -> None:
        """Together with the configuration it was made of, and the mark of the state it fits."""
        assert self.store is not None
        assert self.config is not None
        saved = SavedPlan(plan, self.store.meta, snapshot_of(self.config, self.session.world.files))
        try:
            write_plan(out, saved, SCHEMAS, self.session.flavour)
        except OSError as problem:
            raise click.ClickException(f"cannot write {out}: {problem.strerror}") from problem
        self.reporter.say(f"\nSaved the plan to: {out}")

    def saved_plan(self, file: Path) -> Plan | None:
        """A saved plan, if it fits the state; from then on the session sees the configuration it was made of."""
        if self.store is None:
            return None
        saved = read_plan(file)
        problem = saved if isinstance(saved, Diagnostic) else _misfit(saved, self.store)
        if isinstance(saved, Diagnostic) or problem is not None:
            self.reporter.problems([] if problem is None else [problem])
            return None
        self.session = self.session.of_saved(saved)
        self.reporter.planned_again(saved.plan)
        return saved.plan

    def apply(self, plan: Plan, *, command: str = "apply") -> None:
        """Whatever was done is saved, also after a failure or an interrupt."""
        assert self.store is not None
        self.reporter.applying(plan)
        self.store.listen_to(self.events, SCHEMAS)
        before = self.store.state.copy()
        result = trio.run(self.session.apply, plan, before, self.asked.engine_options, self.events)
        self.reporter.problems([*result.diagnostics, *self.store.persist(result.state, SCHEMAS)])
        if self.reporter.ok:
            self.reporter.applied(result.state.outputs, command)

    def finish(self) -> int:
        """Exit code."""
        status = self.reporter.finish()
        return INTERRUPTED if self.events.stopping else status
