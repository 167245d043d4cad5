"""A workflow conducted with outcomes that are known beforehand, written down as the recordings are.

This is how the conductor is held against the recordings, and how an author tries a story without running anything: one
running execution ends at a time, the oldest (fifo) or the youngest (lifo), and retry delays are skipped.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from harness.workflow.conductor import Conductor, TaskExecution
from harness.workflow.model import Match, Workflow
from harness.workflow.outcome import EndedBy, TaskOutcome
from harness.workflow.reading import WorkflowError

__all__ = ["PresetOutcome", "WorkflowTrace", "rejected_document", "trace_document", "trace_workflow"]

CompletionOrder = Literal["fifo", "lifo"]


@dataclass(frozen=True, slots=True)
class PresetOutcome:
    """How an execution shall end, and what it shall answer."""

    outcome: TaskOutcome
    result: Any = None


@dataclass(slots=True)
class WorkflowTrace:
    conductor: Conductor
    batches: list[tuple[TaskExecution, ...]] = field(default_factory=list)
    batch_after: list[int] = field(default_factory=list)
    """For each batch, how many executions had ended before."""

    ended: list[tuple[TaskExecution, TaskOutcome]] = field(default_factory=list)

    def started(self, batch: tuple[TaskExecution, ...]) -> None:
        if batch:
            self.batches.append(batch)
            self.batch_after.append(len(self.ended))


def trace_workflow(
    workflow: Workflow,
    answers: Mapping[str, Sequence[PresetOutcome]],
    discipline: CompletionOrder = "fifo",
    match: Match | None = None,
) -> WorkflowTrace:
    """`answers` are by task, in the order its executions start; the last one repeats, and a task without any always
    succeeds. Ends always, since no task runs more often than it is allowed to."""
    rehearsal = WorkflowTrace(Conductor(workflow, match))
    batch = rehearsal.conductor.begin()
    running = list(batch)
    rehearsal.started(batch)
    while running:
        execution = running.pop(0 if discipline == "fifo" else -1)
        told = answers.get(execution.task) or (PresetOutcome(TaskOutcome.SUCCEEDED),)
        answer = told[min(execution.number, len(told)) - 1]
        batch = rehearsal.conductor.end(execution, answer.outcome, answer.result)
        rehearsal.ended.append((execution, answer.outcome))
        rehearsal.started(batch)
        running.extend(batch)
    return rehearsal


def trace_document(rehearsal: WorkflowTrace) -> dict[str, Any]:
    """The trace in the recorded form, key for key."""
    conductor = rehearsal.conductor
    executions = [execution for batch in rehearsal.batches for execution in batch]
    return {
        "accepted": True,
        "status": conductor.status.value,
        "ended_by": None if conductor.ended_by is None else conductor.ended_by.value,
        "unhandled_failure": conductor.ended_by is EndedBy.UNHANDLED_FAILURE,
        "decided_after": conductor.decided_after,
        "batches": [[[one.task, one.number] for one in batch] for batch in rehearsal.batches],
        "batch_after": rehearsal.batch_after,
        "executions": [[one.task, one.number, outcome.value] for one, outcome in rehearsal.ended],
        "iterations": dict(sorted(conductor.iterations.items())),
        "commands": [[one.task, one.number, command.value] for one, command in conductor.commands],
        "retries": [[one.task, one.number] for one in executions if one.attempt > 1],
        "unreachable_joins": list(conductor.unreachable_joins),
        "branches": [[one.task, one.number, one.branch] for one in executions],
    }


def rejected_document(error: WorkflowError) -> dict[str, Any]:
    """The same for a workflow that was refused before anything started."""
    return {
        "accepted": False,
        "status": None,
        "ended_by": EndedBy.REJECTED.value,
        "unhandled_failure": False,
        "rejected": [[mistake.reason, mistake.task] for mistake in error.mistakes],
        "batches": [],
        "executions": [],
        "iterations": {},
    }
