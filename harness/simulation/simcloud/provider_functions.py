"""The functions of simcloud: `provider::simcloud::echo(...)` and so on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from shared_nodes.lang.function import ArgumentError, Function, FunctionError, Parameter
from shared_nodes.values.types import DYNAMIC, NUMBER, STRING, Type
from shared_nodes.values.value import Value, integer, null, string

__all__ = ["FUNCTIONS"]


def _echo(arguments: Sequence[Value], _type: Type) -> Value:
    return arguments[0]


def _fail(arguments: Sequence[Value], _type: Type) -> Value:
    raise FunctionError(str(arguments[0].payload))


def _identifier(arguments: Sequence[Value], _type: Type) -> Value:
    """Return an id by the rule of the cloud, so that a configuration can know it before the object exists."""
    name, number = arguments
    if number.payload < 1:
        raise ArgumentError(1, "creates are counted from 1")
    return string(f"{name.payload}-{int(number.payload)}")


def _join(arguments: Sequence[Value], _type: Type) -> Value:
    return string("-".join(str(part.payload) for part in arguments))


def _length(arguments: Sequence[Value], _type: Type) -> Value:
    given = arguments[0]
    return null(NUMBER) if given.is_null else integer(len(given.payload))


FUNCTIONS: Final = (
    Function(
        "echo",
        (Parameter("value", DYNAMIC, allow_null=True),),
        lambda arguments: arguments[0].type,
        _echo,
        refinement=None,
    ),
    Function("fail", (Parameter("message", STRING),), STRING, _fail),
    Function("identifier", (Parameter("name", STRING), Parameter("number", NUMBER)), STRING, _identifier),
    Function("joined", (), STRING, _join, variadic=Parameter("part", STRING)),
    Function("length_or_null", (Parameter("text", STRING, allow_null=True),), NUMBER, _length, refinement=None),
)
"""echo(value), fail(message), identifier(name, number), joined(parts...), length_or_null(text)."""
