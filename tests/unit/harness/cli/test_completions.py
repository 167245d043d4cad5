"""Shells complete names of engines, mutants, intended changes and runs."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.shell_completion import ShellComplete
from click.testing import CliRunner

from harness.cli import commands
from harness.mutants.catalogue import MUTANTS


def complete(*words: str) -> list[str]:
    *before, incomplete = words
    shell = ShellComplete(commands, {}, "diffharness", "_DIFFHARNESS_COMPLETE")
    return [item.value for item in shell.get_completions(list(before), incomplete)]


@pytest.mark.parametrize(
    ("words", "completions"),
    [
        (("engine", "le"), ["legacy"]),
        (("engine", "legacy", "st"), ["state"]),
        (("engine", "legacy", "state", ""), ["list", "show"]),
        (("run", "--engines", "le"), ["legacy"]),
        (("run", "--engines", "legacy,le"), []),
        (("run", "--engines", "new,le"), ["new,legacy"]),
        (("fuzz", "--engines", "terraf"), ["terraform"]),
        (("run", "--change", "C01"), ["C01"]),
        (("run", "--mutant", "M22"), ["M22"]),
        (("explain", "--engines", "tofu-e"), ["tofu-experimental"]),
    ],
)
def test_names_are_completed(words: tuple[str, ...], completions: list[str]) -> None:
    assert complete(*words) == completions


def test_every_mutant_is_offered() -> None:
    assert complete("run", "--mutant", "") == list(MUTANTS)


def test_runs_are_offered_newest_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert complete("report", "la") == ["la"]
    (tmp_path / "one").mkdir()
    (tmp_path / "one" / "main.tf").write_text("")
    for _ in range(2):
        CliRunner().invoke(commands, ["run", "one", "--jobs", "1", "-q"], catch_exceptions=False)
    for words in (("report", ""), ("report", "latest", "--against", ""), ("causes", ""), ("run", "--resume", "")):
        found = complete(*words)
        assert found[0] == "latest"
        assert len(found) == 3
    (tmp_path / "pyproject.toml").write_text("[tool.diffharness]\nnope = 1\n")
    assert complete("report", "x") == ["x"]
