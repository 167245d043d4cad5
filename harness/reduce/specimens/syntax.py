"""Blocks and arguments of configuration files, with their positions in the text.

A part has a key that is the same in every version of the configuration. Removing it from one version only would change
the story: an object would be deleted, or created later. Parts are therefore changed in all versions at once first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator
from functools import lru_cache
from pathlib import PurePosixPath
from typing import Final

from harness.reduce.specimens.specimen import Specimen, SpecimenChange, TextEdit, merge_changes
from shared_nodes.lang.file_names import NATIVE_SUFFIXES
from shared_nodes.lang.parser import parse_body
from shared_nodes.lang.printer import print_body
from shared_nodes.lang.source import Source
from shared_nodes.lang.tree import Attribute, Block, Body, Expression, Literal, Template, Traversal, walk
from shared_nodes.record import record

__all__ = [
    "Key",
    "Part",
    "attributes_of",
    "blocks_of",
    "bodies_of",
    "body_of",
    "breaks_syntax",
    "called_directory",
    "directory_of",
    "expressions_in",
    "formatted",
    "in_all_versions",
    "in_one_version",
    "make_deletion",
    "traversals_in",
]

Key = tuple[Hashable, ...]

_SUFFIXES: Final = (*NATIVE_SUFFIXES, ".tfvars")
_BYTE_ORDER_MARK: Final = "\ufeff"


@record
class Part:
    """A block or an argument of a file."""

    path: str
    key: Key
    """The path of the part through file and blocks, without the version."""

    node: Block | Attribute
    around: tuple[Block, ...] = ()
    """The enclosing blocks, outermost first."""


@lru_cache(maxsize=4096)
def _parsed(text: str) -> Body | None:
    body, problems = parse_body(Source("specimen.tf", text))
    return None if problems or text.startswith(_BYTE_ORDER_MARK) else body


def body_of(path: str, text: str) -> Body | None:
    """Parse a file. Return None if it is not a configuration file or has syntax errors."""
    return _parsed(text) if path.endswith(_SUFFIXES) else None


def bodies_of(specimen: Specimen) -> Iterator[tuple[str, Body]]:
    for path, text in sorted(specimen.files.items()):
        body = body_of(path, text)
        if body is not None:
            yield path, body


def breaks_syntax(before: Specimen, after: Specimen) -> bool:
    """Whether a file that could be parsed no longer can. Files with syntax errors may keep them."""
    return any(
        body_of(path, text) is None and body_of(path, before.files[path]) is not None
        for path, text in after.files.items()
        if path in before.files and before.files[path] != text
    )


def formatted(path: str, text: str) -> str:
    """Return the file as printed by our own printer: no comments, no heredocs, one argument per line."""
    body = body_of(path, text)
    return text if body is None else print_body(body)


def directory_of(path: str) -> str:
    return str(PurePosixPath(path).parent)


def blocks_of(specimen: Specimen) -> Iterator[Part]:
    """Yield all blocks, outer blocks before inner ones."""
    for path, body in bodies_of(specimen):
        yield from _blocks(path, body, (path.partition("/")[2],), ())


def _blocks(path: str, body: Body, key: Key, around: tuple[Block, ...]) -> Iterator[Part]:
    seen = Counter[Key]()
    for block in body.blocks:
        name = (block.type, *block.labels)
        seen[name] += 1
        own = (*key, name, seen[name])
        yield Part(path, own, block, around)
        yield from _blocks(path, block.body, own, (*around, block))


def attributes_of(specimen: Specimen) -> Iterator[Part]:
    for path, body in bodies_of(specimen):
        key = (path.partition("/")[2],)
        yield from (Part(path, (*key, name), attribute) for name, attribute in body.attributes.items())
        for part in _blocks(path, body, key, ()):
            assert isinstance(part.node, Block)
            for name, attribute in part.node.body.attributes.items():
                yield Part(path, (*part.key, name), attribute, (*part.around, part.node))


def expressions_in(body: Body) -> Iterator[Expression]:
    """Yield all expressions, parents first."""
    for attribute in body.attributes.values():
        yield from walk(attribute.expression)
    for block in body.blocks:
        yield from expressions_in(block.body)


def traversals_in(body: Body, *start: str) -> Iterator[Traversal]:
    """Yield the references that begin with the given names."""
    for expression in expressions_in(body):
        if isinstance(expression, Traversal):
            names = (expression.root, *(getattr(step, "name", None) for step in expression.steps))
            if names[: len(start)] == start:
                yield expression


def called_directory(part: Part) -> str | None:
    """Return the directory of the module that a block calls, if it is a local one."""
    if not isinstance(part.node, Block) or part.node.type != "module" or "source" not in part.node.body.attributes:
        return None
    source = _constant_text(part.node.body.attributes["source"].expression)
    if source is None or not source.startswith("."):
        return None
    parts: list[str] = []
    for step in (PurePosixPath(directory_of(part.path)) / source).parts:
        if step == "..":
            parts = parts[:-1]
        else:
            parts.append(step)
    return "/".join(parts)


def _constant_text(expression: Expression) -> str | None:
    if isinstance(expression, Template) and len(expression.parts) == 1 and isinstance(expression.parts[0], Literal):
        return str(expression.parts[0].value.payload)
    return None


def make_deletion(path: str, node: Block | Attribute) -> TextEdit:
    """Return an edit that deletes a part, with its line if nothing else is on it."""
    text = node.range.source.text
    start, end = node.range.start, node.range.end
    line = text.rfind("\n", 0, start) + 1
    following = text.find("\n", end)
    following = len(text) if following < 0 else following + 1
    if not text[line:start].strip() and not text[end:following].strip():
        start, end = line, following
    return TextEdit(path, start, end)


def in_all_versions(changes: Iterable[tuple[Key, SpecimenChange]]) -> list[SpecimenChange]:
    """Merge the changes with equal keys, in order of first occurrence."""
    groups: dict[Key, list[SpecimenChange]] = {}
    for key, change in changes:
        groups.setdefault(key, []).append(change)
    return [merge_changes(group) for group in groups.values()]


def in_one_version(changes: Iterable[tuple[Key, SpecimenChange]]) -> list[SpecimenChange]:
    """Return the changes that share their key with others, each separately. All others have been tried already."""
    several = list(changes)
    counts = Counter(key for key, _ in several)
    return [change for key, change in several if counts[key] > 1]
