"""Decides what runs next, given how executions ended: the state machine behind every workflow.

It is pure: it does not run, wait or look at a clock. Call `begin`, start the returned executions, and call `end` for
each execution that has ended, in any order. Each call returns the batch to start now; the workflow is finished when
nothing is running and the batch is empty. So one conductor serves preset outcomes (`trace`) and actions (`runner`).

The rules are those recorded in corpus/conformance/workflows/README.md; numbers below refer to it. If two executions of
one task overlap on one branch, the recorded conductor loses one of them; here each is a run of its own. One quirk is
kept: arrivals at a join while the joined task is running, too few to open it again, are forgotten when it ends.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import field
from typing import Any, Final

from harness.workflow.expressions import ExpressionError, WorkflowExpression, WorkflowScope
from harness.workflow.graph import analyse_workflow
from harness.workflow.model import COMMANDS, Match, Retry, Task, Transition, Workflow, WorkflowCommand
from harness.workflow.outcome import EndedBy, TaskOutcome, WorkflowStatus
from shared_nodes.record import record

__all__ = ["Conductor", "TaskExecution"]

_COMMAND_RETRIES: Final = 3


@record
class TaskExecution:
    """One attempt of one run of a task. `number` counts the executions of the task over all runs and branches."""

    task: str
    number: int
    branch: int
    attempt: int
    variables: Mapping[str, Any] = field(compare=False)
    delay_s: float = 0.0
    """Time to wait before a retry. The conductor itself has no clock."""


@record(frozen=False, eq=False)
class _Run:
    """A task from its start to the end of its last attempt."""

    task: Task
    branch: int
    published: Mapping[str, Any]
    """Variables published by the transitions that led here, without those of the workflow: where paths join, a variable
    published on one of them must not be reset by another that did not publish it."""

    attempts: int = 0
    reached: frozenset[str] = frozenset()
    """Tasks named by the transitions that were taken at the end."""


class Conductor:
    """A workflow in progress."""

    def __init__(self, workflow: Workflow, match: Match | None = None) -> None:
        self.status = WorkflowStatus.RUNNING
        self.ended_by: EndedBy | None = None
        self.decided_after: int | None = None
        self.decided_by: TaskExecution | None = None
        """The execution that fixed the status; None if it was fixed from outside or before anything ran."""

        self.unreachable_joins: tuple[str, ...] = ()
        self.iterations: dict[str, int] = {}
        self.commands: list[tuple[TaskExecution, WorkflowCommand]] = []
        """Commands, each with the execution that reached it."""

        self.problem: str | None = None
        """Details of the reason, if `ended_by` does not express all of it."""

        self.warnings: dict[str, None] = {}
        """Warnings in the order they were found, each once."""

        self._workflow = workflow
        self._match = workflow.match if match is None else match
        self._graph = analyse_workflow(workflow)
        self._branches = 0
        self._ended = 0
        self._ending: TaskExecution | None = None
        self._running: dict[TaskExecution, _Run] = {}
        self._latest: dict[tuple[str, int], _Run] = {}
        self._variables: Mapping[str, Any] = {}
        self._waiting: dict[tuple[str, int], Mapping[str, Any]] = {}
        """Joins that were reached and have not run since, by task and branch, with the variables published on the
        paths."""

    def begin(self) -> tuple[TaskExecution, ...]:
        try:
            self._variables = _evaluate(self._workflow.variables, WorkflowScope(None, None, {}))
        except ExpressionError as problem:
            self._decide(EndedBy.EXPRESSION_ERROR, f"vars: {problem}")
            return ()
        tasks = (self._workflow.tasks[name] for name in self._graph.entry_points)
        return self._advance([_Run(task, 0, {}) for task in tasks])

    def end(self, execution: TaskExecution, outcome: TaskOutcome, result: Any = None) -> tuple[TaskExecution, ...]:
        """Record the end of an execution and return what to start now.

        Executions that are running when the workflow fails are allowed to end (10), so this is also called after a
        failure; an execution that reaches `fail` still starts the tasks it names (12).
        """
        run = self._running.pop(execution)
        self._ending = execution
        self._waiting.pop((run.task.name, run.branch), None)
        self._ended += 1
        try:
            batch = self._continue(run, execution, WorkflowScope(outcome, result, execution.variables))
        except ExpressionError as problem:
            self._decide(EndedBy.EXPRESSION_ERROR, f"{execution.task}: {problem}")
            batch = []
        return self._advance(batch)

    def stop(self, reason: EndedBy, problem: str) -> None:
        """Fail the workflow for an external reason; nothing new starts."""
        self._ending = None
        self._decide(reason, problem)

    def _decide(self, ended_by: EndedBy, problem: str | None = None) -> None:
        """Fix the status. Only the first decision counts."""
        if self.status is not WorkflowStatus.RUNNING:
            return
        self.status = WorkflowStatus.SUCCEEDED if ended_by is EndedBy.COMPLETED else WorkflowStatus.FAILED
        self.ended_by = ended_by
        self.decided_after = self._ended
        self.decided_by = self._ending
        self.problem = problem

    def _advance(self, runs: Iterable[_Run]) -> tuple[TaskExecution, ...]:
        started = self._start(runs)
        if not self._running and self.status is WorkflowStatus.RUNNING:
            self._finish()
        return started

    def _finish(self) -> None:
        self.unreachable_joins = tuple(sorted({name for name, _ in self._waiting}))
        self._decide(EndedBy.UNREACHABLE_JOIN if self.unreachable_joins else EndedBy.COMPLETED)

    def _continue(self, run: _Run, execution: TaskExecution, scope: WorkflowScope) -> list[_Run]:
        if self.status is WorkflowStatus.RUNNING and self._is_repeated(run, scope):
            return [run]
        taken = self._select_transitions(run.task, scope)
        run.reached = frozenset(name for transition in taken for name in transition.tasks)
        runs = self._start_arrivals(run, taken, scope)
        commands = {
            WorkflowCommand(target) for transition in taken for target in transition.targets if target in COMMANDS
        }
        reached = sorted(commands - {WorkflowCommand.RETRY})
        self.commands.extend((execution, command) for command in reached)
        if WorkflowCommand.FAIL in commands:
            self._decide(EndedBy.FAIL_COMMAND, f"{run.task.name} led to fail")
            return runs
        if scope.outcome is TaskOutcome.FAILED and not run.reached and WorkflowCommand.NOOP not in commands:
            self._decide(EndedBy.UNHANDLED_FAILURE, f"{run.task.name} failed, and no transition handles it")
        return runs if self.status is WorkflowStatus.RUNNING else []

    def _is_repeated(self, run: _Run, scope: WorkflowScope) -> bool:
        """Return whether another attempt follows.

        The command `retry` in a transition replaces the retry of the task (26); if several transitions have it, the
        last one counts. Without it no transition is evaluated: its condition may need a result that only a later
        attempt will have.
        """
        retrying = [transition for transition in run.task.transitions if WorkflowCommand.RETRY in transition.targets]
        if retrying:
            return run.attempts <= _COMMAND_RETRIES and retrying[-1] in self._select_transitions(run.task, scope)
        retry = run.task.retry
        return retry is not None and run.attempts <= retry.count and _wants_retry(retry, scope)

    def _select_transitions(self, task: Task, scope: WorkflowScope) -> list[Transition]:
        if self._match is Match.ALL:
            return [transition for transition in task.transitions if _matches(transition.when, scope)]
        for position, transition in enumerate(task.transitions):
            if _matches(transition.when, scope):
                self._warn_of_others(task, position, scope)
                return [transition]
        return []

    def _warn_of_others(self, task: Task, position: int, scope: WorkflowScope) -> None:
        for later, transition in enumerate(task.transitions[position + 1 :], position + 2):
            try:
                matches = _matches(transition.when, scope)
            except ExpressionError:
                continue
            if matches:
                warning = f"task {task.name}: transition {later} matched too and was passed over for {position + 1}"
                self.warnings[warning] = None

    def _start_arrivals(self, origin: _Run, taken: Iterable[Transition], scope: WorkflowScope) -> list[_Run]:
        """Return the runs that can start now.

        Tasks are visited in alphabetical order, so that branches are numbered in the order they start. A join is
        checked on every arrival (15), and waits from the first one until it runs (14).
        """
        arrivals = [(name, transition) for transition in taken for name in transition.tasks]
        runs: dict[tuple[str, int], _Run] = {}
        for name, transition in sorted(arrivals, key=lambda arrival: arrival[0]):
            if name in self._graph.shared:
                self._branches += 1
            place = (name, self._branches if name in self._graph.shared else origin.branch)
            held = runs[place].published if place in runs else self._waiting.get(place, {})
            published = {**held, **origin.published, **_evaluate(transition.publish, scope)}
            task = self._workflow.tasks[name]
            if task.join is None or self._is_open(task, origin.branch):
                runs[place] = _Run(task, place[1], published)
            if task.join is not None:
                self._waiting[place] = published
        return list(runs.values())

    def _is_open(self, task: Task, branch: int) -> bool:
        """Return whether enough predecessors have arrived.

        Tasks are counted, not transitions or executions (13), each by its latest run on the branch (16).
        """
        predecessors = self._graph.predecessors[task.name]
        arrived = sum(
            1 for name in predecessors if (run := self._latest.get((name, branch))) and task.name in run.reached
        )
        return arrived >= (len(predecessors) if task.join == "all" else int(task.join or 1))

    def _start(self, runs: Iterable[_Run]) -> tuple[TaskExecution, ...]:
        ordered = sorted(runs, key=lambda run: (run.task.name, run.branch))
        exhausted = self._find_exhausted(ordered)
        if exhausted is not None:
            limit = self._workflow.iterations_allowed(exhausted)
            self._decide(EndedBy.MAX_ITERATIONS, f"{exhausted} was to run more than {limit} times")
            return ()
        return tuple(self._start_run(run) for run in ordered)

    def _find_exhausted(self, runs: Iterable[_Run]) -> str | None:
        for name, more in Counter(run.task.name for run in runs).items():
            if self.iterations.get(name, 0) + more > self._workflow.iterations_allowed(name):
                return name
        return None

    def _start_run(self, run: _Run) -> TaskExecution:
        name = run.task.name
        run.attempts += 1
        self.iterations[name] = self.iterations.get(name, 0) + 1
        place = (name, run.branch)
        self._latest[place] = run
        self._waiting.pop(place, None)
        variables = {**self._variables, **run.published}
        delay_s = run.task.retry.delay_s if run.attempts > 1 and run.task.retry is not None else 0.0
        execution = TaskExecution(name, self.iterations[name], run.branch, run.attempts, variables, delay_s)
        self._running[execution] = run
        return execution


def _wants_retry(retry: Retry, scope: WorkflowScope) -> bool:
    return scope.outcome is TaskOutcome.FAILED if retry.when is None else retry.when.holds(scope)


def _matches(when: WorkflowExpression | None, scope: WorkflowScope) -> bool:
    return when is None or when.holds(scope)


def _evaluate(assignments: Iterable[tuple[str, Any]], scope: WorkflowScope) -> dict[str, Any]:
    """Evaluate assignments in order; each value sees the results of those before it."""
    values: dict[str, Any] = {}
    for name, value in assignments:
        seen = WorkflowScope(scope.outcome, scope.result, {**scope.variables, **values})
        values[name] = value.value(seen) if isinstance(value, WorkflowExpression) else value
    return values
