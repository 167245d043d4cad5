"""What is left to do about a cause: to decide, if it is not documented; to mend; or nothing, and it can be ignored."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from harness.findings.causes import Cause

__all__ = ["Task", "describe_status", "task_of"]

_IGNORED: Final = frozenset({"change", "obsolete", "wording"})
"""Classes of known.yaml with which nothing is to be done: differences on purpose, or without effect."""


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


def describe_status(cause: Cause) -> str:
    """Return `undocumented`, or the class of the entry: `known bug`. It is no name that an engine has."""
    return f"known {cause.category}".strip() if cause.known else "undocumented"
