"""Input variables. Every message was recorded from the original."""

from __future__ import annotations

from pathlib import Path

import pytest

from shared_nodes.addresses.module import ROOT_INSTANCE, ModuleInstance, ModuleStep
from shared_nodes.config.inputs import GivenValue
from shared_nodes.context.check_results import CheckStatus, declared_checks
from shared_nodes.context.expander import Repetition
from shared_nodes.context.node_context import NodeContext
from shared_nodes.context.operation import Operation
from shared_nodes.lang.diagnostics import Diagnostic
from shared_nodes.lang.source import Source
from shared_nodes.nodes.values.variable import evaluate_module_variable, evaluate_root_variable, validate_variable
from shared_nodes.values.marks import EPHEMERAL, SENSITIVE
from shared_nodes.values.types import NUMBER, STRING
from shared_nodes.values.value import NULL_DYNAMIC, Value, integer, list_of, string, tuple_of, unknown
from tests.unit.shared_nodes.nodes.block_runner import BlockRunner

_FILE = Source("step.tfvars", "x = whatever").range(4, 12)
_MODULE = ModuleInstance((ModuleStep("m", 0),))


def _context(directory: Path, text: str, operation: Operation = Operation.PLAN) -> NodeContext:
    context = BlockRunner(directory).context(text, operation)
    context.checks = declared_checks(context.config)
    return context


def _given(value: Value, *, from_file: bool = True) -> GivenValue:
    return GivenValue(value, 'set using -var="x=..."', _FILE if from_file else None)


def _set(context: NodeContext, given: GivenValue | None) -> list[Diagnostic]:
    return evaluate_root_variable(context, context.config.module.variables["x"], given)


def _validated(context: NodeContext) -> list[Diagnostic]:
    return validate_variable(context, ROOT_INSTANCE, context.config.module.variables["x"])


@pytest.mark.parametrize(
    ("declaration", "given", "expected"),
    [
        ("type = number", string("5"), integer(5)),
        ("type = list(string)", tuple_of([string("a")]), list_of(STRING, [string("a")])),
        ('default = "d"', None, string("d")),
        ('default = "d"', NULL_DYNAMIC, NULL_DYNAMIC),
        ('default = "d"\n nullable = false', NULL_DYNAMIC, string("d")),
        ("sensitive = true", string("s"), string("s").mark(SENSITIVE)),
        ("ephemeral = true", string("s"), string("s").mark(EPHEMERAL)),
    ],
)
def test_a_given_value_becomes(tmp_path: Path, declaration: str, given: Value | None, expected: Value) -> None:
    context = _context(tmp_path, f'variable "x" {{\n {declaration}\n}}')
    assert not _set(context, None if given is None else _given(given))
    found = context.variables[ROOT_INSTANCE, "x"]
    if expected.type is NUMBER:
        assert int(found.payload) == 5
    else:
        assert found == expected


@pytest.mark.parametrize(
    ("declaration", "given", "summary", "detail"),
    [
        (
            "type = number",
            _given(string("a")),
            "Invalid value for input variable",
            "The given value is not suitable for var.x declared at main.tf:1,1-13: a number is required.",
        ),
        (
            "type = number",
            _given(string("a"), from_file=False),
            "Invalid value for input variable",
            'Unsuitable value for var.x set using -var="x=...": a number is required.',
        ),
        (
            "type = number\n sensitive = true",
            _given(string("a")),
            "Invalid value for input variable",
            "The given value is not suitable for var.x, which is sensitive: a number is required. Invalid value "
            "defined at step.tfvars:1,5-13.",
        ),
        (
            "nullable = false",
            _given(NULL_DYNAMIC),
            "Required variable not set",
            "The given value is not suitable for var.x defined at main.tf:1,1-13: required variable may not be set to "
            "null.",
        ),
        (
            "nullable = false",
            _given(NULL_DYNAMIC, from_file=False),
            "Required variable not set",
            'Unsuitable value for var.x set using -var="x=...": required variable may not be set to null.',
        ),
        ("", None, "Required variable not set", 'The variable "x" is required, but is not set.'),
    ],
)
def test_a_value_that_will_not_do(
    tmp_path: Path, declaration: str, given: GivenValue | None, summary: str, detail: str
) -> None:
    context = _context(tmp_path, f'variable "x" {{\n {declaration}\n}}')
    [problem] = _set(context, given)
    assert (problem.summary, problem.detail) == (summary, detail)
    assert (ROOT_INSTANCE, "x") not in context.variables


_RULE = """
variable "x" {{
  {declaration}
  validation {{
    condition     = {condition}
    error_message = {message}
  }}
}}
variable "other" {{}}
"""
_CHECKED = "\n\nThis was checked by the validation rule at main.tf:4,3-13."


def _rule(directory: Path, condition: str, message: str, declaration: str = "") -> NodeContext:
    context = _context(directory, _RULE.format(condition=condition, message=message, declaration=declaration))
    context.variables[ROOT_INSTANCE, "other"] = unknown(STRING)
    return context


