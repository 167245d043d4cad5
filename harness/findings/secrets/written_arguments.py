"""Reads the arguments of all configuration and test files of a case, whatever the files make together.

Which files make a module depends on the product, on override files, and on whether any of them has a mistake. None of
that matters here: a value that another file replaces, or that is in a file which is never read, is still in the text of
the case. So each file is read by itself, in HCL or in JSON, and gives its arguments with their paths:

    variable "p" { default = "x" }             ("variable", "p", "default")
    mock_resource "t" { defaults = {a = 1} }   ("mock_resource", "t", "defaults"), and ("mock_resource", "t",
                                               "defaults", "a")
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from shared_nodes.lang.file_names import CONFIGURATION_SUFFIXES
from shared_nodes.lang.parser import parse_body, parse_template
from shared_nodes.lang.source import Source
from shared_nodes.lang.tree import Body, Expression, Literal, ObjectConstructor, ObjectItem, Template
from shared_nodes.record import record
from shared_nodes.values.json import JsonError, Tree, dumps, loads

__all__ = ["Argument", "has_arguments", "read_arguments"]

_SUFFIXES: Final = (
    *CONFIGURATION_SUFFIXES,
    *(f".{kind}.{syntax}" for kind in ("tftest", "tofutest", "tfmock") for syntax in ("hcl", "json")),
)

Names = tuple[str, ...]


@record
class Argument:
    directory: Path
    path: Names
    expression: Expression


def has_arguments(file: Path) -> bool:
    return file.name.endswith(_SUFFIXES)


def read_arguments(file: Path) -> tuple[list[Argument], bool]:
    """Return the arguments of a file, and whether all of it could be read."""
    content = file.read_bytes()
    if file.name.endswith(".json"):
        try:
            tree = loads(content.decode("utf-8-sig"))
        except (JsonError, UnicodeDecodeError):
            return [], False
        return [Argument(file.parent, path, each) for path, each in _of_json(tree, ())], True
    body, problems = parse_body(Source(file.name, content))
    return [Argument(file.parent, path, each) for path, each in _of_body(body, ())], not problems


def _of_body(body: Body, path: Names) -> Iterator[tuple[Names, Expression]]:
    pending = [(body, path)]
    while pending:
        body, path = pending.pop()
        for name, attribute in body.attributes.items():
            yield from _of_expression(attribute.expression, (*path, name))
        pending.extend((block.body, (*path, block.type, *block.labels)) for block in body.blocks)


def _of_expression(expression: Expression, path: Names) -> Iterator[tuple[Names, Expression]]:
    """Return an expression and, if it is an object, its members."""
    pending = [(expression, path)]
    while pending:
        expression, path = pending.pop()
        yield path, expression
        if isinstance(expression, ObjectConstructor):
            pending.extend((item.value, (*path, _key(item))) for item in expression.items)


def _key(item: ObjectItem) -> str:
    if item.literal_key is not None:
        return item.literal_key
    parts = item.key.parts if isinstance(item.key, Template) else (item.key,)
    return "".join(str(part.value.payload) for part in parts if isinstance(part, Literal))


def _of_json(tree: Tree, path: Names) -> Iterator[tuple[Names, Expression]]:
    """Return what is in a JSON document. Objects in a list are blocks of one type, or elements: both have the path of
    the list."""
    pending = [(tree, path)]
    while pending:
        tree, path = pending.pop()
        if isinstance(tree, dict):
            pending.extend((part, (*path, name)) for name, part in tree.items())
        elif isinstance(tree, list):
            pending.extend((part, path) for part in tree)
        elif isinstance(tree, str):
            yield path, parse_template(Source("", tree.encode("utf-8", "replace")))[0]
        else:
            yield path, parse_template(Source("", f"${{{dumps(tree)}}}".encode()))[0]
