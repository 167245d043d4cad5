"""Conducts a workflow with preset outcomes and writes the trace in the form of the recordings.

This serves to compare the conductor with the recordings, and lets an author try out a workflow without running
anything. One running execution ends at a time, the oldest (fifo) or the youngest (lifo), and delays of retries are
skipped.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Any, Literal

from harness.workflow.conductor import Conductor, TaskExecution
from harness.workflow.model import Match, Workflow
from harness.workflow.outcome import EndedBy, TaskOutcome
from harness.workflow.reading import WorkflowError
from shared_nodes.record import record

__all__ = ["PresetOutcome", "WorkflowTrace", "rejected_document", "trace_document", "trace_workflow"]

CompletionOrder = Literal["fifo", "lifo"]


@record
class PresetOutcome:
    """How an execution ends, and with which result."""

    outcome: TaskOutcome
    result: Any = None


@record(frozen=False)
class WorkflowTrace:
    conductor: Conductor
    batches: list[tuple[TaskExecution, ...]] = field(default_factory=list)
    batch_after: list[int] = field(default_factory=list)
    """Per batch, the number of executions that had ended before it."""

    ended: list[tuple[TaskExecution, TaskOutcome]] = field(default_factory=list)

    def add_batch(self, batch: tuple[TaskExecution, ...]) -> None:
        if batch:
            self.batches.append(batch)
            self.batch_after.append(len(self.ended))


def trace_workflow(
    workflow: Workflow,
    answers: Mapping[str, Sequence[PresetOutcome]],
    discipline: CompletionOrder = "fifo",
    match: Match | None = None,
) -> WorkflowTrace:
    """Conduct a workflow with preset outcomes.

    `answers` has the outcomes of each task in the order its executions start. The last one repeats, and a task without
    any always succeeds. This always terminates, because the number of executions of a task is limited.
    """
    trace = WorkflowTrace(Conductor(workflow, match))
    batch = trace.conductor.begin()
    running = list(batch)
    trace.add_batch(batch)
    while running:
        execution = running.pop(0 if discipline == "fifo" else -1)
        outcomes = answers.get(execution.task) or (PresetOutcome(TaskOutcome.SUCCEEDED),)
        answer = outcomes[min(execution.number, len(outcomes)) - 1]
        batch = trace.conductor.end(execution, answer.outcome, answer.result)
        trace.ended.append((execution, answer.outcome))
        trace.add_batch(batch)
        running.extend(batch)
    return trace


def trace_document(trace: WorkflowTrace) -> dict[str, Any]:
    """Return the trace in the recorded form, key for key."""
    conductor = trace.conductor
    executions = [execution for batch in trace.batches for execution in batch]
    return {
        "accepted": True,
        "status": conductor.status.value,
        "ended_by": None if conductor.ended_by is None else conductor.ended_by.value,
        "unhandled_failure": conductor.ended_by is EndedBy.UNHANDLED_FAILURE,
        "decided_after": conductor.decided_after,
        "batches": [[[one.task, one.number] for one in batch] for batch in trace.batches],
        "batch_after": trace.batch_after,
        "executions": [[one.task, one.number, outcome.value] for one, outcome in trace.ended],
        "iterations": dict(sorted(conductor.iterations.items())),
        "commands": [[one.task, one.number, command.value] for one, command in conductor.commands],
        "retries": [[one.task, one.number] for one in executions if one.attempt > 1],
        "unreachable_joins": list(conductor.unreachable_joins),
        "branches": [[one.task, one.number, one.branch] for one in executions],
    }


def rejected_document(error: WorkflowError) -> dict[str, Any]:
    """Return the trace of a workflow that was rejected before anything started."""
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
