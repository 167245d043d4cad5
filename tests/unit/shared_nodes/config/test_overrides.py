"""What override files change, beyond the messages recorded in recorded_loading.jsonl."""

from __future__ import annotations

from pathlib import Path

import pytest

from shared_nodes.addresses.resource import Resource, ResourceMode
from shared_nodes.config.blocks import ResourceBlock
from shared_nodes.config.blocks.override import OverriddenBody
from shared_nodes.config.loading import load_configuration
from shared_nodes.config.module import Module
from shared_nodes.world import Files
from tests.unit.shared_nodes.config.recordings import write


def module(directory: Path, base: str, override: str) -> Module:
    write(directory, {"main.tf": base, "override.tf": override})
    tree, problems = load_configuration(Files(directory))
    assert not problems
    assert tree is not None
    return tree.module


def resource(directory: Path, base: str, override: str) -> ResourceBlock:
    found = module(
        directory,
        f'resource "terraform_data" "x" {{\n{base}\n}}\n',
        f'resource "terraform_data" "x" {{\n{override}\n}}\n',
    )
    return found.resources[Resource(ResourceMode.MANAGED, "terraform_data", "x")]


def test_arguments_are_replaced_one_by_one_and_blocks_by_type(tmp_path: Path) -> None:
    block = resource(
        tmp_path,
        "input = 1\ntriggers_replace = 2\nkept {}\nreplaced {\na = 1\n}\nreplaced {}",
        'input = 3\nreplaced {\nb = 2\n}\ndynamic "made" {\nfor_each = []\ncontent {}\n}',
    )
    assert isinstance(block.body, OverriddenBody)
    assert [block.body.attributes[name].expression.range.text for name in ("input", "triggers_replace")] == ["3", "2"]
    assert [inner.type for inner in block.body.blocks] == ["kept", "replaced", "dynamic"]
    assert set(block.body.blocks[1].body.attributes) == {"b"}
    assert block.body.base.attributes["input"].expression.range.text == "1"


@pytest.mark.parametrize(
    ("base", "override", "expected"),
    [
        ("prevent_destroy = true", "create_before_destroy = true", (True, "true", 0, False)),
        ("prevent_destroy = true", "prevent_destroy = false", (None, "false", 0, False)),
        ("ignore_changes = [input]", "prevent_destroy = true", (None, "true", 1, False)),
        ("ignore_changes = [input]", "ignore_changes = [input, output]", (None, None, 2, False)),
        ("ignore_changes = [input]", "ignore_changes = all", (None, None, 1, False)),
        ("ignore_changes = all", "ignore_changes = [input]", (None, None, 1, True)),
    ],
)
def test_lifecycle_flags_and_lists_are_replaced_but_not_the_word_all(
    base: str, override: str, expected: tuple[bool | None, str | None, int, bool], tmp_path: Path
) -> None:
    lifecycle = resource(tmp_path, f"lifecycle {{\n{base}\n}}", f"lifecycle {{\n{override}\n}}").lifecycle
    found = (
        lifecycle.create_before_destroy,
        lifecycle.prevent_destroy and lifecycle.prevent_destroy.range.text,
        len(lifecycle.ignore_changes),
        lifecycle.ignore_all_changes,
    )
    assert found == expected


def test_replace_triggers_of_an_override_are_dropped(tmp_path: Path) -> None:
    block = resource(tmp_path, "lifecycle {}", "lifecycle {\nreplace_triggered_by = [terraform_data.y]\n}")
    assert block.lifecycle.replace_triggered_by == ()


def test_provisioners_are_replaced_all_together(tmp_path: Path) -> None:
    first, second = ('provisioner "local-exec" {\ncommand = "a"\n}\n' * 2, 'provisioner "file" {}')
    assert [one.type for one in resource(tmp_path, first, second).provisioners] == ["file"]


def test_outputs_locals_and_variables_take_what_is_said_and_keep_the_rest(tmp_path: Path) -> None:
    found = module(
        tmp_path,
        'output "o" {\nvalue = 1\nsensitive = true\n}\nlocals {\na = 1\nb = 2\n}\n'
        'variable "v" {\ntype = string\ndefault = "1"\ndescription = "kept"\n}\n',
        'output "o" {\nvalue = 2\n}\nlocals {\na = 3\n}\nvariable "v" {\ntype = number\n}\n',
    )
    assert (found.outputs["o"].expression.range.text, found.outputs["o"].sensitive) == ("2", True)
    assert [found.locals[name].expression.range.text for name in "ab"] == ["3", "2"]
    variable = found.variables["v"]
    assert variable.description == "kept"
    assert variable.default is not None
    assert variable.default.type == variable.constraint.type


def test_a_default_provider_configuration_may_come_from_an_override_alone(tmp_path: Path) -> None:
    assert ("terraform", None) in module(tmp_path, "", 'provider "terraform" {}\n').providers
