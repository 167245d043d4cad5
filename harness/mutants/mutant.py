"""One mistake in one function of an engine, put in force from outside and taken back without a trace.

Half of what an engine does is done by functions it shares with the other one. Broken for both, these would make the
engines agree in being wrong. So a mutant of shared code is in force only while its own engine is at work.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from dataclasses import dataclass
from enum import StrEnum
from functools import wraps
from typing import Any

from harness.mutants.exchanging import SHARED, Make, engine_at_work, exchanged, function_at, watched

__all__ = ["Kind", "Mutant", "Patch", "UnknownMutantError", "applied", "in_force", "mutated", "original_of"]

Patch = Make
"""From a function to the same with a mistake in it."""

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

    @property
    def is_shared(self) -> bool:
        """Whether the function it breaks is called by both engines."""
        return self.target.startswith(SHARED)


@contextmanager
def applied(mutant: Mutant) -> Iterator[None]:
    """Not for two threads at a time: a mutant is in force in the whole process."""
    with watched(mutant.engine), exchanged({mutant.target: lambda original: _limited(mutant, original)}):
        _in_force.append(mutant.identifier)
        try:
            yield
        finally:
            _in_force.pop()


def mutated(identifiers: str) -> AbstractContextManager[None]:
    """The mutants of these names in force, with commas between them; none for an empty text, which costs nothing."""
    return _several(identifiers.split(",")) if identifiers else nullcontext()


@contextmanager
def _several(identifiers: Sequence[str]) -> Iterator[None]:
    from harness.mutants.catalogue import mutant_named

    with ExitStack() as stack:
        for identifier in identifiers:
            stack.enter_context(applied(mutant_named(identifier)))
        yield


def in_force() -> str:
    """Which mutants are, for whoever starts another process that must be like this one; nothing where none is."""
    return ",".join(_in_force)


def original_of(mutant: Mutant) -> Callable[..., Any]:
    """What stands at its target now."""
    return function_at(mutant.target)


def _limited(mutant: Mutant, original: Callable[..., Any]) -> Callable[..., Any]:
    """Broken for one engine only, where both have the function."""
    broken = mutant.patch(original)
    if not mutant.is_shared:
        return broken

    @wraps(original)
    def chosen(*arguments: Any, **named: Any) -> Any:
        function = broken if engine_at_work() == mutant.engine else original
        return function(*arguments, **named)

    return chosen
