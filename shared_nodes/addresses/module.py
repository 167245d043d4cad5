"""Places in the module tree: static paths, and instances with their keys.

ModulePath        module.a.module.b          a call in the configuration
ModuleInstance    module.a[0].module.b       one instance of it
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from shared_nodes.addresses.key import InstanceKey, key_sort, key_text

__all__ = ["ROOT_INSTANCE", "ROOT_PATH", "ModuleInstance", "ModulePath", "ModuleStep"]


@dataclass(frozen=True, slots=True)
class ModulePath:
    names: tuple[str, ...] = ()

    def __str__(self) -> str:
        return ".".join(f"module.{name}" for name in self.names)

    def prefix(self, text: str) -> str:
        """The text of something inside this module."""
        return f"{self}.{text}" if self.names else text

    def child(self, name: str) -> ModulePath:
        return ModulePath((*self.names, name))

    @property
    def parent(self) -> ModulePath:
        return ModulePath(self.names[:-1])

    def contains(self, other: ModulePath) -> bool:
        """Whether the other is this module or inside it."""
        return other.names[: len(self.names)] == self.names


@dataclass(frozen=True, slots=True)
class ModuleStep:
    name: str
    key: InstanceKey = None

    def __str__(self) -> str:
        return f"module.{self.name}{key_text(self.key)}"


@dataclass(frozen=True, slots=True)
class ModuleInstance:
    steps: tuple[ModuleStep, ...] = ()

    def __str__(self) -> str:
        return ".".join(map(str, self.steps))

    def prefix(self, text: str) -> str:
        return f"{self}.{text}" if self.steps else text

    @property
    def path(self) -> ModulePath:
        return ModulePath(tuple(step.name for step in self.steps))

    def child(self, name: str, key: InstanceKey = None) -> ModuleInstance:
        return ModuleInstance((*self.steps, ModuleStep(name, key)))

    @property
    def parent(self) -> ModuleInstance:
        return ModuleInstance(self.steps[:-1])

    @property
    def call(self) -> tuple[ModuleInstance, str]:
        """The parent, and the name of the call there that this is an instance of. Not for the root."""
        return self.parent, self.steps[-1].name

    def contains(self, other: ModuleInstance) -> bool:
        return other.steps[: len(self.steps)] == self.steps

    @property
    def sort_key(self) -> tuple[Any, ...]:
        return (len(self.steps), tuple((step.name, key_sort(step.key)) for step in self.steps))


ROOT_PATH: Final = ModulePath()
ROOT_INSTANCE: Final = ModuleInstance()
