"""Imports resolved while planning, in a flavour that leaves addresses to planning.

Each element of `for_each` gives an address, and an id or an identity. Keys in the address may be any expressions of the
root module. What is wrong with one element does not hide what is wrong with others.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from shared_nodes.addresses.module import ROOT_INSTANCE
from shared_nodes.addresses.parse import KeyExpression
from shared_nodes.addresses.provider import ProviderSource
from shared_nodes.addresses.resource import AbsResourceInstance
from shared_nodes.config.for_each import ForEachRules, evaluate_for_each
from shared_nodes.context.node_context import NodeContext
from shared_nodes.context.scope import ModuleScope
from shared_nodes.lang.diagnostics import Diagnostic, error, has_errors
from shared_nodes.lang.source import Range
from shared_nodes.lang.tree import Expression
from shared_nodes.nodes.statements.import_targets import ImportTarget
from shared_nodes.plan.importing import ImportKey
from shared_nodes.values.marks import EPHEMERAL, SENSITIVE
from shared_nodes.values.text import quoted
from shared_nodes.values.types import NUMBER, STRING, Type
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
            problems += _evaluate_identity(context, scope, target, target.block.identity, must_be_known=False)[1]
    return problems


def resolve_imports(
    context: NodeContext, targets: Iterable[ImportTarget]
) -> tuple[dict[AbsResourceInstance, ImportKey], list[Diagnostic]]:
    """Return ids and identities by the address to import to, and note the addresses in the context: no two imports may
    lead to one address."""
    found: dict[AbsResourceInstance, ImportKey] = {}
    problems: list[Diagnostic] = []
    for target in targets:
        scopes, bad = _element_scopes(context, target, must_be_known=True)
        problems += bad
        for scope in scopes:
            address = _resolve_address(scope, target)
            if not isinstance(address, AbsResourceInstance):
                problems += address
                continue
            key, bad = _evaluate_key(context, scope, target)
            problems += bad
            if key is None:
                continue
            earlier = context.imports.setdefault(address, target.block.range)
            if earlier is not target.block.range or address in found:
                problems.append(_duplicate(address, earlier))
            else:
                found[address] = key
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


def _evaluate_key(
    context: NodeContext, scope: ModuleScope, target: ImportTarget
) -> tuple[ImportKey | None, list[Diagnostic]]:
    if target.block.identifier is not None:
        return _evaluate_identifier(scope, target.block.identifier, must_be_known=True)
    assert target.block.identity is not None, "reading requires one of the two"
    return _evaluate_identity(context, scope, target, target.block.identity, must_be_known=True)


def _evaluate_identifier(
    scope: ModuleScope, expression: Expression, *, must_be_known: bool
) -> tuple[str | None, list[Diagnostic]]:
    value, problems = _evaluate_argument(scope, expression, "id", STRING, must_be_known=must_be_known)
    return None if value is None else str(value.payload), problems


def _evaluate_identity(
    context: NodeContext, scope: ModuleScope, target: ImportTarget, expression: Expression, *, must_be_known: bool
) -> tuple[Value | None, list[Diagnostic]]:
    """Evaluate an identity. Its attributes that may be left out are null then."""
    source = _source_of(context, target)
    schema = context.schemas.get(source)
    of_type = None if schema is None else schema.managed.get(target.resource.resource.type)
    if of_type is None or of_type.identity is None:
        return None, [_no_identity_problem(source, target, expression)]
    wanted = of_type.identity.given_type
    return _evaluate_argument(scope, expression, "identity", wanted, must_be_known=must_be_known)


def _evaluate_argument(
    scope: ModuleScope, expression: Expression, name: str, wanted: Type, *, must_be_known: bool
) -> tuple[Value | None, list[Diagnostic]]:
    value, problems = scope.evaluate_as(expression, wanted)
    if has_errors(problems) or (not value.is_wholly_known and not must_be_known):
        return None, problems
    unusable = _unusable_argument(value, name, scope.flavour.product)
    if unusable is None:
        return value, problems
    return None, [*problems, error(f"Invalid import {name} argument", unusable, expression.range)]


def _unusable_argument(value: Value, name: str, product: str) -> str | None:
    if value.is_null:
        return f"The import {name} cannot be null."
    if not value.is_wholly_known:
        return (
            f'The import block "{name}" argument depends on resource attributes that cannot be determined until apply, '
            f"so {product} cannot plan to import this resource."
        )
    marks = value.unmark_deep()[1]
    if SENSITIVE in marks:
        return f"The import {name} cannot be sensitive."
    return f"The import {name} cannot be ephemeral." if EPHEMERAL in marks else None


def _source_of(context: NodeContext, target: ImportTarget) -> ProviderSource:
    root, chosen = context.config.module, target.block.provider
    return root.source_of(target.resource.resource) if chosen is None else root.source_for(chosen.local_name)


def _no_identity_problem(source: ProviderSource, target: ImportTarget, identity: Expression) -> Diagnostic:
    resource = target.resource.resource
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
