"""Two degrees of agreement between a recorded answer and ours."""

from __future__ import annotations

import base64
import gzip
from typing import Any

import pytest

from harness.expressions.compare import AnswerAgreement, compare_answers

EXACT, SAME_OUTCOME, DIFFERENT = AnswerAgreement

VALUE = {"value": 1, "type": "number", "sensitive": False}
ERROR = {"error": {"summary": "Invalid index", "detail": "No such element."}, "phase": "plan"}


def packed(text: str, level: int) -> str:
    return base64.b64encode(gzip.compress(text.encode(), level)).decode()


@pytest.mark.parametrize(
    ("expected", "got", "agreement"),
    [
        (VALUE, VALUE, EXACT),
        (VALUE, {**VALUE, "value": 2}, DIFFERENT),
        (VALUE, {**VALUE, "type": "string"}, DIFFERENT),
        (VALUE, {**VALUE, "sensitive": True}, DIFFERENT),
        (VALUE, ERROR, DIFFERENT),
        (ERROR, ERROR, EXACT),
        (ERROR, {**ERROR, "phase": "validate"}, SAME_OUTCOME),
        (ERROR, {**ERROR, "error": {"summary": "Invalid index", "detail": "Other words."}}, SAME_OUTCOME),
        (ERROR, {**ERROR, "error": {"summary": "Invalid key", "detail": "No such element."}}, DIFFERENT),
        ({"valid": True, "diagnostics": []}, {"valid": True, "diagnostics": []}, EXACT),
        ({"valid": True, "diagnostics": []}, {"valid": False, "diagnostics": []}, DIFFERENT),
    ],
)
def test_agreement(expected: dict[str, Any], got: dict[str, Any], agreement: AnswerAgreement) -> None:
    assert compare_answers(expected, got) is agreement


def test_true_is_not_one() -> None:
    assert compare_answers({**VALUE, "value": [1]}, {**VALUE, "value": [True]}) is DIFFERENT


def test_compressed_values_are_compared_by_their_content() -> None:
    expected = {**VALUE, "value": packed("text", 1), "note": "compressed"}
    assert compare_answers(expected, {**VALUE, "value": packed("text", 9)}) is EXACT
    assert compare_answers(expected, {**VALUE, "value": packed("other", 9)}) is DIFFERENT


def test_the_order_of_diagnostics_does_not_matter() -> None:
    first, second = ({"summary": "Invalid index", "detail": detail} for detail in ("One.", "Two."))
    expected = {"error": first, "errors": [first, second]}
    assert compare_answers(expected, {"error": second, "errors": [second, first]}) is EXACT
