"""Records which of the functions that mutants change are called, and by which engine.

A story that never calls a function cannot show whether it is broken, so it need not be repeated for a mutant of that
function. Otherwise most of the time would be spent on such stories.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any

from harness.mutants.catalogue.mutant import Mutant
from harness.mutants.engine_tracking import running_engine, track_engine
from harness.mutants.patching import exchange_code, find_function, forwarding_code, with_code
from harness.mutants.source import targets_of

__all__ = ["Call", "reaches", "record_calls"]

Call = tuple[str, str]
"""The engine that was running, empty if none was, and the function as `module:qualified name`."""


@contextmanager
def record_calls(targets: Iterable[str], engines: Sequence[str]) -> Iterator[set[Call]]:
    """Yield a set to which calls of these functions are added while the context is open. It may be cleared to start
    again."""
    calls: set[Call] = set()
    functions = {target: find_function(target) for target in targets}
    codes = {
        function: forwarding_code(function, _with_recording(calls, target, with_code(function, function.__code__)))
        for target, function in functions.items()
    }
    with ExitStack() as stack:
        for engine in engines:
            stack.enter_context(track_engine(engine))
        stack.enter_context(exchange_code(codes))
        yield calls


def reaches(calls: Collection[Call], mutant: Mutant) -> bool:
    """Return whether one of the calls runs code that the mutant changes. Shared code is changed for the mutant's engine
    only."""
    targets = targets_of(mutant)
    return any(target in targets and (not mutant.is_shared or engine == mutant.engine) for engine, target in calls)


def _with_recording(calls: set[Call], target: str, original: Callable[..., Any]) -> Callable[..., Any]:
    def recording(*arguments: Any, **named: Any) -> Any:
        calls.add((running_engine(), target))
        return original(*arguments, **named)

    return recording
