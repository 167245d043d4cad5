"""Local values."""

from __future__ import annotations

from pathlib import Path

from shared_nodes.addresses.module import ROOT_INSTANCE
from shared_nodes.context.node_context import NodeContext
from shared_nodes.context.operation import Operation
from shared_nodes.lang.diagnostics import Diagnostic
from shared_nodes.nodes.values.local import evaluate_local
from shared_nodes.values.value import string
from tests.unit.shared_nodes.nodes.block_runner import BlockRunner


def _evaluate(directory: Path, expression: str) -> tuple[NodeContext, list[Diagnostic]]:
    context = BlockRunner(directory).context(f"locals {{\n  x = {expression}\n}}", Operation.PLAN)
    return context, evaluate_local(context, ROOT_INSTANCE, context.config.module.locals["x"])


def test_a_value_can_be_seen_afterwards(tmp_path: Path) -> None:
    context, problems = _evaluate(tmp_path, 'upper("a")')
    assert not problems
    assert context.working.locals[ROOT_INSTANCE, "x"] == string("A")


def test_every_reference_to_itself_is_reported(tmp_path: Path) -> None:
    context, problems = _evaluate(tmp_path, "[local.x, local.x.y]")
    assert [(problem.summary, problem.subject and problem.subject.text) for problem in problems] == [
        ("Self-referencing local value", "local.x")
    ] * 2
    assert not context.working.locals


def test_an_error_leaves_no_value(tmp_path: Path) -> None:
    context, problems = _evaluate(tmp_path, 'tolist(["a"])[1]')
    assert [problem.summary for problem in problems] == ["Invalid index"]
    assert not context.working.locals
