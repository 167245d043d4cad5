"""What a task does, as seen from the workflow: a name, an input, and an answer.

The workflow engine knows no configuration, no state and no engine. Whoever runs a story hands in an `Action`, usually
`by_name` of one function an action, and what those did stays with them; the conditions of the story see `result`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final, Protocol

from harness.workflow.outcome import Outcome

__all__ = ["STORY_ACTIONS", "Action", "ActionRequest", "ActionResult", "by_name"]

STORY_ACTIONS: Final = frozenset(
    {
        "validate",
        "plan",
        "apply",
        "destroy",
        "refresh",
        "edit",  # switches to another version of the configuration
        "drift",  # changes the cloud behind the engine's back
        "taint",
        "fault",  # arranges for a provider call to go wrong
        "crash-and-resume",  # kills an apply in the middle, then carries on from what is on disk
        "assert",
    }
)


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


class Action(Protocol):
    """A failure the story may react to is an outcome. Raising is for what no story can answer: a crash."""

    async def __call__(self, request: ActionRequest, /) -> ActionResult: ...


def by_name(actions: Mapping[str, Action]) -> Action:
    """One action out of several. A task without an action succeeds at once."""

    async def perform(request: ActionRequest) -> ActionResult:
        return ActionResult() if request.action is None else await actions[request.action](request)

    return perform
