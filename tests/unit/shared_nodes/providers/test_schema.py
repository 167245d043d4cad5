"""Facts that are cached per block hold at every depth, and do not affect the equality of blocks."""

from __future__ import annotations

import pytest

from shared_nodes.nodes.provider.conformance import write_only_values
from shared_nodes.providers.schema import (
    BlockType,
    NestedAttributes,
    Nesting,
    SchemaAttribute,
    SchemaBlock,
    empty_value,
    has_sensitive,
    has_write_only,
)
from shared_nodes.state.object_values import mark_sensitive
from shared_nodes.values.marks import SENSITIVE
from shared_nodes.values.types import STRING
from shared_nodes.values.value import object_of, string

SECRET = {"secret": SchemaAttribute(STRING, optional=True, sensitive=True, write_only=True)}
PLAIN = SchemaBlock({"a": SchemaAttribute(STRING, optional=True)})
DEEP = {
    "an attribute": SchemaBlock({"n": SchemaAttribute(nested=NestedAttributes(Nesting.SINGLE, SECRET), optional=True)}),
    "a block": SchemaBlock(block_types={"n": BlockType(Nesting.SINGLE, SchemaBlock(SECRET))}),
}


def test_a_block_without_secrets_leaves_values_as_they_are() -> None:
    value = object_of({"a": string("x")})
    assert not has_sensitive(PLAIN)
    assert not has_write_only(PLAIN)
    assert mark_sensitive(value, PLAIN) is value


@pytest.mark.parametrize("place", DEEP)
def test_secrets_are_found_inside(place: str) -> None:
    block, value = DEEP[place], object_of({"n": object_of({"secret": string("x")})})
    assert has_sensitive(block)
    assert mark_sensitive(value, block).payload["n"].payload["secret"].has_mark(SENSITIVE)
    assert has_write_only(block)
    assert write_only_values(block, value) == [".n.secret"]


def test_what_was_worked_out_is_no_part_of_the_block() -> None:
    fresh = SchemaBlock(dict(PLAIN.attributes))
    assert empty_value(PLAIN) is empty_value(PLAIN)
    assert fresh == PLAIN
    assert repr(fresh) == repr(PLAIN)
