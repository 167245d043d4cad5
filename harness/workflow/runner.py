"""Runs a workflow: performs what the conductor says, in virtual time.

Nothing polls and nothing sleeps. What happens next is known at every moment: an execution that is due begins, or one
that has begun ends and the conductor says what follows. All of a batch begin at the same moment, in the conductor's
order; so a story has one course, and a day of waiting costs nothing. An action does its work at once when it begins
and says how long that took: what a real program would see of a long operation while it is under way is not simulated,
since operations of one story share one state, and no two could have it locked.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from heapq import heappop, heappush
from itertools import count
from types import MappingProxyType
from typing import Any, Protocol

from harness.workflow.conductor import Conductor, TaskExecution
from harness.workflow.model import Match, Workflow
from harness.workflow.outcome import EndedBy, TaskOutcome, WorkflowStatus

__all__ = [
    "ActionHandler", "ActionRequest", "ActionResult", "FinishedExecution", "WorkflowResult", "run_workflow"
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class ActionRequest:
    """What a task asks for. `task` and `number` identify the execution within the workflow."""

    action: str | None
    input: Mapping[str, Any]
    variables: Mapping[str, Any]
    task: str
    number: int
    attempt: int


@dataclass(frozen=True, slots=True)
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


@dataclass(frozen=True, slots=True)
class FinishedExecution:
    """An execution that has ended."""

    execution: TaskExecution
    outcome: TaskOutcome
    result: Mapping[str, Any]
    began_s: float
    """Since the beginning of the story, like `ended_s`. The delay of a retry lies before it."""

    ended_s: float


@dataclass(frozen=True, slots=True)
class WorkflowResult:
    status: WorkflowStatus
    ended_by: EndedBy
    problem: str | None
    performances: tuple[FinishedExecution, ...]
    """In the order they ended."""

    decided_by: TaskExecution | None
    """Whose end fixed the status."""

    unfinished: tuple[TaskExecution, ...]
    """Cut off when the time was over."""

    unreachable_joins: tuple[str, ...]
    warnings: tuple[str, ...]
    duration_s: float


def run_workflow(workflow: Workflow, action: ActionHandler, match: Match | None = None) -> WorkflowResult:
    """Raises only what an action raises."""
    run = _WorkflowRun(workflow, action, match)
    run.start(run.conductor.begin())
    while run.has_more:
        run.advance()
    return run.result()


_Moment = tuple[float, int, TaskExecution, FinishedExecution | None]
"""When, the order of what happens at that time, and an execution that begins or, with its performance, ends."""


class _WorkflowRun:
    def __init__(self, workflow: Workflow, action: ActionHandler, match: Match | None) -> None:
        self.conductor = Conductor(workflow, match)
        self._workflow = workflow
        self._action = action
        self._now_s = 0.0
        self._moments: list[_Moment] = []
        self._order = count()
        self._performances: list[FinishedExecution] = []

    @property
    def has_more(self) -> bool:
        """A moment after the last allowed one never comes."""
        return bool(self._moments) and self._moments[0][0] <= self._workflow.max_duration_s

    def start(self, batch: tuple[TaskExecution, ...]) -> None:
        for execution in batch:
            self._expect(self._now_s + execution.delay_s, execution)

    def _expect(self, when_s: float, execution: TaskExecution, performance: FinishedExecution | None = None) -> None:
        heappush(self._moments, (when_s, next(self._order), execution, performance))

    def advance(self) -> None:
        self._now_s, _, execution, performance = heappop(self._moments)
        if performance is None:
            answer: ActionResult = self._action(self._request(execution))
            ended_s = self._now_s + answer.duration_s
            self._expect(
                ended_s, execution, FinishedExecution(execution, answer.outcome, answer.result, self._now_s, ended_s)
            )
            return
        self._performances.append(performance)
        self.start(self.conductor.end(execution, performance.outcome, performance.result))

    def _request(self, execution: TaskExecution) -> ActionRequest:
        task = self._workflow.tasks[execution.task]
        return ActionRequest(
            task.action, task.input, execution.variables, task.name, execution.number, execution.attempt
        )

    def result(self) -> WorkflowResult:
        conductor, limit_s = self.conductor, self._workflow.max_duration_s
        if self._moments:
            self._now_s = limit_s
            conductor.stop(EndedBy.MAX_DURATION, f"not finished after {limit_s:g} s")
        assert conductor.ended_by is not None, "nothing is to come any more, or the time is over"
        return WorkflowResult(
            conductor.status,
            conductor.ended_by,
            conductor.problem,
            tuple(self._performances),
            conductor.decided_by,
            tuple(execution for _, _, execution, _ in sorted(self._moments, key=lambda moment: moment[:2])),
            conductor.unreachable_joins,
            tuple(conductor.warnings),
            self._now_s,
        )
