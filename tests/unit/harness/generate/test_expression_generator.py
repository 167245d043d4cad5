"""Expressions of a requested type."""

from __future__ import annotations

import pytest

from harness.generate.choices import PART_NAMES, GenerationContext, SeededChooser
from harness.generate.expression_generator import ExpressionSpec, choose_reference, make_expression
from harness.generate.model import BlockKind, ModelBlock, ModelModule
from harness.generate.printing import print_configuration
from harness.generate.referable_attributes import LIST, MAP, referable_attributes
from shared_nodes.lang.parser import parse_body
from shared_nodes.lang.source import Source
from shared_nodes.values.types import BOOL, DYNAMIC, NUMBER, STRING, ObjectType, SetType, Type


def context(seed: str = "x") -> GenerationContext:
    return GenerationContext(SeededChooser(seed))


def local(name: str, value_type: Type, *, is_ephemeral: bool = False, is_static: bool = False) -> ModelBlock:
    return ModelBlock(BlockKind.LOCAL, name, value_type=value_type, is_ephemeral=is_ephemeral, is_static=is_static)


@pytest.mark.parametrize("wanted", [STRING, NUMBER, BOOL, LIST, MAP, DYNAMIC, SetType(STRING), ObjectType({"a": LIST})])
def test_every_expression_can_be_parsed(wanted: Type) -> None:
    for number in range(60):
        expression = make_expression(context(str(number)), wanted, ExpressionSpec((), depth=3))
        block = ModelBlock(BlockKind.LOCAL, "l", arguments={"value": expression})
        text = print_configuration(ModelModule("", [block]))["main.tf"]
        _, problems = parse_body(Source("main.tf", text))
        assert not problems, text


def test_stories_call_their_values_like_parts_of_documents() -> None:
    """Comparison once took a user's list for the list of a state, if it was called `resources`."""
    shared = context()
    expressions = [make_expression(shared, wanted, ExpressionSpec((), depth=3)) for wanted in (DYNAMIC, MAP) * 100]
    words = {part for each in expressions for part in each.parts if isinstance(part, str)}
    assert set(PART_NAMES) <= words


def test_a_reference_has_exactly_the_requested_type() -> None:
    blocks = [local("a", NUMBER), local("b", STRING)]
    reference = choose_reference(context(), STRING, ExpressionSpec(blocks))
    assert reference is not None
    assert reference.target is blocks[1]
    assert choose_reference(context(), BOOL, ExpressionSpec(blocks)) is None


def test_ephemeral_and_unknown_values_are_referred_to_only_where_allowed() -> None:
    ephemeral, unknown = local("e", STRING, is_ephemeral=True), local("u", STRING)
    assert choose_reference(context(), STRING, ExpressionSpec([ephemeral])) is None
    assert choose_reference(context(), STRING, ExpressionSpec([ephemeral], may_be_ephemeral=True)) is not None
    assert choose_reference(context(), STRING, ExpressionSpec([unknown], is_static=True)) is None


def test_removed_blocks_are_not_referred_to() -> None:
    block = local("a", STRING)
    block.is_alive = False
    assert choose_reference(context(), STRING, ExpressionSpec([block])) is None


def test_optional_attributes_are_referred_to_only_if_they_are_set() -> None:
    block = ModelBlock(BlockKind.MANAGED, "a", "simcloud_updated")
    paths = {path for path, _, _ in referable_attributes(block)}
    assert ".id" in paths
    assert ".value" not in paths
    block.arguments["value"] = make_expression(context(), STRING, ExpressionSpec(()))
    assert ".value" in {path for path, _, _ in referable_attributes(block)}
