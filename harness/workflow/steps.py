"""Steps are sugar: a list of actions, one after the other, is a workflow like any other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from harness.workflow.model import Task, Transition, Workflow, WorkflowCommand

__all__ = ["StoryStep", "steps_as_tasks"]


@dataclass(frozen=True, slots=True)
class StoryStep:
    action: str
    input: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))


def steps_as_tasks(steps: Sequence[StoryStep]) -> Workflow:
    """Each step follows the one before it whether that succeeded or failed, and a failure of the last is handled too:
    steps often fail on purpose, and whether they should have is for the comparison of engines to say."""
    names = [f"step-{position}" for position in range(1, len(steps) + 1)]
    followers = [*names[1:], WorkflowCommand.NOOP.value]
    return Workflow(
        {
            name: Task(name, step.action, step.input, transitions=(Transition((follower,)),))
            for name, step, follower in zip(names, steps, followers, strict=False)
        }
    )
