"""Names of engines as a reader knows them: without the way they were given, and never a path of this machine."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Final

from reports.visible import visible_line

__all__ = ["engine_labels", "with_labels"]

_RECORDED: Final = "recorded:"


def engine_labels(engines: Iterable[str]) -> dict[str, str]:
    """Return the label of each engine: `opentofu-main` for `recorded:opentofu-main`, `tofu` for `/opt/x/tofu`. Where
    two would have the same, both keep their names."""
    names = list(dict.fromkeys(engines))
    labels = {name: visible_line(_label(name)) for name in names}
    counts = Counter(labels.values())
    return {name: label if counts[label] == 1 else visible_line(name) for name, label in labels.items()}


def _label(name: str) -> str:
    if name.startswith(_RECORDED):
        return name.removeprefix(_RECORDED) or name
    kind, colon, path = name.rpartition(":")
    return f"{kind}{colon}{path.rpartition('/')[2] or path}"


def with_labels(text: str, labels: dict[str, str]) -> str:
    """Return a sentence with the labels of engines instead of their names. Longer names go first: one may contain
    another."""
    for name in sorted(labels, key=len, reverse=True):
        if labels[name] != name and len(name) > 3:
            text = text.replace(name, labels[name])
    return text
