"""Workflows from text, and conducted by told outcomes, in as few words as the tests need."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from harness.workflow.model import Match, Workflow
from harness.workflow.outcome import Outcome
from harness.workflow.reading import workflow_from
from harness.workflow.trace import Answer, Discipline, Rehearsal, rehearse

__all__ = ["ended", "rehearsed", "workflow"]


def workflow(text: str) -> Workflow:
    return workflow_from(Path("story.yaml"), yaml.compose(text, Loader=yaml.SafeLoader))


def rehearsed(
    text: str,
    outcomes: dict[str, list[Any]] | None = None,
    discipline: Discipline = "fifo",
    match: Match | None = None,
) -> Rehearsal:
    """An outcome is `s`, `f`, or one of them with a result: `("s", {"changes": 1})`."""
    answers = {task: [_answer(one) for one in told] for task, told in (outcomes or {}).items()}
    return rehearse(workflow(text), answers, discipline, match)


def _answer(told: Any) -> Answer:
    letter, result = told if isinstance(told, tuple) else (told, None)
    return Answer({"s": Outcome.SUCCEEDED, "f": Outcome.FAILED}[letter], result)


def ended(rehearsal: Rehearsal) -> str:
    """The tasks in the order their executions ended, then how the whole did."""
    names = " ".join(execution.task for execution, _ in rehearsal.ended)
    return f"{names}: {rehearsal.conductor.ended_by}"
