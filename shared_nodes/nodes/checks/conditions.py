"""Rules: preconditions, postconditions, assertions of check blocks and validations of variables.

A rule has a condition and a message. The message is always evaluated, even if the condition holds, so that a message
that cannot be shown is reported before it is needed. The outcome of every rule is reported to the checks of the walk;
the caller decides whether a failed rule is an error or a warning.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from shared_nodes.config.blocks import Condition
from shared_nodes.context.check_results import CheckKind, CheckRule, CheckStatus
from shared_nodes.context.deprecation import report_deprecations
from shared_nodes.context.node_context import NodeContext
from shared_nodes.context.scope import ModuleScope
from shared_nodes.flavour import Flavour
from shared_nodes.lang.diagnostics import Diagnostic, Severity, error, found_in, has_errors, warning
from shared_nodes.lang.scope import Scope
from shared_nodes.lang.tree import Expression
from shared_nodes.record import record
from shared_nodes.values.convert import ConversionError, convert
from shared_nodes.values.marks import EPHEMERAL, SENSITIVE
from shared_nodes.values.types import BOOL, STRING
from shared_nodes.values.value import Value

__all__ = [
    "EPHEMERAL_REMEDY",
    "Checkable",
    "MessageProblems",
    "check_rules",
    "condition_outcome",
    "validate_rule_references",
    "validate_rules",
]

Checkable = tuple[CheckKind, str, str]
"""The object that a rule belongs to: its kind, its address in the configuration, and the address of the instance."""

_DESCRIPTIONS: Final = {
    (CheckKind.RESOURCE, "precondition"): "Resource precondition",
    (CheckKind.RESOURCE, "postcondition"): "Resource postcondition",
    (CheckKind.OUTPUT, "precondition"): "Module output value precondition",
    (CheckKind.CHECK, "assertion"): "Check block assertion",
}

_NO_MESSAGE: Final = (
    "This check failed, but has an invalid error message as described in the other accompanying messages."
)


@record
class _Outcome:
    status: CheckStatus
    problems: list[Diagnostic]
    failure: str | None = None


def check_rules(
    context: NodeContext,
    checkable: Checkable,
    kind: str,
    rules: Sequence[Condition],
    scope: ModuleScope,
    *,
    as_warning: bool = False,
) -> list[Diagnostic]:
    """Evaluate all rules of one kind of one instance. A failed rule does not prevent the evaluation of the others."""
    what, config_address, address = checkable
    severity = Severity.WARNING if as_warning else Severity.ERROR
    problems: list[Diagnostic] = []
    for index, rule in enumerate(rules):
        outcome = _check_rule(rule, scope, severity, (what, kind))
        context.checks.report(config_address, address, CheckRule(kind, index), outcome.status, outcome.failure)
        problems.extend(outcome.problems)
    return problems


def validate_rules(rules: Sequence[Condition], scope: ModuleScope) -> list[Diagnostic]:
    """Check for validation whether the expressions of the rules of a resource can be evaluated at all. The types of
    their results are not checked."""
    problems: list[Diagnostic] = []
    for rule in rules:
        for expression in (rule.condition, rule.error_message):
            values, found = _values_for(scope, expression)
            _, evaluated = scope.module.expressions.prepare(expression).compiled.evaluate(values)
            problems.extend((*found, *evaluated))
    return problems


def validate_rule_references(rules: Sequence[Condition], scope: ModuleScope) -> list[Diagnostic]:
    """Check references and messages of the assertions of a check block for validation. Conditions are not evaluated,
    because check blocks only run where something can fail."""
    problems: list[Diagnostic] = []
    for rule in rules:
        values, found = _values_for(scope, rule.condition, rule.error_message)
        _, unusable = _error_message(rule.error_message, values, scope)
        problems.extend((*found, *unusable))
    return problems


def _values_for(scope: ModuleScope, *expressions: Expression) -> tuple[Scope, list[Diagnostic]]:
    prepared = [scope.module.expressions.prepare(expression) for expression in expressions]
    values, problems = scope.lenient_values_for(reference for part in prepared for reference in part.references)
    return values, [*(problem for part in prepared for problem in part.problems), *problems]


def _check_rule(rule: Condition, scope: ModuleScope, severity: Severity, kinds: tuple[CheckKind, str]) -> _Outcome:
    description, is_check = _DESCRIPTIONS[kinds], kinds[0] is CheckKind.CHECK
    values, problems = _values_for(scope, rule.condition, rule.error_message)
    message, found = _error_message(rule.error_message, values, scope)
    result, evaluated = scope.module.expressions.prepare(rule.condition).compiled.evaluate(values)
    result, deprecated = report_deprecations(result, rule.condition)
    problems = [*problems, *found, *evaluated, *deprecated]
    if has_errors(problems):
        return _Outcome(CheckStatus.ERROR, problems)
    if not result.is_known:
        if is_check:
            unknown = found_in(_unknown_warning(description, rule), rule.condition, values)
            problems.append(replace(unknown, from_check=True))
        return _Outcome(CheckStatus.UNKNOWN, problems)
    status, problem = condition_outcome(result, rule, CONDITION_PROBLEMS, scope)
    if problem is not None:
        return _Outcome(status, [*problems, found_in(problem, rule.condition, values)])
    if status is CheckStatus.PASS:
        return _Outcome(status, problems)
    failed = Diagnostic(
        severity, f"{description} failed", message or _NO_MESSAGE, rule.condition.range, from_check=is_check
    )
    return _Outcome(status, [*problems, found_in(failed, rule.condition, values)], message or None)


def _unknown_warning(description: str, rule: Condition) -> Diagnostic:
    return warning(
        f"{description} known after apply",
        "The condition could not be evaluated at this time, a result will be known when this plan is applied.",
        rule.condition.range,
    )


@record
class MessageProblems:
    """How a condition whose result is not a bool is reported. Validations of variables have a wording of their own."""

    summary: str
    null_detail: str
    type_detail: str


CONDITION_PROBLEMS: Final = MessageProblems(
    "Invalid condition result",
    "Condition expression must return either true or false, not null.",
    "Invalid condition result value",
)


def condition_outcome(
    result: Value, rule: Condition, wording: MessageProblems, scope: ModuleScope
) -> tuple[CheckStatus, Diagnostic | None]:
    """Interpret a known result. Marks do not matter: the failure of a rule is not secret."""
    if result.is_null:
        return CheckStatus.ERROR, error(wording.summary, wording.null_detail, rule.condition.range)
    try:
        truth = convert(result, BOOL).without_marks()
    except ConversionError as failure:
        detail = f"{wording.type_detail}: {failure.explain(scope.flavour)}."
        return CheckStatus.ERROR, error(wording.summary, detail, rule.condition.range)
    return (CheckStatus.PASS if truth.payload else CheckStatus.FAIL), None


def _error_message(expression: Expression, values: Scope, scope: ModuleScope) -> tuple[str, list[Diagnostic]]:
    """Return the text of the message; empty if it is unknown, not a string, or must not be shown."""
    value, problems = scope.module.expressions.prepare(expression).compiled.evaluate(values)
    if has_errors(problems):
        return "", problems
    value, deprecated = report_deprecations(value, expression)
    problems = [*problems, *deprecated]
    try:
        text = convert(value, STRING)
    except ConversionError as failure:
        problem = _unsuitable_problem(failure.explain(scope.flavour), expression)
        return "", [*problems, found_in(problem, expression, values)]
    if not text.is_known:
        return "", problems
    if text.is_null:
        return "", [*problems, found_in(_unsuitable_problem("must not be null", expression), expression, values)]
    for mark, word, remedy in _SECRETS:
        if text.has_mark(mark):
            problem = _secret_problem(word, remedy, expression, scope.flavour)
            return "", [*problems, found_in(problem, expression, values)]
    return str(text.payload).strip(), problems


def _unsuitable_problem(reason: str, expression: Expression) -> Diagnostic:
    return error("Invalid error message", f"Unsuitable value for error message: {reason}.", expression.range)


_SECRETS: Final = (
    (
        SENSITIVE,
        "sensitive",
        ", or by carefully using the nonsensitive() function if the expression will not reveal the sensitive data",
    ),
    (
        EPHEMERAL,
        "ephemeral",
        ", or by using the ephemeralasnull() function on the references to not reveal ephemeral data",
    ),
)

EPHEMERAL_REMEDY: Final = " or by utilizing the builtin ephemeralasnull() function"
"""What to do about an ephemeral value in a message, in flavours whose messages name the context."""


def _secret_problem(word: str, remedy: str, expression: Expression, flavour: Flavour) -> Diagnostic:
    if word == "ephemeral" and flavour.ephemeral_problems_name_context:
        remedy = EPHEMERAL_REMEDY
    return warning(
        f"Error message refers to {word} values",
        f"The error expression used to explain this condition refers to {word} values, so {flavour.product} will not "
        f"display the resulting message.\n\nYou can correct this by removing references to {word} values{remedy}.",
        expression.range,
    )
