"""Things that share a name, and which of them each module instance can see.

Two instances of one module do not see each other, although their resources have the same names
(`AbsResourceInstance.sees`). A module may have thousands of instances, so the things are kept by module instance: a
lookup from one instance does not search the others.
"""

from __future__ import annotations

from typing import Generic, TypeVar

from shared_nodes.addresses.module import ModuleInstance, ModulePath

__all__ = ["Namesakes"]

T = TypeVar("T")


class Namesakes(Generic[T]):
    """A collection of things that share a name. Everything is added before the first lookup; `everything` keeps the
    order of addition."""

    __slots__ = ("_by_module", "_outside", "everything")

    def __init__(self) -> None:
        self.everything: list[T] = []
        self._by_module: dict[ModuleInstance | None, list[T]] = {}
        self._outside: dict[ModulePath, list[T]] = {}

    def add(self, thing: T, module: ModuleInstance | None) -> None:
        """Add a thing that belongs to one module instance, or, with `module` None, to all of them alike."""
        self.everything.append(thing)
        self._by_module.setdefault(module, []).append(thing)

    def seen_from(self, module: ModuleInstance) -> list[T]:
        """Return everything except what belongs to another instance of the same module."""
        inside = self._by_module.get(module, [])
        if len(inside) == len(self.everything):
            return self.everything
        outside = self._outside_of(module.path)
        return [*outside, *inside] if outside else inside

    def _outside_of(self, path: ModulePath) -> list[T]:
        """Return what belongs to no instance of this module, and is therefore visible to all of them."""
        found = self._outside.get(path)
        if found is None:
            found = self._outside[path] = [
                thing
                for module, things in self._by_module.items()
                if module is None or module.path != path
                for thing in things
            ]
        return found
