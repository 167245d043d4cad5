"""Rulings: each has one meaning, which reports and the documentation share."""

from __future__ import annotations

from pathlib import Path

from harness.compare.ruling import Ruling

DOCUMENT = Path(__file__).parents[4] / "docs" / "harness.md"


def test_the_documentation_has_the_meaning_of_every_ruling() -> None:
    rows = "\n".join(f"| `{ruling}` | {ruling.description} |" for ruling in Ruling)
    assert rows in DOCUMENT.read_text(encoding="utf-8")


def test_a_breakdown_is_what_leaves_no_result() -> None:
    assert [str(ruling) for ruling in Ruling if ruling.is_breakdown] == ["crash", "hang", "over-budget"]
