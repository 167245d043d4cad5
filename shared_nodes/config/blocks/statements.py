"""Blocks about objects that exist already: `moved` and `import`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from shared_nodes.addresses.module import ModuleInstance
from shared_nodes.addresses.parse import Target, parse_instance, parse_target
from shared_nodes.addresses.resource import AbsResourceInstance, ResourceMode
from shared_nodes.config.blocks.model import ImportBlock, MovedBlock, ProviderReference
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
_IMPORT_BY_IDENTITY: Final = ContentSchema(
    arguments=frozenset(("for_each", "id", "identity", "provider")), required=("to",)
)


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


def read_import(block: Block, flavour: Flavour) -> tuple[ImportBlock | None, list[Diagnostic]]:
    """Read an import. In a flavour that knows identities, an address that cannot be read ends the reading, and a block
    with other mistakes still counts as an import; otherwise it is the other way round."""
    by_identity = flavour.imports_by_identity
    content, problems = read_content(block.body, _IMPORT_BY_IDENTITY if by_identity else _IMPORT)
    attributes = content.attributes
    is_readable = by_identity or not has_errors(problems)
    target_expression, target = _read_import_target(attributes.get("to"), flavour, problems)
    if by_identity and "to" in attributes and target is None:
        return None, problems
    provider = None
    if "provider" in attributes and is_readable:
        provider, found = _read_import_provider(attributes["provider"], target, flavour)
        problems.extend(found)
    if by_identity:
        problems.extend(_check_identification(block, attributes))
    if target_expression is None or target is None or (not by_identity and has_errors(problems)):
        return None, problems
    expressions = {name: attribute.expression for name, attribute in attributes.items()}
    statement = ImportBlock(
        to=target_expression,
        identifier=expressions.get("id"),
        identity=expressions.get("identity"),
        for_each=expressions.get("for_each"),
        provider=provider,
        range=block.header_range,
        provider_range=attributes["provider"].range if "provider" in attributes else None,
    )
    return statement, problems


def _read_import_target(
    to: Attribute | None, flavour: Flavour, problems: list[Diagnostic]
) -> tuple[Expression | None, AbsResourceInstance | None]:
    if to is None:
        return None, None
    expression, unreadable = as_expression(to.expression, flavour)
    problems.extend(unreadable)
    is_json = to.expression.range.source.is_json
    if unreadable or (is_json and flavour.imports_by_identity and has_errors(problems)):
        return None, None
    target = import_target(expression, flavour)
    if isinstance(target, Diagnostic):
        problems.append(target)
    is_managed = not isinstance(target, Diagnostic) and target.resource.mode is ResourceMode.MANAGED
    if not is_managed and not flavour.imports_are_resolved_when_planning:
        problems.append(error("Invalid import address", "Only managed resources can be imported.", to.range))
    return expression, None if isinstance(target, Diagnostic) else target


def _read_import_provider(
    attribute: Attribute, target: AbsResourceInstance | None, flavour: Flavour
) -> tuple[ProviderReference | None, list[Diagnostic]]:
    reference, problems = read_provider_reference(attribute.expression, "provider", flavour)
    if target is not None and target.module.steps:
        detail = (
            "The provider argument can only be specified in import blocks that will generate configuration.\n\nUse the "
            "providers argument within the module block to configure providers for all resources within a module, "
            "including imported resources."
        )
        problems = [error("Invalid import provider argument", detail, attribute.range), *problems]
    return reference, problems


def _check_identification(block: Block, attributes: Mapping[str, Attribute]) -> list[Diagnostic]:
    """Require exactly one of `id` and `identity`."""
    given = [attributes[name].range for name in ("id", "identity") if name in attributes]
    if not given:
        detail = (
            "One of 'id' or 'identity' must be specified in an import block to identify the resource instance to "
            "import."
        )
        return [error("Missing required import argument", detail, block.header_range)]
    if len(given) == 1:
        return []
    detail = (
        "Only one of 'id' or 'identity' can be specified in an import block. 'id' identifies the resource instance by "
        "its ID, while 'identity' identifies the resource instance by its Resource Identity. Choose one method to "
        "identify the resource instance to import."
    )
    first, last = sorted(given, key=lambda where: where.start)
    return [error("Conflicting import arguments", detail, first.through(last))]


def import_target(expression: Expression, flavour: Flavour) -> AbsResourceInstance | Diagnostic:
    """Return the address to import to, without computed keys, which leave no trace in the address."""
    without_keys = _without_computed_keys(expression)
    if isinstance(without_keys, Traversal):
        return parse_instance(without_keys, flavour)
    if flavour.imports_are_resolved_when_planning:
        detail = (
            "Import address must be a reference to a resource's address, and only allows for indexing with dynamic "
            "keys. For example: module.my_module[expression1].aws_s3_bucket.my_buckets[expression2] for resources "
            "inside of modules, or simply aws_s3_bucket.my_bucket for a resource in the root module"
        )
        return error("Invalid import address expression", detail, without_keys.range)
    traversal = static_reference(expression)
    return traversal if isinstance(traversal, Diagnostic) else parse_instance(traversal, flavour)


def _without_computed_keys(expression: Expression) -> Expression:
    """Return the reference without computed keys, or the part of the expression that is no reference."""
    if isinstance(expression, Index):
        return _without_computed_keys(expression.collection)
    if isinstance(expression, RelativeTraversal):
        source = _without_computed_keys(expression.source)
        if not isinstance(source, Traversal):
            return source
        whole = source.range.through(expression.steps[-1].range)
        return Traversal(whole, source.root, source.root_range, (*source.steps, *expression.steps))
    return expression
