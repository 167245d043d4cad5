"""The difference of an equality that does not hold, as OpenTofu 1.12.6 adds it to the JSON form of diagnostics."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import pytest

from shared_nodes.flavour import OPENTOFU_1_12, TERRAFORM_1_11, Flavour
from shared_nodes.lang.diagnostics import Evaluated, error
from shared_nodes.lang.difference import difference_in
from shared_nodes.lang.parser import parse_expression
from shared_nodes.lang.scope import Scope
from shared_nodes.lang.source import Source
from shared_nodes.values.json import Tree, loads
from shared_nodes.values.marks import EPHEMERAL, SENSITIVE
from shared_nodes.values.types import STRING
from shared_nodes.values.value import object_of, string, unknown

VARIABLES: Final = {
    "known": object_of({"x": string("a"), "y": string("b")}),
    "secret": string("hush").mark(SENSITIVE),
    "passing": string("now").mark(EPHEMERAL),
    "later": unknown(STRING),
}


def difference(text: str, flavour: Flavour = OPENTOFU_1_12) -> Tree:
    expression, problems = parse_expression(Source("main.tf", text.encode()))
    assert problems == []
    assert expression is not None
    evaluated = Evaluated(expression, Scope(VARIABLES, {}, flavour))
    return difference_in(replace(error("Check block assertion failed"), evaluated=evaluated))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            'known.y == "c"',
            '{"before":"b","after":"c","after_unknown":false,"before_sensitive":false,"after_sensitive":false}',
        ),
        (
            "known.y == 1",
            '{"before":"b","after":1,"after_unknown":false,"before_sensitive":false,"after_sensitive":false}',
        ),
        (
            'known == { x = "a", y = "c" }',
            '{"before":{"x":"a","y":"b"},"after":{"x":"a","y":"c"},"after_unknown":false,"before_sensitive":{},"after_sensitive":{}}',
        ),
        (
            "known.y == secret",
            '{"before":"b","after":"hush","after_unknown":false,"before_sensitive":false,"after_sensitive":true}',
        ),
        ("known.y == later", '{"before":"b","after_unknown":true,"before_sensitive":false,"after_sensitive":false}'),
    ],
)
def test_both_sides_are_shown_as_a_change(text: str, expected: str) -> None:
    assert difference(text) == loads(expected)


@pytest.mark.parametrize(
    "text", ['(known.y == "c")', 'known.y != "b"', "later == known.y", "known.y == passing", "!true"]
)
def test_other_conditions_have_none(text: str) -> None:
    assert difference(text) is None


def test_only_one_product_has_it() -> None:
    assert difference('known.y == "c"', TERRAFORM_1_11) is None
