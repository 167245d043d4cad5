"""A workflow as it was written, validated and frozen: tasks are nodes, transitions are edges.

Nothing runs here. `reading` creates these objects from a file, `conductor` decides what runs next, `runner` runs it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from enum import StrEnum
from types import MappingProxyType
from typing import Any, Final, Literal

from harness.workflow.expressions import WorkflowExpression
from shared_nodes.record import record

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
"""Default limit of executions per task: far more than any workflow needs, and few enough to end an endless cycle
soon."""

MAX_DURATION_S: Final = 3_600.0


class WorkflowCommand(StrEnum):
    """Commands that may be used in `do` alongside names of tasks."""

    NOOP = "noop"
    """Do nothing. A failure counts as handled."""

    CONTINUE = "continue"
    """Handle nothing: the meaning of a transition without `do`."""

    FAIL = "fail"
    RETRY = "retry"


COMMANDS: Final = frozenset(command.value for command in WorkflowCommand)


class Match(StrEnum):
    """Which transitions are taken if several match."""

    FIRST = "first"
    """The first one in the order written. Transitions then read like a list of cases that ends with an "else". This is
    the default, although the conductor whose rules are followed otherwise takes all."""

    ALL = "all"


@record
class Retry:
    """Up to `count` further attempts while `when` holds, or after a failure if there is no `when`."""

    count: int
    when: WorkflowExpression | None = None
    delay_s: float = 0.0


@record
class Transition:
    """What follows a task.

    `targets` are as written: a name given twice starts its task once, but counts twice for whether the task is shared.
    `publish` is evaluated in order; each value sees those before it.
    """

    targets: tuple[str, ...]
    when: WorkflowExpression | None = None
    publish: tuple[tuple[str, Any], ...] = ()

    @property
    def tasks(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(target for target in self.targets if target not in COMMANDS))


@record
class Task:
    name: str
    action: str | None = None
    input: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    join: int | Literal["all"] | None = None
    retry: Retry | None = None
    transitions: tuple[Transition, ...] = ()
    max_iterations: int | None = None


@record
class Workflow:
    tasks: Mapping[str, Task]
    start: tuple[str, ...] = ()
    """Names of the entry points. If empty, they are the tasks to which no transition leads."""

    match: Match = Match.FIRST
    variables: tuple[tuple[str, Any], ...] = ()
    max_iterations: int = MAX_ITERATIONS
    max_duration_s: float = MAX_DURATION_S

    def iterations_allowed(self, task: str) -> int:
        own = self.tasks[task].max_iterations
        return self.max_iterations if own is None else own
