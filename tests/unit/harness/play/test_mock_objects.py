"""Objects of a mocked provider outlive the copy of the configuration in which they were created; other files do not."""

from __future__ import annotations

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
    with kept.around(first):
        put_files(first, made="2")
    put_files(second, of_its_configuration="3")
    with kept.around(second):
        assert find_files(second) == {"own": "1", "made": "2"}
        for file in (second / "terraform.resource").iterdir():
            file.unlink()
        (second / "terraform.resource").rmdir()
    put_files(third, of_its_configuration="3")
    with kept.around(third):
        assert find_files(third) == {}


def test_a_configuration_without_objects_is_left_alone(tmp_path: Path) -> None:
    """Functions that list files must not find an additional directory."""
    kept = MockObjects()
    with kept.around(tmp_path):
        pass
    with kept.around(tmp_path):
        assert list(tmp_path.iterdir()) == []
