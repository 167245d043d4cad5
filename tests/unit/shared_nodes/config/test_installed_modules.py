"""The manifest of installed modules, as Terraform 1.11.4 reads it, and directories that stand in for sources."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from shared_nodes.config.given_modules import GivenModules
from shared_nodes.config.installed_modules import (
    InstalledModule,
    InstalledPlaces,
    manifest_text,
    read_manifest,
    satisfying_version,
)
from shared_nodes.config.loading import load_configuration
from shared_nodes.config.static_evaluation import StaticInputs
from shared_nodes.config.syntax.module_source import canonical_source
from shared_nodes.config.syntax.version_constraint import parse_constraints, parse_version
from shared_nodes.flavour import OPENTOFU_1_12, TERRAFORM_1_11
from shared_nodes.plan.file import SnapshotFiles, snapshot_of
from shared_nodes.world import Files, World
from tests.unit.shared_nodes.config.recordings import as_recorded, rows, write

CALL = 'module "a" {\n  source  = "team/net/aws"\n  version = "~> 1.2"\n}\n'


@pytest.mark.parametrize("row", rows("recorded_installed_modules.jsonl"), ids=lambda row: row["name"])
def test_manifest_is_read_as_recorded(row: dict[str, Any], tmp_path: Path) -> None:
    write(tmp_path, row["files"])
    tree, problems = load_configuration(Files(tmp_path))
    assert as_recorded(problems) == row["diagnostics"]
    assert (tree is not None) == row["loads"]


def manifest(**modules: tuple[str, str, str]) -> str:
    return manifest_text({key: InstalledModule(*parts) for key, parts in modules.items()})


def test_opentofu_shows_the_sources_that_have_changed(tmp_path: Path) -> None:
    installed = manifest(a=("registry.opentofu.org/other/net/aws", "m", "1.2.0"))
    write(tmp_path, {"main.tf": CALL, "m/main.tf": "", ".terraform/modules/modules.json": installed})
    _, problems = load_configuration(Files(tmp_path), OPENTOFU_1_12)
    assert [problem.detail for problem in problems] == [
        'The source address was changed from "registry.opentofu.org/other/net/aws" to '
        '"registry.opentofu.org/team/net/aws" since this module was installed. Run "tofu init" to install all modules '
        "required by this configuration."
    ]


def test_manifest_is_in_the_data_directory_that_the_environment_names(tmp_path: Path) -> None:
    installed = manifest(a=("team/net/aws", "m", "1.2.3"))
    write(tmp_path, {"main.tf": CALL, "m/main.tf": "", "data/modules/modules.json": installed})
    world = World(Files(tmp_path), {"TF_DATA_DIR": "data"})
    tree, problems = load_configuration(world.files, inputs=StaticInputs(world))
    assert not problems
    assert tree is not None
    assert (tree.children["a"].module.directory, tree.children["a"].version) == ("m", "1.2.3")


def test_a_manifest_that_cannot_be_read_is_one_problem(tmp_path: Path) -> None:
    write(tmp_path, {"main.tf": CALL, ".terraform/modules/modules.json/x": ""})
    _, problems = load_configuration(Files(tmp_path))
    assert [problem.summary for problem in problems] == [
        "failed to read module manifest: read .terraform/modules/modules.json: is a directory"
    ]


def test_a_manifest_does_not_lead_out_of_a_confined_directory(tmp_path: Path) -> None:
    installed = manifest(a=("team/net/aws", "../outside", "1.2.3"))
    write(tmp_path, {"in/main.tf": CALL, "outside/main.tf": "", "in/.terraform/modules/modules.json": installed})
    _, problems = load_configuration(Files(tmp_path / "in", root=tmp_path / "in"))
    assert [problem.summary for problem in problems] == ["Module not installed"]


def test_a_saved_plan_keeps_where_its_modules_were(tmp_path: Path) -> None:
    installed = manifest(a=("team/net/aws", ".terraform/modules/a", "1.2.3"))
    module = 'output "x" {\n  value = path.module\n}\n'
    write(
        tmp_path,
        {"main.tf": CALL, ".terraform/modules/a/main.tf": module, ".terraform/modules/modules.json": installed},
    )
    tree, _ = load_configuration(Files(tmp_path))
    assert tree is not None
    saved = snapshot_of(tree, Files(tmp_path))
    (tmp_path / ".terraform/modules/modules.json").write_text("{}")
    files = SnapshotFiles(tmp_path, contents=saved)
    again, problems = load_configuration(files)
    assert not problems
    assert again is not None
    assert again.children["a"].module.directory == ".terraform/modules/a"


def given_places(directory: Path, sources: dict[str, str], installed: str | None = None) -> InstalledPlaces:
    found = None if installed is None else read_manifest(installed.encode(), TERRAFORM_1_11)
    return InstalledPlaces(Files(directory), TERRAFORM_1_11, found, GivenModules(sources))


def test_a_given_directory_stands_in_for_a_source_and_what_is_inside_of_it(tmp_path: Path) -> None:
    inner = 'module "deep" {\n  source = "../shared"\n}\n'
    write(tmp_path, {"main.tf": CALL, "given/net/main.tf": inner, "given/shared/main.tf": ""})
    for installed in (None, "{}"):
        places = given_places(tmp_path, {"team/net/aws": "given/net"}, installed)
        tree, problems = load_configuration(Files(tmp_path), places=places)
        assert not problems
        assert tree is not None
        assert [node.module.directory for node in tree.walk()] == [".", "given/net", "given/shared"]


@pytest.mark.parametrize(
    ("given", "source", "directory"),
    [
        ("team/net/aws", "registry.terraform.io/team/net/aws", "d"),
        ("team/net/aws", "team/net/aws//modules/x", "d/modules/x"),
        ("team/net/aws//modules/x", "team/net/aws//modules/x", "d"),
        ("team/net/aws//modules/x", "team/net/aws", None),
        ("team/net/aws", "other.example.com/team/net/aws", None),
        ("github.com/org/repo", "git::https://github.com/org/repo.git//sub?ref=v1", "d/sub"),
        ("git::https://github.com/org/repo.git?ref=v1", "github.com/org/repo//sub?ref=v1", "d/sub"),
        ("git::https://github.com/org/repo.git?ref=v1", "github.com/org/repo//sub?ref=v2", None),
        ("https://example.com/x.zip", "https://example.com/x.zip", "d"),
        ("./net", "./net", None),
    ],
)
def test_given_directories_are_found_by_package(given: str, source: str, directory: str | None) -> None:
    assert GivenModules({given: "d"}).find(source, TERRAFORM_1_11) == directory


@pytest.mark.parametrize("source", ["", "x", "a b", "gitlab.com/org/repo", "http://[", "git::", "?", "//", "a//../b"])
def test_sources_that_are_none_stay_as_they_are(source: str) -> None:
    assert canonical_source(source, TERRAFORM_1_11) == source


@pytest.mark.parametrize(
    "text", ["1.2.3", "~> 5.0", ">= 3, < 4", "> 1.2", "!= 1.0.0", "< 2", "<= 0.5", "~> 1.2.3", "= 2"]
)
def test_a_version_is_found_that_a_constraint_allows(text: str) -> None:
    version = parse_version(satisfying_version(text))
    constraints = parse_constraints(text)
    assert version is not None
    assert constraints is not None
    assert all(each.allows(version) for each in constraints)


def test_no_version_is_found_for_no_constraint_and_for_a_contradiction() -> None:
    assert satisfying_version("") == ""
    assert satisfying_version("> 2, < 1") == ""
