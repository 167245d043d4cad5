"""Suggestions for misspelled names."""

from __future__ import annotations

from collections.abc import Iterable

__all__ = ["did_you_mean", "nearest_name"]


def nearest_name(given: str, names: Iterable[str]) -> str | None:
    """The first name in order that is fewer than three edits away, which is the original's suggestion."""
    for name in names:
        if abs(len(name) - len(given)) < 3 and edit_distance(given, name) < 3:
            return name
    return None


def did_you_mean(given: str, names: Iterable[str]) -> str:
    """The suggestion as ` Did you mean "upper"?`, or an empty string."""
    nearest = nearest_name(given, sorted(names))
    return f' Did you mean "{nearest}"?' if nearest is not None else ""


def edit_distance(first: str, second: str) -> int:
    """The Levenshtein distance, computed row by row."""
    previous = list(range(len(second) + 1))
    for row, left in enumerate(first, 1):
        current = [row]
        for column, right in enumerate(second, 1):
            current.append(min(previous[column] + 1, current[-1] + 1, previous[column - 1] + (left != right)))
        previous = current
    return previous[-1]
