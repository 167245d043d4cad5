"""Imports resolved while planning, in a flavour that leaves addresses to planning.

Each element of `for_each` gives an address and an identifier. Keys in the address may be any expressions of the root
module. What is wrong with one element does not hide what is wrong with others.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from shared_nodes.addresses.module import ROOT_INSTANCE
from shared_nodes.addresses.parse import KeyExpression
from shared_nodes.addresses.resource import AbsResourceInstance
from shared_nodes.config.for_each import ForEachRules, evaluate_for_each
from shared_nodes.context.node_context import NodeContext
from shared_nodes.context.scope import ModuleScope
from shared_nodes.lang.diagnostics import Diagnostic, error, has_errors
from shared_nodes.lang.source import Range
from shared_nodes.lang.tree import Expression
from shared_nodes.nodes.statements.import_targets import ImportTarget
from shared_nodes.values.marks import EPHEMERAL, SENSITIVE
from shared_nodes.values.text import quoted
from shared_nodes.values.types import NUMBER, STRING
from shared_nodes.values.value import Value

__all__ = ["identification_problems", "resolve_imports"]

_INVALID_KEY: Final = "Import block 'to' address contains an invalid key"
_UNKNOWN_KEY: Final = (
    "Import block contained a resource address using an index that will only be known after apply. Please ensure to "
    "use expressions that are known at plan time for the index of an import target address"
)
_NULL_KEY: Final = (
    "Import block contained a resource address using an index which is null. Please ensure the expression for the "
    "index is not null"
)
_WRONG_KEY: Final = (
    "Import block contained a resource address using an index which is not valid for a resource instance (not a string "
    "or a number). Please ensure the expression for the index is correct, and returns either a string or a number"
)


def identification_problems(context: NodeContext, target: ImportTarget) -> list[Diagnostic]:
    """Check, for validation, how an import identifies its objects. Unknown values are accepted."""
    scopes, problems = _element_scopes(context, target, must_be_known=False)
    for scope in scopes:
        if target.block.identifier is not None:
            problems += _evaluate_identifier(scope, target.block.identifier, must_be_known=False)[1]
        elif target.block.identity is not None:
            problems.append(_no_identity(context, target, target.block.identity))
    return problems


def resolve_imports(
    context: NodeContext, targets: Iterable[ImportTarget]
) -> tuple[dict[AbsResourceInstance, str], list[Diagnostic]]:
    """Return identifiers by the address to import to, and note the addresses in the context: no two imports may lead to
    one address."""
    found: dict[AbsResourceInstance, str] = {}
    problems: list[Diagnostic] = []
    for target in targets:
        scopes, bad = _element_scopes(context, target, must_be_known=True)
        problems += bad
        for scope in scopes:
            address = _resolve_address(scope, target)
            if not isinstance(address, AbsResourceInstance):
                problems += address
                continue
            assert target.block.identifier is not None, "no provider has identities, so validation refuses them"
            identifier, bad = _evaluate_identifier(scope, target.block.identifier, must_be_known=True)
            problems += bad
            if identifier is None:
                continue
            earlier = context.imports.setdefault(address, target.block.range)
            if earlier is not target.block.range or address in found:
                problems.append(_duplicate(address, earlier))
            else:
                found[address] = identifier
    return found, problems


def _element_scopes(
    context: NodeContext, target: ImportTarget, *, must_be_known: bool
) -> tuple[list[ModuleScope], list[Diagnostic]]:
    """Return what the expressions of each element see. An unknown `for_each` has no elements yet."""
    scope = context.scope(ROOT_INSTANCE)
    if target.block.for_each is None:
        return [scope], []
    rules = ForEachRules(must_be_known=must_be_known, allows_tuples=True)
    found = evaluate_for_each(scope, target.block.for_each, rules)
    if has_errors(found.problems) or not found.is_settled:
        return [], found.problems
    elements: Iterable[Mapping[str, Value]] = ({"key": key, "value": value} for key, value in found.value.elements())
    return [scope.repeated("each", each) for each in elements], found.problems


def _resolve_address(scope: ModuleScope, target: ImportTarget) -> AbsResourceInstance | list[Diagnostic]:
    keys: dict[Range, Value] = {}
    problems: list[Diagnostic] = []
    for part in target.address.parts:
        if isinstance(part, KeyExpression):
            value, found = scope.evaluate(part.key)
            found = found if has_errors(found) else [*found, *_key_problems(value, part.key)]
            problems += found
            keys[part.range] = value.without_marks()
    if has_errors(problems):
        return problems
    outcome = target.address.resolve(keys)
    return [*problems, outcome] if isinstance(outcome, Diagnostic) else outcome


def _key_problems(value: Value, expression: Expression) -> list[Diagnostic]:
    """Check the value of a key. The first problem of the value itself hides the others, but not that it is secret."""
    where = expression.range
    if not value.is_known:
        return [error(_INVALID_KEY, _UNKNOWN_KEY, where)]
    if value.is_null:
        return [error(_INVALID_KEY, _NULL_KEY, where)]
    if value.type is not STRING and value.type is not NUMBER:
        return [error(_INVALID_KEY, _WRONG_KEY, where)]
    return [
        error(
            _INVALID_KEY,
            f"Import block contained a resource address using an index which is {word}. Please ensure indexes used in "
            f"the resource address of an import target are not {word}",
            where,
        )
        for mark, word in ((SENSITIVE, "sensitive"), (EPHEMERAL, "ephemeral"))
        if mark in value.marks
    ]


def _evaluate_identifier(
    scope: ModuleScope, expression: Expression, *, must_be_known: bool
) -> tuple[str | None, list[Diagnostic]]:
    value, problems = scope.evaluate_as(expression, STRING)
    if has_errors(problems) or (not value.is_known and not must_be_known):
        return None, problems
    unusable = _unusable_identifier(value, scope.flavour.product)
    if unusable is None:
        return str(value.payload), problems
    return None, [*problems, error("Invalid import id argument", unusable, expression.range)]


def _unusable_identifier(value: Value, product: str) -> str | None:
    if value.is_null:
        return "The import id cannot be null."
    if not value.is_known:
        return (
            'The import block "id" argument depends on resource attributes that cannot be determined until apply, so '
            f"{product} cannot plan to import this resource."
        )
    if SENSITIVE in value.marks:
        return "The import id cannot be sensitive."
    return "The import id cannot be ephemeral." if EPHEMERAL in value.marks else None


def _no_identity(context: NodeContext, target: ImportTarget, identity: Expression) -> Diagnostic:
    """Report that a resource type has no identity. No provider that is modelled has any."""
    root, resource = context.config.module, target.resource.resource
    chosen = target.block.provider
    source = root.source_of(resource) if chosen is None else root.source_for(chosen.local_name)
    detail = (
        f"The provider {quoted(str(source))} does not provide an identity schema for the resource type "
        f"{quoted(resource.type)}, which is required when trying to import the resource {quoted(str(target.resource))} "
        "using identity-based import. Please ensure the resource type supports identity-based import."
    )
    return error("Unable to determine identity schema for import identity", detail, identity.range)


def _duplicate(address: AbsResourceInstance, earlier: Range) -> Diagnostic:
    name = quoted(str(address))
    detail = (
        f"An import block for the resource {name} was already declared at {earlier}. A resource can have only one "
        "import block."
    )
    return error(f"Duplicate import configuration for {name}", detail, earlier)
