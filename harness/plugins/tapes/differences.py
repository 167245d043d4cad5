"""How a request differs from a recorded one, attribute by attribute."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from harness.json_layout import on_one_line
from harness.plugins.tapes.secrets import fits, has_secrets
from harness.plugins.tapes.tape import Exchange
from harness.plugins.tapes.tape_values import plain_name
from shared_nodes.values.json import Tree

__all__ = ["Difference", "describe_nearest", "differences"]

Difference = tuple[str, str, str]
"""A place, what was recorded there, and what was asked."""

_MOST: Final = 8
"""Differences that are listed. A request that differs in more is another one altogether."""

_LONGEST: Final = 120
_NOTHING: Final = "nothing"
_HIDDEN: Final = "(sensitive value)"


def describe_nearest(asked: Tree, recorded: Iterable[Exchange]) -> str:
    """Say which of these exchanges is the nearest to a request, by how the request differs from it."""
    found = [list(differences(dict(each.request), asked)) for each in recorded]
    nearest = min(found, key=len)
    listed = "".join(f"\n  - {place}: recorded {before}, asked {after}" for place, before, after in nearest[:_MOST])
    rest = f"\n  - and {len(nearest) - _MOST} more" if len(nearest) > _MOST else ""
    choice = "The recorded request" if len(found) == 1 else f"The nearest of {len(found)} recorded requests"
    return f"{choice} differs in:{listed}{rest}"


def differences(recorded: Tree, asked: Tree, place: str = "") -> Iterator[Difference]:
    if has_secrets(recorded):
        if fits(recorded, asked) is not None:
            return
    elif recorded == asked:
        return
    if isinstance(recorded, dict) and isinstance(asked, dict) and not _is_special(recorded) and not _is_special(asked):
        for name in sorted({*recorded, *asked}):
            inner = f"{place}.{plain_name(name)}" if place else plain_name(name)
            yield from differences(recorded.get(name), asked.get(name), inner)
    elif isinstance(recorded, list) and isinstance(asked, list) and len(recorded) == len(asked):
        for index, (part, other) in enumerate(zip(recorded, asked, strict=True)):
            yield from differences(part, other, f"{place}[{index}]")
    else:
        hides = has_secrets(recorded)
        yield place, _shown(recorded, hides), _shown(asked, hides)


def _is_special(tree: dict[str, Tree]) -> bool:
    return any(name.startswith("$") and not name.startswith("$$") for name in tree)


def _shown(tree: Tree, hides: bool) -> str:
    if tree is None:
        return _NOTHING
    if hides:
        return _HIDDEN
    text = on_one_line(tree)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."
