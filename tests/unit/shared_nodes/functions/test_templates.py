"""Templates in files and strings: what they may call and what they give, compared with both real products."""

from __future__ import annotations

from collections.abc import Callable
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
from shared_nodes.values.types import STRING
from shared_nodes.values.value import string, unknown, value_text
from shared_nodes.world import World

FILES = {
    "hello.tmpl": "Hello, ${name}!",
    "bare.tmpl": "${v}",
    "nested.tmpl": "<${templatefile(p, { name = name })}>",
    "itself.tmpl": 'x ${templatefile("itself.tmpl", {})}',
    "one.tmpl": '${templatefile("two.tmpl", {})}',
    "two.tmpl": '${templatefile("one.tmpl", {})}',
    "safe.tmpl": '${try(templatefile("itself.tmpl", {}), "caught")}',
}
VARIABLES = {
    "hello": string("Hello, ${name}!"),
    "bare": string("${v}"),
    "reader": string('${file("hello.tmpl")}'),
    "renderer": string('${templatefile("hello.tmpl", { name = "N" })}'),
    "open": string("${"),
    "later": unknown(STRING),
}


@pytest.fixture
def ask(tmp_path: Path) -> Callable[[str, Flavour], str]:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    world = World.confined(tmp_path, 0, datetime(2026, 1, 2, tzinfo=UTC))

    def answer(text: str, flavour: Flavour) -> str:
        expression, _ = parse_expression(Source("test", text))
        assert expression is not None
        functions = function_table(FunctionContext(world, flavour))
        value, problems = evaluate(expression, Scope(VARIABLES, functions, flavour))
        return problems[0].detail if problems else value_text(value)

    return answer


REFUSED = "cannot recursively call templatefile from inside another template function.."

ROWS = [
    ('templatefile("hello.tmpl", { name = "N" })', '"Hello, N!"', '"Hello, N!"'),
    ('templatefile("nested.tmpl", { p = "hello.tmpl", name = "N" })', REFUSED, '"<Hello, N!>"'),
    (
        'templatefile("nested.tmpl", { p = "nested.tmpl", name = "N" })',
        REFUSED,
        'nested.tmpl:1,20-21: Invalid function argument; Invalid value for "vars" parameter: vars map does not '
        'contain key "p", referenced at nested.tmpl:1,17-18..',
    ),
    (
        'templatefile("itself.tmpl", {})',
        REFUSED,
        "maximum recursion depth 1024 reached in itself.tmpl:1,5-18, itself.tmpl:1,5-18 ... .",
    ),
    (
        'templatefile("one.tmpl", {})',
        REFUSED,
        "maximum recursion depth 1024 reached in one.tmpl:1,3-16, two.tmpl:1,3-16, one.tmpl:1,3-16 ... .",
    ),
    ('templatefile("safe.tmpl", {})', '"caught"', '"caught"'),
    ('templatefile("bare.tmpl", { v = [1] })', "[1]", "[1]"),
    ('templatefile("bare.tmpl", { v = null })', "not a valid result for a templatestring call..", "null(any)"),
    ('templatestring(hello, { name = "N" })', '"Hello, N!"', '"Hello, N!"'),
    ('templatestring("${hello}", { name = "N" })', "without any template interpolation syntax.", '"Hello, N!"'),
    ("templatestring(bare, { v = 1 })", '"1"', "1"),
    ("templatestring(bare, { v = [1] })", "invalid template result: string required.", "[1]"),
    ("templatestring(bare, { v = sensitive(1) })", 'sensitive("1")', "sensitive(1)"),
    (
        "templatestring(bare, {})",
        'vars map does not contain key "v", referenced at <templatestring argument>:1,3-4.',
        'vars map does not contain key "v".',
    ),
    (
        "templatestring(open, {})",
        "invalid template: <templatestring argument>:1,3-3: Missing expression; "
        "Expected the start of an expression, but found the end of the file..",
        'Call to function "templatestring" failed: NoFileNeeded:1,3-3: Missing expression; '
        "Expected the start of an expression, but found the end of the file..",
    ),
    (
        "templatestring(reader, {})",
        "cannot use filesystem access functions like file in templatestring templates; "
        "consider passing the function result as a template variable instead..",
        '"Hello, ${name}!"',
    ),
    ("templatestring(renderer, {})", REFUSED, '"Hello, N!"'),
    ("templatestring(later, {})", "unknown(string, not null)", "unknown(any)"),
    ("templatestring(sensitive(later), {})", "direct reference", "unknown(any)"),
]


@pytest.mark.parametrize(("expression", "terraform", "opentofu"), ROWS)
def test_templates_are_as_free_as_the_product_lets_them(
    ask: Callable[[str, Flavour], str], expression: str, terraform: str, opentofu: str
) -> None:
    assert terraform in ask(expression, TERRAFORM_1_11)
    assert ask(expression, OPENTOFU_1_12).endswith(opentofu)
