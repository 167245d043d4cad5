"""Values of `for_each` in the flavour that reports every problem. The rows were checked with OpenTofu 1.12.6."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared_nodes.config.for_each import ForEach, ForEachRules, evaluate_for_each
from shared_nodes.context.operation import Operation
from shared_nodes.flavour import OPENTOFU_1_12
from shared_nodes.values.text import shell_word
from tests.unit.shared_nodes.nodes.block_runner import ADDRESS, BlockRunner, Walk

SENSITIVE = "Sensitive values, or values derived from sensitive values, cannot be used"
NULL = 'unsuitable: the given "for_each" argument value is null.'
NULL_ELEMENT = 'unsuitable: "for_each" sets must not contain null values.'
NUMBERS = 'unsuitable: "for_each" supports sets of strings, but you have provided a set containing type number.'
ANY = 'The "for_each" value includes keys or set values from resource attributes'


def _evaluate(directory: Path, expression: str, rules: ForEachRules) -> ForEach:
    runner = BlockRunner(directory, flavour=OPENTOFU_1_12)
    text = f'resource "terraform_data" "a" {{\n  for_each = {expression}\n}}\n'
    walk = Walk(runner.context(text, Operation.PLAN))
    assert walk.block is not None
    assert walk.block.for_each is not None
    return evaluate_for_each(walk.context.scope(ADDRESS.module), walk.block.for_each, rules)


@pytest.mark.parametrize(
    ("expression", "parts"),
    [
        ("null", [NULL]),
        ("sensitive(null)", [NULL, SENSITIVE]),
        ('sensitive(["a"])', [SENSITIVE, "and you have provided a value of type tuple."]),
        ("sensitive(toset([1]))", [SENSITIVE, NUMBERS]),
        ("toset([1])", [NUMBERS]),
        ("toset([null])", [NULL_ELEMENT]),
        ('toset(["a", null])', [NULL_ELEMENT]),
        ("{ a = 1 }.b", ["This object does not have an attribute named", ANY]),
        ("var.nope", ['An input variable with the name "nope" has not been declared.']),
        ("{ a = sensitive(1) }", []),
        ("toset([])", []),
    ],
)
def test_every_problem_is_reported(tmp_path: Path, expression: str, parts: list[str]) -> None:
    found = _evaluate(tmp_path, expression, ForEachRules(must_be_known=True))
    assert len(found.problems) == len(parts)
    for problem, part in zip(found.problems, parts, strict=True):
        assert part in problem.detail


def test_a_value_that_cannot_be_computed_is_not_settled(tmp_path: Path) -> None:
    assert not _evaluate(tmp_path, "{ a = 1 }.b", ForEachRules(must_be_known=False)).is_settled


@pytest.mark.parametrize(("allows_tuples", "expression"), [(False, '["a"]'), (True, 'tolist(["a"])')])
def test_only_imports_take_tuples(tmp_path: Path, allows_tuples: bool, expression: str) -> None:
    rules = ForEachRules(must_be_known=True, allows_tuples=allows_tuples)
    [problem] = _evaluate(tmp_path, expression, rules).problems
    assert ("or a tuple" in problem.detail) is allows_tuples
    assert not _evaluate(tmp_path, '["a"]', ForEachRules(True, allows_tuples=True)).problems


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("", "''"),
        ("terraform_data.x", "terraform_data.x"),
        ('module.m["k"].a.b', 'module.m\\[\\"k\\"\\].a.b'),
        ('module.m["a b"]', "'module.m[\"a b\"]'"),
        ('m["q\'x y"]', "'m[\"q'\\''x y\"]'"),
        ("é~$", "é\\~\\$"),
    ],
)
def test_addresses_are_words_of_a_shell(text: str, word: str) -> None:
    assert shell_word(text) == word


@given(
    st.text(st.characters(codec="utf-8", exclude_characters="\0\r\v\f", exclude_categories=["Z", "C"]) | st.just(" "))
)
def test_a_shell_reads_a_word_as_it_was(text: str) -> None:
    assert shlex.split(shell_word(text)) == [text]
