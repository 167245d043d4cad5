"""Dynamic blocks: which blocks they generate, and which marks of `for_each` the blocks get. Diagnostics: see
test_decode."""

from __future__ import annotations

import pytest

from shared_nodes.providers.schema import BlockType, NestedAttributes, Nesting, SchemaAttribute, SchemaBlock
from shared_nodes.values.marks import NO_MARKS, SENSITIVE, Marks
from shared_nodes.values.types import STRING
from shared_nodes.values.value import Value, string, unknown
from tests.unit.shared_nodes.nodes.decoding import decode_file

LEAF = {"k": SchemaAttribute(STRING, optional=True)}
INNER = SchemaBlock(LEAF, {"x": BlockType(Nesting.LIST, SchemaBlock(LEAF))})
BLOCKS = {name: BlockType(Nesting(name), INNER) for name in ("single", "group", "list", "set", "map")}
PLAIN = SchemaBlock({}, BLOCKS)
MODERN = SchemaBlock({"n": SchemaAttribute(nested=NestedAttributes(Nesting.SINGLE, LEAF), optional=True)}, BLOCKS)
"""The same blocks in a schema with a nested attribute type, which changes how marks are kept."""

SECRET: Marks = frozenset((SENSITIVE,))


def decoded(body: str, block: SchemaBlock = PLAIN) -> Value:
    values, problems = decode_file(f'variable "u" {{}}\nresource "t_a" "a" {{\n{body}\n}}\n', block)
    assert problems == []
    return values["a"]


def dynamic(kind: str, each: str, content: str, rest: str = "") -> str:
    labels = "\n labels = [map.key]" if kind == "map" else ""
    return f'dynamic "{kind}" {{\n for_each = {each}{labels}\n {rest}\n content {{\n {content}\n }}\n}}'


@pytest.mark.parametrize(
    ("each", "keys"),
    [
        ('["p", "q"]', ["0-p", "1-q"]),
        ('{b = "q", a = "p"}', ["a-p", "b-q"]),
        ('toset(["q", "p"])', ["p-p", "q-q"]),
        ("[]", []),
        ('tomap({a = "x"})', ["a-x"]),
    ],
)
def test_one_block_for_each_element_in_order(each: str, keys: list[str]) -> None:
    value = decoded(dynamic("list", each, 'k = "${list.key}-${list.value}"')).payload["list"]
    assert [element.payload["k"].payload for element in value.payload] == keys


def test_iterators_of_outer_blocks_are_seen_inside() -> None:
    inner = 'dynamic "x" {\n for_each = [it.value, "z"]\n content {\n  k = "${it.value}-${x.value}"\n }\n}'
    value = decoded(dynamic("list", '["p"]', inner, "iterator = it")).payload["list"]
    found = [element.payload["k"] for element in value.payload[0].payload["x"].payload]
    assert found == [string("p-p"), string("p-z")]


def test_an_iterator_hides_a_name_of_the_module() -> None:
    value = decoded(dynamic("list", '["p"]', "k = var.value", "iterator = var")).payload["list"]
    assert value.payload[0].payload["k"] == string("p")


@pytest.mark.parametrize("kind", ["single", "group"])
def test_an_unknown_single_block_is_there_with_nothing_known_in_it(kind: str) -> None:
    value = decoded(dynamic(kind, "var.u", 'k = "known"\n x {}')).payload[kind]
    assert value.payload["k"] == unknown(STRING)
    assert not value.payload["x"].is_known


@pytest.mark.parametrize("kind", ["list", "set", "map"])
def test_unknown_blocks_are_unknown_as_a_whole(kind: str) -> None:
    body = dynamic(kind, "var.u", 'k = "known"')
    body = body.replace("labels = [map.key]", 'labels = ["a"]')
    assert not decoded(body).payload[kind].is_known


def first(value: Value) -> Value:
    element: Value = next(iter(value.payload.values() if value.payload.__class__ is dict else value.payload))
    return element


@pytest.mark.parametrize(
    ("block", "kind", "on_element"),
    [
        (PLAIN, "list", NO_MARKS),
        (PLAIN, "map", NO_MARKS),
        (MODERN, "list", SECRET),
        (MODERN, "map", SECRET),
    ],
)
def test_marks_of_for_each_go_on_arguments_and_perhaps_on_elements(
    block: SchemaBlock, kind: str, on_element: Marks
) -> None:
    each = 'sensitive({a = "p"})'
    body = dynamic(kind, each, 'k = "plain"\n x {\n  k = "deep"\n }').replace("labels = [map.key]", 'labels = ["a"]')
    element = first(decoded(body, block).payload[kind])
    assert element.marks == on_element
    assert element.payload["k"].marks == SECRET
    assert element.payload["x"].payload[0].payload["k"].marks == NO_MARKS


@pytest.mark.parametrize("block", [PLAIN, MODERN])
def test_a_single_block_is_never_marked_as_a_whole(block: SchemaBlock) -> None:
    value = decoded(dynamic("single", 'sensitive(["p"])', 'k = "plain"'), block).payload["single"]
    assert value.marks == NO_MARKS
    assert value.payload["k"].marks == SECRET


def test_a_sensitive_element_marks_only_what_uses_it() -> None:
    value = decoded(dynamic("list", '[sensitive("p"), "q"]', "k = list.value")).payload["list"]
    assert [element.payload["k"].marks for element in value.payload] == [SECRET, NO_MARKS]
