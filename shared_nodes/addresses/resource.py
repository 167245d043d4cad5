"""Resources and their instances, relative to a module or absolute.

    Resource              terraform_data.a                     one block, seen from its module
    ConfigResource        module.m.terraform_data.a            the block in the module tree, no keys anywhere
    AbsResource           module.m[0].terraform_data.a         the block in one module instance
    AbsResourceInstance   module.m[0].terraform_data.a["x"]    one object

All are frozen and hashable. `sort_key` gives the order lists of them are published in: shorter module paths first, then
names, then keys: none, whole numbers, strings.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from shared_nodes.addresses.key import InstanceKey, key_sort, key_text
from shared_nodes.addresses.module import ModuleInstance, ModulePath

__all__ = ["AbsResource", "AbsResourceInstance", "ConfigResource", "Resource", "ResourceMode"]


class ResourceMode(StrEnum):
    MANAGED = "managed"
    DATA = "data"
    EPHEMERAL = "ephemeral"

    # Every address hashes its mode, and Enum's own is not written in C.
    __hash__ = str.__hash__


@dataclass(frozen=True, slots=True)
class Resource:
    mode: ResourceMode
    type: str
    name: str

    def __str__(self) -> str:
        prefix = "" if self.mode is ResourceMode.MANAGED else f"{self.mode}."
        return f"{prefix}{self.type}.{self.name}"

    @property
    def sort_key(self) -> tuple[Any, ...]:
        return (self.mode is not ResourceMode.DATA, self.type, self.name)


@dataclass(frozen=True, slots=True)
class ConfigResource:
    module: ModulePath
    resource: Resource

    def __str__(self) -> str:
        return self.module.prefix(str(self.resource))


@dataclass(frozen=True, slots=True)
class AbsResource:
    module: ModuleInstance
    resource: Resource

    def __str__(self) -> str:
        return self.module.prefix(str(self.resource))

    @property
    def config(self) -> ConfigResource:
        return ConfigResource(self.module.path, self.resource)

    def instance(self, key: InstanceKey) -> AbsResourceInstance:
        return AbsResourceInstance(self.module, self.resource, key)

    @property
    def sort_key(self) -> tuple[Any, ...]:
        return (self.module.sort_key, self.resource.sort_key)


@dataclass(frozen=True, slots=True)
class AbsResourceInstance:
    module: ModuleInstance
    resource: Resource
    key: InstanceKey = None

    def __str__(self) -> str:
        return self.module.prefix(f"{self.resource}{key_text(self.key)}")

    @property
    def config(self) -> ConfigResource:
        return ConfigResource(self.module.path, self.resource)

    @property
    def containing(self) -> AbsResource:
        return AbsResource(self.module, self.resource)

    @property
    def sort_key(self) -> tuple[Any, ...]:
        return (self.module.sort_key, self.resource.sort_key, key_sort(self.key))
