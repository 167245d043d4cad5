"""JSON as the original's messages print it: as literals of its own language, where nobody thought of a better way."""

from __future__ import annotations

from decimal import Decimal

from shared_nodes.values.json import JsonNumber, Tree
from shared_nodes.values.text import quoted

__all__ = ["go_literal"]

_MOST_DIGITS = 6
"""Before the point, or four zeros behind it; numbers beyond that have an exponent."""


def go_literal(tree: Tree) -> str:
    match tree:
        case None:
            return "interface {}(nil)"
        case bool():
            return str(tree).lower()
        case str():
            return quoted(tree)
        case JsonNumber():
            return _number(float(tree.text))
        case list():
            return f"[]interface {{}}{{{', '.join(map(go_literal, tree))}}}"
        case dict():
            parts = ", ".join(f"{quoted(name)}:{go_literal(tree[name])}" for name in sorted(tree))
            return f"map[string]interface {{}}{{{parts}}}"
    raise AssertionError(tree)


def _number(number: float) -> str:
    """The fewest digits that tell it from all others."""
    shortest = Decimal(repr(number)).normalize()
    exponent = shortest.adjusted()
    if number and not -4 <= exponent < _MOST_DIGITS:
        digits = "".join(map(str, shortest.as_tuple().digits))
        fraction = f".{digits[1:]}" if len(digits) > 1 else ""
        return f"{'-' if number < 0 else ''}{digits[0]}{fraction}e{exponent:+03d}"
    return f"{shortest:f}"
