"""Directories with a configuration and no case.yaml: which are found, what is copied, and the default steps."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from harness.case.case import CaseError, read_case
from harness.case.given import GivenInputs
from harness.case.plain_directory import find_plain_directories, read_plain_directory
from harness.case.prelude import read_prelude
from harness.case.unit import find_units, select_units
from harness.cli import commands
from harness.compare.ruling import Ruling
from harness.execute.judge import judge_unit
from harness.execute.wire import unit_from_json, unit_to_json
from harness.play.case_runner import prepare_runner
from harness.play.run_spec import RunSpec
from harness.play.schedule import Schedule
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
    assert (result.equal, result.findings) == (("new",), ())
    assert result.failure == "plan fails to be empty right after apply\n\nterraform_data.a: update"


def test_what_is_left_to_do_is_named_whatever_it_is(tmp_path: Path) -> None:
    text = """check "c" {
      data "terraform_remote_state" "r" {
        backend = "local"
        config  = { path = "none" }
      }
      assert {
        condition     = data.terraform_remote_state.r.backend == "local"
        error_message = "No."
      }
    }
    output "o" {
      value = timestamp()
    }"""
    result = judge_unit(find_units([write(tmp_path / "area" / "checked", text)])[0], SETTINGS)
    lines = ["data.terraform_remote_state.r: read", "output.o: update"]
    assert result.failure.split("\n\n", 1)[1].split("\n") == lines


def test_a_configuration_that_all_engines_refuse_alike_is_equal(tmp_path: Path) -> None:
    directory = write(tmp_path / "area" / "module", 'variable "n" {}\n\noutput "n" {\n  value = var.n\n}\n')
    unit = find_units([directory])[0]
    result = judge_unit(unit, SETTINGS)
    assert (result.ruling, result.findings) == (Ruling.EQUAL, ())
    assert result.failure_headline == "plan fails: No value for required variable"
    assert result.failure.startswith(
        'plan fails\n\nError: No value for required variable\n\n  on main.tf line 1:\n   1: variable "n" {}\n\nThe root'
    )
    expecting = judge_unit(unit, replace(SETTINGS, expect_success=True))
    assert [(finding.signature.subject, finding.got) for finding in expecting.findings] == [
        ("legacy", "plan fails: No value for required variable")
    ], "one engine reports it for all"
    assert (expecting.ruling, expecting.failure) == (Ruling.DIFFERS, "")


def test_what_a_failure_quotes_is_masked(tmp_path: Path) -> None:
    secret = 'variable "key" {\n  sensitive = true\n  default   = "planted-secret"\n}\n'
    directory = write(tmp_path / "area" / "secret", secret + 'locals {\n  a = "planted-secret" + 1\n}\n')
    result = judge_unit(find_units([directory])[0], SETTINGS)
    assert result.failure_headline == "validate fails: Invalid operand"
    assert "planted-secret" not in result.failure


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
    found = find_plain_directories(tmp_path)
    assert list(found.cases) == sorted([production, staging, alone, by_json])


def test_modules_beside_a_configuration_come_with_it(tmp_path: Path) -> None:
    directory = write(tmp_path / "envs" / "prod", 'module "net" {\n  source = "../../modules/net"\n}\n')
    write(tmp_path / "modules" / "net", RESOURCE)
    write(tmp_path / "modules" / "other", "not even HCL")
    plain = read_plain_directory(directory, GivenInputs((tmp_path,)))
    assert (plain.root, plain.main, plain.parts) == (tmp_path, "envs/prod", ("envs/prod", "modules/net"))
    result = judge_unit(find_units([directory])[0], replace(SETTINGS, given=(tmp_path,)))
    assert (result.equal, result.findings) == (("new",), ())
    assert result.repeated == ("--include", os.path.relpath(tmp_path))


# What is outside of what was given

VICTIM = "TOP-SECRET-4711"


@pytest.fixture
def stranger(tmp_path: Path) -> Path:
    """A directory of a stranger that names directories of the user beside it."""
    victim = write(tmp_path / "victim")
    for name in (".ssh/id", "notes.txt", "terraform.tfvars"):
        (victim / name).parent.mkdir(exist_ok=True)
        (victim / name).write_text(f'secret = "{VICTIM}"')
    call = 'module "v" {\n  source = "../../victim"\n}\noutput "o" {\n  value = file("../../victim/.ssh/id")\n}\n'
    write(tmp_path / "stranger" / "mod", call)
    return tmp_path / "stranger"


def test_a_module_outside_of_what_was_given_is_refused(stranger: Path) -> None:
    settings = replace(SETTINGS, given=(stranger,))
    result = judge_unit(find_units([stranger])[0], settings)
    assert VICTIM not in str(result)
    assert f"add --include {stranger.parent / 'victim'}" in result.findings[0].got
    assert result.findings[0].field == f"{stranger}/mod/main.tf:2"


def test_a_directory_that_is_included_may_be_read(stranger: Path) -> None:
    settings = replace(SETTINGS, given=(stranger, stranger.parent / "victim"))
    result = judge_unit(find_units([stranger])[0], settings)
    assert (result.equal, result.findings) == (("new",), ())


@pytest.mark.parametrize("way", ["directory", "file", "module"])
def test_a_link_does_not_lead_out_of_what_was_given(stranger: Path, way: str) -> None:
    """Neither is what it leads to copied, nor are the modules that it names."""
    victim, mod = stranger.parent / "victim", stranger / "mod"
    if way == "directory":
        (mod / "main.tf").write_text('module "v" {\n  source = "../link"\n}\n')
        (stranger / "link").symlink_to(victim)
    elif way == "module":
        (mod / "main.tf").write_text('module "v" {\n  source = "./link"\n}\n')
        (mod / "link").symlink_to(victim)
    else:
        (mod / "main.tf").unlink()
        (mod / "link.tf").symlink_to(victim / "notes.txt")
        write(mod, 'output "o" {\n  value = file("notes.txt")\n}\n')
        (mod / "notes.txt").symlink_to(victim / "notes.txt")
    settings = replace(SETTINGS, given=(stranger,))
    result = judge_unit(find_units([mod])[0], settings)
    assert VICTIM not in str(result)
    assert result.findings or result.failure


@pytest.mark.parametrize("make", [os.mkfifo, lambda path: path.symlink_to("/dev/zero")], ids=["pipe", "device"])
def test_what_is_no_file_is_not_opened(tmp_path: Path, make: Callable[[Path], None]) -> None:
    directory = write(tmp_path / "area" / "odd")
    make(directory / "other.tf")
    make(directory / "terraform.tfstate")
    result = judge_unit(find_units([directory])[0], replace(SETTINGS, timeout_s=20))
    assert result.elapsed_s["legacy"] < 20


def test_the_prelude_is_not_written_through_a_link(tmp_path: Path) -> None:
    """A stranger could otherwise have any file of the user overwritten."""
    victim = tmp_path / "victim"
    victim.write_text(VICTIM)
    directory = write(tmp_path / "area" / "stranger")
    (directory / "zz_prelude.tf").symlink_to(victim)
    settings = replace(SETTINGS, prelude=read_prelude("builtin"))
    assert judge_unit(find_units([directory])[0], settings).equal == ("new",)
    assert victim.read_text() == VICTIM


def test_a_directory_with_the_name_of_the_prelude_is_an_invalid_case(tmp_path: Path) -> None:
    directory = write(tmp_path / "area" / "odd")
    (directory / "zz_prelude.tf").mkdir()
    settings = replace(SETTINGS, prelude=read_prelude("builtin"))
    result = judge_unit(find_units([directory])[0], settings)
    assert [found.signature.ruling for found in result.findings] == [Ruling.INVALID_CASE]


@pytest.mark.parametrize("is_directory", [False, True])
def test_stored_objects_do_not_lead_out_of_a_configuration(tmp_path: Path, is_directory: bool) -> None:
    """Objects are carried over to the next step as files, which a configuration may read."""
    victim = tmp_path / "victim"
    victim.mkdir()
    (victim / "x.json").write_text(VICTIM)
    reading = 'output "o" {\n  value = try(file("terraform.resource/x.json"), "none")\n}\n'
    directory = write(tmp_path / "area" / "stranger", reading)
    if is_directory:
        (directory / "terraform.resource").symlink_to(victim)
    else:
        (directory / "terraform.resource").mkdir()
        (directory / "terraform.resource" / "x.json").symlink_to(victim / "x.json")
    case = read_case(directory)
    with prepare_runner(case, may_execute=False) as (runner, _):
        found = runner.run("legacy", Schedule(), 60)
    assert VICTIM not in str(found)
    assert any("again" in place for place in found)
    assert "none" in str(found)


def test_a_directory_that_is_too_large_is_not_copied(tmp_path: Path) -> None:
    directory = write(tmp_path / "area" / "large")
    with (directory / "image.bin").open("wb") as file:
        file.truncate(10**10)
    result = judge_unit(find_units([directory])[0], SETTINGS)
    assert "has more than 100,000,000 bytes" in result.findings[0].got


def test_what_other_programs_left_is_no_part_of_it(tmp_path: Path) -> None:
    """Their state least of all: a story begins with an empty state."""
    directory = write(tmp_path / "area" / "used")
    write(directory / ".terraform" / "providers", "x", "plugin")
    (directory / ".terraform" / "link").symlink_to("/etc")
    (directory / "terraform.tfstate").write_text("not even JSON")
    assert play(directory)["story"]["ok"]
    assert [file.name for file in read_case(directory).files] == ["main.tf", "terraform.tfstate"]


def test_what_was_kept_of_earlier_runs_is_no_part_of_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A replay that was kept inside of what it replays was copied with every step, and again with every copy."""
    text = 'output "files" {\n  value = join(" ", fileset(path.module, "**"))\n}\n'
    directory = write(tmp_path / "area" / "used", text)
    monkeypatch.chdir(directory)
    for words in (["run", "."], ["run", ".", "--out", "kept"], ["replay", "."], ["reproduce", "."]):
        assert CliRunner().invoke(commands, [*words, *(["--jobs", "1"] if "run" in words else [])]).exit_code == 0
    names = {".diffharness", "kept", "main.tf", "replay-used", "reproduce-used"}
    assert {path.name for path in directory.iterdir()} == names
    assert "'value': 'main.tf'" in str(play(directory)["task apply #1 (apply .)"]["state"])
    assert [file.name for file in read_case(directory).files] == ["main.tf"]
    assert [unit.path for unit in select_units([directory]).units] == [directory]


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


