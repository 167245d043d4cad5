"""Check blocks warn and do not stop a run."""

from __future__ import annotations

from pathlib import Path

from shared_nodes.addresses.module import ROOT_INSTANCE
from shared_nodes.context.check_results import CheckRule, CheckStatus, declared_checks
from shared_nodes.context.node_context import NodeContext
from shared_nodes.context.operation import Operation
from shared_nodes.lang.diagnostics import Severity
from shared_nodes.nodes.checks.check_block import CheckRequest, evaluate_check
from shared_nodes.values.types import NUMBER
from shared_nodes.values.value import Value, integer, unknown
from tests.unit.shared_nodes.nodes.block_runner import BlockRunner

_CONFIGURATION = """
variable "n" {}
check "c" {
  assert {
    condition     = var.n == 1
    error_message = "one"
  }
  assert {
    condition     = var.n == 2
    error_message = "two"
  }
}
"""


def _context(directory: Path, value: Value, operation: Operation = Operation.PLAN) -> tuple[NodeContext, CheckRequest]:
    context = BlockRunner(directory).context(_CONFIGURATION, operation)
    context.checks = declared_checks(context.config)
    context.variables[ROOT_INSTANCE, "n"] = value
    return context, CheckRequest(ROOT_INSTANCE, context.config.module.checks["c"])


def test_every_assertion_is_looked_at(tmp_path: Path) -> None:
    context, request = _context(tmp_path, integer(3))
    problems = evaluate_check(context, request)
    assert [(problem.severity, problem.detail) for problem in problems] == [
        (Severity.WARNING, "one"),
        (Severity.WARNING, "two"),
    ]
    assert context.checks.status_of("check.c", "check.c") is CheckStatus.FAIL


def test_unknown_conditions_are_told(tmp_path: Path) -> None:
    context, request = _context(tmp_path, unknown(NUMBER))
    problems = evaluate_check(context, request)
    assert {problem.summary for problem in problems} == {"Check block assertion known after apply"}
    assert context.checks.status_of("check.c", "check.c") is CheckStatus.UNKNOWN


def test_data_that_could_not_be_read_settles_the_matter(tmp_path: Path) -> None:
    context, request = _context(tmp_path, integer(3))
    context.checks.report("check.c", "check.c", CheckRule("data", 0), CheckStatus.FAIL, "unreadable")
    assert not evaluate_check(context, request)


def test_validation_does_not_evaluate_conditions(tmp_path: Path) -> None:
    context, request = _context(tmp_path, integer(3), Operation.VALIDATE)
    assert not evaluate_check(context, request)
