"""One mistake in one function of an engine, put in force from outside and taken back without a trace.

Half of what an engine does is done by functions it shares with the other one. Broken for both, these would make the
engines agree in being wrong. So a mutant of shared code is in force only while its own engine is at work: that is
noted where the engine is entered, and passed on to all tasks it starts.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from dataclasses import dataclass
from enum import StrEnum
from functools import wraps
from typing import Any, Final

from harness.engines.registry import engine_module

__all__ = ["Kind", "Mutant", "UnknownMutantError", "applied", "in_force", "mutated", "original_of"]

Patch = Callable[[Callable[..., Any]], Callable[..., Any]]
"""From a function to the same with a mistake in it."""

_SHARED: Final = "shared_nodes"
_PATCHED: Final = (_SHARED, "legacy_engine", "new_engine", "harness", "reports")
_OPERATIONS: Final = ("validate", "plan", "apply", "graph")
_at_work: ContextVar[str] = ContextVar("engine at work", default="")
_in_force: list[str] = []


class Kind(StrEnum):
    """The first letter of an identifier."""

    BUG = "B"
    CHANGE = "C"
    MISSING = "M"
    OBSOLETE = "O"
    DEFECT = "L"
    SEED = "S"


class UnknownMutantError(Exception):
    """There is no mutant of this name."""


@dataclass(frozen=True, slots=True)
class Mutant:
    identifier: str
    breaks: str
    """What it breaks, in one sentence."""

    target: str
    """`module:function`, or `module:Class.method`; where the function is defined."""

    patch: Patch
    phase: str
    """The operation in which it is expected to show first."""

    field: str
    """The part of an observation in which it is expected to show."""

    areas: tuple[str, ...]
    """Words of areas and tags of the corpus in which it should show: cases that have one of them are tried first."""

    engine: str = "new"

    @property
    def kind(self) -> Kind:
        return Kind(self.identifier[0])


@contextmanager
def applied(mutant: Mutant) -> Iterator[None]:
    """Not for two threads at a time: a mutant is in force in the whole process."""
    owner, name = _place(mutant.target)
    before = vars(owner)[name]
    broken = _rewrapped(before, _limited(mutant, _function(before)))
    with _watched(mutant.engine):
        _exchange(owner, name, before, broken)
        _in_force.append(mutant.identifier)
        try:
            yield
        finally:
            _in_force.pop()
            _exchange(owner, name, broken, before)


def mutated(identifier: str) -> AbstractContextManager[None]:
    """The mutant of this name in force; none for an empty name, which costs nothing."""
    if not identifier:
        return nullcontext()
    from harness.mutants.catalogue import mutant_named

    return applied(mutant_named(identifier))


def in_force() -> str:
    """Which mutant is, for whoever starts another process that must be like this one; nothing where none is."""
    return _in_force[-1] if _in_force else ""


def original_of(mutant: Mutant) -> Callable[..., Any]:
    """What stands at its target now."""
    owner, name = _place(mutant.target)
    return _function(vars(owner)[name])


def _place(target: str) -> tuple[Any, str]:
    module, _, path = target.partition(":")
    owner: Any = importlib.import_module(module)
    *classes, name = path.split(".")
    for each in classes:
        owner = getattr(owner, each)
    return owner, name


def _function(found: Any) -> Callable[..., Any]:
    if isinstance(found, property):
        assert found.fget is not None
        return found.fget
    function: Callable[..., Any] = found.__func__ if isinstance(found, staticmethod | classmethod) else found
    return function


def _rewrapped(before: Any, function: Callable[..., Any]) -> Any:
    if isinstance(before, property | staticmethod | classmethod):
        return type(before)(function)
    return function


def _limited(mutant: Mutant, original: Callable[..., Any]) -> Callable[..., Any]:
    """Broken for one engine only, where both have the function."""
    broken = mutant.patch(original)
    if not mutant.target.startswith(_SHARED):
        return broken

    @wraps(original)
    def chosen(*arguments: Any, **named: Any) -> Any:
        function = broken if _at_work.get() == mutant.engine else original
        return function(*arguments, **named)

    return chosen


def _exchange(owner: Any, name: str, before: Any, after: Any) -> None:
    """In the place itself, and wherever a module has imported it by name. What is imported only while a mutant is in
    force gets the broken function, and is found here when that ends."""
    setattr(owner, name, after)
    for module_name, module in list(sys.modules.items()):
        if module_name.partition(".")[0] in _PATCHED:
            for each, value in list(vars(module).items()):
                if value is before:
                    setattr(module, each, after)


@contextmanager
def _watched(engine: str) -> Iterator[None]:
    """It is noted that an engine is at work, for as long as it is."""
    module = importlib.import_module(engine_module(engine))
    before = {name: getattr(module, name) for name in _OPERATIONS if hasattr(module, name)}
    for name, operation in before.items():
        setattr(module, name, _noted(engine, operation))
    try:
        yield
    finally:
        for name, operation in before.items():
            setattr(module, name, operation)


def _noted(engine: str, operation: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(operation)
    async def noted(*arguments: Any, **named: Any) -> Any:
        token = _at_work.set(engine)
        try:
            return await operation(*arguments, **named)
        finally:
            _at_work.reset(token)

    return noted