@pytest.mark.parametrize(
    ("condition", "message", "status", "expected"),
    [
        ('var.x == "a"', '"x"', CheckStatus.PASS, []),
        ("var.other == var.x", '"x"', CheckStatus.UNKNOWN, []),
        (
            'var.x == "b"',
            '" it was ${var.x} "',
            CheckStatus.FAIL,
            [("Invalid value for variable", f"it was a{_CHECKED}")],
        ),
        (
            'var.x == "b"',
            "null",
            CheckStatus.FAIL,
            [("Invalid value for variable", f"Failed to evaluate condition error message.{_CHECKED}")],
        ),
        (
            'var.x == "b"',
            '["x"]',
            CheckStatus.FAIL,
            [
                ("Invalid error message", "Unsuitable value for error message: string required."),
                ("Invalid value for variable", f"Failed to evaluate condition error message.{_CHECKED}"),
            ],
        ),
        (
            'var.x == "b"',
            "var.other",
            CheckStatus.ERROR,
            [
                (
                    "Invalid error message",
                    "Unsuitable value for error message: expression refers to values that won't be known until the "
                    "apply phase.",
                )
            ],
        ),
        (
            'var.x == "a" ? null : true',
            '"x"',
            CheckStatus.ERROR,
            [
                (
                    "Invalid variable validation result",
                    "Validation condition expression must return either true or false, not null.",
                )
            ],
        ),
        (
            "var.x",
            '"x"',
            CheckStatus.ERROR,
            [("Invalid variable validation result", "Invalid validation condition result value: a bool is required.")],
        ),
    ],
)
def test_a_rule_has_this_outcome(
    tmp_path: Path, condition: str, message: str, status: CheckStatus, expected: list[tuple[str, str]]
) -> None:
    context = _rule(tmp_path, condition, message)
    assert not _set(context, _given(string("a")))
    assert [(problem.summary, problem.detail) for problem in _validated(context)] == expected
    assert context.checks.status_of("var.x", "var.x") is status


def test_a_rule_sees_its_own_variable_before_it_is_declared_sensitive(tmp_path: Path) -> None:
    context = _rule(tmp_path, 'var.x == "b"', '"it was ${var.x}"', "sensitive = true")
    _set(context, _given(string("a")))
    assert [problem.detail for problem in _validated(context)] == [f"it was a{_CHECKED}"]


@pytest.mark.parametrize(("declaration", "mark"), [("", SENSITIVE), ("ephemeral = true", None)])
def test_a_message_with_secrets_is_withheld(tmp_path: Path, declaration: str, mark: object) -> None:
    """The replacement text of the original says `sensitive` for ephemeral values as well."""
    context = _rule(tmp_path, 'var.x == "b"', '"it was ${var.x}"', declaration)
    _set(context, _given(string("a") if mark is None else string("a").mark(mark)))
    about, failed = _validated(context)
    assert about.summary.startswith("Error message refers to ")
    assert failed.detail == (f"The error message included a sensitive value, so it will not be displayed.{_CHECKED}")


def test_destroying_needs_no_valid_variables(tmp_path: Path) -> None:
    context = _rule(tmp_path, 'var.x == "b"', '"x"')
    _set(context, _given(string("a")))
    context.operation = Operation.PLAN_DESTROY
    assert not _validated(context)


_CALL = """
module "m" {
  source = "./m"
  count  = 2
  n      = count.index
  t      = [count.index]
}
"""
_CALLED = """
variable "n" { type = string }
variable "t" { type = map(string) }
variable "d" { default = "d" }
"""


@pytest.fixture
def called(tmp_path: Path) -> NodeContext:
    (tmp_path / "m").mkdir()
    (tmp_path / "m" / "main.tf").write_text(_CALLED)
    context = _context(tmp_path, _CALL)
    context.expander.register_call(ROOT_INSTANCE, "m", Repetition.count(2))
    return context


def test_an_argument_is_evaluated_for_each_instance_of_the_call(called: NodeContext) -> None:
    assert not evaluate_module_variable(called, _MODULE, "n")
    assert called.variables[_MODULE, "n"] == string("0")
    assert not evaluate_module_variable(called, _MODULE, "d")
    assert called.variables[_MODULE, "d"] == string("d")


def test_a_wrong_argument_names_the_instance(called: NodeContext) -> None:
    [problem] = evaluate_module_variable(called, _MODULE, "t")
    assert problem.detail == (
        "The given value is not suitable for module.m[0].var.t declared at m/main.tf:3,1-13: map of string required."
    )
    assert problem.subject is not None
    assert problem.subject.text == "[count.index]"


def test_validation_knows_no_keys_yet(called: NodeContext) -> None:
    called.operation = Operation.VALIDATE
    module = ModuleInstance((ModuleStep("m"),))
    assert not evaluate_module_variable(called, module, "n")
    assert called.variables[module, "n"] == unknown(STRING)
