"""Resources and their instances, relative to a module or absolute.

    Resource              terraform_data.a                     one block, seen from its module
    ConfigResource        module.m.terraform_data.a            the block in the module tree, no keys anywhere
    AbsResource           module.m[0].terraform_data.a         the block in one module instance
    AbsResourceInstance   module.m[0].terraform_data.a["x"]    one object

All are frozen and hashable. `sort_key` gives the order of lists in output: shorter module paths first, then names, then
keys (no key, whole numbers, strings).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from enum import StrEnum
from functools import lru_cache
from operator import attrgetter
from typing import Any, Final

from shared_nodes.addresses.key import InstanceKey, key_sort, key_text
from shared_nodes.addresses.module import ModuleInstance, ModulePath
from shared_nodes.record import record

__all__ = ["AbsResource", "AbsResourceInstance", "ConfigResource", "Resource", "ResourceMode", "interned"]

_TEXT: Final = attrgetter("_text")


class ResourceMode(StrEnum):
    MANAGED = "managed"
    DATA = "data"
    EPHEMERAL = "ephemeral"

    # Every address hashes its mode, and the hash of Enum is not implemented in C.
    __hash__ = str.__hash__


@record
class Resource:
    """A resource block, seen from its module. Caches computed properties, because every other address contains one."""

    mode: ResourceMode
    type: str
    name: str
    _text: str = field(default="", init=False, repr=False, compare=False)
    _hash: int = field(default=0, init=False, repr=False, compare=False)

    def __hash__(self) -> int:
        if not self._hash:
            object.__setattr__(self, "_hash", hash((self.mode, self.type, self.name)))
        return self._hash

    def __reduce__(self) -> tuple[object, ...]:
        return Resource, (self.mode, self.type, self.name)

    def __str__(self) -> str:
        if not self._text:
            prefix = "" if self.mode is ResourceMode.MANAGED else f"{self.mode}."
            object.__setattr__(self, "_text", f"{prefix}{self.type}.{self.name}")
        return self._text

    @property
    def sort_key(self) -> tuple[Any, ...]:
        return (self.mode is not ResourceMode.DATA, self.type, self.name)


@record
class ConfigResource:
    """A resource block in the module tree.

    Text and hash are cached: every object of a state lists all its dependencies, so these are needed more often than
    those of all other addresses together.
    """

    module: ModulePath
    resource: Resource
    _text: str = field(default="", init=False, repr=False, compare=False)
    _hash: int = field(default=0, init=False, repr=False, compare=False)

    def __hash__(self) -> int:
        if not self._hash:
            object.__setattr__(self, "_hash", hash((self.module, self.resource)))
        return self._hash

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle without the cached hash: string hashes differ between processes."""
        return ConfigResource, (self.module, self.resource)

    def __str__(self) -> str:
        if not self._text:
            object.__setattr__(self, "_text", self.module.prefix(str(self.resource)))
        return self._text

    @staticmethod
    def texts(resources: Sequence[ConfigResource]) -> list[str]:
        """The texts of all these addresses.

        Lists of dependencies are long, and nearly all of their members have a cached text already; trying those first
        takes half the time.
        """
        remembered = list(map(_TEXT, resources))
        return remembered if all(remembered) else list(map(str, resources))


@lru_cache(maxsize=1 << 17)
def interned(address: ConfigResource) -> ConfigResource:
    """Return one shared object for all equal addresses.

    Lists of interned addresses are compared by identity, and share the cached texts.
    """
    return address


@record
class AbsResource:
    """A resource block in one module instance. Caches computed properties."""

    module: ModuleInstance
    resource: Resource
    _hash: int = field(default=0, init=False, repr=False, compare=False)
    _config: ConfigResource | None = field(default=None, init=False, repr=False, compare=False)
    _sort_key: tuple[Any, ...] = field(default=(), init=False, repr=False, compare=False)

    def __hash__(self) -> int:
        if not self._hash:
            object.__setattr__(self, "_hash", hash((self.module, self.resource)))
        return self._hash

    def __reduce__(self) -> tuple[object, ...]:
        return AbsResource, (self.module, self.resource)

    def __str__(self) -> str:
        return self.module.prefix(str(self.resource))

    @property
    def config(self) -> ConfigResource:
        if self._config is None:
            object.__setattr__(self, "_config", interned(ConfigResource(self.module.path, self.resource)))
        assert self._config is not None
        return self._config

    def instance(self, key: InstanceKey) -> AbsResourceInstance:
        """An instance of this resource. It refers back to this object, so that all instances share its cached
        properties."""
        instance = AbsResourceInstance(self.module, self.resource, key)
        object.__setattr__(instance, "_containing", self)
        return instance

    @property
    def sort_key(self) -> tuple[Any, ...]:
        if not self._sort_key:
            object.__setattr__(self, "_sort_key", (self.module.sort_key, self.resource.sort_key))
        return self._sort_key


@record
class AbsResourceInstance:
    """One instance of a resource. Caches computed properties."""

    module: ModuleInstance
    resource: Resource
    key: InstanceKey = None
    _hash: int = field(default=0, init=False, repr=False, compare=False)
    _containing: AbsResource | None = field(default=None, init=False, repr=False, compare=False)

    def __hash__(self) -> int:
        if not self._hash:
            object.__setattr__(self, "_hash", hash((self.module, self.resource, self.key)))
        return self._hash

    def __reduce__(self) -> tuple[object, ...]:
        return AbsResourceInstance, (self.module, self.resource, self.key)

    def __str__(self) -> str:
        return self.module.prefix(f"{self.resource}{key_text(self.key)}")

    @property
    def config(self) -> ConfigResource:
        return self.containing.config

    @property
    def containing(self) -> AbsResource:
        if self._containing is None:
            object.__setattr__(self, "_containing", AbsResource(self.module, self.resource))
        assert self._containing is not None
        return self._containing

    @property
    def sort_key(self) -> tuple[Any, ...]:
        return (*self.containing.sort_key, key_sort(self.key))

    def sees(self, other: AbsResourceInstance) -> bool:
        """Whether a name used by this instance can mean the other one. Two instances of one module do not see each
        other, although their resources have the same names."""
        return self.module == other.module or self.module.path != other.module.path

    def reference_names(self) -> list[tuple[ModulePath, str]]:
        """The names expressions may use for this instance, most exact first, each with the module it is used in."""
        module, resource = self.module.path, str(self.resource)
        if self.key is None:
            return [(module, resource)]
        return [(module, f"{resource}{key_text(self.key)}"), (module, resource)]
