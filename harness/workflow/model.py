"""A workflow as it was written, checked and frozen: tasks are nodes, transitions are edges.

Nothing here runs. `conductor` decides what runs next, `runner` runs it, `reading` makes these objects from a file.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Any, Final, Literal

from harness.workflow.expressions import WorkflowExpression

__all__ = [
    "COMMANDS",
    "MAX_DURATION_S",
    "MAX_ITERATIONS",
    "Match",
    "Retry",
    "Task",
    "Transition",
    "Workflow",
    "WorkflowCommand",
]

MAX_ITERATIONS: Final = 1_000
"""Executions of one task, where nothing else is said: far above any story, far below a night's work."""

MAX_DURATION_S: Final = 3_600.0


class WorkflowCommand(StrEnum):
    """What may stand beside task names in `do`."""

    NOOP = "noop"
    """Nothing to do, and that is fine: a failure is handled by it."""

    CONTINUE = "continue"
    """Handles nothing; what a transition without `do` means."""

    FAIL = "fail"
    RETRY = "retry"


COMMANDS: Final = frozenset(command.value for command in WorkflowCommand)


class Match(StrEnum):
    """Which transitions are taken when several match."""

    FIRST = "first"
    """The first in the order written. A story reads like a list of cases, the last one without a condition being the
    "else"; that is why it is ours, although the conductor whose rules we follow otherwise takes all."""

    ALL = "all"


@dataclass(frozen=True, slots=True)
class Retry:
    """`count` attempts more than the first, while `when` holds; without it, after a failure."""

    count: int
    when: WorkflowExpression | None = None
    delay_s: float = 0.0


@dataclass(frozen=True, slots=True)
class Transition:
    """`targets` are as written: a name given twice starts its task once, but counts twice for whether the task is
    shared. `publish` is evaluated in order, each value seeing those before it."""

    targets: tuple[str, ...]
    when: WorkflowExpression | None = None
    publish: tuple[tuple[str, Any], ...] = ()

    @property
    def tasks(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(target for target in self.targets if target not in COMMANDS))


@dataclass(frozen=True, slots=True)
class Task:
    name: str
    action: str | None = None
    input: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    join: int | Literal["all"] | None = None
    retry: Retry | None = None
    transitions: tuple[Transition, ...] = ()
    max_iterations: int | None = None


@dataclass(frozen=True, slots=True)
class Workflow:
    tasks: Mapping[str, Task]
    start: tuple[str, ...] = ()
    """The entry points; where none are named, the tasks that no transition leads to."""

    match: Match = Match.FIRST
    variables: tuple[tuple[str, Any], ...] = ()
    max_iterations: int = MAX_ITERATIONS
    max_duration_s: float = MAX_DURATION_S

    def iterations_allowed(self, task: str) -> int:
        own = self.tasks[task].max_iterations
        return self.max_iterations if own is None else own
