"""Single values of a workflow file, converted from YAML nodes. `Wrong` is raised with a description of what is allowed.

YAML aliases are rejected: workflows do not need them, and without them a file can neither refer to itself nor expand
from a small text to an enormous tree.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, Literal, cast

import yaml

from harness.workflow.expressions import ExpressionError, WorkflowExpression, parse_expression
from harness.workflow.model import Match
from shared_nodes.world import Files, RefusedFileError

__all__ = [
    "Wrong", "compose", "compose_plain", "condition", "data", "expression_or_data", "is_null", "join", "line_of",
    "literal", "match", "names", "seconds", "whole_number",
]  # fmt: skip

_MAX_FILE_SIZE: Final = 1_000_000
_MAX_DEPTH: Final = 50
_UNWRITABLE: Final = re.compile("[\0\ud800-\udfff]")


class Wrong(Exception):
    """The value is not allowed here. `line` is set where a better line than that of the value is known."""

    def __init__(self, message: str, line: int | None = None) -> None:
        super().__init__(message)
        self.line = line


class _PlainLoader(yaml.SafeLoader):
    """Loads YAML from untrusted sources."""

    depth = 0

    def compose_node(self, parent: Any, index: Any) -> Any:
        """Limit the depth while reading: PyYAML takes quadratic time for nested brackets."""
        peek: Callable[[], yaml.Event] = self.peek_event
        mark = cast("yaml.Mark | None", peek().start_mark)
        if self.check_event(yaml.AliasEvent):
            raise yaml.composer.ComposerError(None, None, "aliases cannot be used here", mark)
        if self.depth == _MAX_DEPTH:
            raise yaml.composer.ComposerError(None, None, f"nested more than {_MAX_DEPTH} deep", mark)
        self.depth += 1
        node = super().compose_node(parent, index)
        self.depth -= 1
        return node

    def compose_scalar_node(self, anchor: Any) -> Any:
        """Refuse texts that no file name and no output can have."""
        node = super().compose_scalar_node(anchor)
        if _UNWRITABLE.search(node.value):
            raise yaml.composer.ComposerError(None, None, "contains NUL, or half of a character", node.start_mark)
        return node


def compose_plain(text: str) -> yaml.Node | None:
    """Return the tree of a text; None if it has nothing in it. Whatever is wrong with it is a YAMLError."""
    try:
        root: yaml.Node | None = yaml.compose(text, Loader=_PlainLoader)
    except (ValueError, OverflowError) as problem:
        # PyYAML passes the number of an escaped character to `chr`, however large it is.
        raise yaml.YAMLError(f"an escaped character does not exist: {problem}") from problem
    return root


def compose(file: Path) -> yaml.Node:
    try:
        content = Files(file.parent).read_bytes(file.name, _MAX_FILE_SIZE)
        root = compose_plain(content.decode("utf-8"))
    except RefusedFileError as problem:
        raise Wrong(str(problem)) from problem
    except (OSError, UnicodeDecodeError) as problem:
        raise Wrong(f"cannot be read: {problem}") from problem
    except yaml.YAMLError as problem:
        mark = getattr(problem, "problem_mark", None)
        text = getattr(problem, "problem", None) or getattr(problem, "reason", None) or "not YAML"
        raise Wrong(f"not YAML that can be read: {text}", None if mark is None else mark.line + 1) from problem
    if root is None:
        raise Wrong("empty; a mapping with tasks is needed")
    return root


def line_of(node: yaml.Node) -> int:
    return int(node.start_mark.line) + 1


def is_null(node: yaml.Node) -> bool:
    return isinstance(node, yaml.ScalarNode) and node.tag == "tag:yaml.org,2002:null"


def data(node: yaml.Node) -> Any:
    """Convert a node to plain data that JSON can represent. Dates and sets are rejected: languages disagree on them."""
    try:
        value = yaml.SafeLoader("").construct_document(node)
        json.dumps(value, allow_nan=False)
    except (yaml.YAMLError, ValueError, TypeError, LookupError, AttributeError) as problem:
        reason = getattr(problem, "problem", None) or problem
        raise Wrong(f"not something JSON can say: {reason}") from problem
    return value


def literal(node: yaml.Node) -> Any:
    value = data(node)
    if isinstance(value, str) and "<%" in value:
        raise Wrong("expressions are evaluated in `when`, `publish` and `vars` only")
    return value


def expression_or_data(node: yaml.Node) -> Any:
    """Parse a text that contains `<%` as an expression; return everything else unchanged."""
    value = data(node)
    return _expression(value) if isinstance(value, str) and "<%" in value else value


def condition(node: yaml.Node) -> WorkflowExpression:
    value = data(node)
    if not isinstance(value, str):
        raise Wrong("must be a text: succeeded, failed, completed or an expression")
    return _expression(value)


def _expression(text: str) -> WorkflowExpression:
    try:
        return parse_expression(text)
    except ExpressionError as problem:
        raise Wrong(f"not an expression: {problem}") from problem


def names(node: yaml.Node) -> tuple[str, ...]:
    """Read one name, several separated by commas, or a list. Only a list must not contain duplicates (rule 7)."""
    value = data(node)
    found = [name.strip() for name in value.split(",")] if isinstance(value, str) else value
    if not isinstance(found, list) or not found or not all(isinstance(name, str) and name for name in found):
        raise Wrong("must be the name of a task, several between commas, or a list of them")
    if isinstance(value, list) and len(set(found)) < len(found):
        raise Wrong("names a task twice")
    return tuple(found)


def join(node: yaml.Node) -> int | Literal["all"]:
    """Read the number of tasks to wait for. The recorded conductor takes 0 for 1."""
    value = data(node)
    if value == "all":
        return "all"
    if not _is_whole(value) or value < 0:
        raise Wrong("must be `all` or a number of tasks")
    return max(1, int(value))


def match(node: yaml.Node) -> Match:
    value = data(node)
    if value not in tuple(Match):
        raise Wrong(f"must be {' or '.join(Match)}")
    return Match(value)


def whole_number(least: int) -> Callable[[yaml.Node], int]:
    def read(node: yaml.Node) -> int:
        value = data(node)
        if not _is_whole(value) or value < least:
            raise Wrong(f"must be a whole number, {least} or more")
        return int(value)

    return read


def seconds(node: yaml.Node) -> float:
    value = data(node)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < math.inf:
        raise Wrong("must be a number of seconds, 0 or more")
    return float(value)


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
