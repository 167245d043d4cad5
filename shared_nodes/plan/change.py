"""Planned changes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from enum import StrEnum
from types import MappingProxyType

from shared_nodes.addresses.key import InstanceKey
from shared_nodes.addresses.module import ModuleInstance
from shared_nodes.addresses.provider import ProviderInstance, ProviderSource
from shared_nodes.addresses.resource import AbsResource, AbsResourceInstance, Resource
from shared_nodes.plan.importing import ImportKey
from shared_nodes.record import record
from shared_nodes.values.paths import Path
from shared_nodes.values.stored import stored
from shared_nodes.values.value import Value

__all__ = [
    "Action",
    "ActionReason",
    "Changes",
    "DeferralReason",
    "DeferredChange",
    "OutputChange",
    "ResourceChange",
    "ResourceChanges",
]


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

    # The following apply only to ephemeral resources, which are never planned, only reported in events.
    OPEN = "open"
    RENEW = "renew"
    CLOSE = "close"

    @property
    def is_replace(self) -> bool:
        """Whether the old object is destroyed and a new one created. One that is forgotten does not count."""
        return self in (Action.DELETE_THEN_CREATE, Action.CREATE_THEN_DELETE)

    @property
    def creates(self) -> bool:
        """Whether there will be a new object."""
        return self in (Action.CREATE, Action.FORGET_THEN_CREATE) or self.is_replace

    @property
    def steps(self) -> list[str]:
        """Return the published form: `["delete", "create"]`."""
        if self is Action.NO_OP:
            return ["no-op"]
        return self.value.split("-")


class ActionReason(StrEnum):
    """The reason for an action, in the published words."""

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
    FORGOT_BY_CONFIG = "forgot_because_lifecycle_destroy_in_config"
    FORGOT_BY_STATE = "forgot_because_lifecycle_destroy_in_state"
    READ_CONFIG_UNKNOWN = "read_because_config_unknown"
    READ_DEPENDENCY_PENDING = "read_because_dependency_pending"
    READ_CHECK_NESTED = "read_because_check_nested"


@record
class ResourceChange:
    """A change of one object. Values have the schema's type and carry marks; they are null if there is no object."""

    address: AbsResourceInstance
    previous_address: AbsResourceInstance
    """The object's address in the last run, which is different only if it was moved."""

    provider: ProviderInstance
    action: Action
    before: Value
    after: Value
    reason: ActionReason = ActionReason.NONE
    deposed: str | None = None
    replace_paths: tuple[Path, ...] = ()
    private: bytes = b""
    importing: ImportKey | None = None
    """What was given to import, if the object is imported."""

    before_identity: Value | None = None
    after_identity: Value | None = None
    """What identifies the object to its provider before and after, where there are identities."""


class DeferralReason(StrEnum):
    """Why nothing is planned, in the published words."""

    INSTANCES_UNKNOWN = "instance_count_unknown"
    PREREQUISITE = "deferred_prereq"


@record
class DeferredChange:
    """Something that would have been planned if enough had been known. `address` is text: if the instances are unknown,
    it contains `[*]` as a key, which no address object can express."""

    address: str
    resource: Resource
    provider: ProviderSource
    reason: DeferralReason


@record
class OutputChange:
    module: ModuleInstance
    name: str
    action: Action
    before: Value
    after: Value
    sensitive: bool = False


@record(frozen=False)
class ResourceChanges:
    """Changes of the objects of one resource, by instance key and, for deposed objects, deposed key. `revision` grows
    whenever a change is recorded or discarded, so data derived from them can be checked for validity at once."""

    objects: dict[tuple[InstanceKey, str | None], ResourceChange] = field(default_factory=dict)
    revision: int = 0


@record(frozen=False)
class Changes:
    """All changes of one plan, by address. Filled while planning; apply removes resource changes once they are done.

    `resources` is read-only: `record` and `discard` are the only writers, because they also maintain the changes of
    each resource. Expressions look these up constantly, and must never see an outdated result.
    """

    resources: Mapping[tuple[AbsResourceInstance, str | None], ResourceChange] = field(default_factory=dict)
    outputs: dict[tuple[ModuleInstance, str], OutputChange] = field(default_factory=dict)
    _all: dict[tuple[AbsResourceInstance, str | None], ResourceChange] = field(init=False, repr=False, compare=False)
    _of_resource: dict[AbsResource, ResourceChanges] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    def __post_init__(self) -> None:
        given = self.resources
        self._all = {}
        self.resources = MappingProxyType(self._all)
        for change in given.values():
            self.record(change)

    def copy(self) -> Changes:
        return Changes(self.resources, dict(self.outputs))

    def as_stored(self) -> Changes:
        """Return the changes as a plan has them, saved or not: with numbers that were stored once."""
        outputs = {
            key: replace(change, before=stored(change.before), after=stored(change.after))
            for key, change in self.outputs.items()
        }
        resources = {
            key: replace(change, before=stored(change.before), after=stored(change.after))
            for key, change in self.resources.items()
        }
        return Changes(resources, outputs)

    def record(self, change: ResourceChange) -> None:
        self._all[change.address, change.deposed] = change
        resource = change.address.containing
        changes = self._of_resource.get(resource)
        if changes is None:
            changes = self._of_resource[resource] = ResourceChanges()
        changes.objects[change.address.key, change.deposed] = change
        changes.revision += 1

    def discard(self, address: AbsResourceInstance) -> None:
        """Remove the change of the current object, if there is one."""
        if self._all.pop((address, None), None) is not None:
            changes = self._of_resource[address.containing]
            del changes.objects[address.key, None]
            changes.revision += 1

    def of(self, address: AbsResourceInstance, deposed: str | None = None) -> ResourceChange | None:
        return self._all.get((address, deposed))

    def of_resource(self, address: AbsResource) -> ResourceChanges | None:
        """Return the changes of a resource; None if none was ever recorded."""
        return self._of_resource.get(address)

    def in_order(self, only: Action | None = None) -> list[ResourceChange]:
        """Return changes sorted by address, the current object before deposed ones; with `only`, just those with that
        action."""
        found = [change for change in self._all.values() if only is None or change.action is only]
        return sorted(found, key=lambda change: (change.address.sort_key, change.deposed or ""))
