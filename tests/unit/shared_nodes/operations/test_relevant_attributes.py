"""Which attributes the planned changes depend on, as reported by Terraform 1.11.4.

In each of these rows Terraform also lists what outputs of modules depend on: their previous values are never known, so
an engine treats them as changed in every plan.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from shared_nodes.addresses.module import ROOT_INSTANCE
from shared_nodes.config.loading import load_configuration
from shared_nodes.operations import relevant_attributes as module
from shared_nodes.operations.relevant_attributes import relevant_attributes
from shared_nodes.plan.change import Action, Changes, OutputChange
from shared_nodes.plan.document import plan_document
from shared_nodes.values.json import dumps
from shared_nodes.values.value import NULL_DYNAMIC, integer
from shared_nodes.world import Files
from tests.unit.shared_nodes.plan.making import SCHEMAS, change, plan_of

CONFIG = """
resource "terraform_data" "src" {
  count = 2
}
resource "terraform_data" "other" {
  input = { x = { y = [terraform_data.src[1].id] } }
}
resource "terraform_data" "repeated" {
  for_each = { k = terraform_data.other.input }
  input    = each.value
}
resource "terraform_data" "counted" {
  count            = length(terraform_data.src)
  triggers_replace = count.index
}
resource "terraform_data" "quiet" {
  input      = 1
  depends_on = [terraform_data.src]
  lifecycle {
    precondition {
      condition     = terraform_data.other.id != ""
      error_message = "no"
    }
  }
}
locals {
  deep = { a = terraform_data.other.output.x["y"][0], b = local.more }
  more = module.m.out
}
resource "terraform_data" "through" {
  input = true ? local.deep.a : 1
}
module "m" {
  source = "./m"
  given  = terraform_data.src[*].output
  unused = terraform_data.quiet.id
}
output "all" {
  value = module.m
}
"""
CHILD = """
variable "given" {}
variable "unused" {}
resource "terraform_data" "in" {
  input = var.given
}
output "out" {
  value = terraform_data.in.input
}
output "plain" {
  value = 1
}
"""


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    (tmp_path / "m").mkdir()
    (tmp_path / "main.tf").write_text(CONFIG)
    (tmp_path / "m" / "main.tf").write_text(CHILD)
    return tmp_path


def find_attributes(directory: Path, changes: Changes) -> list[str]:
    config, problems = load_configuration(Files(directory))
    assert config is not None, problems
    plan = plan_of()
    plan.relevant_attributes = relevant_attributes(config, changes, SCHEMAS)
    listed = plan_document(plan, config, SCHEMAS).get("relevant_attributes", [])
    assert isinstance(listed, list)
    return [dumps(each) for each in listed]


def attribute(resource: str, *path: str) -> str:
    return dumps({"resource": resource, "attribute": [*path]})


OTHER = attribute("terraform_data.other", "input")
SRC_ID = attribute("terraform_data.src[1]", "id")
BEHIND_M = [attribute("module.m.terraform_data.in", "input"), attribute("terraform_data.src")]
"""A splat names the resource as a whole, because only `terraform_data.src` is a reference."""


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("terraform_data.src[0]", []),
        ("terraform_data.other", [SRC_ID]),
        ("terraform_data.quiet", []),
        ('terraform_data.repeated["k"]', [OTHER, SRC_ID]),
        ("terraform_data.counted[0]", [attribute("terraform_data.src")]),
        ("module.m.terraform_data.in", [attribute("terraform_data.src")]),
        ("terraform_data.gone", []),
        ("module.gone.terraform_data.x", []),
    ],
)
def test_of_a_changed_resource(directory: Path, address: str, expected: list[str]) -> None:
    assert find_attributes(directory, plan_of([change(address)]).changes) == expected


def test_locals_count_whole(directory: Path) -> None:
    """A reference to a part of a local value follows all of the local value."""
    listed = find_attributes(directory, plan_of([change("terraform_data.through")]).changes)
    part = '{"resource":"terraform_data.other","attribute":["output","x","y",0]}'
    assert listed == sorted([*BEHIND_M, part])


def test_a_module_is_all_its_outputs(directory: Path) -> None:
    output = OutputChange(ROOT_INSTANCE, "all", Action.CREATE, NULL_DYNAMIC, integer(1))
    assert find_attributes(directory, plan_of(outputs=[output]).changes) == BEHIND_M


def test_what_does_not_change_does_not_count(directory: Path) -> None:
    output = OutputChange(ROOT_INSTANCE, "all", Action.NO_OP, NULL_DYNAMIC, NULL_DYNAMIC)
    unchanged = plan_of([change("terraform_data.other", Action.NO_OP)], [output])
    assert find_attributes(directory, unchanged.changes) == []


def _made_mentions(tmp_path: Path, count: int, monkeypatch: pytest.MonkeyPatch) -> int:
    """Return how many references are followed in a large object of which every part mentions another part."""
    names = "".join(f"    k{number} = {{ a = local.seed, b = terraform_data.a.output }}\n" for number in range(count))
    parts = "".join(
        f"    k{number} = [local.names.k{number}.a, terraform_data.big.output.k{number}]\n" for number in range(count)
    )
    directory = tmp_path / str(count)
    directory.mkdir()
    (directory / "main.tf").write_text(
        'resource "terraform_data" "a" {\n}\n'
        'resource "terraform_data" "big" {\n  input = local.names\n}\n'
        f'locals {{\n  seed = "x"\n  names = {{\n{names}  }}\n  parts = {{\n{parts}  }}\n}}\n'
        'output "o" {\n  value = local.parts\n}\n'
    )
    followed = 0
    original = module._mention

    def count_mention(*arguments: Any) -> Any:
        nonlocal followed
        followed += 1
        return original(*arguments)

    with monkeypatch.context() as patch:
        patch.setattr(module, "_mention", count_mention)
        output = OutputChange(ROOT_INSTANCE, "o", Action.CREATE, NULL_DYNAMIC, integer(1))
        listed = find_attributes(directory, plan_of(outputs=[output]).changes)
        assert attribute("terraform_data.big", "output", f"k{count - 1}") in listed
    return followed


def test_the_work_grows_with_the_size_of_the_configuration(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A large object of local values once took the square of its size: its parts mention each other."""
    small, large = (_made_mentions(tmp_path, count, monkeypatch) for count in (20, 80))
    assert large < 5 * small
