"""Rules of resources, outputs and checks. Every outcome was recorded from the original."""

from __future__ import annotations

from pathlib import Path

import pytest

from shared_nodes.addresses.module import ROOT_INSTANCE
from shared_nodes.config.blocks import Condition
from shared_nodes.context.check_results import CheckKind, CheckStatus, declared_checks
from shared_nodes.context.node_context import NodeContext
from shared_nodes.context.operation import Operation
from shared_nodes.lang.diagnostics import Diagnostic, Severity
from shared_nodes.nodes.checks.conditions import check_rules, validate_rule_references, validate_rules
from shared_nodes.values.marks import EPHEMERAL, SENSITIVE
from shared_nodes.values.types import STRING
from shared_nodes.values.value import integer, string, unknown
from tests.unit.shared_nodes.nodes.block_runner import BlockRunner

_CONFIGURATION = """
variable "n" {{}}
variable "s" {{}}
variable "e" {{}}
variable "u" {{}}
output "o" {{
  value = 1
  precondition {{
    condition     = {condition}
    error_message = {message}
  }}
}}
"""


def _context(directory: Path, condition: str, message: str) -> tuple[NodeContext, tuple[Condition, ...]]:
    text = _CONFIGURATION.format(condition=condition, message=message)
    context = BlockRunner(directory).context(text, Operation.PLAN)
    context.checks = declared_checks(context.config)
    values = {
        "n": integer(1),
        "s": string("secret").mark(SENSITIVE),
        "e": string("passing").mark(EPHEMERAL),
        "u": unknown(STRING),
    }
    context.variables.update({(ROOT_INSTANCE, name): value for name, value in values.items()})
    return context, context.config.module.outputs["o"].preconditions


_CHECKABLE = (CheckKind.OUTPUT, "output.o", "output.o")
_FAILED = "Module output value precondition failed"
_NO_MESSAGE = "This check failed, but has an invalid error message as described in the other accompanying messages."
_SENSITIVE = (
    "The error expression used to explain this condition refers to sensitive values, so Terraform will not display the "
    "resulting message.\n\nYou can correct this by removing references to sensitive values, or by carefully using the "
    "nonsensitive() function if the expression will not reveal the sensitive data."
)
_EPHEMERAL = (
    "The error expression used to explain this condition refers to ephemeral values, so Terraform will not display the "
    "resulting message.\n\nYou can correct this by removing references to ephemeral values, or by using the "
    "ephemeralasnull() function on the references to not reveal ephemeral data."
)


def _describe(problems: list[Diagnostic]) -> list[tuple[str, str]]:
    return [(problem.summary, problem.detail) for problem in problems]


@pytest.mark.parametrize(
    ("condition", "message", "status", "expected"),
    [
        ("var.n == 1", '"fine"', CheckStatus.PASS, []),
        ("var.n == 2", '"  n is ${var.n} "', CheckStatus.FAIL, [(_FAILED, "n is 1")]),
        ("var.n == 2", "42", CheckStatus.FAIL, [(_FAILED, "42")]),
        ("var.n == 2", '""', CheckStatus.FAIL, [(_FAILED, _NO_MESSAGE)]),
        ("var.n == 2", "var.u", CheckStatus.FAIL, [(_FAILED, _NO_MESSAGE)]),
        ('var.u == "x"', '"later"', CheckStatus.UNKNOWN, []),
        (
            "var.n == 2",
            "null",
            CheckStatus.ERROR,
            [("Invalid error message", "Unsuitable value for error message: must not be null.")],
        ),
        (
            "var.n == 2",
            '["a"]',
            CheckStatus.ERROR,
            [("Invalid error message", "Unsuitable value for error message: string required.")],
        ),
        (
            "var.n == 1 ? null : true",
            '"x"',
            CheckStatus.ERROR,
            [("Invalid condition result", "Condition expression must return either true or false, not null.")],
        ),
        (
            "var.n",
            '"x"',
            CheckStatus.ERROR,
            [("Invalid condition result", "Invalid condition result value: bool required.")],
        ),
        ('var.s == "secret"', '"x"', CheckStatus.PASS, []),
        (
            "var.n == 2",
            "var.s",
            CheckStatus.FAIL,
            [("Error message refers to sensitive values", _SENSITIVE), (_FAILED, _NO_MESSAGE)],
        ),
        ("var.n == 1", "var.s", CheckStatus.PASS, [("Error message refers to sensitive values", _SENSITIVE)]),
        (
            "var.n == 2",
            "var.e",
            CheckStatus.FAIL,
            [("Error message refers to ephemeral values", _EPHEMERAL), (_FAILED, _NO_MESSAGE)],
        ),
    ],
)
def test_a_rule_has_this_outcome(
    tmp_path: Path, condition: str, message: str, status: CheckStatus, expected: list[tuple[str, str]]
) -> None:
    context, rules = _context(tmp_path, condition, message)
    problems = check_rules(context, _CHECKABLE, "precondition", rules, context.scope(ROOT_INSTANCE))
    assert _describe(problems) == expected
    assert context.checks.status_of("output.o", "output.o") is status


def test_a_failed_rule_may_be_a_warning_but_a_senseless_one_is_an_error(tmp_path: Path) -> None:
    context, rules = _context(tmp_path, "var.n == 2", '"x"')
    [failed] = check_rules(context, _CHECKABLE, "precondition", rules, context.scope(ROOT_INSTANCE), as_warning=True)
    assert failed.severity is Severity.WARNING
    context, rules = _context(tmp_path, "var.n == 1 ? null : true", '"x"')
    [wrong] = check_rules(context, _CHECKABLE, "precondition", rules, context.scope(ROOT_INSTANCE), as_warning=True)
    assert wrong.severity is Severity.ERROR


def test_a_missing_resource_leaves_the_expression_without_names(tmp_path: Path) -> None:
    """The original reports both what is missing and that its root cannot be found."""
    context, rules = _context(tmp_path, 'terraform_data.nope.id == ""', '"x"')
    problems = check_rules(context, _CHECKABLE, "precondition", rules, context.scope(ROOT_INSTANCE))
    assert [problem.summary for problem in problems] == ["Reference to undeclared resource", "Unknown variable"]


def test_an_undeclared_variable_is_unknown_to_the_rest_of_the_expression(tmp_path: Path) -> None:
    context, rules = _context(tmp_path, 'var.nope > 0 && tolist(["a"])[3] == var.n', '"x"')
    problems = check_rules(context, _CHECKABLE, "precondition", rules, context.scope(ROOT_INSTANCE))
    assert [problem.summary for problem in problems] == ["Reference to undeclared input variable", "Invalid index"]


def test_validation_evaluates_rules_of_resources_but_does_not_ask_for_truth(tmp_path: Path) -> None:
    context, rules = _context(tmp_path, "[var.n]", '["x"][3]')
    [problem] = validate_rules(rules, context.scope(ROOT_INSTANCE))
    assert problem.summary == "Invalid index"


def test_validation_leaves_conditions_of_checks_alone(tmp_path: Path) -> None:
    context, rules = _context(tmp_path, 'var.n == tolist(["a"])[3]', '"x"')
    assert not validate_rule_references(rules, context.scope(ROOT_INSTANCE))
    context, rules = _context(tmp_path, "var.n == 1", '["x"][3]')
    assert [problem.summary for problem in validate_rule_references(rules, context.scope(ROOT_INSTANCE))] == [
        "Invalid index"
    ]
