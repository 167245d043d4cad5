"""What is left to do about a cause: to decide, if it is not documented; to mend; or nothing, and it can be ignored."""

from __future__ import annotations

from collections import Counter
from enum import StrEnum
from typing import Final

from harness.findings.causes import Cause
from harness.findings.run import Run

__all__ = ["Task", "causes_sentence", "describe_class", "describe_status", "task_of"]

_IGNORED: Final = frozenset({"change", "obsolete", "wording"})
"""Classes of known.yaml with which nothing is to be done: differences on purpose, or without effect."""


_CLASSES: Final = {"missing": "missing feature", "obsolete": "obsolete behaviour"}
"""Classes of which the name alone is no noun."""


class Task(StrEnum):
    """The values are published."""

    DECIDE = "decide"
    """No entry of known.yaml says what is to become of it."""

    MEND = "mend"
    """It is documented as wrong or missing."""

    IGNORE = "ignore"

    @property
    def description(self) -> str:
        return {
            Task.DECIDE: "undocumented",
            Task.MEND: "to be mended",
            Task.IGNORE: "can be ignored",
        }[self]


def task_of(cause: Cause) -> Task:
    if not cause.known:
        return Task.DECIDE
    return Task.IGNORE if cause.category in _IGNORED and cause.example.is_accepted else Task.MEND


def causes_sentence(run: Run) -> str:
    """Return how many causes there are, and what is left to do about them, without a full stop; empty if there
    are none."""
    if not run.causes:
        return ""
    tasks = Counter(map(task_of, run.causes))
    count = "1 cause" if len(run.causes) == 1 else f"{len(run.causes):,} causes"
    if tasks[Task.DECIDE] == len(run.causes):
        return f"{count}, {'all ' if len(run.causes) > 1 else ''}undocumented"
    return f"{count}: {', '.join(f'{tasks[task]:,} {task.description}' for task in Task if tasks[task])}"


def describe_status(cause: Cause) -> str:
    """Return `undocumented`, or the class of the entry: `known bug`. It is no name that an engine has."""
    return describe_class(cause.category) if cause.known else "undocumented"


def describe_class(category: str) -> str:
    return f"known {_CLASSES.get(category, category)}".strip()
