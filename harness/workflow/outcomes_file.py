"""Outcomes known beforehand, from a file: a recorded trace, or just a mapping of tasks to their outcomes.

An outcome is `"succeeded"` or `"failed"`; where conditions read the result, `{"outcome": "succeeded", "result": ...}`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from harness.workflow.outcome import TaskOutcome
from harness.workflow.trace import CompletionOrder, PresetOutcome

__all__ = ["KnownOutcomes", "OutcomesError", "read_outcomes"]


class OutcomesError(Exception):
    """The file does not tell outcomes. The message names file and key."""


@dataclass(frozen=True, slots=True)
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
        return KnownOutcomes(_answers(file, document))
    discipline = document.get("discipline", "fifo")
    if discipline not in ("fifo", "lifo"):
        raise OutcomesError(f"{file}: discipline: must be fifo or lifo")
    return KnownOutcomes(_answers(file, document["outcomes"]), cast("CompletionOrder", discipline))


def _answers(file: Path, outcomes: Mapping[str, Any]) -> dict[str, tuple[PresetOutcome, ...]]:
    for task, told in outcomes.items():
        if not isinstance(told, list):
            raise OutcomesError(f"{file}: {task}: must be a list of outcomes, in the order the executions start")
    return {task: tuple(_answer(file, task, one) for one in told) for task, told in outcomes.items()}


def _answer(file: Path, task: str, told: Any) -> PresetOutcome:
    whole = told if isinstance(told, dict) else {"outcome": told}
    if whole.get("outcome") not in tuple(TaskOutcome) or not whole.keys() <= {"outcome", "result"}:
        raise OutcomesError(
            f'{file}: {task}: an outcome is "succeeded", "failed", or an object with outcome and result'
        )
    return PresetOutcome(TaskOutcome(whole["outcome"]), whole.get("result"))