# Which directories are cases


def names_below(*paths: Path) -> list[str]:
    return [unit.identifier for unit in select_units(paths).units]


def test_names_are_as_long_as_needed_to_be_unique(tmp_path: Path) -> None:
    for place in ("prod/eu/vpc", "dev/eu/vpc", "dev/us/vpc", "global/dns"):
        write(tmp_path / "mono" / place)
    assert names_below(tmp_path / "mono") == ["dev/eu/vpc", "us/vpc", "global/dns", "prod/eu/vpc"]
    units = {unit.identifier: unit for unit in select_units([tmp_path / "mono"]).units}
    assert (units["dev/eu/vpc"].area, units["us/vpc"].area) == ("dev/eu", "us")
    assert unit_from_json(unit_to_json(units["dev/eu/vpc"])) == units["dev/eu/vpc"]
    result = judge_unit(units["prod/eu/vpc"], SETTINGS)
    assert (result.identifier, result.area) == ("prod/eu/vpc", "prod/eu")


def test_equal_ends_in_several_roots_are_told_apart(tmp_path: Path) -> None:
    for place in ("a/x/y/z", "b/x/y/z"):
        write(tmp_path / place)
    assert names_below(tmp_path / "a", tmp_path / "b") == ["a/x/y/z", "b/x/y/z"]


