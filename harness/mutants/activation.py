"""Applies mutants to the running program and removes them without a trace.

Much of what an engine does is done by functions it shares with the other one. If these were broken for both, the
engines would agree on the wrong result. So a mutant of shared code acts only while its own engine is running.

Several mutants may be active at the same time. Those of one module and engine are applied to its source together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from types import CodeType, FunctionType
from typing import Any

from harness.mutants.catalogue import mutant_named
from harness.mutants.catalogue.mutant import Mutant
from harness.mutants.engine_tracking import running_engine, tracked
from harness.mutants.patching import calling, exchanged, find_function, with_code
from harness.mutants.source import FunctionCode, PatchError, mutate, parse_diff

__all__ = ["applied", "in_force", "mutated"]

_in_force: list[Mutant] = []


@contextmanager
def applied(mutant: Mutant) -> Iterator[None]:
    """Apply the mutant while the context is open. It affects the whole process, so two threads must not do this at the
    same time."""
    with tracked(mutant.engine), exchanged(_new_codes(mutant.module, [*_in_force, mutant])):
        _in_force.append(mutant)
        try:
            yield
        finally:
            _in_force.pop()


def mutated(identifiers: str) -> AbstractContextManager[None]:
    """Apply the mutants with these identifiers, separated by commas. An empty text applies none and costs nothing."""
    return _several(identifiers.split(",")) if identifiers else nullcontext()


@contextmanager
def _several(identifiers: Sequence[str]) -> Iterator[None]:
    with ExitStack() as stack:
        for identifier in identifiers:
            stack.enter_context(applied(mutant_named(identifier)))
        yield


def in_force() -> str:
    """Return the identifiers of the active mutants, separated by commas, so that child processes can apply the same
    ones."""
    return ",".join(mutant.identifier for mutant in _in_force)


def _new_codes(module: str, mutants: Sequence[Mutant]) -> dict[FunctionType, CodeType]:
    """Return the new code of all functions of a module that these mutants change."""
    concerned = [mutant for mutant in mutants if mutant.module == module]
    by_function: dict[str, dict[str, FunctionCode]] = {}
    for engine in dict.fromkeys(mutant.engine for mutant in concerned):
        edits = [edit for mutant in concerned if mutant.engine == engine for edit in parse_diff(mutant.change)]
        for name, code in mutate(module, tuple(edits)).items():
            by_function.setdefault(name, {})[engine] = code
    codes: dict[FunctionType, CodeType] = {}
    for name, by_engine in by_function.items():
        function = find_function(f"{module}:{name}")
        own, *_ = by_engine.values()
        if len(concerned) == 1 and function.__code__ != own.original:
            raise PatchError(f"{module}:{name}: its source has changed since it was imported; start again")
        codes[function] = _by_engine(function, by_engine) if concerned[0].is_shared else own.mutated
    return codes


def _by_engine(function: FunctionType, codes: Mapping[str, FunctionCode]) -> CodeType:
    """Return code that is mutated while one of these engines is running, and behaves like the original at any other
    time."""
    changed: dict[str, Callable[..., Any]] = {
        engine: with_code(function, code.mutated) for engine, code in codes.items()
    }
    original = with_code(function, next(iter(codes.values())).original)

    def chosen(*arguments: Any, **named: Any) -> Any:
        return changed.get(running_engine(), original)(*arguments, **named)

    return calling(function, chosen)
