"""What evaluation waits for, read from configurations without evaluating them."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.observe.evaluation import BlockReferences, References, references_in
from shared_nodes.flavour import OPENTOFU_1_12
from shared_nodes.world import Files


def references(directory: Path, main: str, **modules: str) -> References:
    (directory / "main.tf").write_text(main)
    for name, text in modules.items():
        (directory / name).mkdir()
        (directory / name / "main.tf").write_text(text)
    return references_in(Files(directory), OPENTOFU_1_12)


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ("input = terraform_data.a.id", BlockReferences(values=frozenset(["terraform_data.a"]))),
        ("input = [for x in [1] : local.l]", BlockReferences(values=frozenset(["terraform_data.a"]))),
        ("count = length(terraform_data.a.id)", BlockReferences(instances=frozenset(["terraform_data.a"]))),
        ("depends_on = [terraform_data.a]", BlockReferences(instances=frozenset(["terraform_data.a"]))),
        (
            "lifecycle {\n replace_triggered_by = [terraform_data.a]\n}",
            BlockReferences(instances=frozenset(["terraform_data.a"])),
        ),
        (
            'lifecycle {\n precondition {\n condition = terraform_data.a.id != ""\n error_message = "no"\n}\n}',
            BlockReferences(unasked=frozenset(["terraform_data.a"])),
        ),
        (
            'provisioner "local-exec" {\n command = "${terraform_data.a.id} ${terraform_data.b.id}"\n}',
            BlockReferences(instances=frozenset(["terraform_data.a"])),
        ),
        ('provisioner "local-exec" {\n when = destroy\n command = "bye"\n}', BlockReferences()),
    ],
)
def test_parts_of_a_block_are_asked_for_at_different_times(
    tmp_path: Path, arguments: str, expected: BlockReferences
) -> None:
    """A provisioner may name its own resource, which is there when it runs."""
    main = f"""
resource "terraform_data" "a" {{}}
resource "terraform_data" "b" {{
  {arguments}
}}
locals {{
  l = terraform_data.a.output
}}
"""
    assert references(tmp_path, main)["terraform_data.b"] == expected


def test_everything_in_a_module_waits_for_all_arguments_of_its_call(tmp_path: Path) -> None:
    found = references(
        tmp_path,
        """
resource "terraform_data" "a" {}
module "m" {
  source = "./inner"
  used   = "x"
  unused = terraform_data.a.id
}
resource "terraform_data" "c" {
  input = module.m.one
}
""",
        inner="""
variable "used" {}
variable "unused" {}
resource "terraform_data" "b" {
  input = var.used
}
resource "terraform_data" "d" {}
output "one" {
  value = terraform_data.b.id
}
output "two" {
  value = terraform_data.d.id
}
""",
    )
    assert found["module.m.terraform_data.d"].instances == {"terraform_data.a"}
    assert found["module.m.terraform_data.b"].values == {"terraform_data.a"}
    assert found["terraform_data.c"].values == {
        "terraform_data.a",
        "module.m.terraform_data.b",
        "module.m.terraform_data.d",
    }


def test_depending_on_a_module_lists_its_resources_and_awaits_none(tmp_path: Path) -> None:
    found = references(
        tmp_path,
        """
module "m" {
  source = "./inner"
}
resource "terraform_data" "c" {
  depends_on = [module.m]
}
module "n" {
  source     = "./inner"
  depends_on = [module.m]
}
""",
        inner='resource "terraform_data" "b" {}\n',
    )
    assert found["terraform_data.c"] == BlockReferences(unasked=frozenset(["module.m.terraform_data.b"]))
    assert found["module.n.terraform_data.b"] == BlockReferences(unasked=frozenset(["module.m.terraform_data.b"]))


def test_what_configures_a_provider_is_waited_for(tmp_path: Path) -> None:
    main = """
terraform {
  required_providers {
    sim = {
      source = "example.com/x/sim"
    }
  }
}
provider "sim" {
  alias  = "inside"
  region = sim_thing.outside.id
}
resource "sim_thing" "outside" {}
resource "sim_thing" "within" {
  provider = sim.inside
}
"""
    found = references(tmp_path, main)
    assert found["sim_thing.within"] == BlockReferences(provider=frozenset(["sim_thing.outside"]))
    assert found["sim_thing.outside"] == BlockReferences()


def test_faulty_configuration_is_read_as_far_as_possible(tmp_path: Path) -> None:
    assert references(tmp_path, 'resource "terraform_data" {') == {}