def test_a_directory_that_is_named_is_run_whoever_calls_it(tmp_path: Path) -> None:
    root = write(tmp_path / "label")
    write(root / "examples" / "complete", 'module "this" {\n  source = "../../"\n}\n')
    found = select_units([root])
    assert [unit.path for unit in found.units] == [root, root / "examples" / "complete"]
    module = write(root / "modules" / "inner")
    write(root, 'module "inner" {\n  source = "./modules/inner"\n}\n')
    assert select_units([root]).called == (module,)
    assert {unit.path for unit in select_units([root, module]).units} == {root, module, root / "examples" / "complete"}
    assert select_units([root, module]).called == ()


def test_fixtures_and_what_other_programs_keep_are_no_cases(tmp_path: Path) -> None:
    root = write(tmp_path / "repository")
    for place in ("test/fixtures/a", "tests/unit", "testdata", ".terraform/modules/m", ".git/x"):
        write(root / place, 'module "m" {\n  source = "../../used"\n}\n')
    for place in (".terraform/modules/c", ".git/c", ".diffharness/repositories/c"):
        write(root / place, "description: x\nsteps: [{op: plan, config: v1}]\n", "case.yaml")
    found = select_units([root])
    assert [unit.path for unit in found.units] == [root]
    assert found.fixtures == (root / "test/fixtures/a", root / "testdata", root / "tests/unit")
    assert [unit.path for unit in select_units([root / "tests"]).units] == [root / "tests/unit"]


