"""Versions that modules are written for: what OpenTofu 1.12.6 accepts in each file, and what it says otherwise."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from shared_nodes.config.loading import load_configuration
from shared_nodes.config.reader import read_module
from shared_nodes.flavour import OPENTOFU_1_12, TERRAFORM_1_11, Flavour
from shared_nodes.lang.source import Source
from shared_nodes.world import Files
from tests.unit.shared_nodes.config.recordings import as_recorded, rows, write

INCOMPATIBLE = "{}: Incompatible module"


def problems_in(files: dict[str, str], flavour: Flavour = OPENTOFU_1_12) -> list[str]:
    _, problems = read_module([Source(name, text) for name, text in files.items()], flavour=flavour)
    return [f"{problem.subject}: {problem.summary}" for problem in problems]


def compatible_with(constraint: str) -> str:
    return f"language {{\n  compatible_with {{\n    opentofu = {constraint}\n  }}\n}}\n"


ROWS = [
    ({"main.tf": "language {\n  edition = tofu2024\n}\nlanguage {\n}\n"}, []),
    ({"main.tf": "language {\n  edition = tofu2020\n}\n"}, ["main.tf:2,13-21: Unsupported language edition"]),
    ({"main.tf": "language {\n  edition = TF2021\n}\n"}, ["main.tf:2,13-19: Unsupported language edition"]),
    ({"main.tf": 'language {\n  edition = "tofu2024"\n}\n'}, ["main.tf:2,13-23: Invalid language edition"]),
    ({"main.tf.json": '{"language": {"edition": "tofu2024"}}'}, []),
    (
        {"main.tf": 'language {\n  experiments = ["a", b]\n}\n'},
        ["main.tf:2,18-21: Invalid experiment keyword", "main.tf:2,23-24: Unknown experiment keyword"],
    ),
    ({"main.tf": "language {\n  experiments = x\n}\n"}, ["main.tf:2,17-18: Invalid expression"]),
    ({"main.tf": compatible_with('">= 1.12"')}, []),
    ({"main.tf": compatible_with('">= 1.6"')}, ["main.tf:3,5-24: Ineffective version constraint"]),
    ({"main.tf": compatible_with('">= 9"')}, [INCOMPATIBLE.format("main.tf:3,5-22")]),
    ({"main.tf": compatible_with('">= 9"'), "b.tf": "nonsense {\n"}, [INCOMPATIBLE.format("main.tf:3,5-22")]),
    (
        {"main.tf": compatible_with('"newest"')},
        ["main.tf:3,16-24: Invalid version constraint", "main.tf:3,16-24: Invalid version constraint"],
    ),
    (
        {"main.tf": compatible_with('">= 1.13.0-beta1"')},
        ["main.tf:3,5-33: Invalid required_version constraint"],
    ),
    (
        {"main.tf": "language {\n  compatible_with {\n    other = x\n  }\n}\n"},
        ["main.tf:2,3-18: Unreadable compatible_with block"],
    ),
    ({"main.tf": 'terraform {\n  required_version = ">= 9"\n  language = X\n  experiments = [y]\n}\n'}, []),
    ({"main.tofu": 'terraform {\n  required_version = ">= 9"\n}\n'}, [INCOMPATIBLE.format("main.tofu:2,3-28")]),
    ({"main.tofu": 'terraform {\n  required_version = "~> 1.12"\n}\n'}, []),
]


@pytest.mark.parametrize(("files", "expected"), ROWS)
def test_versions_and_editions(files: dict[str, str], expected: list[str]) -> None:
    assert problems_in(files) == expected


def test_labels_are_reported_each_time_a_file_is_searched() -> None:
    for kind in ("terraform", "language"):
        files = {"main.tf": f'{kind} "x" {{\n}}\n'}
        column = len(kind) + 2
        assert problems_in(files) == [f"main.tf:1,{column}-{column + 3}: Extraneous label for {kind}"] * 2


def test_terraform_has_no_language_blocks() -> None:
    assert problems_in({"main.tf": "language {\n}\n"}, TERRAFORM_1_11) == ["main.tf:1,1-9: Unsupported block type"]


@pytest.mark.parametrize("row", rows("recorded_language.jsonl"), ids=lambda row: row["name"])
def test_files_are_loaded_as_recorded(row: dict[str, Any], tmp_path: Path) -> None:
    write(tmp_path, row["files"])
    _, problems = load_configuration(Files(tmp_path), OPENTOFU_1_12)
    assert as_recorded(problems) == row["diagnostics"]
