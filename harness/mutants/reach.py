"""Which of the functions that mutants break are called at all, and by which engine.

A story that never calls a function cannot tell whether it is broken. So it need not be played once more for a mutant of
that function: of the time that trying many mutants takes, most would be spent on such stories.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial, wraps
from typing import Any

from harness.mutants.exchanging import engine_at_work, exchanged, watched
from harness.mutants.mutant import Mutant

__all__ = ["Call", "noted_calls", "reaches"]

Call = tuple[str, str]
"""The engine that was at work, or nothing where none was, and the target that was called."""


@contextmanager
def noted_calls(targets: Iterable[str], engines: Sequence[str]) -> Iterator[set[Call]]:
    """Those made until the end, as they are made. Whoever empties the set begins anew."""
    calls: set[Call] = set()
    with ExitStack() as stack:
        for engine in engines:
            stack.enter_context(watched(engine))
        stack.enter_context(exchanged({target: partial(_noting, calls, target) for target in targets}))
        yield calls


def reaches(calls: Collection[Call], mutant: Mutant) -> bool:
    """Code of one engine is its own, whoever is at work; code that is shared is broken while its engine is at work."""
    return any(
        target == mutant.target and (not mutant.is_shared or engine == mutant.engine) for engine, target in calls
    )


def _noting(calls: set[Call], target: str, original: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(original)
    def noted(*arguments: Any, **named: Any) -> Any:
        calls.add((engine_at_work(), target))
        return original(*arguments, **named)

    return noted
