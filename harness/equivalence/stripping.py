"""Removes the fields of a document that differ in every run: versions, timestamps and durations.

A field is a path such as `*.hook.elapsed_seconds`, in which `*` is every element of a list or an object.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from shared_nodes.record import record
from shared_nodes.values.json import Tree

__all__ = ["DEFAULT_FIELDS", "IgnoredField", "strip", "strip_golden"]

_EVERY: Final = "*"


@record
class IgnoredField:
    path: str
    of_type: str | None = None
    """Only in elements at the first step whose `type` is this one."""

    @property
    def is_element(self) -> bool:
        """Whether this is an element of a list, so that removing it twice would remove the next one as well."""
        return self.path.rpartition(".")[2].isdecimal()


DEFAULT_FIELDS: Final = {
    "apply.json": (
        IgnoredField("0"),
        IgnoredField("*.@timestamp"),
        IgnoredField("*.@module"),
        IgnoredField("*.hook.elapsed_seconds"),
        IgnoredField("*.@message", of_type="apply_complete"),
    ),
    "plan.json": (
        IgnoredField("terraform_version"),
        IgnoredField("prior_state.terraform_version"),
        IgnoredField("timestamp"),
    ),
    "state.json": (IgnoredField("terraform_version"),),
}
"""What every test ignores, by the name of the golden file. The first event of `apply.json` has the version; OpenTofu's
golden files have no `@module`."""


def strip(document: Tree, fields: Iterable[IgnoredField]) -> Tree:
    for field in fields:
        document = _without(document, field.path.split("."), field.of_type)
    return document


def strip_golden(document: Tree, fields: Iterable[IgnoredField]) -> Tree:
    """Strip a golden file. Elements of lists have been removed from it already; other fields depend on the release of
    the program that wrote it."""
    return strip(document, (field for field in fields if not field.is_element))


def _without(tree: Tree, steps: list[str], of_type: str | None = None) -> Tree:
    first, rest = steps[0], steps[1:]
    if isinstance(tree, dict):
        elements = {key: _without_in(part, key, first, rest, of_type) for key, part in tree.items()}
        return {key: part for key, part in elements.items() if part is not _GONE}
    if isinstance(tree, list):
        kept = [_without_in(part, str(index), first, rest, of_type) for index, part in enumerate(tree)]
        return [part for part in kept if part is not _GONE]
    return tree


_GONE: Final[Tree] = {"gone": None}
"""Stands for a removed element, and is recognised by its identity."""


def _without_in(part: Tree, key: str, step: str, rest: list[str], of_type: str | None) -> Tree:
    if step not in (_EVERY, key) or not _is_of_type(part, of_type):
        return part
    return _without(part, rest) if rest else _GONE


def _is_of_type(part: Tree, of_type: str | None) -> bool:
    return of_type is None or (isinstance(part, dict) and part.get("type") == of_type)
