"""Every recorded expression is evaluated to the result that the product has.

There is one test per area and product. A failure lists the lines; `diffharness run corpus/ --json FILE` shows both
results.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from harness.expressions.compare import AnswerAgreement
from harness.expressions.corpus import judge_file, read_lines, recorded_lines, waiting_ids
from shared_nodes.flavour import FLAVOURS, OPENTOFU_1_12, Flavour

EXPRESSIONS: Final = Path(__file__).parent.parent.parent / "corpus" / "conformance" / "expressions"
FILES: Final = sorted(EXPRESSIONS.glob("*.jsonl"))


@pytest.mark.parametrize("flavour", FLAVOURS.values(), ids=FLAVOURS)
@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_area_agrees_with_the_product_in_every_detail(file: Path, flavour: Flavour) -> None:
    judged = [item for item in judge_file(file, flavour) if not item.waiting]
    inexact = {item.identifier: str(item.agreement) for item in judged if item.agreement is not AnswerAgreement.EXACT}
    assert judged
    assert inexact == {}


def test_corpus_is_whole() -> None:
    """Detect a file that was lost in a copy or a merge."""
    assert sum(1 for file in FILES for _ in read_lines(file)) == 4973
    assert sum(1 for file in EXPRESSIONS.glob("opentofu/differing/*.jsonl") for _ in read_lines(file)) == 384
    assert sum(1 for file in FILES for _ in recorded_lines(file, OPENTOFU_1_12.name)) == 4973 + 162


def test_waiting_lines_exist_and_are_few() -> None:
    """The list of lines whose implementation is pending may only shrink: never raise this bound."""
    known = {line["id"] for file in FILES for line in read_lines(file)}
    waiting = waiting_ids(EXPRESSIONS)
    assert waiting <= known
    assert len(waiting) <= 0
