"""Conditions with their messages: `precondition`, `postcondition` and `assert` blocks."""

from __future__ import annotations

from typing import Final

from shared_nodes.addresses.references import ResourceInstance, parse_reference
from shared_nodes.addresses.resource import Resource
from shared_nodes.config.blocks.model import Condition
from shared_nodes.config.syntax.content import ContentSchema, read_content
from shared_nodes.flavour import Flavour
from shared_nodes.lang.diagnostics import Diagnostic, error
from shared_nodes.lang.references import free_traversals
from shared_nodes.lang.tree import Block, Expression, Traversal

__all__ = ["read_rule"]

_SCHEMA: Final = ContentSchema(required=("condition", "error_message"))


def read_rule(
    block: Block, flavour: Flavour, owner: Resource | None = None, *, is_override: bool = False
) -> tuple[Condition | None, list[Diagnostic]]:
    """Read a rule; None if its condition or message is missing. Rules cannot be overridden.

    A condition must refer to something, otherwise its result could never change. A rule of a resource, its `owner`, may
    not name the resource: a postcondition uses `self`, and a precondition is evaluated before the object exists.
    """
    if is_override:
        detail = f'Override files cannot override "{block.type}" blocks.'
        return None, [error(f"Can't override {block.type} blocks", detail, block.header_range)]
    content, problems = read_content(block.body, _SCHEMA)
    condition, message = content.attributes.get("condition"), content.attributes.get("error_message")
    expressions = [attribute.expression for attribute in (condition, message) if attribute is not None]
    if condition is not None and next(free_traversals(condition.expression), None) is None:
        detail = (
            "The condition expression must refer to at least one object from elsewhere in the configuration, or else "
            "its result would not be checking anything."
        )
        problems.append(error(f"Invalid {block.type} expression", detail, condition.expression.range))
    if owner is not None:
        selfish = [one for one in expressions if _refers_to(one, owner, flavour)]
        problems.extend(_self_reference(one, block.type, owner) for one in selfish)
    if condition is None or message is None:
        return None, problems
    return Condition(condition.expression, message.expression, block.header_range), problems


def _self_reference(expression: Expression, kind: str, owner: Resource) -> Diagnostic:
    detail = f"Configuration for {owner} may not refer to itself."
    return error(f"Invalid reference in {kind}", detail, expression.range)


def _refers_to(expression: Expression, owner: Resource, flavour: Flavour) -> bool:
    return any(_is_reference_to(traversal, owner, flavour) for traversal in free_traversals(expression))


def _is_reference_to(traversal: Traversal, resource: Resource, flavour: Flavour) -> bool:
    """Return whether a reference denotes the resource. The root name already excludes most references."""
    if traversal.root not in (resource.type, resource.mode.value, "resource"):
        return False
    reference = parse_reference(traversal, flavour)
    subject = None if isinstance(reference, Diagnostic) else reference.subject
    return subject == resource or (isinstance(subject, ResourceInstance) and subject.resource == resource)
