"""JSON as some of the original's messages print it: as Go literals."""

from __future__ import annotations

from shared_nodes.values.json import JsonNumber, Tree
from shared_nodes.values.number import from_float, short_text
from shared_nodes.values.text import quoted

__all__ = ["go_literal"]


def go_literal(tree: Tree) -> str:
    match tree:
        case None:
            return "interface {}(nil)"
        case bool():
            return str(tree).lower()
        case str():
            return quoted(tree)
        case JsonNumber():
            return short_text(from_float(float(tree.text)))
        case list():
            return f"[]interface {{}}{{{', '.join(map(go_literal, tree))}}}"
        case dict():
            parts = ", ".join(f"{quoted(name)}:{go_literal(tree[name])}" for name in sorted(tree))
            return f"map[string]interface {{}}{{{parts}}}"
    raise AssertionError(tree)
