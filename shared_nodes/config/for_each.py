"""Values of `for_each`: which ones give the keys of instances, and what is wrong with the others.

Keys must be known when planning, and may not be secret. Products differ in what they report of a value that has several
problems: the first one, or each.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, Protocol

from shared_nodes.flavour import Flavour
from shared_nodes.lang.diagnostics import Diagnostic, error, found_in, has_errors
from shared_nodes.lang.scope import Scope
from shared_nodes.lang.tree import Expression
from shared_nodes.record import record
from shared_nodes.values.marks import EPHEMERAL, SENSITIVE
from shared_nodes.values.text import shell_word
from shared_nodes.values.types import DYNAMIC, STRING, MapType, ObjectType, SetType, TupleType, friendly_name
from shared_nodes.values.value import Value, string

__all__ = ["EPHEMERAL_FOR_EACH", "ForEach", "ForEachRules", "ForEachScope", "evaluate_for_each", "suggest_exclusion"]

_FOR_EACH: Final = "Invalid for_each argument"
_FOR_EACH_SET: Final = "Invalid for_each set argument"
_UNSUITABLE: Final = 'The given "for_each" argument value is unsuitable: '
_STATIC_KEYS: Final = (
    "When working with unknown values in for_each, it's better to define the map keys statically in your configuration "
    "and place apply-time results only in the map values."
)
_STATIC_MAP: Final = (
    "When working with unknown values in for_each, it's better to use a map value where the keys are defined "
    "statically in your configuration and where only the values contain apply-time results."
)
_TARGET_FIRST: Final = (
    "Alternatively, you could use the -target planning option to first apply only the resources that the for_each "
    "value depends on, and then apply a second time to fully converge."
)
_SENSITIVE: Final = (
    "Sensitive values, or values derived from sensitive values, cannot be used as for_each arguments. If used, the "
    "sensitive value could be exposed as a resource instance key."
)
EPHEMERAL_FOR_EACH: Final = (
    'The given "for_each" value is derived from an ephemeral value, which means that Terraform cannot persist it '
    "between plan/apply rounds. Use only non-ephemeral values to specify a resource's instance keys."
)
_EPHEMERAL_KEYS: Final = (
    "Ephemeral values, or values derived from ephemeral values, cannot be used as for_each arguments. If used, the "
    "ephemeral value could be exposed as a resource instance key."
)


class ForEachScope(Protocol):
    """What the expression may refer to: the names of a module, or what is known before anything runs."""

    @property
    def flavour(self) -> Flavour: ...

    def evaluate(self, expression: Expression, /) -> tuple[Value, list[Diagnostic]]: ...

    def reference_problems(self, expression: Expression, /) -> list[Diagnostic]: ...

    def seen_by(self, expression: Expression, /) -> Scope: ...


@record
class ForEachRules:
    """What the value of one `for_each` must be. `address` is the object that messages about unknown keys suggest to
    exclude; they suggest targets if it is None."""

    must_be_known: bool
    address: str | None = None
    allows_tuples: bool = False


@record
class ForEach:
    """The value of a `for_each` and its problems. It is settled if it is known, or if it can never become right."""

    value: Value
    problems: list[Diagnostic]
    is_settled: bool = True

    @property
    def elements(self) -> Mapping[str, Value]:
        """The keys of the instances, and what each sees as `each.value`. Only defined if there is no error."""
        if isinstance(self.value.type, SetType):
            return {element.payload: string(element.payload) for element in self.value.payload}
        elements: Mapping[str, Value] = self.value.payload
        return elements


def evaluate_for_each(scope: ForEachScope, expression: Expression, rules: ForEachRules) -> ForEach:
    value, problems = scope.evaluate(expression)
    if not scope.flavour.for_each_reports_every_problem:
        found = [] if has_errors(problems) else _first_problems(scope, value, expression, rules)
        return ForEach(value, [*problems, *found])
    if has_errors(problems) and has_errors(scope.reference_problems(expression)):
        return ForEach(value, problems)
    check = _Check(scope, value, expression, rules)
    return ForEach(value, [*problems, *check.problems()], check.is_settled)


def suggest_exclusion(address: str) -> str:
    """Explain how to plan without an object whose instances are not known yet."""
    return (
        f"use the planning option -exclude={shell_word(address)} to first apply without this object, and then apply "
        "normally to converge."
    )


@record
class _Check:
    """All problems of one value."""

    scope: ForEachScope
    value: Value
    expression: Expression
    rules: ForEachRules

    def problems(self) -> list[Diagnostic]:
        value, scope = self.value, self.scope
        found = [self._unknown_problem()] if self._is_unknown and self.rules.must_be_known else []
        if value.is_null:
            found.append(self._unsuitable('the given "for_each" argument value is null.'))
        found += _mark_problems(scope, value, self.expression, _EPHEMERAL_KEYS)
        if self._has_null:
            found.append(self._unsuitable('"for_each" sets must not contain null values.'))
        if self._has_bad_elements:
            assert isinstance(value.type, SetType)
            element = friendly_name(value.type.element)
            detail = f'"for_each" supports sets of strings, but you have provided a set containing type {element}.'
            found.append(self._unsuitable(detail))
        if self._has_bad_type:
            allowed = "map, set of strings, or a tuple" if self.rules.allows_tuples else "map, or set of strings"
            found.append(self._unsuitable(_wrong_type(allowed, value)))
        return found

    @property
    def is_settled(self) -> bool:
        return self._has_bad_type or not self._is_unknown or not self.value.marks.isdisjoint((SENSITIVE, EPHEMERAL))

    @property
    def _has_bad_type(self) -> bool:
        usable = (MapType, ObjectType, SetType, *((TupleType,) if self.rules.allows_tuples else ()))
        return self.value.type is not DYNAMIC and not isinstance(self.value.type, usable)

    @property
    def _has_bad_elements(self) -> bool:
        kind = self.value.type
        return isinstance(kind, SetType) and kind.element is not STRING and kind.element is not DYNAMIC

    @property
    def _is_unknown(self) -> bool:
        value = self.value
        if isinstance(value.type, SetType) and not self._has_bad_elements:
            return not value.is_wholly_known
        return not value.is_known

    @property
    def _has_null(self) -> bool:
        value = self.value
        if not isinstance(value.type, SetType) or self._has_bad_elements or self._is_unknown or value.is_null:
            return False
        return any(element.is_null for element in value.payload)

    def _unsuitable(self, detail: str) -> Diagnostic:
        problem = error(_FOR_EACH, _UNSUITABLE + detail, self.expression.range)
        return found_in(problem, self.expression, self.scope.seen_by(self.expression))

    def _unknown_problem(self) -> Diagnostic:
        address = self.rules.address
        if address is None:
            advice = (
                "use the -target option to first apply only the resources that for_each depends on, and then apply "
                "normally to converge."
            )
        else:
            advice = suggest_exclusion(address)
        detail = f"{self._what_is_unknown()}\n\nAlternatively, you could {advice}"
        return _unknown_keys(self.scope, self.expression, detail)

    def _what_is_unknown(self) -> str:
        product = self.scope.flavour.product
        match self.value.type:
            case MapType() | ObjectType():
                return _unknown_map(product)
            case SetType():
                return _unknown_values("set", product)
            case TupleType() if self.rules.allows_tuples:
                return _unknown_values("tuple", product)
        return (
            'The "for_each" value includes keys or set values from resource attributes that cannot be determined until '
            f"apply, and so {product} cannot determine what will identify the instances of this resource.\n\n"
            f"{_STATIC_KEYS}"
        )


def _unknown_map(product: str) -> str:
    return f'The "for_each" map includes keys {_cannot_determine(product)}\n\n{_STATIC_KEYS}'


def _unknown_values(kind: str, product: str) -> str:
    return f'The "for_each" {kind} includes values {_cannot_determine(product)}\n\n{_STATIC_MAP}'


def _cannot_determine(product: str) -> str:
    return (
        f"derived from resource attributes that cannot be determined until apply, and so {product} cannot determine "
        "the full set of keys that will identify the instances of this resource."
    )


def _unknown_keys(scope: ForEachScope, expression: Expression, detail: str) -> Diagnostic:
    problem = error(_FOR_EACH, detail, expression.range)
    return found_in(problem, expression, scope.seen_by(expression), unknown_is_cause=True)


def _mark_problems(scope: ForEachScope, value: Value, expression: Expression, ephemeral: str) -> list[Diagnostic]:
    return [
        found_in(
            error(_FOR_EACH, detail, expression.range),
            expression,
            scope.seen_by(expression),
            marks_are_cause=frozenset((mark,)),
        )
        for mark, detail in ((SENSITIVE, _SENSITIVE), (EPHEMERAL, ephemeral))
        if mark in value.marks
    ]


def _wrong_type(allowed: str, value: Value) -> str:
    name = friendly_name(value.type)
    return f'the "for_each" argument must be a {allowed}, and you have provided a value of type {name}.'


# Only the first problem


def _first_problems(scope: ForEachScope, value: Value, expression: Expression, rules: ForEachRules) -> list[Diagnostic]:
    """Return the first problem of a value. Unknown keys hide everything else, and marks hide what is wrong with a
    secret value."""
    is_set = isinstance(value.type, SetType)
    is_unknown = not value.is_known or (is_set and not value.is_wholly_known)
    if is_unknown and rules.must_be_known:
        product = scope.flavour.product
        unknown = _unknown_values("set", product) if is_set else _unknown_map(product)
        return [_unknown_keys(scope, expression, f"{unknown}\n\n{_TARGET_FIRST}")]
    return _mark_problems(scope, value, expression, EPHEMERAL_FOR_EACH) or [
        found_in(problem, expression, scope.seen_by(expression)) for problem in _unusable(value, expression)
    ]


def _unusable(value: Value, expression: Expression) -> Iterator[Diagnostic]:
    where, kind = expression.range, value.type
    if value.is_null:
        detail = 'the given "for_each" argument value is null. A map, or set of strings is allowed.'
        yield error(_FOR_EACH, _UNSUITABLE + detail, where)
    elif kind is not DYNAMIC and not isinstance(kind, MapType | SetType | ObjectType):
        yield error(_FOR_EACH, _UNSUITABLE + _wrong_type("map, or set of strings", value), where)
    elif not isinstance(kind, SetType) or not value.is_wholly_known or not value.payload:
        return
    elif kind.element is not STRING:
        detail = (
            '"for_each" supports maps and sets of strings, but you have provided a set containing type '
            f"{friendly_name(kind.element)}."
        )
        yield error(_FOR_EACH_SET, _UNSUITABLE + detail, where)
    elif any(element.is_null for element in value.payload):
        detail = '"for_each" sets must not contain null values.'
        yield error(_FOR_EACH_SET, _UNSUITABLE + detail, where)
