"""Chooses values for required variables that have none, so that a reusable module can be tried at all.

Candidates are made from the type of a variable, its name, how it is used, and the constants in its validation rules.
The first that fulfils all rules is taken; rules are evaluated as engines evaluate them. If none does, the best one is
taken, and the engines will say what is wrong with it. The same configuration always gets the same values.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice, product
from typing import Final

from harness.case.matching_texts import matching_texts
from harness.simulation.plausible import Form, form_of_name, used_forms, write_text
from shared_nodes.addresses.module import ROOT_PATH
from shared_nodes.config.blocks.variable import Variable
from shared_nodes.config.module import Module
from shared_nodes.config.static_evaluation import StaticEvaluator, StaticInputs, StaticUse
from shared_nodes.lang import tree
from shared_nodes.lang.diagnostics import Diagnostic, has_errors
from shared_nodes.record import record
from shared_nodes.values.convert import ConversionError
from shared_nodes.values.json import JsonError, JsonNumber, Tree, implied_value
from shared_nodes.values.number import number_text
from shared_nodes.values.types import (
    BOOL,
    NUMBER,
    STRING,
    ListType,
    MapType,
    ObjectType,
    SetType,
    TupleType,
    Type,
)
from shared_nodes.values.value import Value

__all__ = ["choose_values"]

_MOST_TRIALS: Final = 3_000
"""Limit of candidates for one variable."""

_MOST_PARTS: Final = 100
"""Limit of candidates for one part of a value."""

_LONGEST: Final = 256
_TEXTS: Final = (
    "example",
    "example-1",
    "Example1",
    "a",
    "ab",
    "abcdefgh",
    "1",
    "1.0",
    "1.2.3",
    "10",
    "Example-1!aB",
    "10.0.0.0/16",
    "10.0.0.10",
    "https://example.com",
    "https://example.com/",
    "example.com",
    "someone@example.com",
    "arn:aws:service:eu-west-1:123456789012:thing/example",
    "2024-05-06T07:08:09Z",
    "2024-05-06",
    "1h",
    "eu-west-1",
    "123456789012",
    "/example",
    "{}",
    "",
)
_NUMBERS: Final = ("1", "0", "2", "3", "10", "100", "443", "1000", "65535", "-1", "0.5")
_NOT_STATIC: Final = frozenset(
    {
        "Dynamic value in static context",
        "Module output not supported in static context",
        "Provider function in static context",
    }
)
"""What is said of a rule that refers to more than variables: only a run can tell whether it is fulfilled."""


@record
class _Hints:
    """What a variable is compared with, and how it is used."""

    texts: tuple[str, ...] = ()
    patterns: tuple[str, ...] = ()
    numbers: tuple[int, ...] = ()
    form: Form | None = None


def choose_values(module: Module, inputs: StaticInputs, given: Iterable[str]) -> dict[str, Tree]:
    """Return values for the required variables that are not among the given ones, by name."""
    search = _Search(module, inputs)
    for name in sorted(module.variables.keys() - set(given)):
        if module.variables[name].default is None:
            search.chosen[name] = search.choose(module.variables[name])
    return search.chosen


@dataclass
class _Search:
    """Not slotted, so that properties are cached."""

    module: Module
    inputs: StaticInputs
    chosen: dict[str, Tree] = field(default_factory=dict)

    @cached_property
    def forms(self) -> Mapping[str, Form]:
        """The forms that uses of variables need, by the name of the variable."""
        found: dict[str, Form] = {}
        for expression in _all_expressions(self.module):
            for part in _walk(expression):
                for operand, form in used_forms(part):
                    if (name := _variable_name(operand)) is not None:
                        found.setdefault(name, form)
        return found

    @cached_property
    def functions(self) -> StaticEvaluator:
        return StaticEvaluator.of_root(self.module, self.inputs)

    def choose(self, variable: Variable) -> Tree:
        hints = self._hints(variable)
        kind = variable.constraint.type
        best = next(_candidates(kind, variable.name, hints))
        fulfilled = self._fulfilled(variable, best)
        trials = 0
        while fulfilled < 0:
            better = None
            for candidate in _variations(kind, variable.name, best, hints):
                trials += 1
                if trials > _MOST_TRIALS:
                    return best
                if (score := self._fulfilled(variable, candidate)) > fulfilled:
                    better = candidate, score
                    break
            if better is None:
                return best
            best, fulfilled = better
        return best

    def _fulfilled(self, variable: Variable, candidate: Tree) -> int:
        """Return 0 for a value that fulfils all rules, and a lower number the more of them it does not. A value of the
        wrong type is worse than any other."""
        try:
            variable.accept(implied_value(candidate))
        except (ConversionError, JsonError):
            return -_MOST_TRIALS
        rules = [condition for rule in variable.validations for condition in _conjuncts(rule.condition)]
        return sum(self._is_fulfilled(variable, candidate, rule) for rule in rules) - len(rules)

    def _is_fulfilled(self, variable: Variable, candidate: Tree, rule: tree.Expression) -> bool:
        evaluator = StaticEvaluator(
            self.module, self.inputs, self._values_with(variable.name, candidate), ROOT_PATH, self.functions.functions
        )
        value, problems = evaluator.evaluate(rule, StaticUse(ROOT_PATH, "condition", None))
        if any(problem.summary in _NOT_STATIC for problem in problems):
            return True
        return not has_errors(problems) and value.unmark_deep()[0].payload is True

    def _values_with(self, name: str, candidate: Tree) -> Callable[[Variable], tuple[Value | None, list[Diagnostic]]]:
        def value(variable: Variable) -> tuple[Value | None, list[Diagnostic]]:
            if variable.name == name:
                return implied_value(candidate), []
            if variable.name in self.chosen:
                return implied_value(self.chosen[variable.name]), []
            if variable.default is not None:
                return self.inputs.values(variable)
            found, problems = self.inputs.values(variable)
            if found is not None and not has_errors(problems):
                return found, problems
            first = next(_candidates(variable.constraint.type, variable.name, self._hints(variable)))
            return implied_value(first), []

        return value

    def _hints(self, variable: Variable) -> _Hints:
        texts: list[str] = []
        patterns: list[str] = []
        numbers: list[int] = []
        for rule in variable.validations:
            for part in _walk(rule.condition):
                if isinstance(part, tree.Call) and part.name.startswith("regex") and part.arguments:
                    patterns += filter(None, [_literal_text(part.arguments[0])])
                if (text := _literal_text(part)) is not None:
                    texts.append(text)
                if isinstance(part, tree.Literal) and part.value.type is NUMBER and not part.value.is_null:
                    shown = number_text(part.value.payload)
                    numbers += [int(shown)] if re.fullmatch(r"-?\d{1,6}", shown) else []
        distinct = dict.fromkeys(text for text in texts if text not in patterns)
        return _Hints(
            tuple(distinct),
            tuple(dict.fromkeys(patterns)),
            tuple(dict.fromkeys(numbers)),
            self.forms.get(variable.name),
        )


# Candidates


def _candidates(kind: Type, name: str, hints: _Hints) -> Iterator[Tree]:
    """Return values of a type, the most likely first. There is always at least one."""
    match kind:
        case ListType() | SetType():
            yield from _lists(kind.element, name, hints)
        case MapType():
            yield from _maps(kind.element, name, hints)
        case ObjectType():
            attributes = kind.attributes.items()
            yield {key: _first(part, key, hints) for key, part in attributes if key not in kind.optional}
            yield {key: _first(part, key, hints) for key, part in attributes}
        case TupleType():
            yield [_first(part, name, hints) for part in kind.elements]
        case _ if kind is NUMBER:
            near = (str(each) for number in hints.numbers for each in (number, number + 1, number - 1))
            likely = (*_NUMBERS[:1], *near, *_NUMBERS, *map(str, _multiples(hints.numbers)))
            yield from (JsonNumber(text) for text in dict.fromkeys(likely))
        case _ if kind is BOOL:
            yield from (True, False)
        case _:
            yield from _texts(name, hints)


def _multiples(numbers: Sequence[int]) -> Iterator[int]:
    """Return multiples of each number next to the other ones, as sizes in steps need them."""
    for step, other in product(filter(lambda number: number > 1, numbers), numbers):
        below = other // step * step
        yield from (below, below + step, below - step)


def _first(kind: Type, name: str, hints: _Hints) -> Tree:
    """Return the first candidate for a part. A use of the whole says nothing about a part."""
    return next(_candidates(kind, name, _Hints(hints.texts, hints.patterns, hints.numbers)))


def _texts(name: str, hints: _Hints) -> Iterator[str]:
    form = hints.form or form_of_name(name)
    likely = [] if form is None else [write_text(form, "example")]
    starts = (
        start.ljust(size, "0") for start in hints.texts for size in hints.numbers if len(start) < size <= _LONGEST
    )
    longer = (f"{text}example" for text in hints.texts)
    ends = (f"example{text}" for text in hints.texts)
    lengths = [size for number in hints.numbers for size in (number, number + 1, number - 1) if 0 < size <= _LONGEST]
    made = (text for pattern in hints.patterns for text in matching_texts(pattern))
    sized = ("x" * size for size in lengths)
    yield from dict.fromkeys((*likely, *_TEXTS[:1], *hints.texts, *made, *longer, *ends, *_TEXTS, *sized, *starts))


def _lists(element: Type, name: str, hints: _Hints) -> Iterator[Tree]:
    singular = re.sub(r"(?<=[a-z])s$", "", name)
    single = list(islice(_candidates(element, singular, hints), _MOST_PARTS))
    yield [single[0]]
    for count in (2, 3, *(number for number in hints.numbers if 1 < number <= _LONGEST)):
        yield single[:count] if len(single) >= count else [single[0]] * count
    yield from ([each] for each in single[1:])
    yield []


def _maps(element: Type, name: str, hints: _Hints) -> Iterator[Tree]:
    single = list(islice(_candidates(element, name, hints), _MOST_PARTS))
    yield {"example": single[0]}
    yield from ({"example": each} for each in single[1:])
    yield from ({key: single[0]} for key in hints.texts)
    if hints.texts:
        yield dict.fromkeys(hints.texts, single[0])
    yield {}


def _variations(kind: Type, name: str, current: Tree, hints: _Hints) -> Iterator[Tree]:
    """Return values that differ from the current one in one part, and then entirely different ones."""
    match kind, current:
        case ObjectType(), dict():
            for key, part in kind.attributes.items():
                inside = current.get(key)
                parts = _variations(part, key, inside, hints) if key in current else _candidates(part, key, hints)
                yield from ({**current, key: each} for each in islice(parts, _MOST_PARTS))
        case ((ListType() | SetType()), list()):
            for index, inside in enumerate(current[:3]):
                parts = _variations(kind.element, name, inside, hints)
                yield from ([*current[:index], each, *current[index + 1 :]] for each in parts)
        case MapType(), dict():
            for key, inside in current.items():
                parts = _variations(kind.element, name, inside, hints)
                yield from ({**current, key: each} for each in parts)
        case TupleType(), list():
            for index, (part, inside) in enumerate(zip(kind.elements, current, strict=False)):
                parts = _variations(part, name, inside, hints)
                yield from ([*current[:index], each, *current[index + 1 :]] for each in parts)
    yield from _candidates(kind, name, hints)


# Expressions


def _conjuncts(node: tree.Expression) -> list[tree.Expression]:
    """Return the parts of a condition that must all be true, so that each step towards a value that fulfils all of them
    counts: of `a && b`, and of `alltrue([for x in y : a && b])`."""
    match node:
        case tree.Parentheses(inner=inner):
            return _conjuncts(inner)
        case tree.Binary(operator="&&", left=left, right=right):
            return [*_conjuncts(left), *_conjuncts(right)]
        case tree.Call(name="alltrue", arguments=(tree.For(key=None, group=False) as each,)):
            parts = _conjuncts(each.value)
            return (
                [replace(node, arguments=(replace(each, value=part),)) for part in parts] if len(parts) > 1 else [node]
            )
    return [node]


def _all_expressions(module: Module) -> Iterator[tree.Expression]:
    for local in module.locals.values():
        yield local.expression
    for output in module.outputs.values():
        if output.expression is not None:
            yield output.expression
    bodies = [block.body for block in module.resources.values()]
    bodies += [call.body for call in module.module_calls.values()]
    bodies += [provider.body for provider in module.providers.values()]
    while bodies:
        body = bodies.pop()
        yield from (attribute.expression for attribute in body.attributes.values())
        bodies += [block.body for block in body.blocks]


def _walk(expression: tree.Expression) -> Iterator[tree.Expression]:
    pending = [expression]
    while pending:
        node = pending.pop()
        yield node
        pending += reversed(node.children())


def _variable_name(node: tree.Expression) -> str | None:
    """Return the name of a variable if the expression is just that."""
    while isinstance(node, tree.Parentheses):
        node = node.inner
    if not isinstance(node, tree.Traversal) or node.root != "var" or len(node.steps) != 1:
        return None
    step = node.steps[0]
    return step.name if isinstance(step, tree.TraverseAttribute) else None


def _literal_text(node: tree.Expression) -> str | None:
    if isinstance(node, tree.Template) and all(isinstance(part, tree.Literal) for part in node.parts):
        node = node.parts[0] if len(node.parts) == 1 else node
    if not isinstance(node, tree.Literal) or node.value.type is not STRING or node.value.is_null:
        return None
    return str(node.value.payload)
