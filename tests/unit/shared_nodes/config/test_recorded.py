"""Static problems of references and type constraints, as `terraform validate` reported them one by one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

import pytest

from shared_nodes.config.reader import read_module
from shared_nodes.lang.diagnostics import Diagnostic
from shared_nodes.lang.source import Source
from shared_nodes.operations.module_evaluator import EvaluationPhase, ModuleEvaluator
from shared_nodes.world import World

HERE: Final = Path(__file__).parent

DECLARATIONS: Final = """
variable "plain" {
  type    = string
  default = "x"
}
resource "terraform_data" "d" {}
resource "terraform_data" "cnt" {
  count = 2
}
resource "terraform_data" "fe" {
  for_each = toset(["a"])
}
module "m" {
  source = "./m"
}
"""


def rows(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (HERE / name).read_text(encoding="utf-8").splitlines()]


def as_recorded(problems: list[Diagnostic], column: int) -> list[list[Any]]:
    """Problems in the recorded form: columns count from where the text of the row begins."""
    found = []
    for problem in problems:
        assert problem.subject is not None
        first, last = problem.subject.display_positions
        found.append([problem.summary, problem.detail, first.column - column, last.column - column])
    return sorted(found)


@pytest.mark.parametrize("row", rows("recorded_references.jsonl"), ids=lambda row: row["expr"])
def test_references_are_refused_as_recorded(row: dict[str, Any]) -> None:
    main = Source("main.tf", f"locals {{\n  under_test = {row['expr']}\n}}\n")
    module, problems = read_module([Source("declarations.tf", DECLARATIONS), main])
    assert problems == []
    evaluator = ModuleEvaluator(module, World.real(HERE), EvaluationPhase.VALIDATE)
    _, problems = evaluator.evaluate(module.locals["under_test"].expression)
    assert as_recorded(problems, len("  under_test = ")) == sorted(row["problems"])


@pytest.mark.parametrize("row", rows("recorded_types.jsonl"), ids=lambda row: row["type"])
def test_type_constraints_are_refused_as_recorded(row: dict[str, Any]) -> None:
    _, problems = read_module([Source("main.tf", f'variable "v" {{\n  type = {row["type"]}\n}}\n')])
    assert as_recorded(problems, len("  type = ")) == sorted(row["problems"])
