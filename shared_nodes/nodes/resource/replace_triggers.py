"""`replace_triggered_by`: whether changes planned for other resources require a replacement of this one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from shared_nodes.addresses.references import Reference, ResourceInstance, parse_reference, resource_of
from shared_nodes.addresses.resource import AbsResource, Resource
from shared_nodes.config.blocks import ResourceBlock
from shared_nodes.config.syntax.static_reference import static_reference
from shared_nodes.context.attribute_steps import check_attributes
from shared_nodes.context.node_context import NodeContext
from shared_nodes.context.scope import ModuleScope
from shared_nodes.lang import tree
from shared_nodes.lang.diagnostics import Diagnostic, error, has_errors
from shared_nodes.nodes.resource.instance import DeclaredInstance
from shared_nodes.plan.change import Action, ResourceChange
from shared_nodes.values import number as numbers
from shared_nodes.values.types import NUMBER, STRING, ListType, MapType, ObjectType, TupleType
from shared_nodes.values.value import Value, integer, string, unknown

__all__ = ["replacement_triggered", "validate_triggers"]

_NOT_COUNTED: Final = (
    'Reference to "count" in non-counted context',
    'The "count" object can only be used in "resource" blocks when the "count" argument is set.',
)
_NOT_FOR_EACH: Final = (
    'Reference to "each" in context without for_each',
    'The "each" object can be used only in "resource" blocks when the "for_each" argument is set.',
)
_TRIGGERS: Final = (Action.UPDATE, Action.DELETE_THEN_CREATE, Action.CREATE_THEN_DELETE, Action.FORGET_THEN_CREATE)


def validate_triggers(scope: ModuleScope, address: AbsResource, block: ResourceBlock) -> list[Diagnostic]:
    """Check that triggers name resources of the module and attributes that these have. Any key stands for those of the
    instances, because it does not matter here."""
    key: Mapping[str, Mapping[str, Value]] = {}
    if block.count is not None:
        key = {"count": {"index": integer(0)}}
    elif block.for_each is not None:
        key = {"each": {"key": string("")}}
    found: list[Diagnostic] = []
    for expression in block.lifecycle.replace_triggered_by:
        reference = _resolve_reference(expression, scope.with_repetition(key))
        if isinstance(reference, Diagnostic):
            found.append(reference)
            continue
        resource = resource_of(reference.subject)
        if not isinstance(resource, Resource):
            continue
        if resource not in scope.module.resources:
            detail = (
                f"Resource {address} refers to {resource} in replace_triggered_by, but it is not declared in this "
                "module."
            )
            found.append(error("Undeclared resource in replace_triggered_by", detail, expression.range))
            continue
        attributes = check_attributes(scope.schema_of(resource), reference.remaining, scope.flavour)
        found += attributes if has_errors(attributes) else []
    return found


def replacement_triggered(context: NodeContext, instance: DeclaredInstance) -> tuple[bool, list[Diagnostic]]:
    """Return whether a replacement is triggered. The first expression that fires decides, unless an earlier one was
    wrong: then all others are only checked."""
    expressions = instance.block.lifecycle.replace_triggered_by
    if not expressions:
        return False, []
    scope = instance.scope(context)
    problems: list[Diagnostic] = []
    for expression in expressions:
        reference = _resolve_reference(expression, scope)
        if isinstance(reference, Diagnostic):
            problems.append(reference)
            continue
        fired, found = _check_trigger(context, instance, expression, reference)
        problems += found
        if fired and not problems:
            return True, []
    return False, problems


def _resolve_reference(expression: tree.Expression, scope: ModuleScope) -> Reference | Diagnostic:
    traversal = _resolve_traversal(expression, scope)
    return traversal if isinstance(traversal, Diagnostic) else parse_reference(traversal, scope.flavour)


def _resolve_traversal(expression: tree.Expression, scope: ModuleScope) -> tree.Traversal | Diagnostic:
    """Return the expression with index keys (`count.index`, `each.key`) replaced by their values for this instance."""
    match expression:
        case tree.Traversal():
            return expression
        case tree.RelativeTraversal(source=source, steps=steps):
            base = _resolve_traversal(source, scope)
            return base if isinstance(base, Diagnostic) else _extend(base, steps, expression)
        case tree.Index(collection=collection, key=key):
            base = _resolve_traversal(collection, scope)
            if isinstance(base, Diagnostic):
                return base
            value = _instance_key(key, scope)
            if isinstance(value, Diagnostic):
                return value
            return _extend(base, (tree.TraverseIndex(value, key.range),), expression)
    detail = "Unexpected expression found in replace_triggered_by."
    return error("Invalid replace_triggered_by expression", detail, expression.range)


def _instance_key(key: tree.Expression, scope: ModuleScope) -> Value | Diagnostic:
    """Return the value of a key expression. Nothing is computed here: even parentheses are an error. A constant key is
    already part of the traversal."""
    reference = static_reference(key)
    if isinstance(reference, Diagnostic):
        return reference
    match reference:
        case tree.Traversal(root="count", steps=(tree.TraverseAttribute(name="index"),)):
            name, problem = "index", _NOT_COUNTED
        case tree.Traversal(root="each", steps=(tree.TraverseAttribute(name="key"),)):
            name, problem = "key", _NOT_FOR_EACH
        case _:
            detail = "Only constant values, count.index or each.key are allowed in index expressions."
            return error("Invalid index expression", detail, key.range)
    found = scope.repetition.get(reference.root, {}).get(name)
    return error(*problem, key.range) if found is None else found.unmark_deep()[0]


def _extend(base: tree.Traversal, steps: tuple[tree.Step, ...], whole: tree.Expression) -> tree.Traversal:
    return replace(base, range=whole.range, steps=(*base.steps, *steps))


def _check_trigger(
    context: NodeContext, instance: DeclaredInstance, expression: tree.Expression, reference: Reference
) -> tuple[bool, list[Diagnostic]]:
    subject = reference.subject
    resource = resource_of(subject)
    if not isinstance(resource, Resource):
        return False, []
    where = str(instance.address.module) or "the root module"
    if resource not in instance.node.module.resources:
        detail = f"A resource {subject} has not been declared in {where}"
        return False, [error("Reference to undeclared resource", detail, expression.range)]
    changes = _find_changes(context, AbsResource(instance.address.module, resource), subject)
    if not changes:
        return False, [error(f"no change found for {subject} in {where}")]
    triggers = (*_TRIGGERS, Action.CREATE) if context.flavour.creation_triggers_replacement else _TRIGGERS
    if not reference.remaining:
        return any(change.action in triggers for change in changes), []
    change = changes[0]
    if change.action not in triggers:
        return False, []
    return _value_at(change.before, reference.remaining) != _value_at(change.after, reference.remaining), []


def _find_changes(context: NodeContext, resource: AbsResource, subject: object) -> list[ResourceChange]:
    if isinstance(subject, ResourceInstance):
        change = context.changes.of(resource.instance(subject.key))
        return [] if change is None else [change]
    together = context.changes.of_resource(resource)
    return [] if together is None else list(together.objects.values())


def _value_at(value: Value, steps: tuple[tree.Step, ...]) -> Value | None:
    """Return the part of a value at the steps, or None if they lead nowhere. Kinds are strict: a name selects from an
    object, a string from a map, a number from a list."""
    for step in steps:
        if value.is_null:
            return None
        found = _attribute(value, step.name) if isinstance(step, tree.TraverseAttribute) else _element(value, step.key)
        if found is None:
            return None
        value = found.with_marks(value.marks)
    return value


def _attribute(value: Value, name: str) -> Value | None:
    if not isinstance(value.type, ObjectType) or name not in value.type.attributes:
        return None
    return value.payload[name] if value.is_known else unknown(value.type.attributes[name])


def _element(value: Value, key: Value) -> Value | None:
    if isinstance(value.type, MapType) and key.type is STRING:
        return value.payload.get(key.payload) if value.is_known else unknown(value.type.element)
    if isinstance(value.type, ListType | TupleType) and key.type is NUMBER:
        position = numbers.to_int(key.payload)
        if not value.is_known:
            return unknown(value.type.element) if isinstance(value.type, ListType) else None
        elements: tuple[Value, ...] = value.payload
        return elements[position] if numbers.is_whole(key.payload) and 0 <= position < len(elements) else None
    return None
