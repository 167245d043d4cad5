"""Models as files: names, keys, references and sensitivity at the moment of printing."""

from __future__ import annotations

import pytest

from harness.generate.model import (
    OWN_KEY,
    BlockKind,
    ModelBlock,
    ModelExpression,
    ModelModule,
    ModelReference,
    NestedBlock,
    Repeat,
    RepetitionKind,
)
from harness.generate.printing import constant_literal, print_configuration, quoted
from shared_nodes.values.types import BOOL, NUMBER, STRING, ListType, MapType, ObjectType, Type


def resource(name: str, *parts: str | ModelReference, repeat: Repeat | None = None) -> ModelBlock:
    arguments = {"input": ModelExpression(parts)} if parts else {}
    return ModelBlock(BlockKind.MANAGED, name, "terraform_data", arguments=arguments, repeat=repeat)


def output(*parts: str | ModelReference) -> ModelBlock:
    return ModelBlock(BlockKind.OUTPUT, "o", arguments={"value": ModelExpression(parts)})


def test_a_configuration_without_blocks_is_one_empty_file() -> None:
    assert print_configuration(ModelModule("")) == {"main.tf": ""}


def test_a_reference_follows_a_renamed_block_and_outlives_a_removed_one() -> None:
    target = resource("a")
    root = ModelModule("", [target, resource("b", ModelReference(target, ".id", STRING))])
    target.name = "renamed"
    assert "input = terraform_data.renamed.id" in print_configuration(root)["main.tf"]
    target.is_alive = False
    assert 'input = "gone"' in print_configuration(root)["main.tf"]


def test_instances_with_the_same_keys_refer_to_each_other_by_their_own_key() -> None:
    target = resource("a", repeat=Repeat(RepetitionKind.SET, ["x", "y"]))
    reference = ModelReference(target, ".id", STRING)
    same = resource("b", reference, repeat=Repeat(RepetitionKind.SET, ["y", "x"]))
    other = resource("c", reference, repeat=Repeat(RepetitionKind.SET, ["z"]))
    text = print_configuration(ModelModule("", [target, same, other]))["main.tf"]
    assert "input = terraform_data.a[each.key].id" in text
    assert 'input = terraform_data.a["x"].id' in text


@pytest.mark.parametrize(
    ("repeat", "expected"),
    [
        (None, '"single"'),
        (Repeat(RepetitionKind.COUNT, ["a", "b"]), "count.index"),
        (Repeat(RepetitionKind.MAP, ["a"]), "each.key"),
    ],
)
def test_the_own_key_depends_on_the_repetition(repeat: Repeat | None, expected: str) -> None:
    block = resource("a", repeat=repeat)
    block.arguments["input"] = ModelExpression((OWN_KEY,))
    assert f"input = {expected}" in print_configuration(ModelModule("", [block]))["main.tf"]


def test_a_root_output_that_exposes_a_sensitive_value_is_declared_sensitive() -> None:
    variable = ModelBlock(BlockKind.VARIABLE, "v", value_type=STRING, is_sensitive=True)
    local = ModelBlock(
        BlockKind.LOCAL, "l", arguments={"value": ModelExpression((ModelReference(variable, "", STRING),))}
    )
    root = ModelModule("", [variable, local, output(ModelReference(local, "", STRING))])
    assert "sensitive = true" in print_configuration(root)["outputs.tf"]
    variable.is_sensitive = False
    assert "sensitive" not in print_configuration(root)["outputs.tf"]


def test_modules_are_siblings_below_the_root() -> None:
    inner, outer = ModelModule("inner", [resource("a")]), ModelModule("outer")
    outer.blocks.append(ModelBlock(BlockKind.CALL, "i", module=inner))
    files = print_configuration(ModelModule("", [ModelBlock(BlockKind.CALL, "o", module=outer)]))
    assert set(files) == {"main.tf", "outer/main.tf", "inner/main.tf"}
    assert 'source = "./outer"' in files["main.tf"]
    assert 'source = "../inner"' in files["outer/main.tf"]


def test_a_nested_block_with_keys_is_dynamic() -> None:
    block = resource("a")
    block.nested_blocks.append(NestedBlock("tag", {"key": ModelExpression(('"k"',))}, each=("x",)))
    text = print_configuration(ModelModule("", [block]))["main.tf"]
    assert 'dynamic "tag" {\n    for_each = toset(["x"])\n    content {\n      key = "k"\n    }\n  }' in text


def test_quotes_and_backslashes_are_escaped() -> None:
    assert quoted('a"b\\') == '"a\\"b\\\\"'


@pytest.mark.parametrize(
    ("wanted", "text"),
    [
        (STRING, '"gone"'),
        (NUMBER, "0"),
        (BOOL, "false"),
        (ListType(STRING), "[]"),
        (MapType(STRING), "{}"),
        (ObjectType({"a": NUMBER}), "{ a = 0 }"),
    ],
)
def test_a_placeholder_has_the_type_of_what_is_gone(wanted: Type, text: str) -> None:
    assert constant_literal(wanted) == text
