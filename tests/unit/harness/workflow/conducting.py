"""Helpers that read workflows from text and conduct them with preset outcomes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from harness.workflow.model import Match, Workflow
from harness.workflow.outcome import TaskOutcome
from harness.workflow.reading import workflow_from
from harness.workflow.trace import CompletionOrder, PresetOutcome, WorkflowTrace, trace_workflow

__all__ = ["describe_end", "trace_text", "workflow"]


def workflow(text: str) -> Workflow:
    return workflow_from(Path("story.yaml"), yaml.compose(text, Loader=yaml.SafeLoader))


def trace_text(
    text: str,
    outcomes: dict[str, list[Any]] | None = None,
    discipline: CompletionOrder = "fifo",
    match: Match | None = None,
) -> WorkflowTrace:
    """Trace a workflow. An outcome is `s`, `f`, or one of them with a result: `("s", {"changes": 1})`."""
    answers = {task: [_answer(one) for one in several] for task, several in (outcomes or {}).items()}
    return trace_workflow(workflow(text), answers, discipline, match)


def _answer(outcome: Any) -> PresetOutcome:
    letter, result = outcome if isinstance(outcome, tuple) else (outcome, None)
    return PresetOutcome({"s": TaskOutcome.SUCCEEDED, "f": TaskOutcome.FAILED}[letter], result)


def describe_end(trace: WorkflowTrace) -> str:
    """Return the tasks in the order their executions ended, and how the workflow ended."""
    names = " ".join(execution.task for execution, _ in trace.ended)
    return f"{names}: {trace.conductor.ended_by}"
