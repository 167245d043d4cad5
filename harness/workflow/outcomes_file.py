"""Preset outcomes from a file: a recorded trace, or a mapping of tasks to their outcomes.

An outcome is `"succeeded"` or `"failed"`; if conditions read the result, `{"outcome": "succeeded", "result": ...}`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

from harness.workflow.outcome import TaskOutcome
from harness.workflow.trace import CompletionOrder, PresetOutcome
from shared_nodes.record import record

__all__ = ["KnownOutcomes", "OutcomesError", "read_outcomes"]


class OutcomesError(Exception):
    """The file does not contain outcomes. The message names the file and the key."""


@record
class KnownOutcomes:
    answers: Mapping[str, tuple[PresetOutcome, ...]]
    discipline: CompletionOrder = "fifo"


def read_outcomes(file: Path) -> KnownOutcomes:
    try:
        document = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as problem:
        raise OutcomesError(f"{file}: not JSON that can be read: {problem}") from problem
    if not isinstance(document, dict):
        raise OutcomesError(f"{file}: must be an object: a recorded trace, or tasks with their outcomes")
    if not isinstance(document.get("outcomes"), dict):
        return KnownOutcomes(_read_tasks(file, document))
    discipline = document.get("discipline", "fifo")
    if discipline not in ("fifo", "lifo"):
        raise OutcomesError(f"{file}: discipline: must be fifo or lifo")
    return KnownOutcomes(_read_tasks(file, document["outcomes"]), cast("CompletionOrder", discipline))


def _read_tasks(file: Path, outcomes: Mapping[str, Any]) -> dict[str, tuple[PresetOutcome, ...]]:
    for task, entry in outcomes.items():
        if not isinstance(entry, list):
            raise OutcomesError(f"{file}: {task}: must be a list of outcomes, in the order the executions start")
    return {task: tuple(_read_outcome(file, task, one) for one in entry) for task, entry in outcomes.items()}


def _read_outcome(file: Path, task: str, entry: Any) -> PresetOutcome:
    whole = entry if isinstance(entry, dict) else {"outcome": entry}
    if whole.get("outcome") not in tuple(TaskOutcome) or not whole.keys() <= {"outcome", "result"}:
        raise OutcomesError(
            f'{file}: {task}: an outcome is "succeeded", "failed", or an object with outcome and result'
        )
    return PresetOutcome(TaskOutcome(whole["outcome"]), whole.get("result"))
