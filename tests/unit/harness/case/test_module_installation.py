"""Modules from elsewhere, for configurations without case.yaml: found, copied with a manifest, or named as missing."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from harness.case.case import CaseError, read_case
from harness.case.given import GivenInputs
from harness.case.plain_directory import PlainDirectory, read_plain_directory
from harness.case.unit import find_units
from harness.cli import commands
from harness.cli.engine.group import engine as engine_command
from harness.compare.ruling import Ruling
from harness.execute.judge import judge_unit
from harness.findings.reproduction import reproduction
from harness.findings.result import CaseResult
from harness.play.run_spec import RunSpec

SETTINGS = RunSpec(("legacy", "new"))
MAIN = """
module "label" {
  source  = "acme/label/null"
  version = "~> 1.2"
  name    = "x"
}
module "net" {
  source = "git::https://git.example.com/net.git//modules/a?ref=v1"
}
resource "terraform_data" "a" {
  input = [module.label.id, module.net.place]
}
output "places" {
  value = terraform_data.a.output
}
"""
LABEL = """
variable "name" {}
module "inner" {
  source = "./inner"
}
output "id" {
  value = "${var.name} ${path.module} ${module.inner.place}"
}
"""
PLACE = 'output "place" {\n  value = path.module\n}\n'
NET = 'module "b" {\n  source = "../b"\n}\noutput "place" {\n  value = module.b.place\n}\n'
SOURCES = {"acme/label/null": "label", "git::https://git.example.com/net.git": "net"}


def write(directory: Path, files: Mapping[str, str]) -> Path:
    for name, text in files.items():
        (directory / name).parent.mkdir(parents=True, exist_ok=True)
        (directory / name).write_text(text, encoding="utf-8")
    return directory


def write_packages(directory: Path) -> None:
    write(directory / "label", {"main.tf": LABEL, "inner/main.tf": PLACE})
    write(directory / "net", {"modules/a/main.tf": NET, "modules/b/main.tf": PLACE})


def given_directories(directory: Path) -> GivenInputs:
    return GivenInputs((directory,), {source: str(directory / name) for source, name in SOURCES.items()})


def manifest(**changes: str | None) -> str:
    records = {
        "label": ["registry.terraform.io/acme/label/null", "1.2.9", ".terraform/modules/label"],
        "label.inner": ["./inner", "", ".terraform/modules/label/inner"],
        "net": ["git::https://git.example.com/net.git//modules/a?ref=v1", "", ".terraform/modules/net/modules/a"],
        "net.b": ["../b", "", ".terraform/modules/net/modules/b"],
    }
    modules = [{"Key": "", "Source": "", "Dir": "."}]
    for key, (source, version, place) in records.items():
        record = {"Key": key, "Source": source, "Version": version, "Dir": place}
        modules.append({name: text for name, text in record.items() if text})
    for name, text in changes.items():
        label = modules[1]
        label.pop(name) if text is None else label.update({name: text})
    return json.dumps({"Modules": modules})


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """A configuration whose modules are installed as init would do it."""
    main = write(tmp_path / "area" / "app", {"main.tf": MAIN, ".terraform/modules/modules.json": manifest()})
    write_packages(main / ".terraform" / "modules")
    return main


def judged(directory: Path, spec: RunSpec = SETTINGS) -> CaseResult:
    modules = tuple(map(Path, spec.modules.values()))
    return judge_unit(find_units([directory])[0], replace(spec, given=(directory, *modules)))


def test_installed_modules_come_with_the_configuration(installed: Path, tmp_path: Path) -> None:
    result = judged(installed)
    assert (result.ruling, result.failure, result.equal) == (Ruling.EQUAL, "", ("new",))
    plain = read_plain_directory(installed)
    copy = plain.copy_to(tmp_path / "copy")
    kept = json.loads((copy / ".terraform/modules/modules.json").read_text())["Modules"]
    assert {record["Key"]: record["Dir"] for record in kept} == {
        "label": ".terraform/modules/label",
        "label.inner": ".terraform/modules/label/inner",
        "net": ".terraform/modules/net/modules/a",
        "net.b": ".terraform/modules/net/modules/b",
    }
    assert (copy / ".terraform/modules/net/modules/b/main.tf").is_file()


def test_what_else_is_in_the_data_directory_is_not_copied(installed: Path, tmp_path: Path) -> None:
    write(installed / ".terraform", {"providers/x": "plugin", "modules/unused/main.tf": "", "modules/net/.git/x": ""})
    copy = read_plain_directory(installed).copy_to(tmp_path / "copy")
    assert sorted(path.name for path in (copy / ".terraform").iterdir()) == ["modules"]
    assert sorted(path.name for path in (copy / ".terraform/modules").iterdir()) == ["label", "modules.json", "net"]
    assert not (copy / ".terraform/modules/net/.git").exists()


def test_directories_that_are_given_stand_in_for_sources(tmp_path: Path) -> None:
    main = write(tmp_path / "area" / "app", {"main.tf": MAIN})
    write_packages(tmp_path / "elsewhere")
    modules = dict(given_directories(tmp_path / "elsewhere").modules)
    result = judged(main, replace(SETTINGS, modules=modules))
    assert (result.ruling, result.failure, result.equal) == (Ruling.EQUAL, "", ("new",))
    plain = read_plain_directory(main, given_directories(tmp_path / "elsewhere"))
    copy = plain.copy_to(tmp_path / "copy")
    assert (copy / ".terraform/modules/net/modules/b/main.tf").is_file()


def test_a_given_directory_counts_more_than_what_is_installed(installed: Path, tmp_path: Path) -> None:
    write(tmp_path / "own", {"main.tf": 'variable "name" {}\noutput "id" {\n  value = "mine"\n}\n'})
    plain = read_plain_directory(installed, GivenInputs((tmp_path,), {"acme/label/null": str(tmp_path / "own")}))
    assert plain.modules.packages[0].directory == tmp_path / "own"
    assert [package.place for package in plain.modules.packages] == [
        ".terraform/modules/label",
        ".terraform/modules/net",
    ]


def missing(plain: PlainDirectory) -> list[str]:
    return [str(module) for module in plain.modules.missing]


def test_a_module_that_is_not_here_is_named_with_what_to_do(tmp_path: Path) -> None:
    main = write(tmp_path / "area" / "app", {"main.tf": MAIN})
    assert missing(read_plain_directory(main)) == [
        "module.label comes from registry.terraform.io/acme/label/null ~> 1.2, which is not here: run terraform init "
        f"in {main}, or add --module acme/label/null=DIR",
        "module.net comes from git::https://git.example.com/net.git//modules/a?ref=v1, which is not here: run "
        f"terraform init in {main}, or add --module git::https://git.example.com/net.git=DIR",
    ]
    result = judged(main)
    assert (result.ruling, result.findings) == (Ruling.NOT_RUN, ())
    assert result.missing_modules == ("git::https://git.example.com/net.git", "registry.terraform.io/acme/label/null")
    assert result.not_run["new"].endswith("=DIR; 1 more module is not here")


def test_opentofu_is_told_to_use_its_own_registry_and_command(tmp_path: Path) -> None:
    main = write(tmp_path / "area" / "app", {"main.tf": MAIN})
    plain = read_plain_directory(main, flavour="opentofu-1.12")
    assert missing(plain)[0].startswith(
        "module.label comes from registry.opentofu.org/acme/label/null ~> 1.2, which is not here: run tofu init in"
    )


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"Version": "1.1.0"}, "and what is installed is registry.terraform.io/acme/label/null 1.1.0"),
        ({"Version": None}, "and what is installed is registry.terraform.io/acme/label/null:"),
        ({"Source": "other/label/null"}, "and what is installed is registry.terraform.io/other/label/null 1.2.9"),
        ({"Dir": ".terraform/modules/gone"}, "which is not here"),
        ({"Key": "lable"}, "which is not here"),
    ],
)
def test_a_module_that_is_out_of_date_is_not_used(installed: Path, changes: dict[str, str | None], said: str) -> None:
    write(installed, {".terraform/modules/modules.json": manifest(**changes)})
    assert said in missing(read_plain_directory(installed))[0]


def test_a_local_module_need_not_be_in_the_manifest(installed: Path) -> None:
    """`init` would add it, and needs no network for that."""
    text = MAIN + 'module "late" {\n  source = "./late"\n}\n'
    write(installed, {"main.tf": text, "late/main.tf": PLACE})
    assert judged(installed).failure == ""


def test_a_manifest_that_cannot_be_read_is_an_invalid_case(installed: Path) -> None:
    write(installed, {".terraform/modules/modules.json": "junk"})
    with pytest.raises(CaseError, match=r"modules\.json: error unmarshalling snapshot: invalid character 'j'"):
        read_case(installed)


# Nothing outside of what was given


def test_a_manifest_that_leads_elsewhere_is_refused(installed: Path, tmp_path: Path) -> None:
    victim = write(tmp_path / "victim", {"main.tf": 'variable "name" {}\noutput "id" {\n  value = "SECRET"\n}\n'})
    write(installed, {".terraform/modules/modules.json": manifest(Dir="../../victim")})
    with pytest.raises(CaseError, match=f"add --include {victim}"):
        read_case(installed)
    assert read_case(installed, given=GivenInputs((victim,))).plain is not None


def test_a_link_in_the_data_directory_does_not_lead_out(installed: Path, tmp_path: Path) -> None:
    victim = write(tmp_path / "victim", {"main.tf": 'variable "name" {}\noutput "id" {\n  value = "SECRET"\n}\n'})
    shutil.rmtree(installed / ".terraform/modules/label")
    (installed / ".terraform/modules/label").symlink_to(victim)
    assert "SECRET" not in str(judged(installed))


def test_a_package_is_not_left(tmp_path: Path) -> None:
    main = write(tmp_path / "area" / "app", {"main.tf": MAIN})
    write_packages(tmp_path / "elsewhere")
    modules = {**given_directories(tmp_path / "elsewhere").modules}
    modules["git::https://git.example.com/net.git//modules/a"] = str(tmp_path / "elsewhere/net/modules/a")
    found = missing(read_plain_directory(main, GivenInputs((tmp_path,), modules)))
    assert found[0].startswith("module.net.module.b leads to ../b, which is outside of ")


# Commands


def test_the_command_that_shows_it_again_names_the_modules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "area" / "app", {"main.tf": MAIN})
    write_packages(tmp_path / "elsewhere")
    words = [word for source, name in SOURCES.items() for word in ("--module", f"{source}=elsewhere/{name}")]
    ran = CliRunner().invoke(commands, ["run", "area/app", *words, "--jobs", "1", "--out", "out", "--mutant", "M31"])
    assert ran.exit_code == 1, ran.output
    again = next(line for line in ran.output.splitlines() if line.startswith("again"))
    assert f"--module acme/label/null={tmp_path}/elsewhere/label" in again
    explained = CliRunner().invoke(commands, ["explain", "out:area/app"])
    assert "module" not in explained.output.partition("Error")[2].partition("\n")[0]


def test_settings_of_a_project_name_directories(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "area" / "app", {"main.tf": MAIN})
    write_packages(tmp_path / "elsewhere")
    lines = "".join(f'"{source}" = "elsewhere/{name}"\n' for source, name in SOURCES.items())
    write(tmp_path, {"pyproject.toml": f"[tool.diffharness.module]\n{lines}"})
    ran = CliRunner().invoke(commands, ["run", "area/app", "--jobs", "1", "--out", "out"])
    assert "1 equal" in ran.output
    for name in ("legacy", "new"):
        validated = CliRunner().invoke(engine_command, [name, "validate", "area/app"])
        assert validated.exit_code == 0, validated.output


def test_settings_of_a_stranger_give_access_to_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They are part of what is run, so that the author of the configuration has written them."""
    write(tmp_path / "stranger" / "app", {"main.tf": MAIN})
    write_packages(tmp_path / "victim")
    lines = "".join(f'"{source}" = "../victim/{name}"\n' for source, name in SOURCES.items())
    write(tmp_path / "stranger", {"pyproject.toml": f"[tool.diffharness.module]\n{lines}"})
    monkeypatch.chdir(tmp_path / "stranger")
    ran = CliRunner().invoke(commands, ["run", ".", "--jobs", "1", "--out", "out"])
    assert "which is not in a directory that was given" in " ".join(ran.output.split())
    assert "1 equal" not in ran.output


