"""Exchanges the code of functions in the running program, and restores it.

A function object keeps its identity, and only its `__code__` is replaced. So the change takes effect wherever the
function has been imported by name, or is held in a table. Code is exchanged in the whole process, so this must not be
used by several threads at the same time.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property, lru_cache
from types import CodeType, FunctionType
from typing import Any

from harness.mutants.source import PatchError, place_of

__all__ = ["exchange_code", "find_function", "forwarding_code", "is_forwarding", "with_code"]

_PLACEHOLDER = "the function to call"


@contextmanager
def exchange_code(codes: Mapping[FunctionType, CodeType]) -> Iterator[None]:
    """Replace the code of each function while the context is open."""
    before = {function: function.__code__ for function in codes}
    try:
        for function, code in codes.items():
            function.__code__ = code
        yield
    finally:
        for function, code in before.items():
            function.__code__ = code


def find_function(target: str) -> FunctionType:
    """Return the function at `module:qualified name`. For a property or a decorated function, this is the wrapped
    function."""
    module, _, path = target.partition(":")
    found: Any = importlib.import_module(module)
    for name in path.split("."):
        found = vars(found)[name]
    while not isinstance(found, FunctionType) or found.__code__.co_qualname != path:
        inner = _wrapped_function(found)
        if inner is None:
            raise PatchError(
                f"{place_of(module, path)}: a decorator hides the function or keeps its results; make the mistake "
                "in a function that it calls"
            )
        found = inner
    return found


def _wrapped_function(found: Any) -> Any:
    """Return the function that a decorator wraps, or None. A cache is not unwrapped, because it would still return
    earlier results."""
    if hasattr(found, "cache_clear"):
        return None
    if isinstance(found, property):
        return found.fget
    if isinstance(found, cached_property):
        return found.func
    if isinstance(found, staticmethod | classmethod):
        return found.__func__
    return getattr(found, "__wrapped__", None)


def with_code(function: FunctionType, code: CodeType) -> FunctionType:
    """Return a copy of the function with other code."""
    copy = FunctionType(code, function.__globals__, function.__name__, function.__defaults__, function.__closure__)
    copy.__kwdefaults__ = function.__kwdefaults__
    return copy


def forwarding_code(function: FunctionType, other: Callable[..., Any]) -> CodeType:
    """Return code for the function that forwards every call to the other one."""
    code = function.__code__
    template = _template(len(code.co_freevars))
    constants = tuple(other if constant == _PLACEHOLDER else constant for constant in template.co_consts)
    return template.replace(
        co_consts=constants,
        co_name=code.co_name,
        co_qualname=code.co_qualname,
        co_filename=code.co_filename,
        co_firstlineno=code.co_firstlineno,
    )


def is_forwarding(code: CodeType) -> bool:
    """Return whether this is code that forwards every call, and not the function itself."""
    return code.co_code == _template(len(code.co_freevars)).co_code


@lru_cache(maxsize=8)
def _template(free: int) -> CodeType:
    """Return code with that many free variables. A function only accepts code with as many as before, and methods that
    use `super` have one. The callee is a constant, because this code has no variables of its own in which to look it
    up."""
    names = [f"free_{index}" for index in range(free)]
    lines = [
        "def outer():",
        *(f"    {name} = None" for name in names),
        "    def inner(*arguments, **named):",
        f"        call = {_PLACEHOLDER!r}",
        "        return call(*arguments, **named)",
        *(f"        {name}" for name in names),
        "    return inner",
    ]
    scope: dict[str, Any] = {}
    exec("\n".join(lines), scope)
    code: CodeType = scope["outer"]().__code__
    return code
