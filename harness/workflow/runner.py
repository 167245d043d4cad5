"""Runs a workflow in virtual time: performs the actions that the conductor decides on.

Nothing polls and nothing sleeps. The next event is always known: an execution that is due begins, or one that has begun
ends and the conductor decides what follows. All executions of a batch begin at the same moment, in the conductor's
order, so the order of events is deterministic and a day of waiting costs nothing. An action does its work at once when
it begins, and reports how long that took. Intermediate states of a long operation are not simulated: the operations of
one workflow share one state, and no two of them could hold its lock.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from heapq import heappop, heappush
from itertools import count
from types import MappingProxyType
from typing import Any, Protocol

from harness.workflow.conductor import Conductor, TaskExecution
from harness.workflow.model import Match, Workflow
from harness.workflow.outcome import EndedBy, TaskOutcome, WorkflowStatus
from shared_nodes.record import record

__all__ = [
    "ActionHandler", "ActionRequest", "ActionResult", "FinishedExecution", "WorkflowResult", "run_workflow"
]  # fmt: skip


@record
class ActionRequest:
    """What a task asks for. `task` and `number` identify the execution within the workflow."""

    action: str | None
    input: Mapping[str, Any]
    variables: Mapping[str, Any]
    task: str
    number: int
    attempt: int


@record
class ActionResult:
    """How an action ended. Conditions read `result`, which is plain data that JSON can represent."""

    outcome: TaskOutcome = TaskOutcome.SUCCEEDED
    result: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    duration_s: float = 0.0
    """Virtual time between the beginning and the end of the execution."""


class ActionHandler(Protocol):
    """Performs the actions of tasks. The workflow engine knows no configuration, no state and no engine.

    A failure that the workflow may react to is an outcome. A handler raises only for what no workflow can react to.
    """

    def __call__(self, request: ActionRequest, /) -> ActionResult: ...


@record
class FinishedExecution:
    """An execution that has ended."""

    execution: TaskExecution
    outcome: TaskOutcome
    result: Mapping[str, Any]
    began_s: float
    """Time since the beginning of the workflow, like `ended_s`. The delay of a retry precedes it."""

    ended_s: float


@record
class WorkflowResult:
    status: WorkflowStatus
    ended_by: EndedBy
    problem: str | None
    finished: tuple[FinishedExecution, ...]
    """Executions in the order they ended."""

    decided_by: TaskExecution | None
    """The execution that fixed the status."""

    unfinished: tuple[TaskExecution, ...]
    """Executions that were cut off when the time was over."""

    unreachable_joins: tuple[str, ...]
    warnings: tuple[str, ...]
    duration_s: float


def run_workflow(workflow: Workflow, action: ActionHandler, match: Match | None = None) -> WorkflowResult:
    """Run a workflow to its end. Raises only what an action raises."""
    run = _WorkflowRun(workflow, action, match)
    run.start(run.conductor.begin())
    while run.has_more:
        run.advance()
    return run.result()


_Event = tuple[float, int, TaskExecution, FinishedExecution | None]
"""Time, sequence number, and an execution that begins or, if the last item is not None, ends."""


class _WorkflowRun:
    def __init__(self, workflow: Workflow, action: ActionHandler, match: Match | None) -> None:
        self.conductor = Conductor(workflow, match)
        self._workflow = workflow
        self._action = action
        self._now_s = 0.0
        self._events: list[_Event] = []
        self._order = count()
        self._finished: list[FinishedExecution] = []

    @property
    def has_more(self) -> bool:
        """Whether events remain within the time limit."""
        return bool(self._events) and self._events[0][0] <= self._workflow.max_duration_s

    def start(self, batch: tuple[TaskExecution, ...]) -> None:
        for execution in batch:
            self._schedule(self._now_s + execution.delay_s, execution)

    def _schedule(self, when_s: float, execution: TaskExecution, finished: FinishedExecution | None = None) -> None:
        heappush(self._events, (when_s, next(self._order), execution, finished))

    def advance(self) -> None:
        self._now_s, _, execution, finished = heappop(self._events)
        if finished is None:
            answer: ActionResult = self._action(self._request(execution))
            ended_s = self._now_s + answer.duration_s
            self._schedule(
                ended_s, execution, FinishedExecution(execution, answer.outcome, answer.result, self._now_s, ended_s)
            )
            return
        self._finished.append(finished)
        self.start(self.conductor.end(execution, finished.outcome, finished.result))

    def _request(self, execution: TaskExecution) -> ActionRequest:
        task = self._workflow.tasks[execution.task]
        return ActionRequest(
            task.action, task.input, execution.variables, task.name, execution.number, execution.attempt
        )

    def result(self) -> WorkflowResult:
        conductor, limit_s = self.conductor, self._workflow.max_duration_s
        if self._events:
            self._now_s = limit_s
            conductor.stop(EndedBy.MAX_DURATION, f"not finished after {limit_s:g} s")
        assert conductor.ended_by is not None, "nothing is to come any more, or the time is over"
        return WorkflowResult(
            conductor.status,
            conductor.ended_by,
            conductor.problem,
            tuple(self._finished),
            conductor.decided_by,
            tuple(execution for _, _, execution, _ in sorted(self._events, key=lambda event: event[:2])),
            conductor.unreachable_joins,
            tuple(conductor.warnings),
            self._now_s,
        )
