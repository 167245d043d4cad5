"""A table of functions laid over another one.

Both stay lazy: merging them into one mapping would load every function.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain

from shared_nodes.lang.function import Function
from shared_nodes.lang.lazy_function import LazyFunction

__all__ = ["FunctionMap", "Overlay"]

FunctionMap = Mapping[str, Function | LazyFunction]


class Overlay(FunctionMap):
    """The functions of both tables. Where both have a name, the upper one counts."""

    __slots__ = ("_lower", "_upper")

    def __init__(self, upper: FunctionMap, lower: FunctionMap) -> None:
        self._upper = upper
        self._lower = lower

    def __getitem__(self, name: str) -> Function | LazyFunction:
        found = self._upper.get(name)
        return self._lower[name] if found is None else found

    def __contains__(self, name: object) -> bool:
        return name in self._upper or name in self._lower

    def __iter__(self) -> Iterator[str]:
        return chain(self._upper, (name for name in self._lower if name not in self._upper))

    def __len__(self) -> int:
        return sum(1 for _ in self)
