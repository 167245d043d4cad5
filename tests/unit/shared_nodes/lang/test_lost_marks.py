"""Where an unknown result keeps the marks of its operands, and where it loses them, as recorded."""

from __future__ import annotations

import pytest

from shared_nodes.flavour import TERRAFORM_1_11
from shared_nodes.lang.compile import compile_expression
from shared_nodes.lang.parser import parse_expression
from shared_nodes.lang.scope import Scope
from shared_nodes.lang.source import Source
from shared_nodes.values.marks import SENSITIVE
from shared_nodes.values.types import BOOL, NUMBER, STRING, ListType
from shared_nodes.values.value import DYNAMIC_UNKNOWN, Value, unknown

VARIABLES = {
    "any": DYNAMIC_UNKNOWN,
    "number": unknown(NUMBER),
    "bool": unknown(BOOL),
    "text": unknown(STRING),
    "list": unknown(ListType(STRING)),
}


def evaluate_text(text: str) -> Value:
    expression, problems = parse_expression(Source("main.tf", text))
    assert expression is not None
    assert problems == []
    variables = {name: value.mark(SENSITIVE) for name, value in VARIABLES.items()}
    value, problems = compile_expression(expression).evaluate(Scope(variables, {}, TERRAFORM_1_11))
    assert problems == []
    assert not value.is_known
    return value


@pytest.mark.parametrize(
    "text",
    [
        "-number",
        "-any",
        "!bool",
        "bool && true",
        "false && any",
        "any || false",
        "{ (text) = 1 }",
        "{ (number) = 1, b = 2 }",
        '{ "${any}" = 1 }',
        "[for each in any : 1]",
        "{ for each in any : each => 1 if bool }",
    ],
)
def test_lost(text: str) -> None:
    assert evaluate_text(text).deep_marks() == frozenset()


@pytest.mark.parametrize(
    "text",
    [
        "number + 1",
        "1 + any",
        "any == 1",
        "any > 1",
        "any != number",
        "bool ? 1 : 2",
        "[for each in list : each]",
        "{ for each in list : each => 1 }",
        '{ for each in ["a"] : any => 1 }',
        '"x${text}"',
    ],
)
def test_kept(text: str) -> None:
    assert SENSITIVE in evaluate_text(text).deep_marks()
