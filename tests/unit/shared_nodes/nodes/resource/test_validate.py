"""Validation of a resource block, as recorded."""

from __future__ import annotations

from pathlib import Path

import pytest
import trio

from shared_nodes.context.operation import Operation
from shared_nodes.lang.diagnostics import Diagnostic
from shared_nodes.nodes.resource.validate import ResourceValidation, validate_resource
from tests.unit.shared_nodes.nodes.block_runner import ADDRESS, PROVIDER, BlockRunner, Walk

PREAMBLE = """
variable "v" { default = 1 }
variable "e" {
  default   = 1
  ephemeral = true
}
locals { l = 1 }
resource "terraform_data" "b" {}
resource "terraform_data" "c" { count = 2 }
"""
UNDECLARED = 'A managed resource "terraform_data" "nope" has not been declared in the root module.'
WHOLE = "References in depends_on must be to a whole object (resource, etc), not to an attribute of an object."


@pytest.fixture
def runner(tmp_path: Path) -> BlockRunner:
    return BlockRunner(tmp_path)


def validated(runner: BlockRunner, text: str) -> list[Diagnostic]:
    walk = Walk(runner.context(text + PREAMBLE, Operation.VALIDATE))
    (block,) = (block for block in walk.context.config.module.resources.values() if block.resource.name == "a")

    async def work() -> list[Diagnostic]:
        return await validate_resource(walk.context, ResourceValidation(ADDRESS.module, block, PROVIDER))

    return trio.run(work)


def block(content: str) -> str:
    return f'resource "terraform_data" "a" {{\n  {content}\n}}\n'


def shown(problems: list[Diagnostic]) -> list[tuple[str, str]]:
    return [(problem.summary, problem.detail) for problem in problems]


class TestDependsOn:
    @pytest.mark.parametrize("names", ["var.v, local.l, terraform_data.c[5], terraform_data.a", "path.module"])
    def test_fine(self, runner: BlockRunner, names: str) -> None:
        assert validated(runner, block(f"depends_on = [{names}]")) == []

    def test_existence_is_asked_only_until_something_is_wrong(self, runner: BlockRunner) -> None:
        names = "terraform_data.nope, module.nope, var.nope, terraform_data.b.id"
        found = validated(runner, block(f"depends_on = [{names}]"))
        assert shown(found) == [
            ("Reference to undeclared resource", UNDECLARED),
            ("Invalid depends_on reference", WHOLE),
        ]
        assert str(found[1].subject) == "main.tf:2,77-80"


class TestIgnoreChanges:
    @pytest.mark.parametrize(
        ("names", "summaries"),
        [
            ('input.a.b, input["a"]', []),
            ("id", ["Redundant ignore_changes element"]),
            ("output.y", []),
            (
                "id, nope, id.x, output",
                ["Redundant ignore_changes element", "Unsupported attribute", "Unsupported attribute"],
            ),
        ],
    )
    def test_paths(self, runner: BlockRunner, names: str, summaries: list[str]) -> None:
        found = validated(runner, block(f"lifecycle {{\n    ignore_changes = [{names}]\n  }}"))
        assert [problem.summary for problem in found] == summaries


class TestEphemeralValues:
    @pytest.mark.parametrize(
        ("content", "names"),
        [
            ("input = var.e", ["input"]),
            ("input = { a = [var.e] }", ["input"]),
            ("triggers_replace = [var.e, [var.e]]", ["triggers_replace", "triggers_replace"]),
            ("input = ephemeralasnull(var.e)", []),
        ],
    )
    def test_each_is_told_at_its_attribute(self, runner: BlockRunner, content: str, names: list[str]) -> None:
        found = validated(runner, block(content))
        assert shown(found) == [
            (
                "Invalid use of ephemeral value",
                f'Ephemeral values are not valid for "{name}", because it is not a write-only attribute and must be '
                "persisted to state.",
            )
            for name in names
        ]
        assert {problem.address for problem in found} <= {"terraform_data.a"}


class TestTypes:
    START = "The provider terraform.io/builtin/terraform does not support"

    @pytest.mark.parametrize(
        ("header", "summary", "detail"),
        [
            (
                'resource "terraform_dat"',
                "Invalid resource type",
                'resource type "terraform_dat". Did you mean "terraform_data"?',
            ),
            (
                'resource "terraform_remote_state"',
                "Invalid resource type",
                'resource type "terraform_remote_state".\n\nDid you intend to use the data source '
                '"terraform_remote_state"? If so, declare this using a "data" block instead of a "resource" block.',
            ),
            (
                'data "terraform_data"',
                "Invalid data source",
                'data source "terraform_data".\n\nDid you intend to use the managed resource type "terraform_data"? If '
                'so, declare this using a "resource" block instead of a "data" block.',
            ),
            (
                'data "terraform_remote_stat"',
                "Invalid data source",
                'data source "terraform_remote_stat". Did you mean "terraform_remote_state"?',
            ),
            ('ephemeral "terraform_data"', "Invalid ephemeral resource", 'ephemeral resource "terraform_data".'),
        ],
    )
    def test_unsupported(self, runner: BlockRunner, header: str, summary: str, detail: str) -> None:
        found = validated(runner, f'{header} "a" {{\n}}\n')
        assert shown(found) == [(summary, f"{self.START} {detail}")]


class TestProvisioners:
    def test_only_the_first_is_looked_at_if_the_block_is_wrong(self, runner: BlockRunner) -> None:
        twice = 'provisioner "local-exec" {\n    bad = 1\n  }\n  ' * 2
        found = validated(runner, block(f"nope = 1\n  {twice}"))
        assert [problem.summary for problem in found] == [
            "Unsupported argument",
            "Missing required argument",
            "Unsupported argument",
        ]


class TestConditions:
    def test_self_is_for_postconditions(self, runner: BlockRunner) -> None:
        rule = '{{\n      condition     = self.id == {}\n      error_message = "no"\n    }}'
        fine = f"lifecycle {{\n    postcondition {rule.format('1')}\n  }}"
        assert validated(runner, block(fine)) == []
        found = validated(runner, block(fine.replace("postcondition", "precondition")))
        assert [problem.summary for problem in found] == ['Invalid "self" reference', "Unknown variable"]

    def test_repetition_keys_are_unknown(self, runner: BlockRunner) -> None:
        assert validated(runner, block("count = 2\n  input = count.index + 1")) == []
        assert validated(runner, block('for_each = { a = 1 }\n  input = "${each.key}${each.value.x}"')) == []
