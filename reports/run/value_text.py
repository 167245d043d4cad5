"""The values of a finding as a person would write them down, instead of the JSON that was compared."""

from __future__ import annotations

from typing import Final

from shared_nodes.values.json import JsonError, JsonNumber, Tree, dumps, loads

__all__ = ["value_text"]

_LONGEST_LINE: Final = 80
_NOTHING: Final = {"nothing more": "(none)"}


def value_text(text: str) -> str:
    """Return a value of a finding as a person would write it down: a diagnostic in its words, events and calls one to a
    line. Anything else is left as it is."""
    try:
        items = loads(f"[{text}]") if text[:1] in "[{" else None
    except (JsonError, RecursionError):
        return text
    if not isinstance(items, list) or not items:
        return _NOTHING.get(text, text)
    lines = [_value_line(item) for item in items]
    return _spread(text) if None in lines else "\n".join(map(str, lines))


def _spread(text: str) -> str:
    """Return an object or a list with a line for each member, unless it fits on one line."""
    if len(text) <= _LONGEST_LINE:
        return text
    try:
        return dumps(loads(text), escape_html=False, indent=2)
    except JsonError:
        return text


def _value_line(item: Tree) -> str | None:
    if isinstance(item, list) and item and all(part is None or isinstance(part, str) for part in item):
        return " ".join(str(part) for part in item if part is not None)
    if isinstance(item, dict) and isinstance(item.get("summary"), str) and "severity" in item:
        detail = f"\n{item['detail']}" if item.get("detail") else ""
        return f"{str(item['severity']).capitalize()}: {item['summary']}{detail}"
    change = item.get("change") if isinstance(item, dict) else None
    actions = change.get("actions") if isinstance(change, dict) else None
    if isinstance(item, dict) and isinstance(actions, list):
        return f"{item.get('address')}: {', '.join(map(str, actions))}"
    if isinstance(item, dict) and item and all(isinstance(part, JsonNumber) for part in item.values()):
        return ", ".join(f"{dumps(part)} {name}" for name, part in item.items())
    return None
