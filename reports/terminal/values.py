"""Renders the value of an output, in the form of the language's console.

    {                          tolist([
      "a" = 1                    "x",
      "b" = [                  ])
        true,
      ]
    }

Collections show their type, since a list and a tuple would look alike otherwise. A multi-line text is a heredoc.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from shared_nodes.values.marks import SENSITIVE
from shared_nodes.values.number import number_text
from shared_nodes.values.text import quoted
from shared_nodes.values.types import BOOL, DYNAMIC, NUMBER, STRING, CollectionType, Type, friendly_name
from shared_nodes.values.value import NULL, Unknown, Value

__all__ = ["console_text"]

_INDENT: Final = 2


def console_text(value: Value, indent: int = 0) -> str:
    """Render a value. All lines but the first are indented by `indent`."""
    if SENSITIVE in value.marks:
        return "(sensitive value)"
    payload = value.payload
    if payload is NULL:
        return _null(value.type)
    if payload.__class__ is Unknown:
        return "(known after apply)"
    if isinstance(payload, str):
        return _string(payload, indent)
    if isinstance(payload, bool):
        return "true" if payload else "false"
    if payload.__class__ is dict:
        inner = [f"{quoted(name)} = {console_text(payload[name], indent + _INDENT)}" for name in sorted(payload)]
        return _with_type(value.type, _lines("{", inner, "}", indent))
    if payload.__class__ is tuple:
        inner = [f"{console_text(element, indent + _INDENT)}," for element in payload]
        return _with_type(value.type, _lines("[", inner, "]", indent))
    return number_text(payload)


def _lines(opening: str, inner: Iterable[str], closing: str, indent: int) -> str:
    drawn = [" " * (indent + _INDENT) + text for text in inner]
    return "\n".join([opening, *drawn, " " * indent + closing]) if drawn else opening + closing


def _with_type(ty: Type, text: str) -> str:
    return f"to{ty.kind}({text})" if isinstance(ty, CollectionType) else text


def _null(ty: Type) -> str:
    """Render null with its type, as in `tostring(null)`."""
    if ty is DYNAMIC:
        return "null"
    if ty in (STRING, NUMBER, BOOL):
        return f"to{friendly_name(ty)}(null)"
    if isinstance(ty, CollectionType):
        return f"to{ty.kind}(null) /* of {friendly_name(ty.element)} */"
    return f"null /* {friendly_name(ty)} */"


def _string(text: str, indent: int) -> str:
    """Render a text, as a heredoc if it has several lines. An indented heredoc uses `<<-`, which removes the
    indentation."""
    if "\n" not in text:
        return quoted(text)
    space = " " * indent
    lines = [space + line for line in text.split("\n")]
    return "\n".join(["<<-EOT" if indent else "<<EOT", *lines, f"{space}EOT"])
