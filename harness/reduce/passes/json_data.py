"""The pass over JSON data: initial states, configurations and variables. Also helpers for trees of JSON or YAML."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from harness.reduce.specimens.specimen import Specimen, SpecimenChange
from shared_nodes.values.json import JsonError, dumps, loads

__all__ = ["drop_json_parts", "with_texts", "without_each"]


def without_each(tree: Any) -> Iterator[Any]:
    """Yield copies of a tree, each without one member or item at any depth, large parts first."""
    if isinstance(tree, dict):
        yield from ({name: part for name, part in tree.items() if name != left_out} for left_out in tree)
        for name, part in tree.items():
            yield from ({**tree, name: smaller} for smaller in without_each(part))
    elif isinstance(tree, list):
        yield from ([*tree[:index], *tree[index + 1 :]] for index in range(len(tree)))
        for index, part in enumerate(tree):
            yield from ([*tree[:index], smaller, *tree[index + 1 :]] for smaller in without_each(part))


def with_texts(tree: Any, change: Callable[[str], str]) -> Any:
    """Return a copy of a tree with every string changed, including names of members."""
    if isinstance(tree, str):
        return change(tree)
    if isinstance(tree, list):
        return [with_texts(item, change) for item in tree]
    if isinstance(tree, dict):
        return {with_texts(key, change): with_texts(item, change) for key, item in tree.items()}
    return tree


def drop_json_parts(specimen: Specimen) -> list[SpecimenChange]:
    found: list[SpecimenChange] = []
    for path, text in sorted(specimen.files.items()):
        if path.endswith(".json"):
            try:
                tree = loads(text)
            except JsonError:
                continue
            for smaller in without_each(tree):
                found.append(SpecimenChange(files={path: dumps(smaller, escape_html=False, indent=2) + "\n"}))
    return found
