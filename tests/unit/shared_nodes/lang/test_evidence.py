"""Values shown with the excerpt of a failed expression, as the real Terraform 1.11.4 shows them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

import pytest

from shared_nodes.config.files import sources_in
from shared_nodes.config.reader import read_module
from shared_nodes.flavour import TERRAFORM_1_11
from shared_nodes.lang.diagnostics import Diagnostic, Evaluated, error, found_in
from shared_nodes.lang.diagnostics_view import Evidence, diagnostic_to_json, evidence_of, render_text
from shared_nodes.lang.parser import parse_expression
from shared_nodes.lang.scope import Scope
from shared_nodes.lang.source import Source
from shared_nodes.operations.module_evaluator import EvaluationPhase, ModuleEvaluator
from shared_nodes.values.marks import EPHEMERAL, SENSITIVE
from shared_nodes.values.types import STRING
from shared_nodes.values.value import Value, object_of, string, unknown
from shared_nodes.world import World

RECORDED: Final = Path(__file__).parent / "recorded_evidence.jsonl"
ROWS: Final = [json.loads(line) for line in RECORDED.read_text(encoding="utf-8").splitlines()]
VARIABLES: Final = """
variable "s" { default = "str" }
variable "n" { default = 5 }
variable "o" { default = { a = 1, b = { c = [1, 2] } } }
variable "l" { default = ["a", "b"] }
variable "m" {
  type    = map(string)
  default = { k = "v" }
}
variable "nul" { default = null }
variable "lo" {
  type    = list(object({ x = string }))
  default = [{ x = "1" }]
}
"""


@pytest.fixture(scope="module")
def evaluator(tmp_path_factory: pytest.TempPathFactory) -> ModuleEvaluator:
    directory = tmp_path_factory.mktemp("module")
    (directory / "main.tf").write_text(VARIABLES)
    world = World.real(directory)
    sources, problems = sources_in(world.files, ".", TERRAFORM_1_11)
    module, found = read_module(sources)
    assert not [*problems, *found]
    return ModuleEvaluator(module, world, EvaluationPhase.APPLY, TERRAFORM_1_11)


def problems_of(evaluator: ModuleEvaluator, text: str) -> list[Diagnostic]:
    tree, problems = parse_expression(Source("main.tf", text))
    assert tree is not None
    assert not problems
    return evaluator.evaluate(tree)[1]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["expr"])
def test_values_are_told_as_recorded(evaluator: ModuleEvaluator, row: dict[str, Any]) -> None:
    found = []
    for problem in problems_of(evaluator, row["expr"]):
        snippet = diagnostic_to_json(problem)["snippet"]
        call = {"function_call": snippet["function_call"]} if "function_call" in snippet else {}
        found.append({"summary": problem.summary, "values": snippet["values"], **call})
    assert sorted(found, key=str) == row["problems"]


def test_people_see_them_under_the_excerpt(evaluator: ModuleEvaluator) -> None:
    (problem,) = problems_of(evaluator, "upper(var.l)")
    assert (
        "│    1: upper(var.l)\n"
        "│     ├────────────────\n"
        "│     │ while calling upper(str)\n"
        "│     │ var.l is tuple with 2 elements\n"
    ) in render_text(problem)


def about(value: Value, **causes: Any) -> Evidence:
    tree, _ = parse_expression(Source("", "var.a"))
    assert tree is not None
    return evidence_of(found_in(error("x"), tree, Scope({"var": object_of({"a": value})}), **causes))


def test_secrets_and_unknowns_are_told_of_only_as_causes() -> None:
    assert about(string("x")).values == (("var.a", 'is "x"'),)
    for mark, statement in ((SENSITIVE, "has a sensitive value"), (EPHEMERAL, "has an ephemeral value")):
        cause = frozenset((mark,))
        assert about(string("x").mark(mark)).values == ()
        assert about(string("x").mark(mark), marks_are_cause=cause).values == (("var.a", statement),)
        assert about(string("x").mark(SENSITIVE).mark(EPHEMERAL), marks_are_cause=cause).values == ()
    assert about(unknown(STRING)).values == (("var.a", "is a string"),)
    assert about(unknown(STRING), unknown_is_cause=True).values == (("var.a", "is a string, known only after apply"),)


def test_problems_are_equal_whatever_was_known() -> None:
    tree, _ = parse_expression(Source("", "x"))
    assert tree is not None
    assert found_in(error("x"), tree, Scope()) == error("x")
    assert "Evaluated" not in repr(found_in(error("x"), tree, Scope()))


def test_without_an_evaluation_there_is_nothing_to_tell() -> None:
    assert evidence_of(error("x")) == Evidence()
    tree, _ = parse_expression(Source("", "a.b"))
    assert tree is not None
    assert evidence_of(Diagnostic(error("x").severity, "x", evaluated=Evaluated(tree, Scope()))) == Evidence()
