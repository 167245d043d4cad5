"""Edits, deliberate mistakes, and the statements they leave."""

from __future__ import annotations

import pytest

from harness.generate.choices import GenerationContext, SeededChooser
from harness.generate.configuration_generator import generate_configuration
from harness.generate.edits import EDITS, dependencies_in
from harness.generate.mistakes import MISTAKES, make_mistake
from harness.generate.model import BlockKind, ModelBlock, ModelExpression, ModelModule, ModelReference
from harness.generate.module_builder import ModuleBuilder
from harness.generate.printing import print_configuration
from harness.generate.statements import rename_with_moved, split_into_module
from shared_nodes.lang.parser import parse_body
from shared_nodes.lang.source import Source
from shared_nodes.values.types import STRING


def context(seed: object = "x") -> GenerationContext:
    return GenerationContext(SeededChooser(str(seed)), has_opentofu="opentofu" in str(seed))


def resource(name: str, *parts: str | ModelReference) -> ModelBlock:
    arguments = {"input": ModelExpression(parts)} if parts else {}
    return ModelBlock(
        BlockKind.MANAGED, name, "terraform_data", cloud_name=name, arguments=arguments, value_type=STRING
    )


def require_syntax(root: ModelModule) -> None:
    for path, text in print_configuration(root).items():
        _, problems = parse_body(Source(path, text))
        assert not problems, text


@pytest.mark.parametrize("name", EDITS)
def test_every_edit_leaves_a_configuration_that_can_be_parsed(name: str) -> None:
    for seed in range(12):
        decisions = context(f"{name} {seed}")
        root = generate_configuration(decisions, 6)
        for module in root.all_modules:
            EDITS[name](ModuleBuilder(decisions, module, depth=int(module is not root)))
        require_syntax(root)


def test_dependencies_are_pairs_of_resources() -> None:
    first = resource("a")
    second = resource("b", ModelReference(first, ".id", STRING))
    third = resource("c")
    third.depends_on = [second]
    assert dependencies_in(ModelModule("", [first, second, third])) == [(first, second), (second, third)]


def test_a_renamed_resource_leaves_a_moved_block() -> None:
    root = ModelModule("", [resource("a")])
    rename_with_moved(ModuleBuilder(context(), root))
    (statement,) = root.statements
    assert "from = terraform_data.a\n" in statement
    assert f"to   = terraform_data.{root.blocks[0].name}\n" in statement


def test_references_to_a_resource_that_moved_into_a_module_become_references_to_an_output() -> None:
    moved = resource("a", '"x"')
    root = ModelModule("", [moved, resource("b", ModelReference(moved, ".id", STRING))])
    call = split_into_module(ModuleBuilder(context(), root))
    assert call is not None
    assert call.module is not None
    files = print_configuration(root)
    (output,) = call.module.live_blocks(BlockKind.OUTPUT)
    assert f"input = module.{call.name}.{output.name}" in files["main.tf"]
    assert f"to   = module.{call.name}.terraform_data.a" in files["main.tf"]
    assert "terraform_data.a.id" in files[f"{call.module.name}/outputs.tf"]


@pytest.mark.parametrize("name", MISTAKES)
def test_every_mistake_is_a_text_without_placeholders(name: str) -> None:
    make_text, weight = MISTAKES[name]
    text = make_text("x1", "terraform_data.a")
    assert "NAME" not in text
    assert "SUBJECT" not in text
    assert weight > 0


def test_a_mistake_is_undone_by_clearing_its_text() -> None:
    root = ModelModule("", [resource("a")])
    before = print_configuration(root)
    assert make_mistake(context(), root) in MISTAKES
    assert print_configuration(root) != before
    root.extra.clear()
    assert print_configuration(root) == before