def test_where_there_are_only_fixtures_they_are_wanted(tmp_path: Path) -> None:
    place = write(tmp_path / "repository" / "tests" / "a")
    assert [unit.path for unit in select_units([tmp_path / "repository"]).units] == [place]


def test_configurations_beside_cases_are_run_as_well(tmp_path: Path) -> None:
    write(tmp_path / "loose")
    write(tmp_path / "case" / "v1")
    write(tmp_path / "case", "description: x\nsteps: [{op: plan, config: v1}]\n", "case.yaml")
    assert [unit.path for unit in select_units([tmp_path]).units] == [tmp_path / "case", tmp_path / "loose"]


# A case that names its configuration


def test_a_case_may_name_a_configuration_instead_of_steps(tmp_path: Path) -> None:
    text = (
        "description: x\nconfiguration: live\nmodules: {team/m/aws: vendor/m}\nvariables: {a: 1}\n"
        "generate_vars: true\npermissive: all\ntags: [T]\n"
    )
    place = write(tmp_path / "area" / "case", text, "case.yaml")
    call = 'variable "a" {}\nvariable "b" {}\nmodule "m" {\n  source = "team/m/aws"\n}\nresource "acme_thing" "x" {}\n'
    write(place / "live", call)
    write(place / "vendor" / "m")
    result = judge_unit(find_units([place])[0], SETTINGS)
    assert (result.ruling, result.failure, result.findings) == (Ruling.EQUAL, "", ())
    assert (result.chosen_values, result.given_values, result.tags) == ({"b": '"example"'}, ("a",), ("T",))
    assert result.repeated == (), "the case says everything"


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("configuration: nowhere", "is not in the directory of the case"),
        ("configuration: ..", "is not in the directory of the case"),
        ("configuration: empty", "has no configuration"),
        ("configuration: .\nmodules: {a/b/c: ../x}", "must be a directory of the case"),
        ("configuration: .\nsteps: []", "belongs to a story"),
        ("configuration: .\nnonsense: 1", "unknown key"),
    ],
)
def test_what_is_wrong_with_such_a_case_is_named(tmp_path: Path, line: str, said: str) -> None:
    place = write(tmp_path / "area" / "case", f"description: x\n{line}\n", "case.yaml")
    write(place)
    (place / "empty").mkdir()
    write(tmp_path / "area" / "x")
    with pytest.raises(CaseError, match=said):
        read_case(place)


