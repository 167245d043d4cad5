"""References to provider configurations with several instances, as OpenTofu 1.12.6 checks them."""

from __future__ import annotations

from pathlib import Path

import pytest

from shared_nodes.config.loading import load_configuration
from shared_nodes.flavour import OPENTOFU_1_12, TERRAFORM_1_11
from shared_nodes.world import Files
from tests.unit.shared_nodes.config.recordings import write

KEYED = 'provider "terraform" {\n  alias    = "by"\n  for_each = toset(["x"])\n}\n'
SINGLE = 'provider "terraform" {\n  alias = "single"\n}\n'
UNREADABLE = (
    "The provider argument requires a provider type name, optionally followed by a period and then a configuration "
    "alias and optional instance key."
)
NO_BLOCK = "which is required for use with for_each."


@pytest.mark.parametrize(
    ("reference", "detail"),
    [
        ('terraform.by["x"]', None),
        ("terraform.by[0]", None),
        ("terraform.by[var.undeclared]", None),
        ("terraform.single", None),
        ("terraform.by", "requires an instance key"),
        ('terraform.single["x"]', NO_BLOCK),
        ('terraform.other["x"]', NO_BLOCK),
        ('terraform.by["x"].y', UNREADABLE),
        ("terraform.by[*]", UNREADABLE),
        ('terraform.by["x"][var.k]', UNREADABLE),
        ('terraform["x"]', "Provider name must either stand alone"),
        ("terraform[var.k]", "Provider assignment requires an alias"),
    ],
)
def test_a_resource_chooses_an_instance_if_there_are_several(
    reference: str, detail: str | None, tmp_path: Path
) -> None:
    block = f'resource "terraform_data" "a" {{\n  provider = {reference}\n}}\n'
    write(tmp_path, {"main.tf": KEYED + SINGLE + block})
    _, problems = load_configuration(Files(tmp_path), OPENTOFU_1_12)
    assert len(problems) == (detail is not None)
    assert all(detail is not None and detail in problem.detail for problem in problems)


@pytest.mark.parametrize(
    ("provider", "resource", "warns"),
    [
        ("var.k", "var.k", True),
        ("var.k", "((var.k))", True),
        ("toset(keys(var.k))", "toset(keys((var.k)))", True),
        ("{ for a, b in var.k : a => b }", "{ for a, b in var.k : a => b }", True),
        ("{ for a, b in var.k : a => b }", "{ for a, c in var.k : a => c }", False),
        ('{ x = "a" }', '{ x = "a" }', False),
        ("toset(values(var.k)[*])", "toset(values(var.k)[*])", False),
    ],
)
def test_one_collection_for_provider_and_resource_is_remarked_on(
    provider: str, resource: str, warns: bool, tmp_path: Path
) -> None:
    text = (
        'variable "k" {\n  default = { x = "a" }\n}\n'
        f'provider "terraform" {{\n  alias    = "by"\n  for_each = {provider}\n}}\n'
        f'resource "terraform_data" "a" {{\n  for_each = {resource}\n  provider = terraform.by[each.key]\n}}\n'
    )
    write(tmp_path, {"main.tf": text})
    _, problems = load_configuration(Files(tmp_path), OPENTOFU_1_12)
    assert [problem.summary for problem in problems] == (
        ["Provider configuration for_each matches resource"] if warns else []
    )


def test_terraform_reserves_the_argument(tmp_path: Path) -> None:
    write(tmp_path, {"main.tf": KEYED})
    _, problems = load_configuration(Files(tmp_path), TERRAFORM_1_11)
    assert [problem.summary for problem in problems] == ["Reserved argument name in provider block"]


def test_the_instances_are_those_of_the_call(tmp_path: Path) -> None:
    inner = 'variable "keys" {}\nprovider "terraform" {\n  alias    = "by"\n  for_each = toset(var.keys)\n}\n'
    calls = "".join(f'module "{name}" {{\n  source = "./m"\n  keys   = ["{name}"]\n}}\n' for name in ("a", "b"))
    write(tmp_path, {"main.tf": calls, "m/main.tf": inner})
    tree, _ = load_configuration(Files(tmp_path), OPENTOFU_1_12)
    assert tree is not None
    instances = {name: list(child.provider_instances["terraform", "by"]) for name, child in tree.children.items()}
    assert instances == {"a": ["a"], "b": ["b"]}
