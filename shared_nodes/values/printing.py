"""One readable text for every value, for tests, logs and reports.

It looks like the language and says everything, so two values have the same text only if they are identical:

    "a"  5  true  [1, "a"]  {a = 1}  tolist([1])  toset(["a"])  tomap({a = 1})
    tolist(string, [])                 an empty collection has no element to tell its type
    null(string)  unknown(string, not null, prefix "x")
    sensitive("a")                     marks by name, outermost first in alphabetical order
    5@64                               a number that does not have the precision of a literal
"""

from __future__ import annotations

from gmpy2 import mpfr

from shared_nodes.values.number import LITERAL_PRECISION, NumberTooLargeError, number_text
from shared_nodes.values.refinement import Refinement
from shared_nodes.values.text import quoted
from shared_nodes.values.types import DYNAMIC, CollectionType, type_text
from shared_nodes.values.value import NULL, Unknown, Value

__all__ = ["value_text"]


def value_text(value: Value) -> str:
    text = _unmarked_text(value)
    for name in sorted(map(str, map(repr, value.marks)), reverse=True):
        text = f"{name}({text})"
    return text


def _unmarked_text(value: Value) -> str:
    payload = value.payload
    if payload is NULL:
        return f"null({type_text(value.type)})"
    if payload.__class__ is Unknown:
        return f"unknown({', '.join([type_text(value.type), *_refinement_texts(payload.refinement)])})"
    if payload.__class__ is str:
        return quoted(payload)
    if payload.__class__ is bool:
        return "true" if payload else "false"
    if payload.__class__ is dict:
        return _wrapped(value, "{" + ", ".join(f"{_name(key)} = {value_text(e)}" for key, e in payload.items()) + "}")
    if payload.__class__ is tuple:
        return _wrapped(value, "[" + ", ".join(map(value_text, payload)) + "]")
    return _number(payload)


def _wrapped(value: Value, content: str) -> str:
    """Collections say what they are. The element type is named where no element shows it exactly."""
    ty = value.type
    if not isinstance(ty, CollectionType):
        return content
    shown = value.payload and ty.element is not DYNAMIC
    return f"to{ty.kind}({content})" if shown else f"to{ty.kind}({type_text(ty.element)}, {content})"


def _name(key: str) -> str:
    return key if key.isascii() and key.isidentifier() else quoted(key)


def _number(payload: mpfr) -> str:
    try:
        text = number_text(payload)
    except NumberTooLargeError:
        text = str(payload)
    return text if payload.precision == LITERAL_PRECISION else f"{text}@{payload.precision}"


def _refinement_texts(refinement: Refinement) -> list[str]:
    parts = ["not null"] if refinement.not_null else []
    if refinement.lower is not None:
        parts.append(f"{'>=' if refinement.lower_inclusive else '>'} {_number(refinement.lower)}")
    if refinement.upper is not None:
        parts.append(f"{'<=' if refinement.upper_inclusive else '<'} {_number(refinement.upper)}")
    if refinement.prefix:
        parts.append(f"prefix {quoted(refinement.prefix)}")
    if refinement.min_length or refinement.max_length is not None:
        parts.append(
            f"length {refinement.min_length}..{'' if refinement.max_length is None else refinement.max_length}"
        )
    return parts
