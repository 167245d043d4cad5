"""The instances of module calls, and of resources in them.

The node that evaluates `count`, `for_each` or `enabled` registers a repetition once, from the root down; all others
read it. Reading a repetition that was not registered is a bug in the engine, not in a configuration.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field

from shared_nodes.addresses.key import InstanceKey
from shared_nodes.addresses.module import ROOT_INSTANCE, ModuleInstance, ModulePath
from shared_nodes.addresses.resource import AbsResource, AbsResourceInstance, ConfigResource
from shared_nodes.record import record
from shared_nodes.values.value import Value, integer, string

__all__ = ["InstanceExpander", "Repetition"]


@record
class Repetition:
    """The keys of the instances of one block, in order. `each` holds the values of `for_each`. `kind` is None for a
    block without repetition, whose only key is None."""

    kind: str | None
    keys: Sequence[InstanceKey]
    each: Mapping[str, Value] = field(default_factory=dict)

    @staticmethod
    def single() -> Repetition:
        return Repetition(None, (None,))

    @staticmethod
    def enabled(is_enabled: bool) -> Repetition:
        """Return the repetition of a block with `enabled`: one instance without a key, or none."""
        return Repetition("enabled", (None,) if is_enabled else ())

    @staticmethod
    def count(number: int) -> Repetition:
        return Repetition("count", range(number))

    @staticmethod
    def for_each(values: Mapping[str, Value]) -> Repetition:
        return Repetition("for_each", sorted(values), values)

    def data(self, key: InstanceKey) -> Mapping[str, Mapping[str, Value]]:
        """Return what expressions of the instance with this key see as `count` or `each`."""
        if self.kind == "count" and isinstance(key, int):
            return {"count": {"index": integer(key)}}
        if self.kind == "for_each" and isinstance(key, str):
            return {"each": {"key": string(key), "value": self.each[key]}}
        return {}


class InstanceExpander:
    __slots__ = ("_calls", "_resources")

    def __init__(self) -> None:
        self._calls: dict[tuple[ModuleInstance, str], Repetition] = {}
        self._resources: dict[AbsResource, Repetition] = {}

    def register_call(self, parent: ModuleInstance, name: str, repetition: Repetition) -> None:
        self._calls[parent, name] = repetition

    def register_resource(self, address: AbsResource, repetition: Repetition) -> None:
        self._resources[address] = repetition

    def call(self, parent: ModuleInstance, name: str) -> Repetition:
        return self._calls[parent, name]

    def resource(self, address: AbsResource) -> Repetition:
        return self._resources[address]

    def known_resource(self, address: AbsResource) -> Repetition | None:
        return self._resources.get(address)

    def modules(self, path: ModulePath) -> list[ModuleInstance]:
        """Return all instances of a module, ordered by the instances of its parents. Every call on the path must be
        registered."""
        instances = [ROOT_INSTANCE]
        for name in path.names:
            instances = [parent.child(name, key) for parent in instances for key in self._calls[parent, name].keys]
        return instances

    def known_modules(self, path: ModulePath) -> list[ModuleInstance]:
        """Like `modules`, but a call that was never expanded, because of an error or of targeting, has no instances."""
        instances = [ROOT_INSTANCE]
        for name in path.names:
            instances = [
                parent.child(name, key)
                for parent in instances
                if (parent, name) in self._calls
                for key in self._calls[parent, name].keys
            ]
        return instances

    def has_module(self, instance: ModuleInstance) -> bool:
        """Whether this exact instance exists."""
        parent = ROOT_INSTANCE
        for step in instance.steps:
            repetition = self._calls.get((parent, step.name))
            if repetition is None or step.key not in repetition.keys:
                return False
            parent = parent.child(step.name, step.key)
        return True

    def has_call(self, parent: ModuleInstance, name: str) -> bool:
        """Whether an existing module instance contains this call, even if the call has no instances."""
        return self.has_module(parent) and (parent, name) in self._calls

    def has_instance(self, address: AbsResourceInstance) -> bool:
        if not self.has_module(address.module):
            return False
        repetition = self._resources.get(address.containing)
        return repetition is not None and address.key in repetition.keys

    def instances(self, address: ConfigResource) -> Iterator[AbsResourceInstance]:
        """Yield all instances that a resource block declares, in order."""
        for module in self.modules(address.module):
            resource = AbsResource(module, address.resource)
            for key in self._resources[resource].keys:
                yield resource.instance(key)

    def module_data(self, instance: ModuleInstance) -> Mapping[str, Mapping[str, Value]]:
        """Return what the arguments of this module instance see as `count` or `each`."""
        if not instance.steps:
            return {}
        parent, name = instance.call
        return self._calls[parent, name].data(instance.steps[-1].key)
