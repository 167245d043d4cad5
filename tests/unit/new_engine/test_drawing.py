"""The engine's graphs as they are shown to people."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from harness.cli.engine.group import engine as engine_command

CONFIGURATION = """
resource "terraform_data" "a" {
  input = "x"
}
resource "terraform_data" "b" {
  input = terraform_data.a.output
}
"""


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    (tmp_path / "main.tf").write_text(CONFIGURATION)
    return tmp_path


def draw(directory: Path, *options: str) -> str:
    outcome = CliRunner().invoke(engine_command, ["new", "graph", str(directory), *options])
    assert outcome.exit_code == 0, outcome.output
    return outcome.output


def test_the_graph_of_planning_has_what_each_node_waits_for(directory: Path) -> None:
    text = draw(directory, "--format", "text")
    assert "terraform_data.b (expand)\n  terraform_data.a (expand)\n" in text


def test_the_graph_of_applying_is_the_execution_graph(directory: Path) -> None:
    assert '"terraform_data.b" -> "terraform_data.a";' in draw(directory, "--operation", "apply")
    assert "r[7] = ManagedApply(r[6], nil)" in draw(directory, "--operation", "apply", "--format", "text")


def test_both_can_be_drawn_as_pictures(directory: Path) -> None:
    for operation in ("plan", "apply"):
        assert draw(directory, "--operation", operation, "--format", "svg").startswith("<svg")
