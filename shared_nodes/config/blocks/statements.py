"""Blocks about objects that exist already: `moved` and `import`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from shared_nodes.addresses.module import ModuleInstance
from shared_nodes.addresses.parse import Target, parse_instance, parse_target
from shared_nodes.addresses.resource import AbsResourceInstance, ResourceMode
from shared_nodes.config.blocks.model import ImportBlock, MovedBlock
from shared_nodes.config.blocks.provider_references import read_provider_reference
from shared_nodes.config.syntax.content import ContentSchema, read_content
from shared_nodes.config.syntax.static_reference import static_reference
from shared_nodes.flavour import Flavour
from shared_nodes.lang.diagnostics import Diagnostic, error, has_errors
from shared_nodes.lang.json_static import as_expression
from shared_nodes.lang.tree import Attribute, Block, Expression, Index, RelativeTraversal, Traversal

__all__ = ["import_target", "read_import", "read_moved"]

_MOVED: Final = ContentSchema(required=("from", "to"))
_IMPORT: Final = ContentSchema(arguments=frozenset(("for_each", "provider")), required=("id", "to"))


def read_moved(block: Block, flavour: Flavour) -> tuple[MovedBlock | None, list[Diagnostic]]:
    content, problems = read_content(block.body, _MOVED)
    source = _read_end(content.attributes.get("from"), flavour, problems)
    destination = _read_end(content.attributes.get("to"), flavour, problems)
    if flavour.unmovable_ends_are_reported:
        problems += _unmovable_problems(block, {"from": source, "to": destination})
    if source is None or destination is None or has_errors(problems):
        return None, problems
    if isinstance(source[1], ModuleInstance) != isinstance(destination[1], ModuleInstance):
        detail = 'The "from" and "to" addresses must either both refer to resources or both refer to modules.'
        problems.append(error('Invalid "moved" addresses', detail, block.header_range))
    return MovedBlock(source[0], destination[0], block.header_range), problems


_End = tuple[Traversal, Target] | None


def _unmovable_problems(block: Block, ends: Mapping[str, _End]) -> list[Diagnostic]:
    """Report the ends that are missing, unreadable or ephemeral."""
    return [
        error(
            'Invalid "moved" address',
            f'The resource referenced by the "{name}" attribute is not allowed to be moved.',
            block.header_range,
        )
        for name, end in ends.items()
        if end is None or (not isinstance(end[1], ModuleInstance) and end[1].resource.mode is ResourceMode.EPHEMERAL)
    ]


def _read_end(attribute: Attribute | None, flavour: Flavour, problems: list[Diagnostic]) -> _End:
    if attribute is None:
        return None
    traversal = static_reference(attribute.expression)
    if isinstance(traversal, Diagnostic):
        problems.append(traversal)
        return None
    target = parse_target(traversal, flavour)
    if isinstance(target, Diagnostic):
        problems.append(target)
        return None
    return traversal, target


def read_import(block: Block) -> tuple[ImportBlock | None, list[Diagnostic]]:
    content, problems = read_content(block.body, _IMPORT)
    attributes = content.attributes
    has_bad_content = has_errors(problems)
    to, identifier, for_each = attributes.get("to"), attributes.get("id"), attributes.get("for_each")
    target_expression, unreadable = (None, list[Diagnostic]()) if to is None else as_expression(to.expression)
    problems.extend(unreadable)
    if to is not None and target_expression is not None and not unreadable:
        target = import_target(target_expression)
        if isinstance(target, Diagnostic):
            problems.append(target)
        if isinstance(target, Diagnostic) or target.resource.mode is not ResourceMode.MANAGED:
            detail = "Only managed resources can be imported."
            problems.append(error("Invalid import address", detail, to.range))
    provider = None
    if "provider" in attributes and not has_bad_content:
        provider, found = read_provider_reference(attributes["provider"].expression, "provider")
        problems.extend(found)
    if target_expression is None or identifier is None or has_errors(problems):
        return None, problems
    statement = ImportBlock(
        to=target_expression,
        identifier=identifier.expression,
        for_each=None if for_each is None else for_each.expression,
        provider=provider,
        range=block.header_range,
        provider_range=attributes["provider"].range if "provider" in attributes else None,
    )
    return statement, problems


def import_target(expression: Expression) -> AbsResourceInstance | Diagnostic:
    """Return the address to import to, without computed keys, which leave no trace in the address."""
    without_keys = _without_computed_keys(expression)
    traversal = static_reference(expression if without_keys is None else without_keys)
    return traversal if isinstance(traversal, Diagnostic) else parse_instance(traversal)


def _without_computed_keys(expression: Expression) -> Expression | None:
    if isinstance(expression, Index):
        return _without_computed_keys(expression.collection)
    if isinstance(expression, RelativeTraversal):
        source = _without_computed_keys(expression.source)
        if isinstance(source, Traversal):
            whole = source.range.through(expression.steps[-1].range)
            return Traversal(whole, source.root, source.root_range, (*source.steps, *expression.steps))
        return None
    return expression if isinstance(expression, Traversal) else None
