"""Directories with a configuration and no case.yaml: which are found, what is copied, and the default steps."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.case.case import read_case
from harness.case.plain_directory import find_plain_directories, read_plain_directory
from harness.case.unit import find_units
from harness.execute.judge import judge_unit
from harness.play.run_spec import RunSpec
from tests.unit.harness.play.stories import places_of, play

SETTINGS = RunSpec(("legacy", "new"))
RESOURCE = 'resource "terraform_data" "a" {\n  input = "x"\n}\n'


def write(directory: Path, text: str = RESOURCE, name: str = "main.tf") -> Path:
    directory.mkdir(parents=True, exist_ok=True)
    (directory / name).write_text(text, encoding="utf-8")
    return directory


def test_the_default_story(tmp_path: Path) -> None:
    observations = play(write(tmp_path))
    assert places_of(observations) == [
        "task validate #1 (validate .)",
        "task plan #1 (plan .)",
        "task apply #1 (apply .)",
        "task again #1 (plan .)",
        "task unchanged #1 (assert)",
        "task destroy #1 (destroy .)",
    ]
    assert observations["story"]["ok"]
    assert {path.name for path in tmp_path.iterdir()} == {"main.tf"}


def test_an_engine_that_is_never_done_is_told_so_and_what_it_made_is_destroyed(tmp_path: Path) -> None:
    directory = write(tmp_path / "area" / "restless", 'resource "terraform_data" "a" {\n  input = timestamp()\n}\n')
    assert "task destroy #1 (destroy .)" in play(directory)
    result = judge_unit(find_units([directory])[0], SETTINGS)
    assert result.equal == ("new",)
    assert "update of terraform_data.a" in result.findings[0].got


def test_a_provider_that_is_not_here_is_named_with_the_choice_there_is(tmp_path: Path) -> None:
    directory = write(tmp_path / "area" / "aws", 'resource "aws_instance" "a" {}\n')
    result = judge_unit(find_units([directory])[0], SETTINGS)
    assert result.not_run.keys() == {"legacy", "new"}
    assert result.not_run["new"] == (
        "no provider here is registry.terraform.io/hashicorp/aws; --permissive hashicorp/aws stands in for it, with a "
        "schema taken from the configuration"
    )


def test_configurations_are_found_without_the_modules_they_call(tmp_path: Path) -> None:
    call = 'module "net" {\n  source = "../../modules/net"\n}\n'
    inner = 'module "inner" {\n  source = "./inner"\n}\n'
    production, staging = write(tmp_path / "envs" / "prod", call), write(tmp_path / "envs" / "stage", call)
    write(tmp_path / "modules" / "net", inner)
    write(tmp_path / "modules" / "net" / "inner")
    alone = write(tmp_path / "modules" / "alone")
    by_json = write(tmp_path / "by_json", '{"module": {"m": {"source": "./m"}}}', "main.tf.json")
    write(by_json / "m")
    write(production / ".terraform" / "modules" / "copy")
    (tmp_path / "README.md").write_text('source = "./envs/prod"')
    assert find_plain_directories(tmp_path) == sorted([production, staging, alone, by_json])


def test_modules_beside_a_configuration_come_with_it(tmp_path: Path) -> None:
    directory = write(tmp_path / "envs" / "prod", 'module "net" {\n  source = "../../modules/net"\n}\n')
    write(tmp_path / "modules" / "net", RESOURCE)
    write(tmp_path / "modules" / "other", "not even HCL")
    plain = read_plain_directory(directory)
    assert (plain.root, plain.main, plain.parts) == (tmp_path, "envs/prod", ("envs/prod", "modules/net"))
    assert play(directory)["story"]["ok"]


def test_what_other_programs_left_is_no_part_of_it(tmp_path: Path) -> None:
    """Their state least of all: a story begins with an empty state."""
    directory = write(tmp_path / "area" / "used")
    write(directory / ".terraform" / "providers", "x", "plugin")
    (directory / ".terraform" / "link").symlink_to("/etc")
    (directory / "terraform.tfstate").write_text("not even JSON")
    assert play(directory)["story"]["ok"]
    assert [file.name for file in read_case(directory).files] == ["main.tf", "terraform.tfstate"]


def test_values_of_variables_come_from_the_files_that_are_always_read(tmp_path: Path) -> None:
    directory = write(tmp_path, 'variable "x" {}\n')
    observations = play(directory)
    assert "No value for required variable" in str(observations["story"])
    write(directory, 'x = "y"\n', "terraform.tfvars")
    assert play(directory)["story"]["ok"]


def test_a_path_with_cases_has_no_others(tmp_path: Path) -> None:
    write(tmp_path / "loose")
    write(tmp_path / "case" / "v1")
    write(tmp_path / "case", "description: x\nsteps: [{op: plan, config: v1}]\n", "case.yaml")
    assert [unit.path for unit in find_units([tmp_path])] == [tmp_path / "case"]
    assert [unit.path for unit in find_units([tmp_path / "loose"])] == [tmp_path / "loose"]


def test_the_directory_one_stands_in_has_a_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(write(tmp_path / "area" / "here"))
    assert [unit.identifier for unit in find_units([Path()])] == ["area/here"]
    monkeypatch.chdir(tmp_path / "area")
    assert [unit.identifier for unit in find_units([Path("here")])] == ["area/here"]


def test_nothing_is_found_where_there_is_nothing(tmp_path: Path) -> None:
    assert find_units([tmp_path]) == []


@pytest.mark.parametrize(
    ("name", "text", "flavour"),
    [
        ("main.tofu", RESOURCE, "opentofu-1.12"),
        ("more.tofu.json", "{}", "opentofu-1.12"),
        (".opentofu-version", "1.12.6", "opentofu-1.12"),
        ("../.opentofu-version", "1.12.6", "opentofu-1.12"),
        (
            "terraform.tfstate",
            '{"resources": [{"provider": "provider[\\"registry.opentofu.org/hashicorp/null\\"]"}]}',
            "opentofu-1.12",
        ),
        ("terraform.tfstate", '{"serial": 1, "encrypted_data": "eA=="}', "opentofu-1.12"),
        ("terraform.tfstate", '{"terraform_version": "1.11.4", "resources": []}', "terraform-1.11"),
        (".terraform-version", "1.11.4", "terraform-1.11"),
    ],
)
def test_a_directory_shows_which_product_it_is_written_for(tmp_path: Path, name: str, text: str, flavour: str) -> None:
    directory = write(tmp_path / "area" / "here")
    write(directory, text, name)
    assert read_case(directory).flavour == flavour
    assert read_case(directory, "terraform-1.11").flavour == "terraform-1.11", "an explicit choice counts more"
