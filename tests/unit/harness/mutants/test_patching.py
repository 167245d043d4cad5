"""The code of every kind of function can be exchanged in place and restored."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, cached_property, wraps
from types import FunctionType
from typing import Any

import pytest

from harness.mutants.patching import exchange_code, find_function, forwarding_code, with_code
from harness.mutants.source import PatchError


def plain(number: int, /, other: int = 2, *, third: int = 3) -> int:
    return number + other + third


def generating(number: int) -> Iterator[int]:
    yield number


async def awaited(number: int) -> int:
    return number


@contextmanager
def managed(number: int) -> Iterator[int]:
    yield number


@cache
def cached(number: int) -> int:
    return number


def hiding(function: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *arguments: [*map(function, arguments)]


def wrapping(function: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(function)
    def wrapped(*arguments: Any) -> Any:
        return function(*arguments)

    return wrapped


@hiding
def hidden() -> int:
    return 1


@wrapping
def wrapped() -> int:
    return 1


class Base:
    def name(self) -> str:
        return "base"


class Members(Base):
    def name(self) -> str:
        return super().name() + "!"

    @property
    def read(self) -> int:
        return 1

    @cached_property
    def kept(self) -> int:
        return 1

    @staticmethod
    def static() -> int:
        return 1

    @classmethod
    def of_class(cls) -> int:
        return 1


def find(name: str) -> FunctionType:
    return find_function(f"{__name__}:{name}")


@contextmanager
def record_calls(function: FunctionType) -> Iterator[list[tuple[Any, ...]]]:
    """Yield the calls of a function, which are forwarded to the original."""
    calls: list[tuple[Any, ...]] = []
    original = with_code(function, function.__code__)

    def record(*arguments: Any, **named: Any) -> Any:
        calls.append((*arguments, *named.values()))
        return original(*arguments, **named)

    with exchange_code({function: forwarding_code(function, record)}):
        yield calls


def test_arguments_and_defaults_are_passed_on() -> None:
    with record_calls(find("plain")) as calls:
        assert (plain(1), plain(1, 1), plain(1, other=0, third=0)) == (6, 5, 1)
    assert calls == [(1,), (1, 1), (1, 0, 0)]
    assert plain(1) == 6
    assert len(calls) == 3


def test_generators_coroutines_and_context_managers_stay_what_they_are() -> None:
    with record_calls(find("generating")), record_calls(find("awaited")), record_calls(find("managed")) as calls:
        assert list(generating(1)) == [1]
        assert asyncio.run(awaited(2)) == 2
        with managed(3) as number:
            assert number == 3
    assert calls == [(3,)]


@pytest.mark.parametrize(
    ("name", "use"),
    [
        ("Members.name", lambda members: members.name()),
        ("Members.read", lambda members: members.read),
        ("Members.kept", lambda members: members.kept),
        ("Members.static", lambda members: members.static()),
        ("Members.of_class", lambda members: members.of_class()),
        ("wrapped", lambda _members: wrapped()),
    ],
)
def test_members_and_wrapped_functions_are_reached(name: str, use: Callable[[Members], Any]) -> None:
    """This includes functions that refer to their class by `super`, which is a free variable."""
    expected = use(Members())
    with record_calls(find(name)) as calls:
        assert use(Members()) == expected
    assert len(calls) == 1


@pytest.mark.parametrize("name", ["cached", "hidden"])
def test_what_a_decorator_hides_or_keeps_is_refused(name: str) -> None:
    with pytest.raises(PatchError, match=rf"test_patching.py:\d+: {name}: a decorator hides the function or keeps"):
        find(name)


def test_every_code_is_put_back_after_a_failure() -> None:
    functions = [find(name) for name in ("plain", "Members.name")]
    before = [function.__code__ for function in functions]
    codes = {functions[0]: functions[0].__code__.replace(co_name="other"), functions[1]: before[0]}
    with pytest.raises(ValueError, match="free vars"), exchange_code(codes):
        pass
    assert [function.__code__ for function in functions] == before
