"""`diffharness doctor` prints the settings in effect, and `diffharness completion` prints a script."""

from __future__ import annotations

import json
import sys
from importlib.machinery import ModuleSpec
from pathlib import Path

import pytest
from click.testing import CliRunner

from harness.cli import commands
from harness.cli.doctor import _bytecode


def findings() -> tuple[int, dict[str, tuple[str, str]]]:
    result = CliRunner().invoke(commands, ["doctor", "--json"])
    return result.exit_code, {each["part"]: (each["state"], each["note"]) for each in json.loads(result.output)}


@pytest.fixture(autouse=True)
def here(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_without_a_project_nothing_is_wrong() -> None:
    status, found = findings()
    assert status == 0
    assert found["settings"][0] == found["trusted"][0] == "absent"
    assert found["run directory"][0] == found["engine legacy"][0] == found["engine new"][0] == "ok"


def test_what_is_optional_is_told_as_well(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It reports whether the real binaries, a cluster and a browser are available, and does not fail if they are
    not."""
    extras = ["pytest>=8; extra == 'dask'", "nobody-has-this>=1; extra == 'gone'", "mypy; extra == 'dev'"]
    monkeypatch.setattr("importlib.metadata.requires", lambda _name: extras)
    monkeypatch.setenv("PATH", str(here))
    status, found = findings()
    parts = ("terraform", "tofu", "browser", "nobody-has-this")
    assert (status, [found[part][0] for part in parts]) == (0, ["absent"] * 4)
    assert found["pytest"][1].endswith("of the extra dask")
    assert "mypy" not in found, "what only developers need"
    (here / "firefox").write_text("#!/bin/sh\n")
    (here / "firefox").chmod(0o755)
    assert findings()[1]["browser"] == ("ok", str(here / "firefox"))


def test_settings_in_effect_are_shown_with_their_file(here: Path) -> None:
    (here / "pyproject.toml").write_text('[tool.diffharness]\ntrusted = ["cases"]\nknown = "known.yaml"\n')
    (here / "known.yaml").write_text("")
    (here / "cases").mkdir()
    status, found = findings()
    assert status == 0
    assert found["settings"] == ("ok", f"{here / 'pyproject.toml'} sets known, trusted")
    assert found["trusted"] == ("ok", str(here / "cases"))
    assert found["known divergences"] == ("ok", f"0 entries in {here / 'known.yaml'}")


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("[tool.diffharness]\nx = 1\n", "settings"),
        ('[tool.diffharness]\ntrusted = ["gone"]\n', "trusted"),
        ('[tool.diffharness]\nknown = "gone.yaml"\n', "known divergences"),
        ('[tool.diffharness]\nout = "pyproject.toml"\n', "run directory"),
    ],
)
def test_what_is_wrong_with_them_fails(here: Path, text: str, part: str) -> None:
    (here / "pyproject.toml").write_text(text)
    status, found = findings()
    assert (status, found[part][0]) == (1, "wrong")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_prints_a_script(shell: str) -> None:
    result = CliRunner().invoke(commands, ["completion", shell])
    assert result.exit_code == 0
    assert "_DIFFHARNESS_COMPLETE" in result.output


@pytest.mark.parametrize(
    ("written", "kept", "state"), [(True, True, "ok"), (True, False, "ok"), (False, True, "ok"), (False, False, "slow")]
)
def test_doctor_says_where_every_command_compiles_its_modules_again(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, written: bool, kept: bool, state: str
) -> None:
    file = tmp_path / "cli.pyc"
    if kept:
        file.touch()
    spec = ModuleSpec("harness.cli", None)
    spec.cached = str(file)
    monkeypatch.setattr("importlib.util.find_spec", lambda _name: spec)
    monkeypatch.setattr(sys, "dont_write_bytecode", not written)
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "" if written else "1")
    found = _bytecode()
    assert found.state == state
    assert written or "PYTHONDONTWRITEBYTECODE is set" in found.note
