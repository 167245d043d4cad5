"""Functions of an engine exchanged for others while somebody looks, and put back without a trace.

A function is exchanged where it is defined, wherever a module has imported it by name, and in the tables of modules:
tuples and dictionaries, such as the steps that make a graph. What is imported only while that lasts gets the other
function, and is found when it ends. Not for two threads at a time: functions are exchanged in the whole process.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps
from operator import is_
from typing import Any, Final, NamedTuple

from harness.engines.registry import engine_module

__all__ = ["SHARED", "Make", "engine_at_work", "exchanged", "function_at", "watched"]

Make = Callable[[Callable[..., Any]], Callable[..., Any]]
"""From a function to what stands in its place."""

SHARED: Final = "shared_nodes"
_PACKAGES: Final = (SHARED, "legacy_engine", "new_engine", "harness", "reports")
_OPERATIONS: Final = ("validate", "plan", "apply", "graph")
_at_work: ContextVar[str] = ContextVar("engine at work", default="")


class _Place(NamedTuple):
    owner: Any
    name: str

    @property
    def content(self) -> Any:
        return vars(self.owner)[self.name]


@contextmanager
def exchanged(makers: Mapping[str, Make]) -> Iterator[None]:
    """By target: `module:function`, or `module:Class.method`. One look at all modules serves all of them."""
    places = [_place(target) for target in makers]
    before = [place.content for place in places]
    after = [
        _rewrapped(content, make(_function(content))) for content, make in zip(before, makers.values(), strict=True)
    ]
    _exchange(places, before, after)
    try:
        yield
    finally:
        _exchange(places, after, before)


def function_at(target: str) -> Callable[..., Any]:
    """What stands there now."""
    return _function(_place(target).content)


def engine_at_work() -> str:
    """Of those that are `watched`; nothing where none is at work."""
    return _at_work.get()


@contextmanager
def watched(engine: str) -> Iterator[None]:
    """It is noted that this engine is at work, for as long as it is: where it is entered, and passed on to all tasks
    it starts."""
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


def _place(target: str) -> _Place:
    module, _, path = target.partition(":")
    owner: Any = importlib.import_module(module)
    *classes, name = path.split(".")
    for each in classes:
        owner = getattr(owner, each)
    return _Place(owner, name)


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


def _exchange(places: list[_Place], before: list[Any], after: list[Any]) -> None:
    for place, content in zip(places, after, strict=True):
        setattr(place.owner, place.name, content)
    others = {id(content): other for content, other in zip(before, after, strict=True)}
    for module_name, module in list(sys.modules.items()):
        if module_name.partition(".")[0] in _PACKAGES:
            for each, value in list(vars(module).items()):
                other = value if each.startswith("__") else _with_others(value, others)
                if other is not value:
                    setattr(module, each, other)


def _with_others(value: Any, others: Mapping[int, Any]) -> Any:
    """The very same where nothing is exchanged. A dictionary stays the one it is, since somebody may hold it."""
    if id(value) in others:
        return others[id(value)]
    if type(value) is tuple:
        parts = [_with_others(part, others) for part in value]
        return value if all(map(is_, parts, value)) else tuple(parts)
    if type(value) is dict:
        for key, part in list(value.items()):
            if (other := _with_others(part, others)) is not part:
                value[key] = other
    return value
