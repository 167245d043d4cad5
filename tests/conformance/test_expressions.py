"""Every recorded expression is evaluated to the result that Terraform has.

There is one test per area. A failure lists the lines; `diffharness run corpus/ --json FILE` shows both results.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from harness.expressions.compare import AnswerAgreement
from harness.expressions.corpus import judge_file, read_lines, waiting_ids

EXPRESSIONS: Final = Path(__file__).parent.parent.parent / "corpus" / "conformance" / "expressions"
FILES: Final = sorted(EXPRESSIONS.glob("*.jsonl"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_area_agrees_with_terraform_in_every_detail(file: Path) -> None:
    judged = [item for item in judge_file(file) if not item.waiting]
    inexact = {item.identifier: str(item.agreement) for item in judged if item.agreement is not AnswerAgreement.EXACT}
    assert judged
    assert inexact == {}


def test_corpus_is_whole() -> None:
    """Detect a file that was lost in a copy or a merge."""
    assert sum(1 for file in FILES for _ in read_lines(file)) == 4973


def test_waiting_lines_exist_and_are_few() -> None:
    """The list of lines whose implementation is pending may only shrink: never raise this bound."""
    known = {line["id"] for file in FILES for line in read_lines(file)}
    waiting = waiting_ids(EXPRESSIONS)
    assert waiting <= known
    assert len(waiting) <= 0
