"""`replace_triggered_by`: whether changes planned for other resources ask for a replacement of this one."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from shared_nodes.addresses.references import Reference, ResourceInstance, parse_reference
from shared_nodes.addresses.resource import AbsResource, Resource
from shared_nodes.diagnostics import Diagnostic, error
from shared_nodes.lang import tree
from shared_nodes.nodes.context import NodeContext
from shared_nodes.nodes.instance import DeclaredInstance
from shared_nodes.nodes.scope import ModuleScope
from shared_nodes.plan.change import Action, ResourceChange
from shared_nodes.values import number as numbers
from shared_nodes.values.types import NUMBER, STRING, ListType, MapType, ObjectType, TupleType
from shared_nodes.values.value import Value, unknown

__all__ = ["replacement_triggered"]

_TRIGGERS: Final = (Action.UPDATE, Action.DELETE_THEN_CREATE, Action.CREATE_THEN_DELETE)


def replacement_triggered(context: NodeContext, instance: DeclaredInstance) -> tuple[bool, list[Diagnostic]]:
    """The first expression that fires decides, unless one before it was wrong: then all are only checked."""
    scope = instance.scope(context)
    problems: list[Diagnostic] = []
    for expression in instance.block.lifecycle.replace_triggered_by:
        reference = _reference(expression, scope)
        if isinstance(reference, Diagnostic):
            problems.append(reference)
            continue
        fired, found = _fires(context, instance, expression, reference)
        problems += found
        if fired and not problems:
            return True, []
    return False, problems


def _reference(expression: tree.Expression, scope: ModuleScope) -> Reference | Diagnostic:
    traversal = _traversal(expression, scope)
    return traversal if isinstance(traversal, Diagnostic) else parse_reference(traversal)


def _traversal(expression: tree.Expression, scope: ModuleScope) -> tree.Traversal | Diagnostic:
    """The expression with index keys (`count.index`, `each.key`) replaced by what they are for this instance."""
    match expression:
        case tree.Traversal():
            return expression
        case tree.RelativeTraversal(source=source, steps=steps):
            base = _traversal(source, scope)
            return base if isinstance(base, Diagnostic) else _extended(base, steps, expression)
        case tree.Index(collection=collection, key=key):
            base = _traversal(collection, scope)
            if isinstance(base, Diagnostic):
                return base
            value, problems = scope.evaluate(key)
            if problems:
                return problems[0]
            return _extended(base, (tree.IndexStep(value.unmark_deep()[0], key.range),), expression)
    return error("Invalid reference expression", "", expression.range)


def _extended(base: tree.Traversal, steps: tuple[tree.Step, ...], whole: tree.Expression) -> tree.Traversal:
    return replace(base, range=whole.range, steps=(*base.steps, *steps))


def _fires(
    context: NodeContext, instance: DeclaredInstance, expression: tree.Expression, reference: Reference
) -> tuple[bool, list[Diagnostic]]:
    subject = reference.subject
    resource = subject.resource if isinstance(subject, ResourceInstance) else subject
    if not isinstance(resource, Resource):
        return False, []
    where = str(instance.address.module) or "the root module"
    if resource not in instance.node.module.resources:
        detail = f"A resource {subject} has not been declared in {where}"
        return False, [error("Reference to undeclared resource", detail, expression.range)]
    changes = _changes(context, AbsResource(instance.address.module, resource), subject)
    if not changes:
        return False, [error(f"no change found for {subject} in {where}")]
    if not reference.remaining:
        return any(change.action in _TRIGGERS for change in changes), []
    change = changes[0]
    if change.action not in _TRIGGERS:
        return False, []
    return _at(change.before, reference.remaining) != _at(change.after, reference.remaining), []


def _changes(context: NodeContext, resource: AbsResource, subject: object) -> list[ResourceChange]:
    if isinstance(subject, ResourceInstance):
        change = context.changes.of(resource.instance(subject.key))
        return [] if change is None else [change]
    return [change for change in context.changes.resources.values() if change.address.containing == resource]


def _at(value: Value, steps: tuple[tree.Step, ...]) -> Value | None:
    """The part of a value that steps lead to, None where they lead nowhere. Kinds are taken strictly: a name is for an
    object, a string for a map, a number for a list."""
    for step in steps:
        if value.is_null:
            return None
        found = _attribute(value, step.name) if isinstance(step, tree.AttributeStep) else _element(value, step.key)
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
