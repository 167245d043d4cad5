"""Features of a case: words of the language, and how it is run; never a name of the user's."""

from __future__ import annotations

from pathlib import Path

from harness.case.case import read_case
from harness.case.features import features_of


def features(directory: Path, configuration: str, case: str = "steps: [{op: plan, config: v1}]") -> tuple[str, ...]:
    (directory / "v1").mkdir(exist_ok=True)
    (directory / "v1" / "main.tf").write_text(configuration)
    (directory / "case.yaml").write_text(f"description: x\n{case}\n")
    return features_of(read_case(directory))


def test_blocks_and_arguments_are_features(tmp_path: Path) -> None:
    text = 'resource "t" "count" {\n  count = 1\n  lifecycle {\n    ignore_changes = [x]\n  }\n}\nmoved {\n}\n'
    found = ("argument count", "argument ignore_changes", "lifecycle block", "moved block", "operation plan")
    assert features(tmp_path, text) == found


def test_names_are_none(tmp_path: Path) -> None:
    assert features(tmp_path, 'resource "moved" "check" {\n  module = 1\n}\n') == ("operation plan",)


def test_operations_and_several_configurations_are_features(tmp_path: Path) -> None:
    (tmp_path / "v2").mkdir()
    (tmp_path / "v2" / "main.tf").write_text("")
    found = features(tmp_path, "", "steps: [{op: apply, config: v1}, {op: destroy, config: v2}]")
    assert found == ("changed configuration", "operation apply", "operation destroy")
