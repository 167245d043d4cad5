"""Evaluation of templates: strings made of parts, and the joined results of a `%{ for }` directive."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from shared_nodes.lang.frame import Code, Frame
from shared_nodes.lang.source import Range
from shared_nodes.lang.tree import Expression
from shared_nodes.values.convert import ConversionError, convert
from shared_nodes.values.marks import NO_MARKS
from shared_nodes.values.refinement import NOT_NULL, Refinement
from shared_nodes.values.text import known_prefix
from shared_nodes.values.types import DYNAMIC, STRING
from shared_nodes.values.value import Value, string, unknown

__all__ = ["join_template", "render_template"]

_SUMMARY: Final = "Invalid template interpolation value"
_MAX_PREFIX_BYTES: Final = 128

Part = tuple[str | None, Code, Expression]
"""(literal text or None, code, syntax)"""


def render_template(frame: Frame, parts: Sequence[Part], whole: Range) -> Value:
    """Evaluate all parts, even after an unknown one, so that every mistake is found."""
    before = len(frame.diagnostics)
    pieces: list[str] = []
    marks = NO_MARKS
    known = True
    for literal, code, part in parts:
        if literal is not None:
            if known:
                pieces.append(literal)
            continue
        value = code(frame)
        marks |= value.marks
        if not value.is_known:
            known = False
            continue
        text = _part_text(frame, value, part, whole)
        if known and text is not None:
            pieces.append(text)
    result = "".join(pieces)
    if known:
        return string(result).with_marks(marks)
    prefix = "" if len(frame.diagnostics) > before else known_prefix(result, _MAX_PREFIX_BYTES)
    return unknown(STRING, Refinement(not_null=True, prefix=prefix) if prefix else NOT_NULL).with_marks(marks)


def _part_text(frame: Frame, value: Value, part: Expression, whole: Range) -> str | None:
    if isinstance(value.payload, str):
        return value.payload
    if value.is_null:
        detail = "The expression result is null. Cannot include a null value in a string template."
        frame.error(_SUMMARY, detail, part.range, whole, of=part)
        return None
    try:
        text: str = convert(value.without_marks(), STRING).payload
    except ConversionError as failure:
        detail = f"Cannot include the given value in a string template: {frame.explain(failure)}."
        frame.error(_SUMMARY, detail, part.range, whole, of=part)
        return None
    return text


def join_template(frame: Frame, sequence: Value, node: Expression) -> Value:
    if not sequence.is_known:
        return unknown(STRING)
    marks = sequence.marks
    pieces: list[str] = []
    for element in sequence.payload:
        if element.is_null:
            detail = "An iteration result is null. Cannot include a null value in a string template."
            frame.error(_SUMMARY, detail, node.range, of=node)
            continue
        if element.type is DYNAMIC:
            return unknown(STRING).with_marks(marks)
        try:
            text = convert(element, STRING)
        except ConversionError as failure:
            detail = (
                f"Cannot include one of the interpolation results into the string template: {frame.explain(failure)}."
            )
            frame.error(_SUMMARY, detail, node.range, of=node)
            continue
        if not text.is_known:
            return unknown(STRING).with_marks(marks)
        marks |= text.marks
        pieces.append(text.payload)
    return string("".join(pieces)).with_marks(marks)
