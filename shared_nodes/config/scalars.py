"""Arguments whose values must be constants, known while the configuration is being read."""

from __future__ import annotations

from shared_nodes.lang.diagnostics import Diagnostic, error
from shared_nodes.lang.json_static import blamed_range, static_value
from shared_nodes.lang.tree import Attribute, Expression
from shared_nodes.values.convert import ConversionError, convert
from shared_nodes.values.types import BOOL, STRING, Type

__all__ = ["constant_flag", "constant_text"]


def constant_flag(attribute: Attribute | None, problems: list[Diagnostic]) -> bool | None:
    """Return the value; None if the argument is absent or unusable."""
    payload = None if attribute is None else _constant(attribute.expression, BOOL, problems)
    return payload if isinstance(payload, bool) else None


def constant_text(attribute: Attribute | None, problems: list[Diagnostic]) -> str | None:
    payload = None if attribute is None else _constant(attribute.expression, STRING, problems)
    return payload if isinstance(payload, str) else None


def _constant(expression: Expression, want: Type, problems: list[Diagnostic]) -> object:
    """Evaluate to a constant. An expression that could not be evaluated counts as unknown, so it is reported a second
    time for that."""
    value, found = static_value(expression)
    problems.extend(found)
    try:
        converted = convert(value, want)
        reason = None if converted.is_known else "value must be known"
        if converted.is_null:
            reason = "null value is not allowed"
    except ConversionError as failure:
        reason = failure.message
    if reason is None:
        return converted.payload
    subject = blamed_range(expression)
    problems.append(error("Unsuitable value type", f"Unsuitable value: {reason}", subject, expression.range))
    return None
