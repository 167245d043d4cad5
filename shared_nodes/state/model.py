"""The state in memory.

A `State` is changed in place by the walk that owns it; everything below an `InstanceState` is frozen, so objects can be
shared between the several states of a plan. `copy` is shallow in objects and deep in the containers.

An object's attributes are kept in the form they were stored in (JSON, with the schema version they were written for)
until somebody needs the value and has the schema: most objects of a large state are never looked at twice.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from shared_nodes.addresses.key import InstanceKey, key_sort
from shared_nodes.addresses.module import ModuleInstance
from shared_nodes.addresses.provider import AbsProviderConfig
from shared_nodes.addresses.resource import AbsResource, AbsResourceInstance, ConfigResource
from shared_nodes.values.json import Tree
from shared_nodes.values.paths import Path
from shared_nodes.values.value import Value

__all__ = [
    "CheckResult",
    "CheckedObject",
    "InstanceObject",
    "InstanceState",
    "ObjectStatus",
    "OutputState",
    "ResourceState",
    "State",
]


class ObjectStatus(StrEnum):
    READY = "ready"
    TAINTED = "tainted"
    PLANNED = "planned"
    """Not there yet: a place holder while planning. Its value is in the planned changes. Never saved."""


@dataclass(frozen=True, slots=True)
class InstanceObject:
    """One object: `value` (of the current schema, sensitive parts marked), or `stored` JSON not yet decoded; or else
    `stored_flat`, the texts by dotted names of states before version 4, which no provider reads any more."""

    status: ObjectStatus
    value: Value | None = None
    stored: Tree = None
    stored_version: int = 0
    stored_sensitive: tuple[Path, ...] = ()
    private: bytes = b""
    dependencies: tuple[ConfigResource, ...] = ()
    create_before_destroy: bool = False
    schema_version: int = 0
    stored_flat: Mapping[str, str] | None = None


@dataclass(slots=True)
class InstanceState:
    current: InstanceObject | None = None
    deposed: dict[str, InstanceObject] = field(default_factory=dict)

    def copy(self) -> InstanceState:
        return InstanceState(self.current, dict(self.deposed))


@dataclass(slots=True)
class ResourceState:
    """`revision` grows whenever an instance is set or removed through `State`, so whoever derived something from the
    instances can tell at once whether it still holds. Nobody else may change them while an engine walks."""

    provider: AbsProviderConfig
    instances: dict[InstanceKey, InstanceState] = field(default_factory=dict)
    revision: int = field(default=0, compare=False, repr=False)

    def copy(self) -> ResourceState:
        return ResourceState(self.provider, {key: instance.copy() for key, instance in self.instances.items()})

    def keys_in_order(self) -> list[InstanceKey]:
        return sorted(self.instances, key=key_sort)


@dataclass(frozen=True, slots=True)
class OutputState:
    value: Value
    sensitive: bool = False


@dataclass(frozen=True, slots=True)
class CheckedObject:
    address: str
    status: str
    failures: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CheckResult:
    """The saved outcome of one checkable thing. `objects` None: not known which objects there were."""

    kind: str
    address: str
    status: str
    objects: tuple[CheckedObject, ...] | None


@dataclass(slots=True)
class State:
    """`resources` and root `outputs` are saved; `module_outputs` and `locals` live only as long as a walk.

    `touched` are the instances whose objects were set or removed since somebody last emptied it: what a journal writes
    down instead of the whole state. `emptied` are resources of which an object was removed, or came to nothing.
    """

    resources: dict[AbsResource, ResourceState] = field(default_factory=dict)
    outputs: dict[str, OutputState] = field(default_factory=dict)
    check_results: tuple[CheckResult, ...] | None = None
    module_outputs: dict[ModuleInstance, dict[str, OutputState]] = field(default_factory=dict)
    locals: dict[tuple[ModuleInstance, str], Value] = field(default_factory=dict)
    touched: dict[AbsResourceInstance, None] = field(default_factory=dict, compare=False, repr=False)
    emptied: set[AbsResource] = field(default_factory=set, compare=False, repr=False)

    def copy(self) -> State:
        """For another walk: what is not saved stays behind."""
        resources = {address: resource.copy() for address, resource in self.resources.items()}
        return State(resources, dict(self.outputs), self.check_results)

    @property
    def is_empty(self) -> bool:
        return not self.resources and not self.outputs

    def instance(self, address: AbsResourceInstance) -> InstanceState | None:
        resource = self.resources.get(address.containing)
        return None if resource is None else resource.instances.get(address.key)

    def current(self, address: AbsResourceInstance) -> InstanceObject | None:
        instance = self.instance(address)
        return None if instance is None else instance.current

    def put(self, address: AbsResourceInstance, provider: AbsProviderConfig, current: InstanceObject | None) -> None:
        """Set or remove the current object; one whose value is null is none. An instance without any object goes, and
        with the last instance the record of the resource."""
        self.touched[address] = None
        current = _existing(current)
        resource = self.resources.get(address.containing)
        if current is None:
            self.emptied.add(address.containing)
        if resource is None:
            if current is None:
                return
            resource = self.resources[address.containing] = ResourceState(provider)
        resource.revision += 1
        instance = resource.instances.get(address.key)
        if current is not None:
            resource.provider = provider
            if instance is None:
                instance = resource.instances[address.key] = InstanceState()
            instance.current = current
        else:
            if instance is not None:
                instance.current = None
            self._tidy(address, resource)

    def put_deposed(
        self, address: AbsResourceInstance, key: str, provider: AbsProviderConfig, deposed: InstanceObject | None
    ) -> None:
        self.touched[address] = None
        deposed = _existing(deposed)
        resource = self.resources.setdefault(address.containing, ResourceState(provider))
        resource.revision += 1
        instance = resource.instances.setdefault(address.key, InstanceState())
        if deposed is not None:
            resource.provider = provider
            instance.deposed[key] = deposed
            return
        instance.deposed.pop(key, None)
        self.emptied.add(address.containing)
        self._tidy(address, resource)

    def forget(self, address: AbsResourceInstance) -> None:
        """Drop the instance with all its objects, deposed ones included."""
        self.touched[address] = None
        resource = self.resources.get(address.containing)
        if resource is not None:
            resource.revision += 1
            resource.instances.pop(address.key, None)
            self._tidy(address, resource)

    def _tidy(self, address: AbsResourceInstance, resource: ResourceState) -> None:
        instance = resource.instances.get(address.key)
        if instance is not None and instance.current is None and not instance.deposed:
            del resource.instances[address.key]
        if not resource.instances:
            del self.resources[address.containing]

    def instances(self) -> Iterator[tuple[AbsResourceInstance, InstanceState]]:
        """All instances, in the order of addresses."""
        for address in sorted(self.resources, key=lambda resource: resource.sort_key):
            resource = self.resources[address]
            for key in resource.keys_in_order():
                yield address.instance(key), resource.instances[key]

    def remove_husks(self) -> None:
        """Drop records of resources without instances."""
        self.resources = {address: resource for address, resource in self.resources.items() if resource.instances}

    def outputs_of(self, module: ModuleInstance) -> Mapping[str, OutputState]:
        return self.module_outputs.get(module, {}) if module.steps else self.outputs


def _existing(found: InstanceObject | None) -> InstanceObject | None:
    return None if found is None or (found.value is not None and found.value.is_null) else found
