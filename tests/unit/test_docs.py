"""The documentation refers only to recordings, files and functions that exist."""

from __future__ import annotations

import ast
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from types import MappingProxyType
from typing import Final

import pytest

ROOT: Final = Path(__file__).parent.parent.parent
QUIRKS: Final = (ROOT / "docs" / "quirks.md").read_text(encoding="utf-8")
ROWS: Final = [line for line in QUIRKS.splitlines() if line.startswith("| ") and not line.startswith("| name")]


def recorded_ids() -> set[str]:
    files = (ROOT / "corpus" / "conformance" / "expressions").glob("*.jsonl")
    return {match for file in files for match in re.findall(r'^\{"id": "([^"]+)"', file.read_text(), re.MULTILINE)}


def test_recordings_of_quirks_exist() -> None:
    named = set(re.findall(r"`([a-z_]+-[0-9a-f]{10})`", QUIRKS))
    assert named
    assert named <= recorded_ids()


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.split("|")[1].strip())
def test_code_of_quirks_exists(row: str) -> None:
    code = row.rsplit("|", 2)[1]
    for place, names in re.findall(r"`([a-z_/]+\.py)`(?:: ((?:`[^`]+`(?:, )?)+))?", code):
        text = (ROOT / "shared_nodes" / place).read_text(encoding="utf-8")
        for name in re.findall(r"`([^`]+)`", names):
            assert re.search(rf"\b{re.escape(name)}\b", text), f"{place} has no {name}"


THREATS: Final = [
    line.strip("| ").rsplit(" | ", 2)
    for line in (ROOT / "docs" / "security.md").read_text(encoding="utf-8").splitlines()
    if line.startswith("| ") and not line.startswith("| threat")
]


@pytest.mark.parametrize(("threat", "tests"), [(row[0], row[2]) for row in THREATS])
def test_every_threat_is_held_by_tests_that_exist(threat: str, tests: str) -> None:
    found = re.findall(r"`([a-z_/]+\.py)`: ((?:`test_[a-z0-9_]+`(?:, )?)+)", tests)
    assert found, threat
    for place, names in found:
        text = (ROOT / "tests" / "unit" / place).read_text(encoding="utf-8")
        for name in re.findall(r"`(\w+)`", names):
            assert f"def {name}(" in text, f"{place} has no {name}"
    assert re.sub(r"[`:;, ]+", "", tests) == "".join(place + re.sub(r"[`, ]+", "", names) for place, names in found)


# Sessions: the commands that a page shows are run, and print what the page shows

IDENTIFIER: Final = re.compile(r"[0-9a-f]{8}-[0-9a-f-]{27}")
COMMAND: Final = [sys.executable, "-c", "from harness.cli import main; main()"]


@dataclass(frozen=True)
class Block:
    """An indented block of a page: a file to create (its first line is a comment with the path), or commands."""

    lines: tuple[str, ...]

    @property
    def file(self) -> str | None:
        match = re.fullmatch(r"# (\S+/)?[\w.]+\.\w+", self.lines[0])
        return None if match is None else self.lines[0].removeprefix("# ")

    @property
    def commands(self) -> Iterator[tuple[str, list[str]]]:
        """Each command with the lines shown below it. `...` stands for anything, also at the end of a line."""
        starts = [index for index, line in enumerate(self.lines) if line.startswith("$ ")]
        for start, end in pairwise([*starts, len(self.lines)]):
            yield self.lines[start][2:], [line for line in self.lines[start + 1 : end] if line not in ("...", "")]


def blocks(page: str) -> Iterator[Block]:
    text = (ROOT / page).read_text(encoding="utf-8")
    for found in re.findall(r"(?:^    .*\n|^\n(?=    ))+", text, re.MULTILINE):
        lines = tuple(line.removeprefix("    ") for line in found.strip("\n").split("\n"))
        if lines[0]:
            yield Block(lines)


