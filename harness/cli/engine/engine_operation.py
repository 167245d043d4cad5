"""One plan or apply at a command line, from the lock on the state to the last line.

The engine only computes. Here is everything around it: reading and locking the state, journalling each change while
an apply goes on, telling people and programs what happens, saving what came out, and stopping on an interrupt.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from harness.cli.engine.reporter import Reporter
from harness.cli.engine.session import session_in
from harness.cli.engine.simulation import simulated
from harness.cli.support.interrupts import INTERRUPTED, stopping_on_interrupt
from harness.cli.support.options import Asked
from harness.cli.support.output import write_file
from harness.engines.scheduling import run_deterministically
from harness.engines.session import Planned, Session
from harness.observe.plan_document import drawable_plan, published_plan
from harness.simulation.simcloud.faults import Phase
from reports.terminal.plan_view import RULE, PlanView
from shared_nodes.config.tree import ConfigTree
from shared_nodes.lang.diagnostics import Diagnostic, error
from shared_nodes.plan.event_stream import EventStream
from shared_nodes.plan.events import EventSink
from shared_nodes.plan.file import SavedPlan, read_plan, schema_problem, snapshot_of, stale_problem, write_plan
from shared_nodes.plan.plan import Plan
from shared_nodes.state.file import Schemas
from shared_nodes.state.store import StateStore, open_store
from shared_nodes.values.json import JsonError, dumps

if TYPE_CHECKING:
    from harness.simulation.simcloud.simulation import Simulation

__all__ = ["Operation", "open_operation"]

_STATE_FILE: Final = "terraform.tfstate"


@contextmanager
def open_operation(place: Path, engine_name: str, asked: Asked) -> Iterator[Operation]:
    """In a directory, or for a saved plan, which belongs to the directory the command is given in."""
    directory = place if place.is_dir() else Path()
    with ExitStack() as cleanup:
        simulation = cleanup.enter_context(simulated(asked, planned=not place.is_dir()))
        session = session_in(directory, engine_name, asked, simulation)
        reporter = Reporter(asked.as_json, session.flavour, _event_stream(cleanup, asked, session))
        store, problems = open_store(asked.state or directory / _STATE_FILE, session.world, session.flavour)
        reporter.problems(problems)
        if store is not None:
            cleanup.callback(store.close)
        operation = Operation(session, asked, reporter, store, EventSink(), simulation)
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


@dataclass(slots=True)
class Operation:
    session: Session
    asked: Asked
    reporter: Reporter
    store: StateStore | None
    """None where it could not be read or locked: then there is nothing to do."""

    events: EventSink
    simulation: Simulation | None = None
    planned: Planned | None = None
    """What was planned here, once it was; a saved plan was planned elsewhere."""

    held_back: list[Diagnostic] = field(default_factory=list)
    """What planning found, where applying follows at once: told at the end, with what applying finds."""

    @property
    def schemas(self) -> Schemas:
        """Some are known only once there was something to plan."""
        return (self.session if self.planned is None else self.planned).providers.schemas

    def plan(self, *, to_apply: bool = False) -> Plan | None:
        """The plan, if it can be applied. Whatever was planned is shown, also where planning failed half-way; that this
        is nothing is not worth a word where no plan was asked for. What check blocks said is not repeated where they
        will run again at once."""
        if self.store is None:
            return None
        options = self.asked.engine_options
        planned = run_deterministically(options.seed, self.session.plan, self.store.state.copy(), options, self.events)
        self.planned = planned
        plan = planned.plan
        has_come_to_nothing = plan is not None and plan.errored and not plan.changes.resources
        if plan is not None and planned.request is not None and not (to_apply and has_come_to_nothing):
            self._show(plan, planned.request.config, ending="" if to_apply else "\n")
        usable = planned.can_be_applied and not self.events.stopping
        if to_apply and usable:
            self.held_back = [problem for problem in planned.diagnostics if not problem.from_check]
        else:
            self.reporter.problems(planned.diagnostics)
        return planned.plan if usable else None

    def _show(self, plan: Plan, config: ConfigTree, ending: str) -> None:
        flavour, schemas = self.session.flavour, self.schemas
        if self.asked.plan_json is not None:
            published = published_plan(plan, config, flavour, schemas)
            if isinstance(published, Diagnostic):
                click.echo(f"{published.summary}: {published.detail}", err=True)
            else:
                write_file(self.asked.plan_json, dumps(published) + "\n")
        document = drawable_plan(plan, config, flavour, schemas)
        if isinstance(document, Diagnostic):
            drawn = f"{document.summary}: {document.detail}"
        else:
            drawn = PlanView(flavour, self.asked.mode, schemas).text(document)
        self.reporter.planned(plan, drawn.removesuffix("\n") + ending)

    def save(self, plan: Plan, out: Path) -> None:
        """Together with the configuration it was made of, and the mark of the state it fits."""
        assert self.store is not None
        assert self.planned is not None
        assert self.planned.request is not None
        configuration = snapshot_of(self.planned.request.config, self.session.world.files)
        saved = SavedPlan(plan, self.store.meta, configuration)
        try:
            write_plan(out, saved, self.schemas, self.session.flavour)
        except OSError as problem:
            raise click.ClickException(f"cannot write {out}: {problem.strerror}") from problem
        except JsonError as failure:
            detail = f"The plan file could not be written: {failure.message}."
            self.reporter.problems([error("Failed to write plan file", detail)])
            return
        command = f"diffharness engine {click.get_current_context().obj} apply {shlex.quote(str(out))}"
        next_step = f"To perform exactly these actions, run the following command to apply:\n    {command}"
        self.reporter.say(f"{RULE}\n\nSaved the plan to: {out}\n\n{next_step}")

    def saved_plan(self, file: Path) -> Plan | None:
        """A saved plan, if it fits the state; from then on the session sees the configuration it was made of."""
        if self.store is None:
            return None
        saved = read_plan(file)
        if isinstance(saved, Diagnostic):
            self.reporter.problems([saved])
            return None
        self.session = self.session.of_saved(saved)
        problem = self._misfit(saved, self.store)
        if problem is not None:
            self.reporter.problems([problem])
            return None
        self.reporter.planned_again(saved.plan)
        return saved.plan

    def _misfit(self, saved: SavedPlan, store: StateStore) -> Diagnostic | None:
        return schema_problem(saved, self.schemas) or stale_problem(saved, store.meta)

    def apply(self, plan: Plan, *, command: str = "apply") -> None:
        """Whatever was done is saved, also after a failure or an interrupt."""
        assert self.store is not None
        if self.simulation is not None:
            self.simulation.phase = Phase.APPLY
        self.reporter.applying(plan)
        self.store.listen_to(self.events, self.schemas)
        options = self.asked.engine_options
        if self.planned is not None:
            result = run_deterministically(options.seed, self.session.apply, self.planned, self.events)
        else:
            before = self.store.state.copy()
            result = run_deterministically(options.seed, self.session.apply_saved, plan, before, options, self.events)
        unsaved = self.store.persist(result.state, self.schemas)
        self.reporter.problems([*self.held_back, *result.diagnostics, *unsaved])
        if self.reporter.ok:
            self.reporter.applied(result.state.outputs, command)

    def finish(self) -> int:
        """Exit code."""
        status = self.reporter.finish()
        return INTERRUPTED if self.events.stopping else status
