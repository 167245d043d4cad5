"""How executions end, and how a whole workflow does."""

from __future__ import annotations

from enum import StrEnum

__all__ = ["EndedBy", "TaskOutcome", "WorkflowStatus"]


class TaskOutcome(StrEnum):
    """Of one execution. There is no third: whatever an action has to tell beyond it belongs into its result."""

    SUCCEEDED = "succeeded"
    FAILED = "failed"


class WorkflowStatus(StrEnum):
    RUNNING = "running"
    SUCCEEDED = "succeeded"
    FAILED = "failed"


class EndedBy(StrEnum):
    """What fixed the final status. The first five are those of the recorded traces; the others are limits and mistakes
    the recordings have none of."""

    COMPLETED = "completed"
    UNHANDLED_FAILURE = "unhandled_failure"
    FAIL_COMMAND = "fail_command"
    UNREACHABLE_JOIN = "unreachable_join"
    REJECTED = "rejected"
    EXPRESSION_ERROR = "expression_error"
    MAX_ITERATIONS = "max_iterations"
    MAX_DURATION = "max_duration"
