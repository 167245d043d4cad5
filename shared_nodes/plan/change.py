"""Planned changes."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from shared_nodes.addresses.module import ModuleInstance
from shared_nodes.addresses.provider import AbsProviderConfig
from shared_nodes.addresses.resource import AbsResourceInstance
from shared_nodes.values.paths import Path
from shared_nodes.values.value import Value

__all__ = ["Action", "ActionReason", "Changes", "OutputChange", "ResourceChange"]


class Action(StrEnum):
    NO_OP = "no-op"
    CREATE = "create"
    READ = "read"
    UPDATE = "update"
    DELETE = "delete"
    DELETE_THEN_CREATE = "delete-create"
    CREATE_THEN_DELETE = "create-delete"
    FORGET = "forget"
    FORGET_THEN_CREATE = "forget-create"

    @property
    def is_replace(self) -> bool:
        return self in (Action.DELETE_THEN_CREATE, Action.CREATE_THEN_DELETE, Action.FORGET_THEN_CREATE)

    @property
    def steps(self) -> list[str]:
        """The published form: `["delete", "create"]`."""
        if self is Action.NO_OP:
            return ["no-op"]
        return self.value.split("-")


class ActionReason(StrEnum):
    """Why this action, in the published words."""

    NONE = ""
    REPLACE_CANNOT_UPDATE = "replace_because_cannot_update"
    REPLACE_TAINTED = "replace_because_tainted"
    REPLACE_BY_REQUEST = "replace_by_request"
    REPLACE_BY_TRIGGERS = "replace_by_triggers"
    DELETE_NO_RESOURCE_CONFIG = "delete_because_no_resource_config"
    DELETE_WRONG_REPETITION = "delete_because_wrong_repetition"
    DELETE_COUNT_INDEX = "delete_because_count_index"
    DELETE_EACH_KEY = "delete_because_each_key"
    DELETE_ENABLED_FALSE = "delete_because_enabled_false"
    DELETE_NO_MODULE = "delete_because_no_module"
    DELETE_NO_MOVE_TARGET = "delete_because_no_move_target"
    READ_CONFIG_UNKNOWN = "read_because_config_unknown"
    READ_DEPENDENCY_PENDING = "read_because_dependency_pending"
    READ_CHECK_NESTED = "read_because_check_nested"


@dataclass(frozen=True, slots=True)
class ResourceChange:
    """A change of one object. Values are of the schema's type, with marks; null where there is nothing."""

    address: AbsResourceInstance
    previous_address: AbsResourceInstance
    """Where the object was in the last run: another address if it was moved, else the same."""

    provider: AbsProviderConfig
    action: Action
    before: Value
    after: Value
    reason: ActionReason = ActionReason.NONE
    deposed: str | None = None
    replace_paths: tuple[Path, ...] = ()
    private: bytes = b""
    importing: str | None = None
    """The identifier given to import, where the object comes from an import."""


@dataclass(frozen=True, slots=True)
class OutputChange:
    module: ModuleInstance
    name: str
    action: Action
    before: Value
    after: Value
    sensitive: bool = False


@dataclass(slots=True)
class Changes:
    """All changes of one plan, by what they concern. Filled while planning; apply takes resource changes out again
    once they are done."""

    resources: dict[tuple[AbsResourceInstance, str | None], ResourceChange] = field(default_factory=dict)
    outputs: dict[tuple[ModuleInstance, str], OutputChange] = field(default_factory=dict)

    def record(self, change: ResourceChange) -> None:
        self.resources[change.address, change.deposed] = change

    def of(self, address: AbsResourceInstance, deposed: str | None = None) -> ResourceChange | None:
        return self.resources.get((address, deposed))

    def in_order(self) -> list[ResourceChange]:
        """By address, the current object before deposed ones."""
        return sorted(self.resources.values(), key=lambda change: (change.address.sort_key, change.deposed or ""))
