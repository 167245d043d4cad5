"""What was observed, as a page shows it: what is unknown or sensitive is not mistaken for a text that says so.

Documents put what is unknown beside a value, and a reader has to put two trees on top of each other. Here it stands in
its place. A leaf that is no ordinary value is an object with the name `\\0`, which no name of a case can be: characters
that cannot be seen are made visible in names too.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from harness.compare.effect_order import FIELD as ORDER
from harness.compare.effect_order import Constraints, constraints_of, effect_text
from harness.findings.secrets.masking import HIDDEN, OTHER
from reports.visible import shortened, visible, visible_line
from shared_nodes.values.json import JsonNumber, Tree

__all__ = ["relation_in", "shown_observation"]

_SPECIAL: Final = "\0"
_BESIDE: Final = ("after_unknown", "after_sensitive", "before_sensitive")
_HIDDEN: Final = {HIDDEN: "sensitive", OTHER: "another sensitive"}
_LONGEST: Final = 4_000
_SAFE_DIGITS: Final = 15
"""More than these a script would round."""


def shown_observation(observation: Mapping[str, Tree]) -> dict[str, Any]:
    order = relation_in(observation)
    told = {visible(name): _shown(part) for name, part in observation.items()}
    return told if order is None else {**told, ORDER: _shown_order(order)}


def relation_in(observation: Mapping[str, Tree]) -> Constraints | None:
    """The order it tells. None as well where a file of a stranger says what is no order."""
    try:
        return constraints_of(observation) if observation.get(ORDER) else None
    except (KeyError, TypeError, ValueError, AttributeError, IndexError):
        return None


def _shown_order(order: Constraints) -> dict[str, Any]:
    """In words, by what comes before what: numbers of effects say nothing, and shift with every one that is missing."""
    return {visible_line(f"{effect_text(second)} after {effect_text(first)}"): True for first, second in order.nearest}


def _shown(tree: Tree) -> Any:
    if isinstance(tree, dict):
        return _object(tree)
    if isinstance(tree, list):
        return [_shown(part) for part in tree]
    if isinstance(tree, str):
        return _special(_HIDDEN[tree]) if tree in _HIDDEN else visible(shortened(tree, _LONGEST))
    return _number(tree) if isinstance(tree, JsonNumber) else tree


def _object(tree: dict[str, Tree]) -> dict[str, Any]:
    if "after" in tree and "after_unknown" in tree:
        parts = {visible(name): _shown(part) for name, part in tree.items() if name not in (*_BESIDE, "after")}
        return {**parts, "after": _valued(tree["after"], tree["after_unknown"])}
    kind = tree.get("type")
    if isinstance(kind, list) and kind[:1] == ["set"] and isinstance(tree.get("value"), list):
        items = tree["value"]
        return {**{visible(name): _shown(part) for name, part in tree.items()}, "value": _special("set", items)}
    return {visible(name): _shown(part) for name, part in tree.items()}


def _valued(value: Tree, unknown: Tree) -> Any:
    """A value with what is unknown of it."""
    if unknown is True:
        return _special("unknown")
    if isinstance(unknown, dict) and (value is None or isinstance(value, dict)):
        parts = value or {}
        names = [*parts, *(name for name, part in unknown.items() if name not in parts and part not in (False, {}, []))]
        return {visible(name): _valued(parts.get(name), unknown.get(name)) for name in names}
    if isinstance(value, list) and isinstance(unknown, list):
        return [_valued(part, unknown[at] if at < len(unknown) else None) for at, part in enumerate(value)]
    return _shown(value)


def _number(number: JsonNumber) -> Any:
    text = number.text
    return (
        int(text) if len(text) <= _SAFE_DIGITS and text.lstrip("-").isdecimal() else {_SPECIAL: "number", "text": text}
    )


def _special(kind: str, items: Tree = None) -> dict[str, Any]:
    return {_SPECIAL: kind} if items is None else {_SPECIAL: kind, "items": _shown(items)}
