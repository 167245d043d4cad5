"""One step of a case, run and observed.

A step is what a person does at a command line: a directory, a state file, variables in a file, some options. The state
passes from step to step as the text of its file, because that is all that outlives a command: a number that would lose
digits on the way, or an object that could not be read back, must show.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from harness.case.case import Step
from harness.engines.session import Planned
from harness.observe.observation import (
    Observation,
    observed_counts,
    observed_diagnostics,
    observed_events,
    observed_plan,
    observed_state_file,
)
from harness.observe.plan_document import observable_plan
from harness.play.plan_transfer import Applied, apply_plan
from harness.play.step_context import StepContext
from harness.simulation.simcloud.faults import Phase
from shared_nodes.lang.diagnostics import Diagnostic, has_errors
from shared_nodes.plan.event_stream import planned_counts
from shared_nodes.plan.events import Event
from shared_nodes.state.file import read_state
from shared_nodes.values.json import Tree

__all__ = ["Apply", "run_step"]

Apply = Callable[[StepContext, Step, Planned, str], Applied]


def run_step(
    stage: StepContext, step: Step, state: str | None, apply: Apply = apply_plan
) -> tuple[Observation, str | None]:
    """What happened, and the text of the state file afterwards (None: there is none yet)."""
    observation: Observation = {"op": step.operation, "config": step.config}
    simulation = stage.simulation
    if step.operation == "validate":
        problems = stage.run(stage.session(step).validate, stage.options(step), stage.sink([]))
        observation |= {"ok": not has_errors(problems), "diagnostics": observed_diagnostics("validate", problems)}
        observation |= {"calls": simulation.record.summary(Phase.PLAN), "inventory": simulation.cloud.inventory()}
        return observation | _crowd(stage), state
    planned = _plan(stage, step, state, observation)
    observation |= {"plan_calls": simulation.record.summary(Phase.PLAN), "inventory": simulation.cloud.inventory()}
    if step.operation == "plan":
        return observation | _crowd(stage), state
    if planned.can_be_applied:
        applied = apply(stage, step, planned, state or "")
        cast("list[Tree]", observation["diagnostics"]).extend(applied.diagnostics)
        observation |= {"events": applied.events, "calls": applied.calls, "inventory": simulation.cloud.inventory()}
        observation["order"] = applied.order
        observation["ok"] = applied.ok
        if applied.ok:
            observation["apply_summary"] = applied.summary
        state = applied.state or None
    return observation | observed_state_file(state) | _crowd(stage), state


def _crowd(stage: StepContext) -> Observation:
    """That more calls were under way at a time than may be, in either half; nothing as long as all is well. What
    another process has done is not seen."""
    record = stage.simulation.record
    over_limit = any(record.most_at_a_time(phase) > stage.way.parallelism for phase in Phase)
    return {"over_limit": True} if over_limit else {}


def _plan(stage: StepContext, step: Step, text: str | None, observation: Observation) -> Planned:
    """Planning, its part of the observation added."""
    state, _, problems = read_state(text or "", stage.flavour)
    events: list[Event] = []
    planned = Planned(problems)
    if not problems:
        planned = stage.run(stage.session(step).plan, state, stage.options(step), stage.sink(events))
    diagnostics = observed_diagnostics("plan", planned.diagnostics)
    observation |= {"ok": not has_errors(planned.diagnostics), "diagnostics": diagnostics, "plan": None}
    if planned.plan is not None:
        document = observable_plan(planned.plan, stage.flavour, planned.providers.schemas)
        observation["plan"] = None if isinstance(document, Diagnostic) else observed_plan(document)
        observation["plan_summary"] = observed_counts(planned_counts(planned.plan))
    observation["plan_events"] = observed_events(events)
    return planned
