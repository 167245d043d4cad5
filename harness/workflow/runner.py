"""Runs a workflow: performs what the conductor says, all of a batch at the same time.

Nothing polls. Every execution is a trio task that performs its action, tells the conductor and starts what that
answers; when the last one has ended there is nothing left to wait for. Time is trio's, so under a virtual clock an hour
of retry delays costs nothing, and under a seeded scheduler the same seed gives the same course.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import trio

from harness.workflow.actions import Action, ActionRequest, ActionResult
from harness.workflow.conductor import Conductor, Execution
from harness.workflow.model import Match, Workflow
from harness.workflow.outcome import EndedBy, Outcome, Status

__all__ = ["Performance", "StoryResult", "run_workflow"]


@dataclass(frozen=True, slots=True)
class Performance:
    """An execution that has ended."""

    execution: Execution
    outcome: Outcome
    result: Mapping[str, Any]
    began_s: float
    """Since the beginning of the story, like `ended_s`. The delay of a retry lies before it."""

    ended_s: float


@dataclass(frozen=True, slots=True)
class StoryResult:
    status: Status
    ended_by: EndedBy
    problem: str | None
    performances: tuple[Performance, ...]
    """In the order they ended."""

    unfinished: tuple[Execution, ...]
    """Cut off when the time was over."""

    unreachable_joins: tuple[str, ...]
    warnings: tuple[str, ...]
    duration_s: float


async def run_workflow(workflow: Workflow, action: Action, match: Match | None = None) -> StoryResult:
    """Raises only what an action raises, in an exception group; everything else that runs is cancelled then."""
    run = _WorkflowRun(workflow, action, match)
    with trio.move_on_after(workflow.max_duration_s) as limit:
        async with trio.open_nursery() as nursery:
            run.start(run.conductor.begin(), nursery)
    if limit.cancelled_caught:
        run.conductor.stop(EndedBy.MAX_DURATION, f"not finished after {workflow.max_duration_s:g} s")
    return run.result()


class _WorkflowRun:
    def __init__(self, workflow: Workflow, action: Action, match: Match | None) -> None:
        self.conductor = Conductor(workflow, match)
        self._workflow = workflow
        self._action = action
        self._began = trio.current_time()
        self._performances: list[Performance] = []
        self._running: dict[Execution, None] = {}

    def start(self, batch: tuple[Execution, ...], nursery: trio.Nursery) -> None:
        for execution in batch:
            self._running[execution] = None
            nursery.start_soon(self._perform, execution, nursery)

    async def _perform(self, execution: Execution, nursery: trio.Nursery) -> None:
        if execution.delay_s > 0:
            await trio.sleep(execution.delay_s)
        began_s = self._elapsed()
        answer: ActionResult = await self._action(self._request(execution))
        del self._running[execution]
        self._performances.append(Performance(execution, answer.outcome, answer.result, began_s, self._elapsed()))
        self.start(self.conductor.end(execution, answer.outcome, answer.result), nursery)

    def _request(self, execution: Execution) -> ActionRequest:
        task = self._workflow.tasks[execution.task]
        return ActionRequest(
            task.action, task.input, execution.variables, task.name, execution.number, execution.attempt
        )

    def _elapsed(self) -> float:
        return trio.current_time() - self._began

    def result(self) -> StoryResult:
        conductor = self.conductor
        assert conductor.ended_by is not None, "nothing runs any more, or the time is over"
        return StoryResult(
            conductor.status,
            conductor.ended_by,
            conductor.problem,
            tuple(self._performances),
            tuple(self._running),
            conductor.unreachable_joins,
            tuple(conductor.warnings),
            self._elapsed(),
        )
