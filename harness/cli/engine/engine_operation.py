"""One plan or apply on the command line, from the lock on the state to the last line of output.

The engine only computes. This module does everything around it: reading and locking the state, journalling each change
during an apply, reporting to people and programs, saving the result, and stopping on an interrupt.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from harness.cli.engine.event_file import EventFile, open_event_file
from harness.cli.engine.options import OperationOptions
from harness.cli.engine.reporter import Reporter
from harness.cli.engine.session import open_session
from harness.cli.engine.simulation import open_simulation
from harness.cli.support.interrupts import INTERRUPTED, stopping_on_interrupt
from harness.cli.support.output import write_file
from harness.engines.session import EngineSession, Planned
from harness.observe.plan_document import drawable_plan, published_plan
from reports.terminal.plan_view import RULE, PlanView
from shared_nodes.config.tree import ConfigTree
from shared_nodes.lang.diagnostics import Diagnostic, error, has_errors
from shared_nodes.plan.event_stream import EventStream
from shared_nodes.plan.events import HALTED, EventSink
from shared_nodes.plan.file import SavedPlan, read_plan, schema_problem, snapshot_of, stale_problem, write_plan
from shared_nodes.plan.plan import Plan
from shared_nodes.record import record
from shared_nodes.state.file import Schemas
from shared_nodes.state.store import StateStore, open_store
from shared_nodes.values.json import JsonError, dumps

if TYPE_CHECKING:
    from harness.simulation.simcloud.simulation import Simulation

__all__ = ["EngineOperation", "apply_command_line", "open_operation"]

_UNINITIALISED: Final = 'please run "terraform init"', 'please run "tofu init"'
"""How diagnostics about backends end."""


def apply_command_line(engine_name: str, plan: Path) -> str:
    """Return the command that applies a saved plan."""
    return f"diffharness engine {engine_name} apply {shlex.quote(str(plan))}"


@contextmanager
def open_operation(
    place: Path, engine_name: str, options: OperationOptions, *, to_apply: bool = False
) -> Iterator[EngineOperation]:
    """Open an operation on `place`: a directory, or a saved plan, which is applied in the current directory. `to_apply`
    says that something will be applied; remarks about encryption are made by plans alone."""
    directory = place if place.is_dir() else Path()
    with ExitStack() as cleanup:
        simulation = cleanup.enter_context(open_simulation(options, planned=not place.is_dir()))
        session = open_session(directory, engine_name, options, simulation)
        event_file = None if options.events is None else cleanup.enter_context(closing(open_event_file(options.events)))
        reporter = Reporter(options.as_json, session.flavour, _event_stream(event_file, session))
        encryption, problems = session.encryption()
        reporter.report_problems(problems if has_errors(problems) or not to_apply else [])
        store = None
        if not has_errors(problems):
            place_of_state = options.state or directory / session.state_place()
            store, problems = open_store(place_of_state, session.world, session.flavour, encryption=encryption)
            reporter.report_problems(problems)
        if store is not None:
            cleanup.callback(store.close)
        operation = EngineOperation(session, options, reporter, store, EventSink(), simulation, event_file)
        operation.events.receive = reporter.report_event
        cleanup.enter_context(stopping_on_interrupt(operation.events))
        yield operation


def _event_stream(file: EventFile | None, session: EngineSession) -> EventStream | None:
    if file is None:
        return None
    stream = EventStream(file.write, session.world, session.flavour)
    stream.version()
    return stream


@record(frozen=False)
class EngineOperation:
    session: EngineSession
    options: OperationOptions
    reporter: Reporter
    store: StateStore | None
    """None if the state could not be read or locked. Every operation then does nothing."""

    events: EventSink
    simulation: Simulation | None = None
    event_file: EventFile | None = None
    planned: Planned | None = None
    """The plan made by this operation. None before planning, and for a saved plan."""

    held_back: list[Diagnostic] = field(default_factory=list)
    """Diagnostics of planning when apply follows at once: reported at the end, together with those of apply."""

    @property
    def schemas(self) -> Schemas:
        """The schemas of all providers. Some are known only after planning."""
        return (self.session if self.planned is None else self.planned).providers.schemas

    def plan(self, *, to_apply: bool = False) -> Plan | None:
        """Plan, and return the plan if it can be applied. A partial plan of a failed run is shown as well, unless it is
        empty and apply was to follow. With `to_apply`, diagnostics of check blocks are dropped, because apply runs the
        checks again."""
        if self.store is None:
            return None
        engine_options = self.options.engine_options
        make_plan = partial(self.session.plan, to_apply=to_apply)
        planned = self.session.run(engine_options.seed, make_plan, self.store.state.copy(), engine_options, self.events)
        self.planned = planned
        plan = planned.plan
        is_empty_failure = plan is not None and plan.errored and not (plan.changes.resources or plan.changes.outputs)
        if plan is not None and planned.request is not None and not (to_apply and is_empty_failure):
            self._show(plan, planned.request.config)
        usable = planned.can_be_applied and not self.events.stopping
        if to_apply and usable:
            self.held_back = [problem for problem in planned.diagnostics if not problem.from_check]
        else:
            self.reporter.report_problems(planned.diagnostics)
            if any(problem.summary.endswith(_UNINITIALISED) for problem in planned.diagnostics):
                click.echo("Only states in files can be used here: --state FILE says which.", err=True)
        return planned.plan if usable else None

    def _show(self, plan: Plan, config: ConfigTree) -> None:
        flavour, schemas = self.session.flavour, self.schemas
        if self.options.plan_json is not None:
            published = published_plan(plan, config, flavour, schemas)
            if isinstance(published, Diagnostic):
                click.echo(f"{published.summary}: {published.detail}", err=True)
            else:
                write_file(self.options.plan_json, dumps(published) + "\n")
        document = drawable_plan(plan, config, flavour, schemas)
        if isinstance(document, Diagnostic):
            drawn = f"{document.summary}: {document.detail}"
        else:
            drawn = PlanView(flavour, self.options.mode, schemas).text(document)
        self.reporter.report_plan(plan, drawn.removesuffix("\n"))

    def save(self, plan: Plan, out: Path) -> None:
        """Save the plan with its configuration and the lineage and serial of the state it was made from."""
        assert self.store is not None
        assert self.planned is not None
        assert self.planned.request is not None
        configuration = snapshot_of(self.planned.request.config, self.session.world.files)
        saved = SavedPlan(plan, self.store.meta, configuration)
        try:
            write_plan(out, saved, self.schemas, self.session.flavour, self.store.encryption.plan_to_bytes)
        except OSError as problem:
            raise click.ClickException(f"cannot write {out}: {problem.strerror}") from problem
        except JsonError as failure:
            detail = f"The plan file could not be written: {failure.message}."
            self.reporter.report_problems([error("Failed to write plan file", detail)])
            return
        if plan.is_worth_applying(self.session.flavour):
            command = apply_command_line(click.get_current_context().obj, out)
            next_step = f"To perform exactly these actions, run the following command to apply:\n    {command}"
            self.reporter.say(f"\n{RULE}\n\nSaved the plan to: {out}\n\n{next_step}")

    def saved_plan(self, file: Path) -> Plan | None:
        """Read a saved plan and return it if it fits the state. The session then uses the configuration in the plan."""
        if self.store is None:
            return None
        saved = read_plan(file, self.session.flavour, self.store.encryption.plan_from_bytes)
        if isinstance(saved, Diagnostic):
            self.reporter.report_problems([saved])
            return None
        self.session = self.session.of_saved(saved)
        problem = self._find_mismatch(saved, self.store)
        if problem is not None:
            self.reporter.report_problems([problem])
            return None
        self.reporter.report_plan_again(saved.plan)
        return saved.plan

    def _find_mismatch(self, saved: SavedPlan, store: StateStore) -> Diagnostic | None:
        return schema_problem(saved, self.schemas) or stale_problem(saved, store.meta)

    def apply(self, plan: Plan, *, command: str = "apply") -> None:
        """Apply the plan. The resulting state is saved even after a failure or an interrupt. Nothing is begun if there
        is no room to save it."""
        assert self.store is not None
        if self.simulation is not None:
            from harness.simulation.simcloud.faults import Phase

            self.simulation.phase = Phase.APPLY
        problems = self.store.listen_to(self.events, self.schemas)
        if problems:
            self.reporter.report_problems([*self.held_back, *problems])
            return
        self.reporter.begin_apply(plan)
        engine_options = self.options.engine_options
        if self.planned is not None:
            result = self.session.run(engine_options.seed, self.session.apply, self.planned, self.events)
        else:
            before = self.store.state.copy()
            result = self.session.run(
                engine_options.seed, self.session.apply_saved, plan, before, engine_options, self.events
            )
        unsaved = self.store.persist(result.state, self.schemas)
        found = result.diagnostics
        if self.store.has_ended_early:
            found = tuple([problem for problem in found if problem.summary != HALTED])
        self.reporter.report_problems([*self.held_back, *found, *unsaved])
        self.reporter.unsaved_state = self.store.unsaved
        if self.reporter.ok:
            self.reporter.report_applied(result.state.outputs, command)

    def finish(self) -> int:
        """Print what is left to print, and return the exit code."""
        if self.event_file is not None:
            self.reporter.report_problems(self.event_file.problems())
        status = self.reporter.finish()
        has_ended_early = self.store is not None and self.store.has_ended_early
        return INTERRUPTED if self.events.stopping and not has_ended_early else status
