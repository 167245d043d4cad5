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
from harness.mutants.engine_tracking import running_engine, track_engine
from harness.mutants.patching import exchange_code, find_function, forwarding_code, with_code
from harness.mutants.source import FunctionCode, PatchError, mutate, parse_diff

__all__ = ["active_mutants", "apply_mutant", "apply_mutants", "can_be_combined"]

_active: list[Mutant] = []


@contextmanager
def apply_mutant(mutant: Mutant) -> Iterator[None]:
    """Apply the mutant while the context is open. It affects the whole process, so two threads must not do this at the
    same time."""
    with track_engine(mutant.engine), exchange_code(_new_codes(mutant.module, [*_active, mutant])):
        _active.append(mutant)
        try:
            yield
        finally:
            _active.pop()


def apply_mutants(identifiers: str) -> AbstractContextManager[None]:
    """Apply the mutants with these identifiers, separated by commas. An empty text applies none and costs nothing."""
    return _apply_several(identifiers.split(",")) if identifiers else nullcontext()


@contextmanager
def _apply_several(identifiers: Sequence[str]) -> Iterator[None]:
    with ExitStack() as stack:
        for identifier in identifiers:
            stack.enter_context(apply_mutant(mutant_named(identifier)))
        yield


def can_be_combined(identifiers: Sequence[str]) -> bool:
    """Return whether these mutants can be active at the same time: no two of them may change the same line."""
    try:
        with _apply_several(identifiers):
            return True
    except PatchError:
        return False


def active_mutants() -> str:
    """Return the identifiers of the active mutants, separated by commas, so that child processes can apply the same
    ones."""
    return ",".join(mutant.identifier for mutant in _active)


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
        codes[function] = _switch_by_engine(function, by_engine) if concerned[0].is_shared else own.mutated
    return codes


def _switch_by_engine(function: FunctionType, codes: Mapping[str, FunctionCode]) -> CodeType:
    """Return code that is mutated while one of these engines is running, and behaves like the original at any other
    time."""
    changed: dict[str, Callable[..., Any]] = {
        engine: with_code(function, code.mutated) for engine, code in codes.items()
    }
    original = with_code(function, next(iter(codes.values())).original)

    def call_chosen(*arguments: Any, **named: Any) -> Any:
        return changed.get(running_engine(), original)(*arguments, **named)

    return forwarding_code(function, call_chosen)
