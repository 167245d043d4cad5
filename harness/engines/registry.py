"""Engines in process, by name: those of this project, and those that other packages offer.

A package offers an engine as an entry point of the group `diffharness.engines`: a name, and the module or object that
is one. Ours are declared there too, but never looked up: a checkout that is not installed has them as well, and asking
what is installed takes longer than loading one of them.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, Final, Protocol, cast

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from shared_nodes.operations.engine import ApplyResult, EngineRequest, PlanResult, ValidateResult

__all__ = [
    "DEFAULT_ENGINES",
    "ENGINES",
    "GROUP",
    "Engine",
    "EngineNotFoundError",
    "engine_module",
    "engine_named",
    "installed_engines",
    "is_ours",
    "supported_changes",
]

GROUP: Final = "diffharness.engines"
_OURS: Final[Mapping[str, str]] = {"legacy": "legacy_engine.api", "new": "new_engine.api"}
ENGINES: Final = tuple(_OURS)
DEFAULT_ENGINES: Final = ("legacy", "new")
"""The engines that are compared by default, and that the test suite compares with every recording."""

_OPERATIONS: Final = ("validate", "plan", "apply")


class EngineNotFoundError(Exception):
    """There is no such engine in this installation, or it cannot be used."""


class Engine(Protocol):
    """Functions from a request to a result, as shared_nodes/operations/engine.py describes them. A module can be an
    engine."""

    async def validate(self, request: EngineRequest, /) -> ValidateResult: ...

    async def plan(self, request: EngineRequest, /) -> PlanResult: ...

    async def apply(self, request: EngineRequest, /) -> ApplyResult: ...


def installed_engines() -> tuple[str, ...]:
    """Return the names of all engines, ours first. Those of other packages have not been loaded, and may turn out to be
    unusable."""
    others = sorted({point.name for point in _entry_points()} - _OURS.keys())
    return (*ENGINES, *others)


def engine_module(name: str) -> str:
    return _OURS[name] if name in _OURS else _offered(name).module


def engine_named(name: str) -> Engine:
    """Return an engine. It is imported only now: a command that needs one engine does not pay for the other."""
    if name in _OURS:
        return cast("Engine", importlib.import_module(_OURS[name]))
    return _load(_offered(name))


def is_ours(engine: Engine) -> bool:
    """Return whether an engine is one of this project. An engine of another package may use trio."""
    return getattr(engine, "__name__", "") in _OURS.values()


def supported_changes(name: str) -> frozenset[str]:
    """Return the intended changes that an engine can adopt, as its module lists them."""
    return frozenset(getattr(engine_named(name), "KNOWN_CHANGES", ()))


def _offered(name: str) -> EntryPoint:
    """Return the entry point of this name. If several packages offer it, the first one found is taken."""
    for point in _entry_points():
        if point.name == name:
            return point
    raise EngineNotFoundError(f"there is no engine named {name}")


def _entry_points() -> Sequence[EntryPoint]:
    return _find_entry_points(tuple(sys.path))


@cache
def _find_entry_points(_search_path: tuple[str, ...]) -> Sequence[EntryPoint]:
    """Find the entry points of all packages, which reads a file of each: once, unless the search path changes."""
    from importlib.metadata import entry_points

    return tuple(entry_points(group=GROUP))


def _load(point: EntryPoint) -> Engine:
    package = f" of the package {point.dist.name}" if point.dist is not None else ""
    what = f"the engine {point.name}{package} ({point.value})"
    try:
        engine: Any = point.load()
    except Exception as problem:
        # Importing the module of another package may raise anything. The user gets the reason in one message.
        raise EngineNotFoundError(f"{what} cannot be loaded: {type(problem).__name__}: {problem}") from problem
    missing = [operation for operation in _OPERATIONS if not callable(getattr(engine, operation, None))]
    if missing:
        raise EngineNotFoundError(f"{what} is no engine: it has no {', '.join(missing)}")
    return cast("Engine", engine)
