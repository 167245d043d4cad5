"""Import blocks: existing objects to be imported, by address and identifier.

The blocks are in the root module only, and belong to the resource of their target: the node of that resource resolves
them, after everything they refer to is evaluated. Problems that do not depend on values are reported by validation.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from shared_nodes.addresses.module import ROOT_INSTANCE
from shared_nodes.addresses.parse import KeyExpression
from shared_nodes.addresses.references import ResourceInstance
from shared_nodes.addresses.resource import AbsResource, AbsResourceInstance
from shared_nodes.config.blocks import ResourceBlock
from shared_nodes.config.for_each import EPHEMERAL_FOR_EACH
from shared_nodes.config.syntax.static_reference import static_reference
from shared_nodes.context.expander import Repetition
from shared_nodes.context.node_context import NodeContext
from shared_nodes.context.scope import ModuleScope
from shared_nodes.lang.diagnostics import Diagnostic, error, found_in, has_errors
from shared_nodes.lang.evaluate import evaluate
from shared_nodes.lang.scope import Scope
from shared_nodes.lang.source import NOWHERE, Range
from shared_nodes.lang.tree import Expression
from shared_nodes.nodes.statements.import_resolution import identification_problems, resolve_imports
from shared_nodes.nodes.statements.import_targets import (
    NO_CONFIGURATION,
    ImportTarget,
    missing_configuration,
    missing_instance,
)
from shared_nodes.plan.importing import ImportKey
from shared_nodes.values.marks import EPHEMERAL, SENSITIVE
from shared_nodes.values.types import STRING, ListType, MapType, ObjectType, SetType, TupleType
from shared_nodes.values.value import Value, object_of

__all__ = ["expand_imports", "imports_of_missing_instances", "refuse_imports_without_block", "validate_imports"]

_INVALID_TO: Final = "Invalid import 'to' expression"
_INVALID_ID: Final = "Invalid import id argument"
_INVALID_FOR_EACH: Final = "Invalid for_each argument"


def validate_imports(
    context: NodeContext, targets: Sequence[ImportTarget], block: ResourceBlock | None
) -> list[Diagnostic]:
    """Check, before planning, the imports into one resource. `block` is None if it has no configuration, which is
    allowed if one could be generated."""
    if context.flavour.imports_are_resolved_when_planning:
        checked = targets if block is not None else ()
        return [problem for target in checked for problem in identification_problems(context, target)]
    for target in targets:
        problems = _self_references(context, target)
        if block is None:
            problems = problems or _check_generatable(target)
        problems = problems or _validate_target(context, target, block)
        if has_errors(problems):
            return problems
    return []


def _self_references(context: NodeContext, target: ImportTarget) -> list[Diagnostic]:
    """Report references of the identifier to the resource itself. As in the original, only names are compared, without
    the module: a resource of the same name in the root counts as the resource itself."""
    prepared = context.scope(ROOT_INSTANCE).module.expressions.prepare(_identifier(target))
    detail = "The import ID cannot reference the resource being imported."
    found: list[Diagnostic] = []
    for reference in prepared.references:
        subject = reference.subject
        resource = subject.resource if isinstance(subject, ResourceInstance) else subject
        if resource == target.resource.resource:
            found.append(error(_INVALID_ID, detail, reference.range))
    return found


def _check_generatable(target: ImportTarget) -> list[Diagnostic]:
    if target.resource.module.names:
        detail = (
            f"Resource {target.resource} not found. Only resources within the root module are eligible for config "
            "generation."
        )
        return [error(NO_CONFIGURATION, detail, target.block.to.range)]
    instance = target.address.instance
    if instance is not None and (target.block.for_each is not None or instance.key is not None):
        detail = (
            "The given import block is not compatible with config generation. The -generate-config-out option cannot "
            "be used with import blocks which use for_each, or resources which use for_each or count."
        )
        return [error(NO_CONFIGURATION, detail, target.block.to.range)]
    return []


def _validate_target(context: NodeContext, target: ImportTarget, block: ResourceBlock | None) -> list[Diagnostic]:
    elements, problems = _evaluate_for_each(context, target, must_be_known=False)
    if has_errors(problems):
        return problems
    for each in elements:
        instance = _resolve(target, each)
        if not isinstance(instance, AbsResourceInstance):
            return instance
        problems = _check_key(instance, target, block)
        problems = problems or _evaluate_identifier(context, target, each, must_be_known=False)[1]
        if has_errors(problems):
            return problems
    return []


def _check_key(instance: AbsResourceInstance, target: ImportTarget, block: ResourceBlock | None) -> list[Diagnostic]:
    repetition = None if block is None else block.repetition
    given = None if instance.key is None else "count" if isinstance(instance.key, int) else "for_each"
    if given == repetition:
        return []
    detail = f"The target resource does not use {given}." if given else f"The target resource is using {repetition}."
    return [error(_INVALID_TO, detail, target.block.to.range)]


def expand_imports(
    context: NodeContext, targets: Iterable[ImportTarget], block: ResourceBlock
) -> tuple[Mapping[AbsResourceInstance, ImportKey], list[Diagnostic]]:
    """Return what to import, by the address to import to. Addresses that are already in the state are left out: they
    were imported before. Unlike in validation, problems of a key and of its identifier are reported together."""
    if context.flavour.imports_are_resolved_when_planning:
        return _resolve_new(context, targets)
    found: dict[AbsResourceInstance, str] = {}
    problems: list[Diagnostic] = []
    for target in targets:
        elements, bad = _evaluate_for_each(context, target, must_be_known=True)
        problems.extend(bad)
        if has_errors(problems):
            return {}, problems
        for each in elements:
            instance = _resolve(target, each)
            if not isinstance(instance, AbsResourceInstance):
                return {}, [*problems, *instance]
            identifier, bad = _evaluate_identifier(context, target, each, must_be_known=True)
            problems += [*_check_key(instance, target, block), *bad]
            if identifier is None or has_errors(problems):
                return {}, problems
            found[instance] = identifier
    return {key: name for key, name in found.items() if _is_new(context, key)}, problems


def _resolve_new(
    context: NodeContext, targets: Iterable[ImportTarget]
) -> tuple[Mapping[AbsResourceInstance, ImportKey], list[Diagnostic]]:
    """Resolve imports, unless everything is about to be destroyed. An empty identifier imports nothing."""
    if context.options.pre_destroy_refresh:
        return {}, []
    found, problems = resolve_imports(context, targets)
    return {key: name for key, name in found.items() if name != "" and _is_new(context, key)}, problems


def refuse_imports_without_block(context: NodeContext, targets: Iterable[ImportTarget]) -> list[Diagnostic]:
    """Report imports into a resource of the root module that has no block. A block could have been generated, so the
    resource counts as declared for `moved` statements, with one instance."""
    problems = []
    for target in targets:
        context.expander.register_resource(AbsResource(ROOT_INSTANCE, target.resource.resource), Repetition.single())
        problems.append(missing_configuration(target))
    return problems


def _is_new(context: NodeContext, address: AbsResourceInstance) -> bool:
    return context.working.instance(address) is None


def imports_of_missing_instances(context: NodeContext, imports: Iterable[AbsResourceInstance]) -> list[Diagnostic]:
    """Report imports to instances that an expanded resource does not have. Terraform reports one of each resource, and
    which one is random: here it is the first."""
    missing = [address for address in imports if not context.expander.has_instance(address)]
    if not context.flavour.imports_are_resolved_when_planning:
        missing = list({address.config: address for address in reversed(missing)}.values())[::-1]
    return [missing_instance(address) for address in missing]


_Each = Mapping[str, Value] | None
"""`key` and `value` of one element of `for_each`; None if there is no `for_each`."""


def _evaluate_for_each(
    context: NodeContext, target: ImportTarget, must_be_known: bool
) -> tuple[list[_Each], list[Diagnostic]]:
    """Return the elements to import. Unlike other blocks, an import may iterate over a list or any other collection;
    null means no elements. Only planning refuses an ephemeral collection."""
    expression = target.block.for_each
    if expression is None:
        return [None], []
    scope = context.scope(ROOT_INSTANCE)
    value, problems = scope.evaluate(expression)
    if has_errors(problems):
        return [], problems
    if not value.is_wholly_known:
        return [], [*problems, *([_unknown_for_each_problem(scope, expression)] if must_be_known else [])]
    if must_be_known and EPHEMERAL in value.marks:
        problems = [*problems, error(_INVALID_FOR_EACH, EPHEMERAL_FOR_EACH, expression.range)]
    if not value.is_null and not isinstance(value.type, ListType | MapType | ObjectType | SetType | TupleType):
        detail = 'The "for_each" expression must be a collection.'
        problems = [*problems, error(_INVALID_FOR_EACH, detail, expression.range)]
    if value.is_null or has_errors(problems):
        return [], problems
    return [{"key": key, "value": element.with_marks(value.marks)} for key, element in value.elements()], problems


def _unknown_for_each_problem(scope: ModuleScope, expression: Expression) -> Diagnostic:
    problem = error(
        _INVALID_FOR_EACH,
        'The "for_each" expression includes values derived from other resource attributes that cannot be determined '
        "until apply, and so Terraform cannot determine the full set of values that might be used to import this "
        "resource.",
        expression.range,
    )
    return found_in(problem, expression, scope.seen_by(expression), unknown_is_cause=True)


def _resolve(target: ImportTarget, each: _Each) -> AbsResourceInstance | list[Diagnostic]:
    if each is None:
        return target.address.instance or _not_static_problems(target)
    keys: dict[Range, Value] = {}
    for part in target.address.parts:
        if not isinstance(part, KeyExpression):
            continue
        value, problems = evaluate(part.key, Scope({"each": object_of(each)}, None))
        if has_errors(problems):
            return [_with_advice(problem) for problem in problems]
        if value.has_mark(SENSITIVE):
            detail = "Import address index expression cannot be sensitive."
            return [error("Invalid index expression", detail, part.key.range)]
        keys[part.range] = value.without_marks()
    outcome = target.address.resolve(keys)
    return [outcome] if isinstance(outcome, Diagnostic) else outcome


def _with_advice(problem: Diagnostic) -> Diagnostic:
    """Add advice to an unknown variable. The original omits a space here."""
    if problem.summary != "Unknown variable":
        return problem
    advice = 'Only "each.key" and "each.value" can be used in import address index expressions.'
    return replace(problem, detail=f"{problem.detail}{advice}")


def _not_static_problems(target: ImportTarget) -> list[Diagnostic]:
    outcome = static_reference(target.block.to)
    assert isinstance(outcome, Diagnostic)
    detail = (
        "A resource instance address is required here. The module path must be followed by a resource instance "
        "specification."
    )
    return [outcome, error("Invalid address", detail, NOWHERE)]


def _identifier(target: ImportTarget) -> Expression:
    assert target.block.identifier is not None, "reading requires one"
    return target.block.identifier


def _evaluate_identifier(
    context: NodeContext, target: ImportTarget, each: _Each, must_be_known: bool
) -> tuple[str | None, list[Diagnostic]]:
    """Return the identifier. One that cannot be evaluated is unknown; where it must be known, this is reported
    as well."""
    expression = _identifier(target)
    scope: ModuleScope = context.scope(ROOT_INSTANCE)
    if each is not None:
        scope = scope.repeated("each", each)
    value, problems = scope.evaluate_as(expression, STRING)
    value = value.without_marks()
    if not value.is_known:
        detail = (
            'The import block "id" argument depends on resource attributes that cannot be determined until apply, so '
            "Terraform cannot plan to import this resource."
        )
        return None, [*problems, *([error(_INVALID_ID, detail, expression.range)] if must_be_known else [])]
    if value.is_null:
        return None, [*problems, error(_INVALID_ID, "The import ID cannot be null.", expression.range)]
    if not value.payload:
        detail = "The import ID value evaluates to an empty string, please provide a non-empty value."
        return None, [*problems, error(_INVALID_ID, detail, expression.range)]
    return str(value.payload), problems
