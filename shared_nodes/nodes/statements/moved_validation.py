"""Validation of `moved` statements, after planning: only then are all instances known.

A cycle is only reported if there are no other problems, because its usual causes have clearer messages of their own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from typing import Final

from shared_nodes.addresses.module import ModuleInstance
from shared_nodes.addresses.parse import Target
from shared_nodes.addresses.resource import AbsResource, AbsResourceInstance
from shared_nodes.config.tree import ConfigTree
from shared_nodes.context.expander import InstanceExpander
from shared_nodes.lang.diagnostics import Diagnostic, error
from shared_nodes.lang.source import Range
from shared_nodes.nodes.statements.moved import Endpoint, EndpointKind, MoveStatement, statement_cycles
from shared_nodes.record import record

__all__ = ["validate_moves"]

_SHORT_NOUNS: Final = {
    EndpointKind.MODULE_CALL: "call",
    EndpointKind.MODULE_INSTANCE: "instance",
    EndpointKind.RESOURCE: "resource",
    EndpointKind.RESOURCE_INSTANCE: "instance",
}


def validate_moves(
    statements: Sequence[MoveStatement], config: ConfigTree, expander: InstanceExpander
) -> list[Diagnostic]:
    validation = _Validation(config, expander)
    for statement in statements:
        for module in expander.known_modules(statement.source.declared_in):
            validation.check(statement, module)
    return validation.problems or _cycle_problems(statements)


@record
class _Move:
    statement: MoveStatement
    source: Target
    target: Target


@record(frozen=False)
class _Validation:
    """Remembers all moves by source and target, to find statements that contradict each other."""

    config: ConfigTree
    expander: InstanceExpander
    problems: list[Diagnostic] = field(default_factory=list)
    by_source: dict[tuple[EndpointKind, Target], _Move] = field(default_factory=dict)
    by_target: dict[tuple[EndpointKind, Target], _Move] = field(default_factory=dict)

    def check(self, statement: MoveStatement, module: ModuleInstance) -> None:
        move = _Move(statement, statement.source.within(module), statement.target.within(module))
        if move.source == move.target:
            detail = (
                f"This statement declares a move from {move.source} to the same address, which is the same as not "
                "declaring this move at all."
            )
            self.problems.append(error("Redundant move statement", detail, statement.range))
            return
        if self._exists(statement.source, module):
            self.problems.append(self._still_exists_problem(move))
        self._check_ambiguity(move)

    def _exists(self, endpoint: Endpoint, module: ModuleInstance) -> bool:
        """Whether the address that an object has moved away from is still declared."""
        address = endpoint.within(module)
        match address:
            case ModuleInstance() if endpoint.kind is EndpointKind.MODULE_CALL:
                return self.expander.has_call(address.parent, address.steps[-1].name)
            case ModuleInstance():
                return self.expander.has_module(address)
            case AbsResource():
                return self.expander.has_module(address.module) and self.expander.known_resource(address) is not None
            case AbsResourceInstance():
                return self.expander.has_instance(address)

    def _still_exists_problem(self, move: _Move) -> Diagnostic:
        kind = move.statement.source.kind
        declared = self._declaration(move.source)
        where = f" at {_start_text(declared)}" if declared is not None else ""
        detail = (
            f"This statement declares a move from {move.source}, but that {kind.value} is still declared{where}.\n\n"
            f"Change your configuration so that this {_SHORT_NOUNS[kind]} will be declared as {move.target} instead."
        )
        return error("Moved object still exists", detail, move.statement.range)

    def _declaration(self, address: Target) -> Range | None:
        """Return the most helpful range: that of the repetition, if there is a key."""
        if isinstance(address, ModuleInstance):
            node = self.config.at(address.path)
            call = None if node is None else node.call
            return (
                None
                if call is None
                else _declaration_range(call.range, call.count or call.for_each, address.steps[-1].key)
            )
        block = self.config.resource(address.config)
        key = address.key if isinstance(address, AbsResourceInstance) else None
        return None if block is None else _declaration_range(block.range, block.count or block.for_each, key)

    def _check_ambiguity(self, move: _Move) -> None:
        kind = move.statement.source.kind
        noun, short = kind.value, _SHORT_NOUNS[kind]
        other = self.by_source.setdefault((kind, move.source), move)
        if other.target != move.target:
            self._report_ambiguity(
                move, other, f"it moved to {move.target}", f"Each {noun} can move to only one destination {short}."
            )
        other = self.by_target.setdefault((kind, move.target), move)
        if other.source != move.source:
            self._report_ambiguity(
                move, other, f"{move.source} moved there", f"Each {noun} can have moved from only one source {short}."
            )

    def _report_ambiguity(self, move: _Move, other: _Move, claim: str, rule: str) -> None:
        start = _start_text(other.statement.range)
        detail = (
            f"A statement at {start} declared that {other.source} moved to {other.target}, but this "
            f"statement instead declares that {claim}.\n\n{rule}"
        )
        self.problems.append(error("Ambiguous move statements", detail, move.statement.range))


def _declaration_range(block: Range, repetition: object, key: object) -> Range:
    found = getattr(repetition, "range", None)
    return found if key is not None and isinstance(found, Range) else block


def _start_text(place: Range) -> str:
    first = place.first
    return f"{place.source.filename}:{first.line},{first.column}"


def _cycle_problems(statements: Sequence[MoveStatement]) -> list[Diagnostic]:
    return [
        error(
            "Cyclic dependency in move statements",
            "The following chained move statements form a cycle, and so there is no final location to move objects "
            f"to:{''.join(sorted(f'{chr(10)}  - {statement}' for statement in cycle))}\n\nA chain of move statements "
            "must end with an address that doesn't appear in any other statements, and which typically also refers to "
            "an object still declared in the configuration.",
        )
        for cycle in statement_cycles(statements)
    ]
