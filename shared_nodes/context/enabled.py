"""`enabled`: whether there is an instance of a block at all. It must be known when planning, and must not be secret,
because everybody can see the outcome."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from shared_nodes.context.deprecation import report_deprecations
from shared_nodes.context.expander import Repetition
from shared_nodes.context.scope import ModuleScope
from shared_nodes.flavour import Flavour
from shared_nodes.lang.diagnostics import Diagnostic, error, found_in, has_errors
from shared_nodes.lang.tree import Expression
from shared_nodes.values.convert import ConversionError, convert
from shared_nodes.values.marks import EPHEMERAL, SENSITIVE
from shared_nodes.values.types import BOOL
from shared_nodes.values.value import Value

__all__ = ["evaluate_enabled"]

_SUMMARY: Final = "Invalid enabled argument"
_UNSUITABLE: Final = 'The given "enabled" argument value is unsuitable: '
_UNKNOWN: Final = (
    'The given "enabled" argument value is derived from a value that won\'t be known until the apply phase, so '
    "{product} cannot determine whether an instance of this object is declared or not."
)
_SENSITIVE: Final = (
    'Sensitive values, or values derived from sensitive values, cannot be used in "enabled" arguments. If used, the '
    "sensitive value would be exposed by whether an instance is present."
)


def evaluate_enabled(scope: ModuleScope, expression: Expression) -> tuple[Repetition | None, list[Diagnostic]]:
    """Evaluate `enabled`. Unless a name in it is wrong, its value is examined even if the evaluation has failed: it is
    then unknown, which is reported as well."""
    prepared = scope.module.expressions.prepare(expression)
    problems = [*prepared.problems, *scope.check(prepared.references)]
    if has_errors(problems):
        return None, problems
    value, found = prepared.compiled.evaluate(scope.values_for(prepared.references))
    value, deprecated = report_deprecations(value, expression)
    problems = [*problems, *found, *deprecated]
    for detail, is_unknown in _unusable(value, scope.flavour):
        problem = error(_SUMMARY, detail, expression.range)
        problems.append(found_in(problem, expression, scope.seen_by(expression), unknown_is_cause=is_unknown))
    if has_errors(problems):
        return None, problems
    try:
        return Repetition.enabled(convert(value, BOOL).payload), problems
    except ConversionError as failure:
        detail = f"{_UNSUITABLE}{failure.explain(scope.flavour)}."
        problem = error(_SUMMARY, detail, expression.range)
        return None, [*problems, found_in(problem, expression, scope.seen_by(expression))]


def _unusable(value: Value, flavour: Flavour) -> Iterator[tuple[str, bool]]:
    """Yield what is wrong with a value before its type is looked at, and whether messages name the unknown values that
    were used: a sensitive value counts as such."""
    if SENSITIVE in value.marks:
        yield _SENSITIVE, True
    if EPHEMERAL in value.marks:
        yield f"{_UNSUITABLE}the given value is ephemeral.", False
    if value.is_null:
        yield f"{_UNSUITABLE}the given value is null.", False
    if not value.is_known:
        yield _UNKNOWN.format(product=flavour.product), True
