"""Marks that the language's own rules lose.

The rules for marks serve secrecy, and drop marks where nothing secret could leak: the key that an unknown element was
looked up with, the argument of `try`, an unknown result of a function. A dependency must not be lost, so what was
dropped is found here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from new_engine.compat.exact_dependencies.marks import dependency_marks
from shared_nodes.context.scope import ModuleScope
from shared_nodes.lang import tree
from shared_nodes.lang.diagnostics import has_errors
from shared_nodes.values.marks import NO_MARKS, Marks
from shared_nodes.values.value import Value

__all__ = ["find_lost_marks", "marks_of_references"]


def find_lost_marks(scope: ModuleScope, expression: tree.Expression, value: Value) -> Marks:
    """Return marks that the value of an expression should have and may not have. Accesses keep theirs, except those of
    a key. Everything else keeps them as long as the result is known; otherwise every part of the expression is
    examined, and marks that the value has nowhere are missing."""
    search = _Search(scope)
    search.look(expression, is_unknown=not value.is_wholly_known)
    return search.certain | (search.possible - value.deep_marks())


class _Search:
    """Goes through the parts of an expression that were used, with an explicit stack, because chains of operators are
    long. Each part is evaluated at most once."""

    __slots__ = ("_pending", "_scope", "certain", "possible")

    def __init__(self, scope: ModuleScope) -> None:
        self.certain = NO_MARKS
        self.possible = NO_MARKS
        self._scope = scope
        self._pending: list[tuple[tree.Expression, bool]] = []

    def look(self, expression: tree.Expression, *, is_unknown: bool) -> None:
        """Examine an expression. If `is_unknown` is set, it is a part of something unknown, which may have lost the
        marks of this part."""
        self._pending = [(expression, is_unknown)]
        while self._pending:
            node, is_unknown = self._pending.pop()
            if is_unknown and isinstance(node, _ACCESSES):
                self.possible |= _deep_marks(self._scope, node)
            self._look(node, is_unknown)

    def _look(self, node: tree.Expression, is_unknown: bool) -> None:
        match node:
            case tree.Index(collection=collection, key=key):
                self.certain |= _deep_marks(self._scope, key)
                self._pending += [(key, False), (collection, is_unknown and isinstance(collection, _OPERATORS))]
            case tree.Splat(source=source) | tree.RelativeTraversal(source=source):
                self._pending.append((source, is_unknown and isinstance(source, _OPERATORS)))
            case tree.Conditional():
                self._pending += [(part, is_unknown) for part in _parts_used(self._scope, node)]
            case tree.For() | tree.TemplateJoin():
                self._look_into_loop(node, is_unknown)
            case tree.Call(name="try" | "can", arguments=arguments):
                self.certain |= _marks_of_attempts(self._scope, arguments)
            case tree.Call(name="length", arguments=arguments):
                self._pending += [(part, False) for part in arguments]
            case tree.ObjectConstructor(items=items):
                keys = [(item.key, is_unknown) for item in items if item.literal_key is None]
                self._pending += [*keys, *((item.value, is_unknown) for item in items)]
            case _:
                self._pending += [(part, is_unknown) for part in node.children()]

    def _look_into_loop(self, node: tree.Expression, is_unknown: bool) -> None:
        """Take the marks of everything that a loop names. Its parts cannot be evaluated alone, since they may use the
        variables of the loop."""
        if any(map(_loses_marks_when_known, tree.walk(node))):
            self.certain |= marks_of_references(self._scope, node)
        elif is_unknown:
            self.possible |= marks_of_references(self._scope, node)


_ACCESSES: Final = (tree.Traversal, tree.RelativeTraversal, tree.Index, tree.Splat)
_OPERATORS: Final = (tree.Binary, tree.Unary, tree.Conditional)


def _loses_marks_when_known(node: tree.Expression) -> bool:
    return isinstance(node, tree.Index) or (isinstance(node, tree.Call) and node.name in ("try", "can"))


def _parts_used(scope: ModuleScope, node: tree.Conditional) -> list[tree.Expression]:
    """Return the condition and the branch taken; both branches if that is not known."""
    condition, problems = scope.evaluate(node.condition)
    if has_errors(problems) or not condition.is_known or condition.is_null:
        return [node.condition, node.true_result, node.false_result]
    taken = node.true_result if condition.payload in (True, "true") else node.false_result
    return [node.condition, taken]


def _marks_of_attempts(scope: ModuleScope, arguments: Sequence[tree.Expression]) -> Marks:
    """Return the marks of the arguments of `try` or `can`. Arguments that fail decide as much as the one that does not,
    and an unknown one may still fail."""
    marks = NO_MARKS
    for argument in arguments:
        value, problems = scope.evaluate(argument)
        if has_errors(problems):
            marks |= marks_of_references(scope, argument)
            continue
        marks |= dependency_marks(value.deep_marks()) | find_lost_marks(scope, argument, value)
        if value.is_wholly_known:
            break
    return marks


def _deep_marks(scope: ModuleScope, expression: tree.Expression) -> Marks:
    value, problems = scope.evaluate(expression)
    return marks_of_references(scope, expression) if has_errors(problems) else dependency_marks(value.deep_marks())


def marks_of_references(scope: ModuleScope, expression: tree.Expression) -> Marks:
    """Return the marks of everything an expression names, as a whole. Names that cannot be resolved here (variables of
    a loop around it) have none."""
    found = [each for each in scope.module.expressions.prepare(expression).references if not scope.check([each])]
    values = scope.values_for(found).variables or {}
    return dependency_marks(NO_MARKS.union(*(value.deep_marks() for value in values.values())))
