"""Typed access to the fields of a state file.

A missing or null field is empty. A field of the wrong type raises `MalformedError`, whose diagnostic names the field as
the original does: by the names that lead to it, without list positions.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from shared_nodes.lang.diagnostics import Diagnostic, error
from shared_nodes.values.json import JsonNumber, Tree, are_strings, kind_of

__all__ = [
    "MalformedError",
    "integer_field",
    "invalid_format",
    "is_integer",
    "record_field",
    "records_field",
    "text_field",
    "texts_by_name_field",
    "texts_field",
    "truth_field",
    "whole_field",
    "wrong_field",
]


_MOST_DIGITS: Final = 20


class MalformedError(Exception):
    def __init__(self, problem: Diagnostic) -> None:
        super().__init__(str(problem))
        self.problem: Final = problem


def invalid_format(detail: str) -> MalformedError:
    return MalformedError(error("Invalid state file format", detail))


def wrong_field(path: str, tree: Tree, *, show_number: bool = False) -> MalformedError:
    number = f" {tree.text}" if show_number and isinstance(tree, JsonNumber) else ""
    return invalid_format(f'The state file field "{path}" has invalid value {kind_of(tree)}{number}')


def text_field(record: Mapping[str, Tree], name: str, path: str = "") -> str:
    tree = record.get(name)
    if tree is None:
        return ""
    if not isinstance(tree, str):
        raise wrong_field(path + name, tree)
    return tree


def whole_field(record: Mapping[str, Tree], name: str, path: str = "") -> int:
    """Return a non-negative integer of 64 bits."""
    return _integer(record.get(name), path + name, 0, 2**64 - 1)


def integer_field(record: Mapping[str, Tree], name: str, path: str = "") -> int:
    """Return an integer of 64 bits."""
    return _integer(record.get(name), path + name, -(2**63), 2**63 - 1)


def _integer(tree: Tree, place: str, least: int, most: int) -> int:
    if tree is None:
        return 0
    if not isinstance(tree, JsonNumber) or not is_integer(tree.text, least, most):
        raise wrong_field(place, tree, show_number=True)
    return int(tree.text)


def is_integer(text: str, least: int, most: int) -> bool:
    """Return whether a number is an integer within bounds, of 64 bits at most. Its digits are counted first, since
    Python refuses to convert very many."""
    digits = text.removeprefix("-") if least < 0 else text
    return digits.isdecimal() and len(digits) <= _MOST_DIGITS and least <= int(text) <= most


def truth_field(record: Mapping[str, Tree], name: str, path: str = "") -> bool:
    tree = record.get(name)
    if tree is not None and not isinstance(tree, bool):
        raise wrong_field(path + name, tree)
    return bool(tree)


def record_field(record: Mapping[str, Tree], name: str, path: str = "") -> dict[str, Tree]:
    tree = record.get(name)
    if tree is None:
        return {}
    if not isinstance(tree, dict):
        raise wrong_field(path + name, tree)
    return tree


def records_field(record: Mapping[str, Tree], name: str, path: str = "") -> list[dict[str, Tree]]:
    tree = record.get(name)
    if tree is None:
        return []
    if not isinstance(tree, list):
        raise wrong_field(path + name, tree)
    found: list[dict[str, Tree]] = []
    for part in tree:
        if not isinstance(part, dict):
            raise wrong_field(path + name, part)
        found.append(part)
    return found


def texts_field(record: Mapping[str, Tree], name: str, path: str = "") -> list[str]:
    tree = record.get(name)
    if tree is None:
        return []
    if not isinstance(tree, list):
        raise wrong_field(path + name, tree)
    if are_strings(tree):
        return tree
    raise wrong_field(path + name, next(part for part in tree if not isinstance(part, str)))


def texts_by_name_field(record: Mapping[str, Tree], name: str, path: str = "") -> dict[str, str]:
    found: dict[str, str] = {}
    for key, part in record_field(record, name, path).items():
        if part is not None and not isinstance(part, str):
            raise wrong_field(path + name, part)
        found[key] = part or ""
    return found
