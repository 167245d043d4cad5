"""Positions in the module tree: static paths, and instances with their keys.

ModulePath        module.a.module.b          a call in the configuration
ModuleInstance    module.a[0].module.b       one instance of it
"""

from __future__ import annotations

from dataclasses import field
from typing import Any, Final

from shared_nodes.addresses.key import InstanceKey, key_sort, key_text
from shared_nodes.record import record

__all__ = ["ROOT_INSTANCE", "ROOT_PATH", "ModuleInstance", "ModulePath", "ModuleStep"]


@record
class ModulePath:
    """A static path. The hash is cached, because the path is part of every name that is looked up."""

    names: tuple[str, ...] = ()
    _hash: int = field(default=0, init=False, repr=False, compare=False)

    def __hash__(self) -> int:
        if not self._hash:
            object.__setattr__(self, "_hash", hash(self.names))
        return self._hash

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle without the cached hash: string hashes differ between processes."""
        return ModulePath, (self.names,)

    def __str__(self) -> str:
        return ".".join(f"module.{name}" for name in self.names)

    def prefix(self, text: str) -> str:
        """The address of something inside this module."""
        return f"{self}.{text}" if self.names else text

    def child(self, name: str) -> ModulePath:
        return ModulePath((*self.names, name))

    @property
    def parent(self) -> ModulePath:
        return ModulePath(self.names[:-1])

    def contains(self, other: ModulePath) -> bool:
        """Whether the other path is this module or inside it."""
        return other.names[: len(self.names)] == self.names


@record
class ModuleStep:
    name: str
    key: InstanceKey = None

    def __str__(self) -> str:
        return f"module.{self.name}{key_text(self.key)}"


@record
class ModuleInstance:
    """A module instance. Hash and path are cached; all addresses in the instance share this object."""

    steps: tuple[ModuleStep, ...] = ()
    _hash: int = field(default=0, init=False, repr=False, compare=False)
    _path: ModulePath | None = field(default=None, init=False, repr=False, compare=False)

    def __hash__(self) -> int:
        if not self._hash:
            object.__setattr__(self, "_hash", hash(self.steps))
        return self._hash

    def __reduce__(self) -> tuple[object, ...]:
        return ModuleInstance, (self.steps,)

    def __str__(self) -> str:
        return ".".join(map(str, self.steps))

    def prefix(self, text: str) -> str:
        return f"{self}.{text}" if self.steps else text

    @property
    def path(self) -> ModulePath:
        if self._path is None:
            object.__setattr__(self, "_path", ModulePath(tuple(step.name for step in self.steps)))
        assert self._path is not None
        return self._path

    def child(self, name: str, key: InstanceKey = None) -> ModuleInstance:
        return ModuleInstance((*self.steps, ModuleStep(name, key)))

    @property
    def parent(self) -> ModuleInstance:
        return ModuleInstance(self.steps[:-1])

    @property
    def call(self) -> tuple[ModuleInstance, str]:
        """The parent, and the name of the call there of which this is an instance. Not defined for the root."""
        return self.parent, self.steps[-1].name

    def contains(self, other: ModuleInstance) -> bool:
        return other.steps[: len(self.steps)] == self.steps

    @property
    def sort_key(self) -> tuple[Any, ...]:
        return (len(self.steps), tuple((step.name, key_sort(step.key)) for step in self.steps))


ROOT_PATH: Final = ModulePath()
ROOT_INSTANCE: Final = ModuleInstance()
