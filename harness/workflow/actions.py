"""What a task does, as seen from the workflow: a name, an input, and an answer.

The workflow engine knows no configuration, no state and no engine. Whoever runs a story hands in an `Action`, and what
that did stays with it; the conditions of the story see `result`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Protocol

from harness.workflow.outcome import Outcome

__all__ = ["Action", "ActionRequest", "ActionResult"]


@dataclass(frozen=True, slots=True)
class ActionRequest:
    """`task` and `number` say which execution it is: together they are unique in a story."""

    action: str | None
    input: Mapping[str, Any]
    variables: Mapping[str, Any]
    task: str
    number: int
    attempt: int


@dataclass(frozen=True, slots=True)
class ActionResult:
    """`result` is plain data, such as JSON could hold."""

    outcome: Outcome = Outcome.SUCCEEDED
    result: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    duration_s: float = 0.0
    """Of virtual time: when the end of the execution is told."""


class Action(Protocol):
    """A failure the story may react to is an outcome. Raising is for what no story can answer: a crash."""

    def __call__(self, request: ActionRequest, /) -> ActionResult: ...
