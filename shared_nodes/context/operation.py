"""The operation that a walk belongs to, and the options of a plan."""

from __future__ import annotations

from enum import Enum

from shared_nodes.addresses.resource import AbsResourceInstance
from shared_nodes.record import record

__all__ = ["Operation", "PlanOptions"]


class Operation(Enum):
    """The kind of a walk. `DESTROY` is the apply of a plan made in destroy mode."""

    VALIDATE = "validate"
    PLAN = "plan"
    PLAN_DESTROY = "plan-destroy"
    APPLY = "apply"
    DESTROY = "destroy"
    EVAL = "eval"

    @property
    def is_planning(self) -> bool:
        return self in (Operation.PLAN, Operation.PLAN_DESTROY)

    @property
    def is_applying(self) -> bool:
        return self in (Operation.APPLY, Operation.DESTROY)

    @property
    def is_destroying(self) -> bool:
        """Whether this is a plan in destroy mode, or the apply of one."""
        return self in (Operation.PLAN_DESTROY, Operation.DESTROY)


@record
class PlanOptions:
    refresh: bool = True
    refresh_only: bool = False
    pre_destroy_refresh: bool = False
    """A normal plan made only to refresh before a destroy: failed conditions are warnings, and its changes are
    dropped."""
    force_replace: frozenset[AbsResourceInstance] = frozenset()
