"""The state in memory.

A `State` is changed in place by the walk that owns it; everything below an `InstanceState` is frozen, so objects can be
shared between the several states of a plan. `copy` copies the containers and shares the objects.

An object's attributes stay in the form in which they were stored (JSON, with the schema version they were written for)
until the value is needed and the schema is known: most objects of a large state are never looked at twice.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field
from enum import StrEnum

from shared_nodes.addresses.key import InstanceKey, key_sort
from shared_nodes.addresses.module import ModuleInstance
from shared_nodes.addresses.provider import AbsProviderConfig, ProviderInstance
from shared_nodes.addresses.resource import AbsResource, AbsResourceInstance, ConfigResource
from shared_nodes.providers.contract import FlatAttributes, StoredAttributes
from shared_nodes.record import record
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
    """A placeholder during planning for an object that does not exist yet. Its value is in the planned changes. Never
    saved."""


@record
class InstanceObject:
    """One object: either `value` (of the current schema, sensitive parts marked), or `stored` JSON not yet decoded, or
    `stored_flat`, the texts by dotted name of states before version 4."""

    status: ObjectStatus
    value: Value | None = None
    stored: Tree = None
    stored_version: int = 0
    stored_sensitive: tuple[Path, ...] = ()
    private: bytes = b""
    dependencies: tuple[ConfigResource, ...] = ()
    create_before_destroy: bool = False
    skip_destroy: bool = False
    """The object is only forgotten where it would be destroyed, unless a `removed` block says otherwise."""
    schema_version: int = 0
    stored_flat: Mapping[str, str] | None = None
    stored_identity: Mapping[str, Tree] = field(default_factory=dict)
    """The members of the record that identify the object to its provider, for as long as it is not decoded."""

    identity: Value | None = None
    """What identifies the object to its provider, where the provider and the product know identities."""

    @property
    def stored_attributes(self) -> StoredAttributes:
        """What the provider gets of an object that is not decoded yet."""
        return self.stored if self.stored_flat is None else FlatAttributes(self.stored_flat)


@record(frozen=False)
class InstanceState:
    """The objects of one instance. `provider_key` is the key of the instance of the provider configuration that manages
    them, if that has several."""

    current: InstanceObject | None = None
    deposed: dict[str, InstanceObject] = field(default_factory=dict)
    provider_key: InstanceKey = None

    def copy(self) -> InstanceState:
        return InstanceState(self.current, dict(self.deposed), self.provider_key)


@record(frozen=False)
class ResourceState:
    """The instances of a resource. `revision` grows whenever an instance is set or removed through `State`, so data
    derived from the instances can be checked for validity at once. While an engine walks, instances must be changed
    only through `State`."""

    provider: AbsProviderConfig
    instances: dict[InstanceKey, InstanceState] = field(default_factory=dict)
    revision: int = field(default=0, compare=False, repr=False)

    def copy(self) -> ResourceState:
        return ResourceState(self.provider, {key: instance.copy() for key, instance in self.instances.items()})

    def keys_in_order(self) -> list[InstanceKey]:
        return sorted(self.instances, key=key_sort)


@record
class OutputState:
    value: Value
    sensitive: bool = False
    deprecated: str = ""


@record
class CheckedObject:
    address: str
    status: str
    failures: tuple[str, ...] = ()


@record
class CheckResult:
    """The saved result of one checkable object. `objects` is None if it is unknown which instances there were."""

    kind: str
    address: str
    status: str
    objects: tuple[CheckedObject, ...] | None


@record(frozen=False)
class State:
    """Everything known to exist. `resources` and root `outputs` are saved; `module_outputs` and `locals` exist only
    during a walk.

    `touched` are the instances whose objects were set or removed since it was last cleared: a journal writes these
    instead of the whole state. `emptied` are resources of which an object was removed or became null.
    """

    resources: dict[AbsResource, ResourceState] = field(default_factory=dict)
    outputs: dict[str, OutputState] = field(default_factory=dict)
    check_results: tuple[CheckResult, ...] | None = None
    module_outputs: dict[ModuleInstance, dict[str, OutputState]] = field(default_factory=dict)
    locals: dict[tuple[ModuleInstance, str], Value] = field(default_factory=dict)
    touched: dict[AbsResourceInstance, None] = field(default_factory=dict, compare=False, repr=False)
    emptied: set[AbsResource] = field(default_factory=set, compare=False, repr=False)

    def copy(self) -> State:
        """Return a copy for another walk, with only the parts that are saved."""
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

    def provider_of(self, address: AbsResourceInstance) -> ProviderInstance | None:
        """Return the provider instance that manages the objects of an instance; None if nothing is recorded."""
        resource = self.resources.get(address.containing)
        if resource is None:
            return None
        instance = resource.instances.get(address.key)
        return ProviderInstance(resource.provider, None if instance is None else instance.provider_key)

    def put(self, address: AbsResourceInstance, provider: ProviderInstance, current: InstanceObject | None) -> None:
        """Set or remove the current object; an object whose value is null counts as absent. An instance without objects
        is removed, and with the last instance the record of its resource."""
        self.touched[address] = None
        current = _none_if_null(current)
        resource = self.resources.get(address.containing)
        if current is None:
            self.emptied.add(address.containing)
        if resource is None:
            if current is None:
                return
            resource = self.resources[address.containing] = ResourceState(provider.config)
        resource.revision += 1
        instance = resource.instances.get(address.key)
        if current is not None:
            resource.provider = provider.config
            if instance is None:
                instance = resource.instances[address.key] = InstanceState()
            instance.provider_key = provider.key
            instance.current = current
        else:
            if instance is not None:
                instance.current = None
            self._remove_if_empty(address, resource)

    def put_deposed(
        self, address: AbsResourceInstance, key: str, provider: ProviderInstance, deposed: InstanceObject | None
    ) -> None:
        """Set or remove a deposed object. All objects of an instance have one provider instance: that of the current
        object, if there is one."""
        self.touched[address] = None
        deposed = _none_if_null(deposed)
        resource = self.resources.setdefault(address.containing, ResourceState(provider.config))
        resource.revision += 1
        instance = resource.instances.setdefault(address.key, InstanceState())
        if deposed is not None:
            resource.provider = provider.config
            if instance.current is None:
                instance.provider_key = provider.key
            instance.deposed[key] = deposed
            return
        instance.deposed.pop(key, None)
        self.emptied.add(address.containing)
        self._remove_if_empty(address, resource)

    def forget(self, address: AbsResourceInstance) -> None:
        """Remove the instance with all its objects, including deposed ones."""
        self.touched[address] = None
        resource = self.resources.get(address.containing)
        if resource is not None:
            resource.revision += 1
            resource.instances.pop(address.key, None)
            self._remove_if_empty(address, resource)

    def _remove_if_empty(self, address: AbsResourceInstance, resource: ResourceState) -> None:
        instance = resource.instances.get(address.key)
        if instance is not None and instance.current is None and not instance.deposed:
            del resource.instances[address.key]
        if not resource.instances:
            del self.resources[address.containing]

    def instances(self) -> Iterator[tuple[AbsResourceInstance, InstanceState]]:
        """Yield all instances, in address order."""
        for address in sorted(self.resources, key=lambda resource: resource.sort_key):
            resource = self.resources[address]
            for key in resource.keys_in_order():
                yield address.instance(key), resource.instances[key]

    def remove_empty_resources(self) -> None:
        """Remove records of resources without instances."""
        self.resources = {address: resource for address, resource in self.resources.items() if resource.instances}

    def outputs_of(self, module: ModuleInstance) -> Mapping[str, OutputState]:
        return self.module_outputs.get(module, {}) if module.steps else self.outputs


def _none_if_null(found: InstanceObject | None) -> InstanceObject | None:
    return None if found is None or (found.value is not None and found.value.is_null) else found
