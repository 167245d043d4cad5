"""Where evaluation differs between flavours, each behaves like its product."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from shared_nodes.flavour import OPENTOFU_1_12, TERRAFORM_1_11, Flavour
from shared_nodes.functions.context import FunctionContext
from shared_nodes.functions.registry import function_table
from shared_nodes.lang.evaluate import evaluate
from shared_nodes.lang.parser import parse_expression
from shared_nodes.lang.scope import Scope
from shared_nodes.lang.source import Source
from shared_nodes.values.types import BOOL, STRING, ObjectType
from shared_nodes.values.value import string, unknown, value_text
from shared_nodes.world import World


def answer(text: str, flavour: Flavour) -> str:
    world = World.confined(Path(), 0, datetime(2026, 1, 2, tzinfo=UTC))
    expression, problems = parse_expression(Source("test", text))
    assert expression is not None, problems
    variables = {
        "maybe": unknown(BOOL),
        "template": string("Hi ${name}"),
        "some": unknown(ObjectType({"a": STRING})),
    }
    functions = function_table(FunctionContext(world, flavour))
    value, problems = evaluate(expression, Scope(variables, functions, flavour))
    return f"{problems[0].summary}: {problems[0].detail}" if problems else value_text(value)


@pytest.mark.parametrize(
    ("text", "terraform", "opentofu"),
    [
        ("false && maybe", "unknown(bool, not null)", "false"),
        ("maybe || true", "unknown(bool, not null)", "true"),
        ("false && [].a", "Unsupported attribute", "false"),
        ("[].a || true", "Unsupported attribute", "true"),
        ("true && [].a", "Unsupported attribute", "Unsupported attribute"),
        ("null && false", "Operation failed", "false"),
        (
            "true + []",
            "Invalid operand: Unsuitable value for left operand: number required.",
            "Invalid operand: Unsuitable value for left operand: number required, but have bool.",
        ),
        (
            'tolist([{ a = "x" }, { a = null }])[*].a[*]',
            "Invalid nested splat expressions",
            "Invalid nested splat expressions",
        ),
        ('some["a"]', "unknown(any)", "unknown(string)"),
        ('templatestring("a ${"$"}{name}", { name = "b" })', "Invalid function argument", '"a b"'),
        ('convert("1", number)', "Call to unknown function", "1"),
        ('convert({}, object({ a = optional(string, "x") }))', "Call to unknown function", '{a = "x"}'),
        ("convert([], string)", "Call to unknown function", "Invalid function argument"),
        ("convert([], strin)", "Call to unknown function", "Invalid function argument"),
    ],
)
def test_flavours_answer_as_their_products_do(text: str, terraform: str, opentofu: str) -> None:
    assert answer(text, TERRAFORM_1_11).startswith(terraform)
    assert answer(text, OPENTOFU_1_12).startswith(opentofu)
