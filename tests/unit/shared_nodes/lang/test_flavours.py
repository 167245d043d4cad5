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
        "bare": string("${v}"),
        "endless": string("${templatestring(t, { t = t })}"),
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
        ("maybe && [].a", "Unsupported attribute", "unknown(bool, not null)"),
        ("[].a && maybe", "Unsupported attribute", "Unsupported attribute"),
        ("null && false", "Operation failed", "false"),
        ("true && null", "Operation failed", "false"),
        ("null || true", "Operation failed", "true"),
        ("null || false", "Operation failed", "Operation failed"),
        ("null || maybe", "Operation failed", "unknown(bool, not null)"),
        ("true || []", "Invalid operand", "Invalid operand"),
        ("false && sensitive(true)", "sensitive(false)", "sensitive(false)"),
        ("maybe && sensitive(true)", "unknown(bool, not null)", "sensitive(unknown(bool, not null))"),
        ("[][0] + []", "Invalid index", "Invalid operand"),
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
        ('some["a"]', "unknown(any)", "unknown(any)"),
        ("{ a = sensitive(1) } == null", "sensitive(false)", "sensitive(false)"),
        ('templatestring("a ${"$"}{name}", { name = "b" })', "Invalid function argument", '"a b"'),
        ('templatestring(template, { name = "b" })', '"Hi b"', '"Hi b"'),
        ("templatestring(bare, { v = [1] })", "Error in function call", "[1]"),
        ("templatestring(bare, { v = null })", "Error in function call", "null"),
        ("templatestring(endless, { t = endless })", "Error in function call", "Error in function call"),
        ("templatestring(bare, sensitive({ v = 1 }))", 'sensitive("1")', "Error in function call: Call to function"),
    ],
)
def test_flavours_answer_as_their_products_do(text: str, terraform: str, opentofu: str) -> None:
    assert answer(text, TERRAFORM_1_11).startswith(terraform)
    assert answer(text, OPENTOFU_1_12).startswith(opentofu)