def play(page: str, directory: Path, statuses: Mapping[str, int] = MappingProxyType({}), engine: str = "legacy") -> int:
    """Run everything the page shows. `statuses`: exit codes other than 0. Returns the number of commands."""
    count = 0
    for block in blocks(page):
        if block.file is not None:
            (directory / block.file).parent.mkdir(parents=True, exist_ok=True)
            (directory / block.file).write_text("\n".join(block.lines[1:]) + "\n", encoding="utf-8")
        for command, shown in block.commands:
            count += 1
            words = shlex.split(command.replace("engine legacy", f"engine {engine}"))
            program = COMMAND if words[0] == "diffharness" else words[:1]
            result = subprocess.run(
                [*program, *words[1:]], capture_output=True, text=True, timeout=120, check=False, cwd=directory
            )
            assert result.returncode == statuses.get(command, 0), result.stderr
            printed = IDENTIFIER.sub("ID", result.stdout + result.stderr).splitlines()
            assert [line for line in shown if not _is_among(IDENTIFIER.sub("ID", line), printed)] == []
    return count


def _is_among(line: str, printed: Sequence[str]) -> bool:
    start = line.removesuffix("...")
    return any(other.startswith(start) if start != line else other.rstrip() == line for other in printed)


def test_the_session_in_the_readme_is_what_happens(tmp_path: Path) -> None:
    """The commands run in a copy of the case, so that nothing is written into the checkout."""
    (command,) = [command for block in blocks("README.md") for command, _ in block.commands]
    case = command.split()[2]
    shutil.copytree(ROOT / case, tmp_path / case)
    assert play("README.md", tmp_path, {command: 1}) == 1


def test_the_tutorial_is_what_happens(tmp_path: Path) -> None:
    failing = {
        "diffharness run cases --change C05": 1,
        "diffharness explain cases/basics/larger_server --change C05": 1,
        "diffharness replay cases/basics/larger_server --change C05 --keep kept": 1,
    }
    assert play("docs/tutorial.md", tmp_path, failing) == 5


@pytest.mark.parametrize("engine", ["legacy", "new"])
def test_the_engine_tutorial_is_what_happens(tmp_path: Path, engine: str) -> None:
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    assert play("docs/engine-tutorial.md", tmp_path, engine=engine) == 6


# Links and size


@pytest.mark.parametrize("page", [*sorted(ROOT.glob("docs/*.md")), ROOT / "README.md", ROOT / "CONTRIBUTING.md"])
def test_links_lead_to_files(page: Path) -> None:
    targets = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8"))
    assert [target for target in targets if not (page.parent / target).exists()] == []


def test_every_page_is_in_the_index() -> None:
    index = (ROOT / "docs" / "README.md").read_text(encoding="utf-8")
    pages = {page.name for page in ROOT.glob("docs/*.md")} - {"README.md"}
    assert [name for name in sorted(pages) if f"({name})" not in index] == []


def test_the_readme_stays_short() -> None:
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) < 140


# Names in prose

PACKAGES: Final = ("shared_nodes", "legacy_engine", "new_engine", "harness", "reports")
SOURCES: Final = {file: file.read_text(encoding="utf-8") for name in PACKAGES for file in (ROOT / name).rglob("*.py")}
CLASSES: Final = {name for text in SOURCES.values() for name in re.findall(r"^\s*class (\w+)|^(\w+) = ", text, re.M)}
DEFINED: Final = {part for pair in CLASSES for part in pair if part}


@pytest.mark.parametrize("package", sorted(file for file in SOURCES if file.name == "__init__.py"), ids=str)
def test_package_docstrings_name_what_exists(package: Path) -> None:
    """A docstring that says where to start reading must not send its reader to a file or class that has moved."""
    docstring = ast.get_docstring(ast.parse(SOURCES[package])) or ""
    files = re.findall(r"`([\w/]+\.py)`", docstring)
    bases = [folder for folder in package.parents if folder.is_relative_to(ROOT)]
    assert [name for name in files if not any((base / name).exists() for base in bases)] == []
    classes = re.findall(r"`([A-Z][a-z]+(?:[A-Z][a-z]+)*)`", docstring)
    assert [name for name in classes if name not in DEFINED] == []


@pytest.mark.parametrize("page", ["architecture.md", "how-it-works.md"])
def test_architecture_names_files_that_exist(page: str) -> None:
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    names = re.findall(r"(?<![\w/])((?:[a-z_]+/)+[a-z_]+\.py)\b", text)
    bases = (ROOT, *(ROOT / package for package in PACKAGES))
    assert [name for name in names if not any((base / name).exists() for base in bases)] == []
