"""Strict reading of YAML mappings: every mistake is reported with file, line and key."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final, cast

import yaml

__all__ = ["CaseError", "Fields", "compose_bounded", "json_mapping", "line_of"]


_LARGEST_INTEGER: Final = 2**63 - 1
"""Python does not print numbers of any length, and no engine has use for them."""


_DEEPEST: Final = 50


class _BoundedLoader(yaml.SafeLoader):
    """Limits the depth while reading: PyYAML takes quadratic time for nested brackets."""

    depth = 0

    def compose_node(self, parent: Any, index: Any) -> Any:
        if self.depth == _DEEPEST:
            peek: Callable[[], yaml.Event] = self.peek_event
            mark = cast("yaml.Mark | None", peek().start_mark)
            raise yaml.composer.ComposerError(None, None, f"nested more than {_DEEPEST} deep", mark)
        self.depth += 1
        node = super().compose_node(parent, index)
        self.depth -= 1
        return node


def compose_bounded(text: str) -> yaml.Node | None:
    """Return the tree of a text that may have aliases; None if it has nothing in it."""
    root: yaml.Node | None = yaml.compose(text, Loader=_BoundedLoader)
    return root


class CaseError(Exception):
    """The case cannot be run as written. The message names file, line and key."""


def line_of(node: yaml.Node) -> int:
    return int(node.start_mark.line) + 1


class Fields:
    """The keys of one mapping, taken one by one. A key that is left at the end is unknown."""

    def __init__(self, file: Path, node: yaml.Node, what: str) -> None:
        if not isinstance(node, yaml.MappingNode):
            raise CaseError(f"{file}:{line_of(node)}: {what} must be a mapping of keys to values")
        self._file, self._what, self._line = file, what, line_of(node)
        self._nodes: dict[str, yaml.Node] = {}
        self._asked: list[str] = []
        self._keys: dict[str, yaml.Node] = {}
        for key_node, value_node in node.value:
            key = str(key_node.value)
            if key in self._nodes:
                raise CaseError(f"{file}:{line_of(key_node)}: {key}: given twice in {what}")
            self._nodes[key] = value_node
            self._keys[key] = key_node

    def take(self, key: str, read: Callable[[str, yaml.Node], Any], *default: Any) -> Any:
        """Return the value of a key, or the default. A key without a default is required."""
        self._asked.append(key)
        node = self._nodes.pop(key, None)
        if node is not None:
            return read(key, node)
        if not default:
            for misspelled in get_close_matches(key, self._nodes, 1):
                raise self._unknown(misspelled, f"unknown key in {self._what}", key)
            others = f"; it has {', '.join(self._nodes)}" if self._nodes else ""
            raise CaseError(f"{self._file}:{self._line}: {key}: missing in {self._what}{others}")
        return default[0]

    def _unknown(self, key: str, reason: str, meant: str = "") -> CaseError:
        hint = f"; did you mean {meant}?" if meant else ""
        return CaseError(f"{self._file}:{line_of(self._keys[key])}: {key}: {reason}{hint}")

    def __contains__(self, key: str) -> bool:
        return key in self._nodes

    def take_whole(self, key: str) -> tuple[yaml.Node, yaml.Node]:
        """Return the nodes of a key and its value, for another reader."""
        return self._keys[key], self._nodes.pop(key)

    def finish(self, reasons: Mapping[str, str] | None = None) -> None:
        """Raise CaseError for a key that was not taken. `reasons` explain keys that are valid elsewhere."""
        for key in self._nodes:
            reason = (reasons or {}).get(key)
            if reason is not None:
                raise self._unknown(key, reason)
            raise self._unknown(key, f"unknown key in {self._what}", *get_close_matches(key, self._asked, 1))

    def text(self, key: str, node: yaml.Node) -> str:
        return str(self._checked(key, node, str, "a text"))

    def boolean(self, key: str, node: yaml.Node) -> bool:
        return bool(self._checked(key, node, bool, "true or false"))

    def integer(self, key: str, node: yaml.Node) -> int:
        value = int(self._checked(key, node, int, "a whole number"))
        if abs(value) > _LARGEST_INTEGER:
            raise self.wrong(key, node, "a whole number of 64 bits")
        return value

    def texts(self, key: str, node: yaml.Node) -> tuple[str, ...]:
        items = self._checked(key, node, list, "a list of texts")
        if not all(isinstance(item, str) for item in items):
            raise self.wrong(key, node, "a list of texts")
        return tuple(items)

    def one_of(self, allowed: Iterable[str]) -> Callable[[str, yaml.Node], str]:
        def read(key: str, node: yaml.Node) -> str:
            value = self.text(key, node)
            if value not in allowed:
                raise self.wrong(key, node, f"one of {', '.join(allowed)}")
            return value

        return read

    def json_object(self, key: str, node: yaml.Node) -> str:
        return json_mapping(self._file, key, node, "a mapping of variable names to values")

    def _checked(self, key: str, node: yaml.Node, kind: type, wanted: str) -> Any:
        return _checked(self._file, key, node, kind, wanted)

    def wrong(self, key: str, node: yaml.Node, wanted: str) -> CaseError:
        return _wrong(self._file, key, node, wanted)


def json_mapping(file: Path, key: str, node: yaml.Node, wanted: str) -> str:
    """Return a mapping as the text of a JSON object."""
    value = _checked(file, key, node, dict, wanted)
    try:
        return json.dumps(value, ensure_ascii=False, allow_nan=False)
    except (TypeError, ValueError) as problem:
        raise _wrong(file, key, node, f"something JSON can say ({problem})") from problem


def _checked(file: Path, key: str, node: yaml.Node, kind: type, wanted: str) -> Any:
    try:
        value = yaml.SafeLoader("").construct_document(node)
    except (yaml.YAMLError, ValueError, TypeError, LookupError, AttributeError) as problem:
        # PyYAML raises whatever its constructors run into, such as an AttributeError for `!!timestamp x`.
        raise _wrong(file, key, node, wanted) from problem
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise _wrong(file, key, node, wanted)
    return value


def _wrong(file: Path, key: str, node: yaml.Node, wanted: str) -> CaseError:
    return CaseError(f"{file}:{line_of(node)}: {key}: must be {wanted}")
