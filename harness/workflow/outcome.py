"""How executions of tasks and whole workflows end."""

from __future__ import annotations

from enum import StrEnum

__all__ = ["EndedBy", "TaskOutcome", "WorkflowStatus"]


class TaskOutcome(StrEnum):
    """How one execution ended. There is no third outcome: everything else an action reports belongs in its result."""

    SUCCEEDED = "succeeded"
    FAILED = "failed"


class WorkflowStatus(StrEnum):
    RUNNING = "running"
    SUCCEEDED = "succeeded"
    FAILED = "failed"


class EndedBy(StrEnum):
    """What fixed the final status. The first five occur in the recorded traces; the others are limits and errors that
    the recordings do not have."""

    COMPLETED = "completed"
    UNHANDLED_FAILURE = "unhandled_failure"
    FAIL_COMMAND = "fail_command"
    UNREACHABLE_JOIN = "unreachable_join"
    REJECTED = "rejected"
    EXPRESSION_ERROR = "expression_error"
    MAX_ITERATIONS = "max_iterations"
    MAX_DURATION = "max_duration"
