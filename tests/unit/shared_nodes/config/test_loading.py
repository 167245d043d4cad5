"""Configurations that load or do not, according to Terraform 1.11.4.

Each row is a set of files. If it does not load, all of Terraform's diagnostics are listed; if it does, only those of
loading, without what the validation of its contents may add.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from shared_nodes.addresses.module import ModulePath
from shared_nodes.addresses.provider import BUILTIN, ProviderSource
from shared_nodes.addresses.resource import ConfigResource, Resource, ResourceMode
from shared_nodes.config.loading import load_configuration
from shared_nodes.config.tree import ConfigTree
from shared_nodes.flavour import OPENTOFU_1_12, TERRAFORM_1_11, Flavour
from shared_nodes.world import Files
from tests.unit.shared_nodes.config.recordings import as_recorded, rows, write


@pytest.mark.parametrize("row", rows("recorded_loading.jsonl"), ids=lambda row: row["name"])
def test_loads_as_recorded(row: dict[str, Any], tmp_path: Path) -> None:
    write(tmp_path, row["files"])
    tree, problems = load_configuration(Files(tmp_path))
    assert as_recorded(problems) == row["diagnostics"]
    assert (tree is not None) == row["loads"]


def load(directory: Path, files: dict[str, str]) -> ConfigTree:
    write(directory, files)
    tree, problems = load_configuration(Files(directory))
    assert not problems
    assert tree is not None
    return tree


def test_the_tree_is_found_by_path_and_walked_from_the_root_by_name(tmp_path: Path) -> None:
    tree = load(
        tmp_path,
        {
            "main.tf": 'module "b" {\n  source = "./m"\n}\nmodule "a" {\n  source = "./m"\n}\n',
            "m/main.tf": 'module "c" {\n  source = "../n"\n}\n',
            "n/main.tf": 'resource "terraform_data" "x" {}\n',
        },
    )
    assert [str(node.path) for node in tree.walk()] == [
        "",
        "module.a",
        "module.a.module.c",
        "module.b",
        "module.b.module.c",
    ]
    node = tree.at(ModulePath(("b", "c")))
    assert node is not None
    assert node.module.directory == "n"
    resource = Resource(ResourceMode.MANAGED, "terraform_data", "x")
    assert tree.resource(ConfigResource(ModulePath(("a", "c")), resource)) is not None
    assert tree.resource(ConfigResource(ModulePath(("a",)), resource)) is None
    assert tree.at(ModulePath(("nope", "c"))) is None


def test_a_directory_that_many_calls_lead_to_is_read_once(tmp_path: Path) -> None:
    calls = "".join(f'module "m{index}" {{\n  source = "./m"\n}}\n' for index in range(3))
    tree = load(tmp_path, {"main.tf": calls, "m/main.tf": "locals {\n  x = 1\n}\n"})
    assert len({id(child.module) for child in tree.children.values()}) == 1


def test_names_of_providers_stand_for_what_the_module_says(tmp_path: Path) -> None:
    tree = load(
        tmp_path,
        {
            "main.tf": """
            terraform {
              required_providers {
                own = {
                  source = "terraform.io/builtin/terraform"
                }
              }
            }
            resource "other_thing" "x" {
              provider = own
            }
            """
        },
    )
    module = tree.module
    assert module.source_for("own") == BUILTIN
    assert module.source_for("aws") == ProviderSource("registry.terraform.io", "hashicorp", "aws")
    assert module.source_of(Resource(ResourceMode.MANAGED, "other_thing", "x")) == BUILTIN
    assert module.source_of(Resource(ResourceMode.MANAGED, "terraform_data", "gone")) == BUILTIN


def test_meta_arguments_are_taken_out_of_bodies(tmp_path: Path) -> None:
    tree = load(
        tmp_path,
        {
            "main.tf": """
            resource "terraform_data" "x" {
              count      = 2
              depends_on = [terraform_data.y]
              input      = 1
              lifecycle {
                create_before_destroy = true
                ignore_changes        = all
              }
              provisioner "local-exec" {
                when       = destroy
                on_failure = continue
                command    = "true"
              }
              _ {
                for_each = "a provider's own argument"
              }
            }
            resource "terraform_data" "y" {}
            """
        },
    )
    block = tree.module.resources[Resource(ResourceMode.MANAGED, "terraform_data", "x")]
    assert set(block.body.attributes) == {"input", "for_each"}
    assert block.repetition == "count"
    assert [str(one.root) for one in block.depends_on] == ["terraform_data"]
    assert block.lifecycle.create_before_destroy is True
    assert block.lifecycle.prevent_destroy is None
    assert block.lifecycle.ignore_all_changes
    provisioner = block.provisioners[0]
    assert (provisioner.when, provisioner.continue_on_failure) == ("destroy", True)
    assert set(provisioner.body.attributes) == {"command"}


def test_files_outside_the_world_cannot_be_read_as_modules(tmp_path: Path) -> None:
    write(tmp_path, {"root/main.tf": 'module "m" {\n  source = "../outside"\n}\n', "outside/main.tf": ""})
    files = Files(tmp_path / "root", root=tmp_path / "root")
    tree, problems = load_configuration(files)
    assert tree is None
    assert [problem.summary for problem in problems] == ["Module not installed"]


@pytest.mark.parametrize("flavour", [TERRAFORM_1_11, OPENTOFU_1_12], ids=lambda flavour: flavour.name)
def test_a_source_without_a_host_is_of_the_registry_of_the_product(flavour: Flavour, tmp_path: Path) -> None:
    requirements = 'terraform {\n  required_providers {\n    x = { source = "team/x" }\n  }\n}\n'
    write(tmp_path, {"main.tf": f'{requirements}resource "null_resource" "a" {{}}\n'})
    _, problems = load_configuration(Files(tmp_path), flavour)
    missing = [f"{flavour.registry}/hashicorp/null", f"{flavour.registry}/team/x"]
    assert [problem.detail.split()[4].rstrip(",") for problem in problems] == missing
