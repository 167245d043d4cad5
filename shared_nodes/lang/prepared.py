"""Expressions prepared for many evaluations: compiled, and their references found, once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from shared_nodes.addresses.references import Reference
from shared_nodes.diagnostics import Diagnostic
from shared_nodes.lang.compile import Compiled, compile_expression
from shared_nodes.lang.references import references
from shared_nodes.lang.tree import Expression

__all__ = ["Prepared", "PreparedExpressions"]

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Prepared:
    compiled: Compiled
    references: Sequence[Reference]
    problems: Sequence[Diagnostic]
    """What is wrong with the form of references, whatever they refer to."""


class PreparedExpressions:
    """Prepares each expression object the first time it is asked for. Lives as long as the configuration it is for.

    Expressions are told apart by identity: comparing whole trees would cost more than preparing them again. A prepared
    expression keeps its tree alive, so an identity is never used twice.
    """

    __slots__ = ("_known", "_others")

    def __init__(self) -> None:
        self._known: dict[int, Prepared] = {}
        self._others: dict[tuple[object, ...], Any] = {}

    def of(self, expression: Expression) -> Prepared:
        prepared = self._known.get(id(expression))
        if prepared is None:
            found, problems = references(expression)
            prepared = self._known[id(expression)] = Prepared(compile_expression(expression), found, problems)
        return prepared

    def once(self, key: tuple[object, ...], make: Callable[[], T]) -> T:
        """Anything else worth working out once for a configuration. Whoever uses identities in a key has to keep what
        they belong to alive in the result."""
        found: T | None = self._others.get(key)
        if found is None:
            found = self._others[key] = make()
        return found
