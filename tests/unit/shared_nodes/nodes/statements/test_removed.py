"""`removed` statements."""

from __future__ import annotations

from pathlib import Path

from shared_nodes.addresses.parse import parse_replace_option
from shared_nodes.addresses.resource import AbsResourceInstance
from shared_nodes.config.tree import ConfigTree
from shared_nodes.context.operation import Operation
from shared_nodes.flavour import OPENTOFU_1_12, TERRAFORM_1_11
from shared_nodes.nodes.statements.removed import (
    removed_destroys,
    removed_statement_for,
    removed_statements,
    validate_removed,
)
from tests.unit.shared_nodes.nodes.block_runner import BlockRunner


def _instance(text: str) -> AbsResourceInstance:
    instance = parse_replace_option(text)
    assert isinstance(instance, AbsResourceInstance)
    return instance


def _config(directory: Path, text: str, module: str | None = None) -> ConfigTree:
    if module is not None:
        (directory / "m").mkdir()
        (directory / "m" / "main.tf").write_text(module)
    return BlockRunner(directory).context(text, Operation.PLAN).config


def _removed(source: str, destroy: str) -> str:
    return f"removed {{\n  from = {source}\n  lifecycle {{\n    destroy = {destroy}\n  }}\n}}\n"


def test_a_module_takes_everything_in_it_along(tmp_path: Path) -> None:
    statements = removed_statements(_config(tmp_path, _removed("module.o", "false")), TERRAFORM_1_11)
    assert removed_destroys(statements, _instance("module.o[0].module.p.terraform_data.x[1]")) is False
    assert removed_destroys(statements, _instance("module.oo.terraform_data.x")) is not False


def test_forgetting_wins_over_destroying_what_contains_it(tmp_path: Path) -> None:
    text = _removed("module.o", "true") + _removed("module.o.module.p", "false")
    statements = removed_statements(_config(tmp_path, text), TERRAFORM_1_11)
    assert removed_destroys(statements, _instance("module.o.module.p.terraform_data.x")) is False
    assert removed_destroys(statements, _instance("module.o.terraform_data.x")) is not False


def test_of_two_statements_about_the_same_thing_the_first_counts(tmp_path: Path) -> None:
    text = _removed("terraform_data.a", "true") + _removed("terraform_data.a", "false")
    config = _config(tmp_path, f'{text}module "m" {{\n  source = "./m"\n}}', _removed("terraform_data.b", "false"))
    statements = removed_statements(config, TERRAFORM_1_11)
    assert removed_destroys(statements, _instance("terraform_data.a")) is not False
    assert removed_destroys(statements, _instance("module.m.terraform_data.b")) is False
    assert removed_destroys(statements, _instance("terraform_data.b")) is not False


def test_flavours_differ_where_nothing_is_said(tmp_path: Path) -> None:
    config = _config(tmp_path, "removed {\n  from = terraform_data.a\n}")
    assert removed_destroys(removed_statements(config, TERRAFORM_1_11), _instance("terraform_data.a")) is not False
    assert removed_destroys(removed_statements(config, OPENTOFU_1_12), _instance("terraform_data.a")) is False


def test_what_is_still_there_was_not_removed(tmp_path: Path) -> None:
    text = _removed("terraform_data.a", "true") + _removed("module.m", "true") + _removed("terraform_data.gone", "true")
    declared = 'resource "terraform_data" "a" {}\nmodule "m" {\n  source = "./m"\n}\n'
    config = _config(tmp_path, declared + text, "")
    problems = validate_removed(removed_statements(config, TERRAFORM_1_11), config)
    assert [(problem.summary, problem.subject and problem.subject.text) for problem in problems] == [
        ("Removed resource still exists", 'resource "terraform_data" "a"'),
        ("Removed module still exists", 'module "m"'),
    ]


def test_provisioners_belong_to_the_statement_about_the_resource_itself(tmp_path: Path) -> None:
    statements = removed_statements(_config(tmp_path, _removed("module.o", "true")), TERRAFORM_1_11)
    assert removed_statement_for(statements, _instance("module.o.terraform_data.x").config) is None


def test_provisioners_are_found_by_the_address_as_it_is_written(tmp_path: Path) -> None:
    text = _removed("terraform_data.a", "true") * 2 + 'module "m" {\n  source = "./m"\n}\n'
    config = _config(tmp_path, text, _removed("terraform_data.b", "true"))
    statements = removed_statements(config, TERRAFORM_1_11)
    first, second, third = statements
    assert [statement.in_force for statement in statements] == [True, False, True]
    assert removed_statement_for(statements, _instance("terraform_data.a").config) is second
    assert removed_statement_for(statements, _instance("terraform_data.b").config) is third
    assert removed_statement_for(statements, _instance("module.m.terraform_data.b").config) is None
    assert removed_destroys(statements, _instance("module.m.terraform_data.b")) is first.destroy


def test_where_the_last_of_several_statements_counts_the_first_has_the_provisioners(tmp_path: Path) -> None:
    text = _removed("module.o", "false") + _removed("module.o.terraform_data.x", "true")
    statements = removed_statements(_config(tmp_path, text), OPENTOFU_1_12)
    address = _instance("module.o.terraform_data.x")
    assert removed_destroys(statements, address, OPENTOFU_1_12) is True
    assert removed_statement_for(statements, address.config, OPENTOFU_1_12) is statements[0]
    assert removed_destroys(statements[::-1], address, OPENTOFU_1_12) is False


def test_flavours_blame_different_blocks_for_what_is_still_there(tmp_path: Path) -> None:
    config = _config(tmp_path, 'resource "terraform_data" "a" {}\n' + _removed("terraform_data.a", "true"))
    [problem] = validate_removed(removed_statements(config, OPENTOFU_1_12), config, OPENTOFU_1_12)
    assert (problem.summary, problem.subject and problem.subject.text) == (
        "Removed resource block still exists",
        "removed",
    )