# Files that others read as well


def test_what_constant_paths_lead_to_comes_with_the_configuration(tmp_path: Path) -> None:
    write(tmp_path / "shared", '{"size": 3}', "policy.json")
    write(tmp_path / "templates" / "deep", "Hello, ${name}", "greeting.tftpl")
    write(tmp_path / "users", "name: ada", "ada.yaml")
    write(tmp_path / "unrelated", "x", "large.bin")
    write(tmp_path / "modules" / "hello", 'output "o" {\n  value = file("${path.module}/../texts/${"one"}.txt")\n}\n')
    write(tmp_path / "modules" / "texts", "one", "one.txt")
    main = write(
        tmp_path / "live" / "app",
        'module "hello" {\n  source = "../../modules/hello"\n}\n'
        'output "size" {\n  value = jsondecode(file("../../shared/policy.json")).size\n}\n'
        'output "users" {\n  value = fileset("${path.module}/../../users", "*.yaml")\n}\n'
        'output "text" {\n  value = templatefile("../../templates/deep/${"greeting"}.tftpl", { name = "a" })\n}\n',
    )
    result = judge_unit(find_units([main])[0], replace(SETTINGS, given=(tmp_path,)))
    assert (result.ruling, result.failure) == (Ruling.EQUAL, "")
    plain = read_plain_directory(main, GivenInputs((tmp_path,)))
    assert set(plain.read) == {"modules/texts", "shared/policy.json", "templates/deep", "users"}
    copied = plain.copy_to(tmp_path / "copy")
    assert (copied / "../../users/ada.yaml").is_file()
    assert not (copied / "../../unrelated").exists()
    assert dict(plain.named_files)["../../shared/policy.json"] == tmp_path / "shared" / "policy.json"


def test_files_outside_of_what_was_given_stay_there(tmp_path: Path) -> None:
    write(tmp_path / "shared", "secret", "policy.json")
    main = write(tmp_path / "live", 'output "o" {\n  value = file("../shared/policy.json")\n}\n')
    assert read_plain_directory(main).read == ()
    result = judge_unit(find_units([main])[0], SETTINGS)
    assert "add --include DIR" in result.failure
    assert "secret" not in str(result)


def test_a_link_and_an_enormous_directory_are_not_copied(tmp_path: Path) -> None:
    write(tmp_path / "many")
    for number in range(2_001):
        (tmp_path / "many" / str(number)).touch()
    write(tmp_path / "target", "x", "a.txt")
    (tmp_path / "link").symlink_to(tmp_path / "target")
    main = write(tmp_path / "live", 'locals {\n  a = [fileset("../many", "*"), file("../link/${"a"}.txt")]\n}\n')
    assert read_plain_directory(main, GivenInputs((tmp_path,))).read == ()


def test_a_module_that_is_nowhere_is_not_asked_for(tmp_path: Path) -> None:
    main = write(tmp_path / "area" / "live", 'module "m" {\n  source = "../nowhere"\n}\n')
    result = judge_unit(find_units([main])[0], SETTINGS)
    assert result.failure_headline == "validate fails: Module not installed"


@pytest.mark.terraform
def test_a_binary_needs_no_remote_backend(tmp_path: Path) -> None:
    """The steps of a run have states of their own, and there is no network."""
    backend = 'terraform {\n  backend "s3" {\n    bucket = "states"\n  }\n}\n'
    main = write(tmp_path / "area" / "production", backend + RESOURCE)
    settings = ["--engines", "terraform,legacy,new", "--allow-exec", "--jobs", "1", "--out", str(tmp_path / "run")]
    ran = CliRunner().invoke(commands, ["run", str(main), *settings])
    assert (ran.exit_code, "1 case: 1 equal" in ran.output) == (0, True), ran.output
    assert {path.name for path in main.iterdir()} == {"main.tf"}