@pytest.mark.parametrize(
    ("text", "said"), [("x", "SOURCE=DIR"), ("=x", "SOURCE=DIR"), ("a/b/c=nowhere", "nowhere is not a directory")]
)
def test_options_that_name_nothing_are_refused(tmp_path: Path, text: str, said: str) -> None:
    write(tmp_path / "app", {"main.tf": MAIN})
    for command in (["run", str(tmp_path / "app")], ["engine", "legacy", "validate", str(tmp_path / "app")]):
        ran = CliRunner().invoke(commands, [*command, "--module", text])
        assert ran.exit_code == 2
        assert said in ran.output


def test_the_summary_counts_missing_sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("a", "b"):
        write(tmp_path / "all" / name, {"main.tf": MAIN})
    write(tmp_path / "all" / "c", {"main.tf": PLACE})
    ran = CliRunner().invoke(commands, ["run", "all", "--jobs", "1", "--out", "out", "--json", "run.json"])
    assert "2 cases need modules that are not here, and could not be run:" in ran.output
    assert "  2 cases  registry.terraform.io/acme/label/null (all/a)" in ran.output
    assert json.loads((tmp_path / "run.json").read_text())["missing_modules"] == [
        {"source": source, "cases": ["all/a", "all/b"]}
        for source in ("git::https://git.example.com/net.git", "registry.terraform.io/acme/label/null")
    ]


@pytest.mark.terraform
@pytest.mark.skipif(shutil.which("terraform") is None, reason="there is no terraform")
def test_a_real_binary_finds_the_modules_that_were_given(tmp_path: Path) -> None:
    main = write(tmp_path / "area" / "app", {"main.tf": MAIN})
    write_packages(tmp_path / "elsewhere")
    modules = dict(given_directories(tmp_path / "elsewhere").modules)
    spec = RunSpec(("legacy", "new", "terraform"), trusted=(Path("/"),), modules=modules)
    result = judged(main, spec)
    assert (result.ruling, result.equal, result.failure) == (Ruling.EQUAL, ("new", "terraform"), "")
    assert f"--module acme/label/null={modules['acme/label/null']}" not in reproduction(result), "added by the command"
