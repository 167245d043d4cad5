"""Everything that differs between two documents, one leaf at a time, with readable values.

A comparison ends at the first path that differs, which is enough for a verdict. An explanation needs the others as
well. Equal parts are dropped first: DeepDiff is thorough and slow, and what is left is small. Even then its work is
limited, and so is the answer.

Only the comparison of DeepDiff is used. Its Delta, which executes what a file says, is never used.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from harness.compare.documents import keyed
from harness.findings.secrets.sensitive_values import hidden_document
from harness.observe.document_layout import Layout, Part, layout_of
from shared_nodes.record import record
from shared_nodes.values.json import JsonError, Tree, dumps, loads

__all__ = ["ABSENT", "SENSITIVE", "UNKNOWN", "Unequal", "differing_values", "shown_value"]

ABSENT: Final = "nothing"
SENSITIVE: Final = "(sensitive value)"
UNKNOWN: Final = "a value known only after apply"
_CONTENT: Final = "\0"
"""Separates the replacement of a sensitive value from the value, which is compared and never printed."""

_LARGEST: Final = 5_000
"""Limit of the leaves that are passed to DeepDiff, which takes about a second for these."""

_LONGEST: Final = 200
"""How many characters of a value are shown."""


@record
class Unequal:
    """`path` names things by address where they have one: `resource_changes terraform_data.a: change.after.input`."""

    path: tuple[str, ...]
    expected: str
    got: str

    @property
    def text(self) -> str:
        return ".".join(self.path)


def differing_values(name: str, expected: Mapping[str, Tree], got: Mapping[str, Tree]) -> list[Unequal]:
    """Return what differs in one document of two observations, in the order of the paths. Of a document that differs in
    very much only the first parts are compared."""
    layout = layout_of(name)
    left, right = (_typed(keyed(_hidden(name, side), layout), layout) for side in (expected, got))
    left, right = _without_equal(left, right)
    if _leaves(left) + _leaves(right) > _LARGEST:
        left, right = _first_parts(left, right)
    return sorted(_differences(left, right), key=lambda each: each.path)


def _hidden(name: str, observation: Mapping[str, Tree]) -> Tree:
    """Hide sensitive values behind a replacement, with which they are still compared: that they differ is not a
    secret."""
    shown = {name: observation.get(name)}
    return hidden_document(shown, lambda value: f"{SENSITIVE}{_CONTENT}{dumps(value)}")[name]


def _differences(left: Any, right: Any) -> Iterator[Unequal]:
    from deepdiff import DeepDiff  # takes as long to import as a case to judge, and most runs have nothing to compare

    if isinstance(left, str) or isinstance(right, str) or left.__class__ is not right.__class__:
        if left != right:
            yield Unequal((), _told(left), _told(right))
        return
    found = DeepDiff(left, right, view="tree", verbose_level=2)
    for items in found.values():
        for item in items:
            path = tuple(str(part) for part in item.path(output_format="list"))
            sides = [ABSENT if side.__class__.__name__ == "NotPresent" else _told(side) for side in (item.t1, item.t2)]
            yield Unequal(path, *sides)


def shown_value(tree: Tree) -> str:
    """Describe a leaf. Texts are quoted, so that "1" and 1 can be distinguished."""
    if isinstance(tree, str) and _CONTENT in tree:
        return tree
    text = dumps(tree, escape_html=False)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."


def _told(side: Any) -> str:
    """Leaves are described already. A whole part that one side lacks is shown by its beginning."""
    if isinstance(side, str):
        return side.partition(_CONTENT)[0]
    text = dumps(_untyped(side), escape_html=False)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."


def _untyped(side: Any) -> Tree:
    """Return a part as the document has it: its leaves are described, which for most of them is their JSON."""
    if isinstance(side, Mapping):
        return {str(name): _untyped(part) for name, part in side.items()}
    if isinstance(side, list):
        return [_untyped(part) for part in side]
    text = str(side).partition(_CONTENT)[0]
    try:
        return loads(text)
    except JsonError:
        return text


# What is unknown stands beside a value in the documents; here it stands in its place

_BESIDE: Final = ("after_unknown", "after_sensitive", "before_sensitive")


def _typed(tree: Tree, layout: Layout) -> Any:
    if isinstance(tree, dict):
        beside = _BESIDE if layout.part is Part.CHANGE and "after" in tree else ()
        parts = {name: _typed(part, layout.at(name)) for name, part in tree.items() if name not in beside}
        return parts | {"after": _valued(tree["after"], tree.get("after_unknown"))} if beside else parts
    return [_typed(item, layout.item) for item in tree] if isinstance(tree, list) else shown_value(tree)


def _valued(value: Tree, unknown: Tree) -> Any:
    if unknown is True:
        return UNKNOWN
    if isinstance(unknown, dict) and (value is None or isinstance(value, dict)):
        parts = value or {}
        names = [*parts, *(name for name, part in unknown.items() if name not in parts and part not in (False, {}, []))]
        return {name: _valued(parts.get(name), unknown.get(name)) for name in names}
    if isinstance(value, list):
        several = unknown if isinstance(unknown, list) else []
        return [_valued(part, several[at] if at < len(several) else None) for at, part in enumerate(value)]
    if isinstance(value, dict):
        return {name: _valued(part, None) for name, part in value.items()}
    return shown_value(value)


# Less to compare


def _without_equal(left: Any, right: Any) -> tuple[Any, Any]:
    """Return both sides without members of objects that are equal."""
    if not isinstance(left, dict) or not isinstance(right, dict):
        return left, right
    ours: dict[str, Any] = {}
    theirs: dict[str, Any] = {}
    for name in dict.fromkeys((*left, *right)):
        if name not in left:
            theirs[name] = right[name]
        elif name not in right:
            ours[name] = left[name]
        elif left[name] != right[name]:
            ours[name], theirs[name] = _without_equal(left[name], right[name])
    return ours, theirs


def _first_parts(left: Any, right: Any) -> tuple[Any, Any]:
    """Return as many members as may be compared, or else part of the first one."""
    if not isinstance(left, dict) or not isinstance(right, dict):
        return "more than can be told", "more than can be told, and not the same"
    kept: list[str] = []
    room = _LARGEST
    for name in dict.fromkeys((*left, *right)):
        room -= _leaves(left.get(name)) + _leaves(right.get(name))
        if room < 0:
            break
        kept.append(name)
    if not kept:
        name = next(iter((*left, *right)))
        ours, theirs = _first_parts(left.get(name), right.get(name))
        return {name: ours}, {name: theirs}
    return {name: left[name] for name in kept if name in left}, {name: right[name] for name in kept if name in right}


def _leaves(side: Any) -> int:
    if isinstance(side, dict):
        return sum(map(_leaves, side.values()))
    return sum(map(_leaves, side)) if isinstance(side, list) else 1
