"""Selects the drift that a plan shows: in a plan with changes, only the drift that may have caused them.

A plan lists the attributes from which its changes were computed. Drift of other objects is omitted, and in the objects
that are shown, other attributes count as unchanged. Only a refresh-only plan shows all drift.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from shared_nodes.values.json import JsonNumber, Tree

__all__ = ["relevant_drift"]

_Path = Sequence[Tree]
_Change = Mapping[str, Any]

_WHOLE: Final = ("after", "after_unknown", "after_sensitive")


def relevant_drift(document: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return the relevant entries of the plan's drift, reduced to the relevant attributes.

    Objects that only moved are shown elsewhere. An attribute of a resource with `count` or `for_each`, without a key,
    matches none of its objects: a quirk of the original that is kept on purpose.
    """
    wanted = document.get("relevant_attributes") or []
    found: list[Mapping[str, Any]] = []
    for entry in document.get("resource_drift") or []:
        paths = [each["attribute"] for each in wanted if each["resource"] == entry["address"]]
        change = entry["change"]
        if not paths or change["actions"] == ["no-op"]:
            continue
        reduced = _reduce(change, paths)
        if change["actions"] == ["delete"] or not _is_unchanged(reduced):
            found.append({**entry, "change": reduced})
    return found


def _is_unchanged(change: _Change) -> bool:
    same_secrets = _without_unmarked(change["before_sensitive"]) == _without_unmarked(change["after_sensitive"])
    return same_secrets and bool(change["before"] == change["after"])


def _without_unmarked(shape: Tree) -> Tree:
    """Remove the parts of a sensitivity shape in which nothing is marked, since they may be present or not."""
    if isinstance(shape, dict):
        return {name: found for name, part in shape.items() if (found := _without_unmarked(part))}
    if isinstance(shape, list):
        parts = [_without_unmarked(part) for part in shape]
        return parts if any(parts) else []
    return shape


def _reduce(change: _Change, paths: Iterable[_Path]) -> dict[str, Any]:
    """Return the change with everything reset to its old value that is not on or below one of the paths."""
    shown = list(paths)
    if any(not path for path in shown):
        return dict(change)
    before, after = change.get("before"), change.get("after")
    if isinstance(before, dict) and isinstance(after, dict | None):
        names: Iterable[Any] = sorted({*before, *(after or {})})
        return _reassemble(change, {name: _part(change, name, shown) for name in names})
    if isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        return _reassemble(change, [_part(change, index, shown) for index in range(len(before))])
    return dict(change)


def _part(change: _Change, key: str | int, paths: Sequence[_Path]) -> dict[str, Any]:
    """Return one element of all sides, reset to its old value if no path leads there."""
    part = {side: _element(change.get(side), key) for side in (*_SIDES, *_SHAPES)}
    deeper = [path[1:] for path in paths if _is_step(path[0], key)]
    if deeper:
        return _reduce(part, deeper)
    return {**part, "after": part["before"], "after_unknown": False, "after_sensitive": part["before_sensitive"]}


_SIDES: Final = ("before", "after")
_SHAPES: Final = ("after_unknown", "before_sensitive", "after_sensitive")


def _element(whole: Any, key: str | int) -> Any:
    if isinstance(whole, dict):
        return whole.get(key)
    if isinstance(whole, list) and isinstance(key, int) and key < len(whole):
        return whole[key]
    return whole is True or None


def _is_step(step: Tree, key: str | int) -> bool:
    return int(float(step.text)) == key if isinstance(step, JsonNumber) else step == key


def _reassemble(change: _Change, parts: dict[Any, dict[str, Any]] | list[dict[str, Any]]) -> dict[str, Any]:
    """Reassemble all sides from their elements."""
    if isinstance(parts, list):
        return {**change, **{side: [part[side] for part in parts] for side in _WHOLE}}
    return {**change, **{side: {name: part[side] for name, part in parts.items()} for side in _WHOLE}}
