"""Why a block depends on another: through values, modules, and dependencies of enclosing modules."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.findings.explanations.references import mentions
from shared_nodes.config.loading import load_configuration
from shared_nodes.state.stored_addresses import parse_config_resource
from shared_nodes.world import Files

MAIN = """\
resource "terraform_data" "a" {}
locals {
  id = terraform_data.a.id
}
module "m" {
  source     = "./m"
  value      = local.id
  depends_on = [terraform_data.gate]
}
resource "terraform_data" "gate" {}
resource "terraform_data" "user" {
  input = module.m.result
}
resource "terraform_data" "watcher" {
  lifecycle {
    replace_triggered_by = [terraform_data.a]
  }
}
resource "terraform_data" "alone" {
  input = [for terraform_data in ["a"] : terraform_data]
}
"""
INNER = """\
variable "value" {}
resource "terraform_data" "inner" {
  input = var.value
}
output "result" {
  value = terraform_data.inner.output
}
"""


@pytest.mark.parametrize(
    ("waiting", "dependency", "chain"),
    [
        (
            "module.m.terraform_data.inner",
            "terraform_data.a",
            ["var.value at m/main.tf:3,11", "local.id at main.tf:7,16", "terraform_data.a at main.tf:3,8"],
        ),
        ("module.m.terraform_data.inner", "terraform_data.gate", ["terraform_data.gate at main.tf:8,17"]),
        (
            "terraform_data.user",
            "module.m.terraform_data.inner",
            ["module.m.result at main.tf:12,11", "terraform_data.inner at m/main.tf:6,11"],
        ),
        ("terraform_data.watcher", "terraform_data.a", ["terraform_data.a at main.tf:16,29"]),
        ("terraform_data.alone", "terraform_data.a", None),
        ("terraform_data.a", "terraform_data.user", None),
        ("terraform_data.gone", "terraform_data.a", None),
    ],
)
def test_chain_of_references(waiting: str, dependency: str, chain: list[str] | None, tmp_path: Path) -> None:
    (tmp_path / "m").mkdir()
    (tmp_path / "main.tf").write_text(MAIN, encoding="utf-8")
    (tmp_path / "m" / "main.tf").write_text(INNER, encoding="utf-8")
    root, problems = load_configuration(Files(tmp_path))
    assert root is not None, problems
    found = mentions(root, parse_config_resource(waiting), parse_config_resource(dependency))
    assert (None if found is None else list(map(str, found))) == chain
