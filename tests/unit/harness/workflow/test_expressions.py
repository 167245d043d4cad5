"""The language of conditions: what it can express, and that it can do nothing else."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.workflow.expressions import ExpressionError, WorkflowScope, parse_expression
from harness.workflow.outcome import TaskOutcome

SCOPE = WorkflowScope(
    TaskOutcome.FAILED, {"changes": 2, "names": ["a", "b"], "ok": False}, {"n": 3, "way": "left", "deep": {"x": 1}}
)


def value(text: str) -> Any:
    return parse_expression(text).value(SCOPE)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<% failed() %>", True),
        ("failed", True),
        ("succeeded or completed", True),
        ("succeeded()", False),
        ("<% ctx().way = 'left' %>", True),
        ('ctx(way) == "left"', True),
        ("ctx('way') != 'left'", False),
        ("ctx().n + 1", 4),
        ("ctx.n - 1 - 1", 1),
        ("2 + 3 * 4 % 5", 4),
        ("(2 + 3) * -4", -20),
        ("7 / 2", 3.5),
        ("not ctx.n < 3 and failed", True),
        ("not (failed and result.changes > 1)", False),
        ("result().names[1]", "b"),
        ("result['changes'] <> 2", False),
        ("'a' in result.names and not ('c' in result.names)", True),
        ("'ef' in ctx.way", True),
        ("'n' in ctx", True),
        ("ctx.deep.x >= 1", True),
        ("[1, 'x', null] = [1, 'x', null]", True),
        ("true = 1", False),
        ("null = false", False),
        ("'it\\'s'", "it's"),
        ("'a' < 'b'", True),
        ("failed or 1 / 0 = 1", True),
        ("succeeded and ctx.missing", False),
    ],
)
def test_value(text: str, expected: Any) -> None:
    assert value(text) == expected
    assert type(value(text)) is type(expected)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "a value is expected where 'the end' stands"),
        ("1 +", "a value is expected where 'the end' stands"),
        ("(1", "')' is expected where 'the end' stands"),
        ("1 2", "the end is expected where '2' stands"),
        ("failed(1)", "')' is expected where '1' stands"),
        ("__import__('os')", "__import__ is not known; there are succeeded, failed, completed, ctx, result"),
        ("ctx.n.__class__", "there is no __class__; there is nothing"),
        ("a ? b", "cannot be understood from '? b' on"),
        ("'open", 'cannot be understood from "\'open" on'),
        ("ctx.missing", "there is no missing; there is n, way, deep"),
        ("result.names[2]", "there is no element 2"),
        ("result.names[true]", "there is no element True"),
        ("1 / 0", "division by zero"),
        ("1 % 0", "division by zero"),
        ("'a' + 'b'", "a number is needed, and there is a text"),
        ("1 + true", "a number is needed, and there is true"),
        ("1 < 'a'", "a number is needed, and there is a text"),
        ("not 1", "what stands behind `not` must be true or false, and is the number 1"),
        ("failed and 1", "what stands beside `and` must be true or false, and is the number 1"),
        ("1 in 2", "`in` needs a list, a mapping or a text, and there is the number 2"),
        ("9007199254740992 + 1", "a number larger than 9007199254740992"),
        ("(" * 50 + "1" + ")" * 50, "nested more than 40 deep"),
        ("not " * 50 + "failed", "nested more than 40 deep"),
        ("1" * 2_000, "longer than 1000 characters"),
    ],
)
def test_problem(text: str, problem: str) -> None:
    with pytest.raises(ExpressionError) as raised:
        value(text)
    assert str(raised.value) == problem


def test_a_condition_is_true_or_false() -> None:
    with pytest.raises(ExpressionError, match="a condition must be true or false, and is a list"):
        parse_expression("result.names").holds(SCOPE)


def test_both_ways_to_write_it_are_the_same_expression() -> None:
    assert parse_expression("<% ctx.n > 1 %>") == parse_expression("ctx.n > 1")


WORDS = st.sampled_from(
    [
        "failed",
        "ctx",
        "result",
        "n",
        "way",
        "names",
        *"[]().,+-*/%<>=",
        "!=",
        "in",
        "and",
        "or",
        "not",
        "1",
        "2.5",
        "'x'",
    ]
)


@given(st.one_of(st.text(max_size=60), st.lists(WORDS, max_size=12).map(" ".join)))
def test_any_text_has_a_value_or_one_message(text: str) -> None:
    """Every text results in a value that JSON can represent or in an ExpressionError, never in another exception."""
    try:
        found = value(text)
    except ExpressionError as problem:
        found = str(problem) or object()
    assert found is None or isinstance(found, bool | int | float | str | list | dict)
