"""Records which of the functions that mutants change are called, and by which engine.

A story that never calls a function cannot show whether it is broken, so it need not be repeated for a mutant of that
function. Otherwise most of the time would be spent on such stories.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any

from harness.mutants.catalogue.mutant import Mutant
from harness.mutants.engine_tracking import running_engine, tracked
from harness.mutants.patching import calling, exchanged, find_function, with_code
from harness.mutants.source import targets_of

__all__ = ["Call", "reaches", "recorded_calls"]

Call = tuple[str, str]
"""The engine that was running, empty if none was, and the function as `module:qualified name`."""


@contextmanager
def recorded_calls(targets: Iterable[str], engines: Sequence[str]) -> Iterator[set[Call]]:
    """Yield a set to which calls of these functions are added while the context is open. It may be cleared to start
    again."""
    calls: set[Call] = set()
    functions = {target: find_function(target) for target in targets}
    codes = {
        function: calling(function, _recording(calls, target, with_code(function, function.__code__)))
        for target, function in functions.items()
    }
    with ExitStack() as stack:
        for engine in engines:
            stack.enter_context(tracked(engine))
        stack.enter_context(exchanged(codes))
        yield calls


def reaches(calls: Collection[Call], mutant: Mutant) -> bool:
    """Return whether one of the calls runs code that the mutant changes. Shared code is changed for the mutant's engine
    only."""
    targets = targets_of(mutant)
    return any(target in targets and (not mutant.is_shared or engine == mutant.engine) for engine, target in calls)


def _recording(calls: set[Call], target: str, original: Callable[..., Any]) -> Callable[..., Any]:
    def recording(*arguments: Any, **named: Any) -> Any:
        calls.add((running_engine(), target))
        return original(*arguments, **named)

    return recording
