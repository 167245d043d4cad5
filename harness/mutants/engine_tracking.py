"""Which engine is running: mutants of shared code act on one engine only, and calls are counted by engine."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps
from typing import Any, Final

from harness.engines.registry import engine_module

__all__ = ["running_engine", "track_engine"]

_OPERATIONS: Final = ("validate", "plan", "apply", "graph")
_running: ContextVar[str] = ContextVar("running engine", default="")


def running_engine() -> str:
    """Return the name of the running engine if it is tracked (`track_engine`); empty otherwise."""
    return _running.get()


@contextmanager
def track_engine(engine: str) -> Iterator[None]:
    """Record when the engine runs: its operations set a context variable, which all tasks they start inherit."""
    module = importlib.import_module(engine_module(engine))
    before = {name: getattr(module, name) for name in _OPERATIONS if hasattr(module, name)}
    for name, operation in before.items():
        setattr(module, name, _with_tracking(engine, operation))
    try:
        yield
    finally:
        for name, operation in before.items():
            setattr(module, name, operation)


def _with_tracking(engine: str, operation: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(operation)
    async def recording(*arguments: Any, **named: Any) -> Any:
        token = _running.set(engine)
        try:
            return await operation(*arguments, **named)
        finally:
            _running.reset(token)

    return recording
