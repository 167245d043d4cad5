"""Runs one step of a case by an engine of ours, and observes it.

A step is what a person does at a command line: a directory, a state file, variables in a file, some options. The state
passes from step to step as the text of its file, because that is all that outlives a command: a number that loses
digits there, or an object that cannot be read back, must show.
"""

from __future__ import annotations

from dataclasses import field, replace
from pathlib import Path

from harness.case.case import Step
from harness.engines.session import Planned
from harness.observe.json_trees import JsonObject, as_object
from harness.observe.observation import (
    Observation,
    observed_counts,
    observed_diagnostics,
    observed_events,
    observed_plan,
    observed_state_file,
)
from harness.observe.plan_document import observable_plan, published_plan
from harness.play.artifacts import ArtifactWriter
from harness.play.checkpoint import EngineMemory, remember_engine
from harness.play.killed_apply import apply_until_killed
from harness.play.mock_objects import MockObjects
from harness.play.plan_transfer import Applied, apply_plan
from harness.play.step_context import StepContext
from harness.simulation.simcloud.faults import Phase
from shared_nodes.lang.diagnostics import has_errors
from shared_nodes.plan.event_stream import planned_counts
from shared_nodes.plan.events import Event
from shared_nodes.record import record

__all__ = ["EngineSteps"]


@record
class EngineSteps:
    """Runs the steps of one run by an engine of ours."""

    context: StepContext
    artifacts: ArtifactWriter | None = None
    objects: MockObjects = field(default_factory=MockObjects)
    applying: StepContext | None = None
    """The context of the engine that applies plans, where that is another one."""

    def run(
        self, directory: Path, step: Step, state: str | None, *, until_killed: bool = False
    ) -> tuple[Observation, str | None]:
        """Return what happened, and the text of the state file afterwards (None: there is none yet)."""
        context = self.context.at(directory)
        if step.operation == "validate":
            return _validate(context, step), state
        self.objects.put_into(directory)
        planned, observation = _plan(context, step, state)
        if step.operation != "plan":
            if planned.can_be_applied:
                applied = self._apply(context, step, planned, state or "", until_killed)
                observation = _add_apply(context, observation, applied)
                state = applied.state or None
            encryption, _ = context.session(step).encryption()
            document, provider_data = observed_state_file(state, encryption)
            observation = replace(observation, state=document, provider_data=provider_data)
        self.objects.take_from(directory, state)
        return replace(observation, over_limit=_is_over_limit(context)), state

    def remember(self) -> EngineMemory | None:
        return remember_engine(self.context.world, self.objects)

    def recall(self, memory: EngineMemory) -> None:
        memory.restore(self.context.world, self.objects)

    def _apply(self, context: StepContext, step: Step, planned: Planned, state: str, until_killed: bool) -> Applied:
        applying = None if self.applying is None else self.applying.at(context.world.files.working_directory)
        if until_killed:
            return apply_until_killed(context, step, planned, state, applying)
        if self.artifacts is not None:
            self.artifacts.save_plan(context, step, planned, state)
        return apply_plan(context, step, planned, state, applying)


def _validate(context: StepContext, step: Step) -> Observation:
    problems = context.run(context.session(step).validate, context.options(step), context.sink([]))
    return Observation(
        step.operation,
        not has_errors(problems),
        observed_diagnostics("validate", problems),
        step.config,
        calls=as_object(context.simulation.record.summary(Phase.PLAN)),
        inventory=context.simulation.cloud.inventory(),
        over_limit=_is_over_limit(context),
    )


def _plan(context: StepContext, step: Step, text: str | None) -> tuple[Planned, Observation]:
    state, _, problems = context.session(step).open_state(text or "")
    events: list[Event] = []
    planned = Planned(problems)
    if not has_errors(problems):
        planned = context.run(context.session(step).plan, state, context.options(step), context.sink(events))
        planned = replace(planned, diagnostics=[*problems, *planned.diagnostics])
    plan = planned.plan
    counts = None if plan is None else planned_counts(plan)
    with_forgotten = context.flavour.summary_counts_forgotten
    observation = Observation(
        step.operation,
        not has_errors(planned.diagnostics),
        observed_diagnostics("plan", planned.diagnostics),
        step.config,
        plan=_observe_plan(context, planned),
        plan_summary=None if counts is None else observed_counts(counts, with_forgotten=with_forgotten),
        plan_events=observed_events(events),
        plan_calls=as_object(context.simulation.record.summary(Phase.PLAN)),
        inventory=context.simulation.cloud.inventory(),
    )
    return planned, observation


def _observe_plan(context: StepContext, planned: Planned) -> JsonObject | None:
    plan, schemas = planned.plan, planned.providers.schemas
    if plan is None:
        return None
    if context.kept_sections and planned.request is not None:
        document = published_plan(plan, planned.request.config, context.flavour, schemas)
    else:
        document = observable_plan(plan, context.flavour, schemas)
    return observed_plan(document, context.kept_sections) if isinstance(document, dict) else None


def _add_apply(context: StepContext, planned: Observation, applied: Applied) -> Observation:
    """Return the observation of a plan with what was observed of applying it."""
    return replace(
        planned,
        ok=applied.ok,
        diagnostics=[*planned.diagnostics, *applied.diagnostics],
        inventory=context.simulation.cloud.inventory(),
        events=applied.events,
        calls=as_object(applied.calls),
        order=as_object(applied.order) or None,
        has_order=True,
        apply_summary=as_object(applied.summary) if applied.ok else None,
    )


def _is_over_limit(context: StepContext) -> bool:
    """Return whether more calls were under way at a time than the parallelism allows, in either half. Calls of another
    process are not seen."""
    record = context.simulation.record
    return any(record.most_at_a_time(phase) > context.spec.schedule.parallelism for phase in Phase)
