"""The code of live functions, exchanged in place and put back.

A function object keeps its identity, and only its `__code__` is replaced. So the change takes effect wherever the
function has been imported by name, or is held in a table. It is not meant for several threads: code is exchanged in the
whole process.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property, lru_cache
from types import CodeType, FunctionType
from typing import Any

from harness.mutants.source import PatchError, place_of

__all__ = ["calling", "exchanged", "find_function", "with_code"]

_PLACEHOLDER = "the function to call"


@contextmanager
def exchanged(codes: Mapping[FunctionType, CodeType]) -> Iterator[None]:
    """Give each function other code, until the end."""
    before = {function: function.__code__ for function in codes}
    try:
        for function, code in codes.items():
            function.__code__ = code
        yield
    finally:
        for function, code in before.items():
            function.__code__ = code


def find_function(target: str) -> FunctionType:
    """The function at `module:qualified name`. For a property or a decorated function, the function below it."""
    module, _, path = target.partition(":")
    found: Any = importlib.import_module(module)
    for name in path.split("."):
        found = vars(found)[name]
    while not isinstance(found, FunctionType) or found.__code__.co_qualname != path:
        inner = _inner(found)
        if inner is None:
            raise PatchError(
                f"{place_of(module, path)}: a decorator hides the function or keeps its results; make the mistake "
                "in a function that it calls"
            )
        found = inner
    return found


def _inner(found: Any) -> Any:
    """The function that a decorator wraps, if it can be reached. A cache would go on returning earlier results."""
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
    """A copy of the function with other code."""
    copy = FunctionType(code, function.__globals__, function.__name__, function.__defaults__, function.__closure__)
    copy.__kwdefaults__ = function.__kwdefaults__
    return copy


def calling(function: FunctionType, other: Callable[..., Any]) -> CodeType:
    """Code for the function that passes every call on to the other one."""
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


@lru_cache(maxsize=8)
def _template(free: int) -> CodeType:
    """Code with that many free variables: a function takes no other, and methods that use `super` have one. The call
    goes through a name that is loaded as a constant, because this code has no variables of its own to look it up in."""
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
