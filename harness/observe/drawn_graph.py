"""Reads the graph of an operation as a binary prints it: DOT text, in which an arrow leads to what must be done
before."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

__all__ = ["read_drawn_graph"]

_NODE: Final = r'"((?:[^"\\]|\\.)*)"'
_EDGE: Final = re.compile(rf"^\s*{_NODE} -> {_NODE}", re.MULTILINE)
_DECLARED: Final = re.compile(rf"^\s*{_NODE} \[", re.MULTILINE)


def read_drawn_graph(text: str) -> Mapping[str, tuple[str, ...]]:
    """Return for each node the nodes that come before it. A text that is no graph has no nodes."""
    found: dict[str, list[str]] = {_unquoted(node): [] for node in _DECLARED.findall(text)}
    for later, earlier in _EDGE.findall(text):
        found.setdefault(_unquoted(later), []).append(_unquoted(earlier))
        found.setdefault(_unquoted(earlier), [])
    return {node: tuple(earlier) for node, earlier in found.items()}


def _unquoted(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text).removeprefix("[root] ")
