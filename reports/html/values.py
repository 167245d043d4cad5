"""Prepares observations for rendering, so that unknown and sensitive values cannot be confused with texts.

Plan documents have separate trees for values and for what is unknown. Here the two are merged. A leaf that is not an
ordinary value is an object with the key `\\0`, which no key of a case can be, since invisible characters are made
visible in keys, too.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from harness.findings.document_layout import ANYTHING, Layout, Part, layout_of
from harness.findings.guaranteed_order import ORDER_FIELD as ORDER
from harness.findings.guaranteed_order import Constraints, constraints_of, effect_text
from harness.findings.secrets.masking import HIDDEN, OTHER
from reports.visible import shortened, visible, visible_line
from shared_nodes.values.json import JsonNumber, Tree

__all__ = ["read_order", "render_observation"]

_SPECIAL: Final = "\0"
_SHAPES: Final = ("after_unknown", "after_sensitive", "before_sensitive")
_HIDDEN: Final = {HIDDEN: "sensitive", OTHER: "another sensitive"}
_LONGEST: Final = 4_000
_SAFE_DIGITS: Final = 15
"""Numbers with more digits would be rounded by the script."""


def render_observation(observation: Mapping[str, Tree]) -> dict[str, Any]:
    order = read_order(observation)
    rendered = {visible(name): _render(part, layout_of(name)) for name, part in observation.items()}
    return rendered if order is None else {**rendered, ORDER: _render_order(order)}


def read_order(observation: Mapping[str, Tree]) -> Constraints | None:
    """Return the order of effects in an observation, or None if there is none or it is malformed."""
    try:
        return constraints_of(observation) if observation.get(ORDER) else None
    except (KeyError, TypeError, ValueError, AttributeError, IndexError):
        return None


def _render_order(order: Constraints) -> dict[str, Any]:
    """Describe the order in words: indices of effects mean nothing to a reader, and shift if an effect is missing."""
    return {visible_line(f"{effect_text(second)} after {effect_text(first)}"): True for first, second in order.nearest}


def _render(tree: Tree, layout: Layout = ANYTHING) -> Any:
    if isinstance(tree, dict):
        return _object(tree, layout)
    if isinstance(tree, list):
        return [_render(item, layout.item) for item in tree]
    if isinstance(tree, str):
        return _special(_HIDDEN[tree]) if tree in _HIDDEN else visible(shortened(tree, _LONGEST))
    return _number(tree) if isinstance(tree, JsonNumber) else tree


def _object(tree: dict[str, Tree], layout: Layout) -> dict[str, Any]:
    """Render an object. A value of a user may have the same names as a change or an output; its layout does not."""
    beside: tuple[str, ...] = ()
    instead: dict[str, Any] = {}
    kind = tree.get("type")
    if layout.part is Part.CHANGE and "after" in tree and "after_unknown" in tree:
        beside = (*_SHAPES, "after")
        instead = {"after": _merge_unknown(tree["after"], tree["after_unknown"])}
    elif layout.part is Part.OUTPUT and isinstance(kind, list) and kind[:1] == ["set"]:
        items = tree.get("value")
        instead = {"value": _special("set", items)} if isinstance(items, list) else {}
    parts = {visible(name): _render(part, layout.at(name)) for name, part in tree.items() if name not in beside}
    return {**parts, **instead}


def _merge_unknown(value: Tree, unknown: Tree) -> Any:
    """Merge a value with the tree of its unknown parts."""
    if unknown is True:
        return _special("unknown")
    if isinstance(unknown, dict) and (value is None or isinstance(value, dict)):
        parts = value or {}
        names = [*parts, *(name for name, part in unknown.items() if name not in parts and part not in (False, {}, []))]
        return {visible(name): _merge_unknown(parts.get(name), unknown.get(name)) for name in names}
    if isinstance(value, list) and isinstance(unknown, list):
        return [_merge_unknown(part, unknown[at] if at < len(unknown) else None) for at, part in enumerate(value)]
    return _render(value)


def _number(number: JsonNumber) -> Any:
    text = number.text
    return (
        int(text) if len(text) <= _SAFE_DIGITS and text.lstrip("-").isdecimal() else {_SPECIAL: "number", "text": text}
    )


def _special(kind: str, items: Tree = None) -> dict[str, Any]:
    return {_SPECIAL: kind} if items is None else {_SPECIAL: kind, "items": _render(items)}
