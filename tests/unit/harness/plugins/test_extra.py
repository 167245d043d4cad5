"""Plugins are an extra: without its libraries everything else works, and who asks for plugins learns what to install.

And a plugin is a program: none is started unless the user says so.
"""

from __future__ import annotations

import sys
from importlib.machinery import ModuleSpec
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from harness.cli import commands
from harness.plugins import extra

CONFIG = """
terraform {
  required_providers {
    fake = { source = "dh.test/x/fake" }
  }
}
resource "fake_thing" "a" {}
"""


def plan(directory: Path, *options: str) -> Result:
    return CliRunner().invoke(commands, ["engine", "new", "plan", str(directory), *options])


@pytest.fixture
def no_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    """Look for libraries as on a machine that has none of them, not even the package that contains the first."""

    def find(name: str) -> ModuleSpec | None:
        if "." in name:
            raise ModuleNotFoundError(name)
        return None

    monkeypatch.setattr(extra, "find_spec", find)


@pytest.mark.usefixtures("no_extra")
def test_a_trusted_directory_needs_no_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "pyproject.toml").write_text('[tool.diffharness]\ntrusted = ["."]\n')
    (tmp_path / "main.tf").write_text('resource "terraform_data" "a" {}\n')
    monkeypatch.chdir(tmp_path)
    planned = plan(tmp_path)
    assert (planned.exit_code, "1 to add" in planned.output) == (0, True)


@pytest.mark.usefixtures("no_extra")
def test_plugins_without_the_extra_are_refused(tmp_path: Path) -> None:
    (tmp_path / "main.tf").write_text(CONFIG)
    planned = plan(tmp_path, "--allow-exec")
    assert planned.exit_code == 1
    assert planned.output == "Error: --allow-exec: to run provider plugins, install diffharness[plugins]\n"


@pytest.mark.usefixtures("no_extra")
def test_a_missing_provider_of_a_trusted_directory_may_need_the_extra(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Running `init`, which the message of the original asks for, would change nothing."""
    (tmp_path / "main.tf").write_text(CONFIG)
    monkeypatch.chdir(tmp_path)
    assert "with --allow-exec, or in a trusted directory" in " ".join(plan(tmp_path).output.replace("│", "").split())
    (tmp_path / "pyproject.toml").write_text('[tool.diffharness]\ntrusted = ["."]\n')
    assert "install diffharness[plugins]." in " ".join(plan(tmp_path).output.replace("│", "").split())


def test_a_plugin_is_started_only_if_the_user_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The plugin leaves a file behind when it is started, and then fails."""
    for library in ("h2", "msgpack", "google.protobuf"):
        pytest.importorskip(library)
    place, started = tmp_path / "configuration", tmp_path / "started"
    place.mkdir()
    (place / "main.tf").write_text(CONFIG)
    package = tmp_path / "package"
    package.mkdir()
    program = package / "terraform-provider-fake"
    program.write_text(f"#!{sys.executable}\nopen({str(started)!r}, 'w').close()\n")
    program.chmod(0o755)
    settings = tmp_path / "rc"
    settings.write_text(f'provider_installation {{\n  dev_overrides {{\n    "dh.test/x/fake" = "{package}"\n  }}\n}}\n')
    monkeypatch.setenv("TF_CLI_CONFIG_FILE", str(settings))
    monkeypatch.chdir(tmp_path)
    assert "no version is selected" in plan(place).output
    assert not started.exists()
    allowed = plan(place, "--allow-exec")
    assert started.exists()
    assert "Failed to load plugin schemas" in allowed.output
