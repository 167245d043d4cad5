"""Objects of a mocked provider outlive the copy of the configuration in which they were created; other files do not."""

from __future__ import annotations

import json
from pathlib import Path

from harness.play.mock_objects import MockObjects


def put_files(directory: Path, **objects: str) -> None:
    (directory / "terraform.resource").mkdir(parents=True, exist_ok=True)
    for name, content in objects.items():
        (directory / "terraform.resource" / f"{name}.json").write_text(content, encoding="utf-8")


def find_files(directory: Path) -> dict[str, str]:
    return {file.stem: file.read_text(encoding="utf-8") for file in (directory / "terraform.resource").iterdir()}


def test_what_a_step_leaves_is_there_in_the_next_one_and_nothing_else(tmp_path: Path) -> None:
    first, second, third = (tmp_path / name for name in "abc")
    kept = MockObjects()
    put_files(first, own="1")
    kept.put_into(first)
    put_files(first, made="2")
    kept.take_from(first, None)
    put_files(second, of_its_configuration="3")
    kept.put_into(second)
    assert find_files(second) == {"own": "1", "made": "2"}
    for file in (second / "terraform.resource").iterdir():
        file.unlink()
    (second / "terraform.resource").rmdir()
    kept.take_from(second, None)
    put_files(third, of_its_configuration="3")
    kept.put_into(third)
    assert find_files(third) == {}


def test_a_configuration_without_objects_is_left_alone(tmp_path: Path) -> None:
    """Functions that list files must not find an additional directory."""
    kept = MockObjects()
    kept.put_into(tmp_path)
    kept.take_from(tmp_path, None)
    kept.put_into(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_files_that_the_state_knows_are_there_in_the_next_step(tmp_path: Path) -> None:
    first, second = (tmp_path / name for name in "ab")
    (first / "made").mkdir(parents=True)
    second.mkdir()
    outside = tmp_path / "outside"
    for file in (first / "made" / "known", first / "unknown", outside):
        file.write_text("content", encoding="utf-8")
    names = ("made/known", str(outside), "../outside", "missing")
    instances = [{"attributes": {"filename": name}} for name in names]
    kept = MockObjects()
    kept.take_from(first, json.dumps({"resources": [{"type": "local_file", "instances": instances}]}))
    kept.put_into(second)
    assert [str(file.relative_to(second)) for file in second.rglob("*") if file.is_file()] == ["made/known"]
