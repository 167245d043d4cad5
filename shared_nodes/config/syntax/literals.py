"""Literals: names, constants and bare words that must be known while the configuration is being read."""

from __future__ import annotations

from typing import Final

from shared_nodes.flavour import Flavour
from shared_nodes.lang.diagnostics import Diagnostic, error, warning
from shared_nodes.lang.identifiers import is_identifier
from shared_nodes.lang.json_static import blamed_range, literal_text, static_value
from shared_nodes.lang.source import Range
from shared_nodes.lang.tree import Attribute, Expression
from shared_nodes.lang.type_constraint import keyword_of
from shared_nodes.values.convert import ConversionError, convert
from shared_nodes.values.types import BOOL, STRING, Type
from shared_nodes.values.value import Value

__all__ = ["NAME_RULE", "check_name", "constant_flag", "constant_text", "decoded", "read_keyword"]

NAME_RULE: Final = (
    "A name must start with a letter or underscore and may contain only letters, digits, underscores, and dashes."
)


def check_name(summary: str, name: str, subject: Range) -> list[Diagnostic]:
    """Report a name that is not an identifier."""
    return [] if is_identifier(name) else [error(summary, NAME_RULE, subject)]


def constant_flag(attribute: Attribute | None, flavour: Flavour, problems: list[Diagnostic]) -> bool | None:
    """Return the value; None if the argument is absent or unusable."""
    payload = None if attribute is None else _constant(attribute.expression, BOOL, flavour, problems)
    return payload if isinstance(payload, bool) else None


def constant_text(attribute: Attribute | None, flavour: Flavour, problems: list[Diagnostic]) -> str | None:
    payload = None if attribute is None else _constant(attribute.expression, STRING, flavour, problems)
    return payload if isinstance(payload, str) else None


def _constant(expression: Expression, want: Type, flavour: Flavour, problems: list[Diagnostic]) -> object:
    """Evaluate to a constant. In some flavours, an expression that could not be evaluated counts as unknown, so it is
    reported a second time for that."""
    value, found = static_value(expression, flavour)
    problems.extend(found)
    if found and flavour.faulty_constants_are_blamed_once:
        return None
    return decoded(value, expression, want, flavour, problems)


def decoded(value: Value, expression: Expression, want: Type, flavour: Flavour, problems: list[Diagnostic]) -> object:
    """Return the plain value that an expression has; None if it does not have the wanted type."""
    try:
        converted = convert(value, want)
        reason = None if converted.is_known else "value must be known"
        if converted.is_null:
            reason = "null value is not allowed"
    except ConversionError as failure:
        reason = failure.explain(flavour)
    if reason is None:
        return converted.payload
    subject = blamed_range(expression)
    problems.append(error("Unsuitable value type", f"Unsuitable value: {reason}", subject, expression.range))
    return None


def read_keyword(expression: Expression, flavour: Flavour) -> tuple[str | None, list[Diagnostic]]:
    """Return a bare word; None for any other expression. Old configurations still write it in quotes."""
    text = literal_text(expression)
    if text is None:
        return keyword_of(expression), []
    if expression.range.source.is_json:
        return text, []
    return text, [
        warning(
            "Quoted keywords are deprecated",
            f"In this context, keywords are expected literally rather than in quotes. {flavour.product} 0.11 and "
            "earlier required quotes, but quoted keywords are now deprecated and will be removed in a future version "
            f"of {flavour.product}. Remove the quotes surrounding this keyword to silence this warning.",
            expression.range,
        )
    ]
