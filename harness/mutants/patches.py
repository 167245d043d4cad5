"""The few ways in which a function is broken again and again: what it answers, or what it is told.

`later` is for functions that are awaited. No engine is imported for any of this: what is met in one is told by name.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from harness.mutants.mutant import Patch

__all__ = ["answers", "answers_later", "changes", "changes_later", "is_a", "told"]


def is_a(thing: object, name: str) -> bool:
    """Whether it is of the class of this name, or of one made from it."""
    return any(each.__name__ == name for each in type(thing).__mro__)


def answers(make: Callable[[], Any]) -> Patch:
    """The same, whatever is asked; made anew each time, since whoever asks may add to it."""
    return lambda _original: lambda *_arguments, **_named: make()


def answers_later(make: Callable[[], Any]) -> Patch:
    def patch(_original: Callable[..., Any]) -> Callable[..., Any]:
        async def broken(*_arguments: Any, **_named: Any) -> Any:
            return make()

        return broken

    return patch


def changes(change: Callable[[Any], Any]) -> Patch:
    """The answer, changed."""
    return lambda original: lambda *arguments, **named: change(original(*arguments, **named))


def changes_later(change: Callable[[Any], Any]) -> Patch:
    def patch(original: Callable[..., Any]) -> Callable[..., Any]:
        async def broken(*arguments: Any, **named: Any) -> Any:
            return change(await original(*arguments, **named))

        return broken

    return patch


def told(position: int, **fields: Any) -> Patch:
    """One of the arguments, a dataclass, says something else."""

    def patch(original: Callable[..., Any]) -> Callable[..., Any]:
        def broken(*arguments: Any, **named: Any) -> Any:
            changed = replace(arguments[position], **fields)
            return original(*arguments[:position], changed, *arguments[position + 1 :], **named)

        return broken

    return patch
