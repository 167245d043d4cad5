"""Flavours: every field is a difference, and docs/flavours.md has a line with a case for each, or with a test."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path
from typing import Final

import pytest

from shared_nodes.flavour import FLAVOUR_NAMES, FLAVOURS, OPENTOFU_1_12, TERRAFORM_1_11, Flavour, flavour_of_release

ROOT: Final = Path(__file__).parent.parent.parent.parent
NAMING: Final = ("name", "product", "version", "command")
DIFFERENCES: Final = [field.name for field in fields(Flavour) if field.name not in NAMING]
LINE: Final = re.compile(
    r"^\| `(?P<field>\w+)` \| (?P<terraform>.+) \| (?P<opentofu>.+) \| `(?P<case>[^`]+)` \|$", re.M
)
LINES: Final = {line["field"]: line for line in LINE.finditer((ROOT / "docs" / "flavours.md").read_text("utf-8"))}


@pytest.mark.parametrize("name", DIFFERENCES)
def test_every_field_is_a_difference_with_a_case(name: str) -> None:
    assert getattr(TERRAFORM_1_11, name) != getattr(OPENTOFU_1_12, name)
    shown = LINES[name]["case"]
    place = ROOT / shown if shown.startswith("tests/") else ROOT / "corpus" / shown
    assert (place.suffix in (".jsonl", ".py") and place.is_file()) or (place / "case.yaml").is_file()


def test_the_page_has_no_other_lines() -> None:
    assert LINES.keys() == set(DIFFERENCES)
    text = (ROOT / "docs" / "flavours.md").read_text("utf-8")
    assert sum(line.startswith("| `") for line in text.splitlines()) == len(LINES)


def test_flavours_have_short_names() -> None:
    assert {name: FLAVOURS[full].product for name, full in FLAVOUR_NAMES.items()} == {
        "terraform": "Terraform",
        "terraform-1.11": "Terraform",
        "opentofu": "OpenTofu",
        "opentofu-1.12": "OpenTofu",
    }


@pytest.mark.parametrize(
    ("release", "flavour"),
    [
        ("terraform 1.11.4", TERRAFORM_1_11),
        ("terraform 1.9.0", TERRAFORM_1_11),
        ("opentofu 1.12.6", OPENTOFU_1_12),
        ("pulumi 3.0.0", None),
        ("", None),
    ],
)
def test_a_release_is_modelled_by_the_flavour_of_its_product(release: str, flavour: Flavour | None) -> None:
    assert flavour_of_release(release) is flavour
