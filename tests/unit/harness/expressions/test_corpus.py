"""Files of expression lines: which directories contain them, and which lines are pending."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from harness.expressions.compare import AnswerAgreement
from harness.expressions.corpus import AreaResult, find_corpora, judge_file, waiting_ids


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    lines = [
        {"id": "sum", "expr": "1 + 1", "value": 2, "type": "number", "sensitive": False},
        {"id": "wrong", "expr": "1 + 1", "value": 3, "type": "number", "sensitive": False},
        {"id": "later", "expr": "2", "value": 3, "type": "number", "sensitive": False},
    ]
    (tmp_path / "context.tf").write_text("")
    (tmp_path / "waiting.txt").write_text("# what is missing\nlater  # because of this\n\n")
    (tmp_path / "sums.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    return tmp_path


def test_a_corpus_is_a_directory_with_lines_and_a_context(corpus: Path, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "data.jsonl").write_text("{}\n")
    assert find_corpora([tmp_path]) == [corpus]
    assert find_corpora([corpus / "sums.jsonl"]) == [corpus]


def test_comments_and_empty_lines_do_not_wait(corpus: Path) -> None:
    assert waiting_ids(corpus) == {"later"}
    assert waiting_ids(corpus / "nowhere") == frozenset()


def test_lines_that_wait_are_not_counted(corpus: Path) -> None:
    area = AreaResult("sums", list(judge_file(corpus / "sums.jsonl")))
    assert [line.identifier for line in area.judged] == ["sum", "wrong", "later"]
    assert area.count(AnswerAgreement.EXACT) == 1
    assert area.count(AnswerAgreement.DIFFERENT) == 1
