"""Typed access to JSON trees: what has another form than expected is empty, never an error."""

from __future__ import annotations

from typing import TypeAlias

from shared_nodes.values.json import JsonNumber, Tree

__all__ = ["JsonObject", "as_items", "as_number", "as_object", "as_objects", "as_texts"]

JsonObject: TypeAlias = dict[str, Tree]


def as_object(tree: Tree) -> JsonObject:
    return tree if isinstance(tree, dict) else {}


def as_items(tree: Tree) -> list[Tree]:
    return tree if isinstance(tree, list) else []


def as_objects(tree: Tree) -> list[JsonObject]:
    """Return the objects in a list."""
    return [item for item in as_items(tree) if isinstance(item, dict)]


def as_texts(tree: Tree) -> list[str]:
    """Return the texts in a list."""
    return [item for item in as_items(tree) if isinstance(item, str)]


def as_number(tree: Tree) -> int:
    """Return a whole number. Only for documents that are known to have one in this place."""
    assert isinstance(tree, JsonNumber), tree
    return int(tree.text)
