"""JSON in files that people read and compare: whatever fits into a line is on one line, so that differences are
short."""

from __future__ import annotations

from typing import Final

from shared_nodes.values.json import Tree, dumps

__all__ = ["laid_out", "on_one_line"]

_WIDTH: Final = 150


def laid_out(tree: Tree, indent: int = 0) -> str:
    line = on_one_line(tree)
    if not isinstance(tree, dict | list) or indent + len(line) <= _WIDTH:
        return line
    if isinstance(tree, dict):
        parts = [f"{on_one_line(key)}: {laid_out(item, indent + 1)}" for key, item in tree.items()]
        opening, closing = "{", "}"
    else:
        parts = [laid_out(item, indent + 1) for item in tree]
        opening, closing = "[", "]"
    margin = "\n" + " " * (indent + 1)
    return f"{opening}{margin}{f',{margin}'.join(parts)}\n{' ' * indent}{closing}"


def on_one_line(tree: Tree) -> str:
    if isinstance(tree, dict):
        return "{" + ", ".join(f"{on_one_line(key)}: {on_one_line(item)}" for key, item in tree.items()) + "}"
    if isinstance(tree, list):
        return "[" + ", ".join(map(on_one_line, tree)) + "]"
    return dumps(tree, escape_html=False)
