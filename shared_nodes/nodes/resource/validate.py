"""Validation of one resource block: everything that is wrong regardless of values.

Nothing is expanded: the block is checked once, with unknown keys, and so is everything it refers to.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from shared_nodes.addresses.module import ModuleInstance
from shared_nodes.addresses.provider import ProviderInstance
from shared_nodes.addresses.resource import AbsResource, Resource, ResourceMode
from shared_nodes.config.blocks import ResourceBlock
from shared_nodes.config.syntax.provider_names import display_source
from shared_nodes.context.attribute_steps import check_attributes
from shared_nodes.context.depends_on import check_depends_on
from shared_nodes.context.node_context import NodeContext
from shared_nodes.context.repetition import check_settled_repetition, unexpanded
from shared_nodes.context.scope import ModuleScope
from shared_nodes.flavour import Flavour
from shared_nodes.lang.diagnostics import Diagnostic, error, has_errors, warning
from shared_nodes.lang.suggestions import did_you_mean
from shared_nodes.lang.tree import Step, TraverseAttribute
from shared_nodes.nodes.body.decode import decode_body
from shared_nodes.nodes.checks.conditions import validate_rules
from shared_nodes.nodes.provider.diagnostics import attributed
from shared_nodes.nodes.resource.instance import forbidden_ephemerals, resource_schema, schema_attribute
from shared_nodes.nodes.resource.prevent_destroy import validate_prevent_destroy
from shared_nodes.nodes.resource.provisioner import validate_provisioners
from shared_nodes.nodes.resource.replace_triggers import validate_triggers
from shared_nodes.providers.schema import ProviderSchema, SchemaBlock
from shared_nodes.record import record
from shared_nodes.values import paths
from shared_nodes.values.paths import Path, path_text
from shared_nodes.values.value import DYNAMIC_UNKNOWN, Value

__all__ = ["ResourceValidation", "validate_resource"]


@record
class ResourceValidation:
    """A block in a module at its address without keys. `provider` is one instance for all instances of the block: it
    is not configured."""

    module: ModuleInstance
    block: ResourceBlock
    provider: ProviderInstance


async def validate_resource(context: NodeContext, request: ResourceValidation) -> list[Diagnostic]:
    """Validate the block. Conditions are checked even if the rest is wrong, and so is the first provisioner; further
    ones are not."""
    block = request.block
    scope = context.scope(request.module)
    if block.repetition is not None:
        scope = replace(scope, repetition=unexpanded(block))
    problems = await _validate_block(context, request, scope)
    problems += _validate_conditions(context, request, scope)
    problems += validate_prevent_destroy(block, AbsResource(request.module, block.resource), context.flavour)
    if block.provisioners:
        checked = block.provisioners[:1] if has_errors(problems) else block.provisioners
        problems += validate_provisioners(context, request.module, replace(block, provisioners=checked))
    return problems


def _validate_conditions(context: NodeContext, request: ResourceValidation, scope: ModuleScope) -> list[Diagnostic]:
    lifecycle = request.block.lifecycle
    if not lifecycle.has_conditions:
        return []
    schema = resource_schema(context, request.provider, request.block.resource)
    with_self = scope.with_self(DYNAMIC_UNKNOWN, None if schema is None else schema.block)
    return [*validate_rules(lifecycle.preconditions, scope), *validate_rules(lifecycle.postconditions, with_self)]


async def _validate_block(context: NodeContext, request: ResourceValidation, scope: ModuleScope) -> list[Diagnostic]:
    block, address = request.block, AbsResource(request.module, request.block.resource)
    problems = check_settled_repetition(context.scope(request.module), block)
    problems += check_depends_on(scope, block.depends_on)
    schema = resource_schema(context, request.provider, block.resource)
    if schema is None:
        return [*problems, _unknown_type_problem(context, request)]
    config, found = decode_body(scope, block.body, schema.block)
    is_ephemeral = block.resource.mode is ResourceMode.EPHEMERAL
    problems += found if is_ephemeral else attributed(found, block.body, address)
    if has_errors(found):
        return problems
    ephemerals = [] if is_ephemeral else forbidden_ephemerals(config, schema.block, block.body, address, scope.flavour)
    if ephemerals and scope.flavour.evaluation_refuses_ephemeral_values:
        return [*problems, *ephemerals]
    problems += _check_ignore_changes(block, schema.block, scope, problems)
    if scope.flavour.validation_checks_triggers:
        problems += validate_triggers(scope, address, block)
    return [*problems, *ephemerals, *await _ask_provider(context, request, config)]


async def _ask_provider(context: NodeContext, request: ResourceValidation, config: Value) -> list[Diagnostic]:
    provider = context.provider_of(request.provider)
    ask = {
        ResourceMode.MANAGED: provider.validate_resource_config,
        ResourceMode.DATA: provider.validate_data_config,
        ResourceMode.EPHEMERAL: provider.validate_ephemeral_config,
    }[request.block.resource.mode]
    found = await ask(request.block.resource.type, config.unmark_deep()[0])
    return attributed(found, request.block.body, AbsResource(request.module, request.block.resource))


_KINDS: Final = {
    ResourceMode.MANAGED: ("Invalid resource type", "resource type"),
    ResourceMode.DATA: ("Invalid data source", "data source"),
    ResourceMode.EPHEMERAL: ("Invalid ephemeral resource", "ephemeral resource"),
}


def _unknown_type_problem(context: NodeContext, request: ResourceValidation) -> Diagnostic:
    """Suggest another block type if the provider has the name there, or else a similar name. Not every product
    suggests anything for an ephemeral resource."""
    resource = request.block.resource
    summary, kind = _KINDS[resource.mode]
    source = request.provider.source
    offered = context.schemas.get(source) or ProviderSchema()
    suggest = _suggest_any_mode if context.flavour.suggests_types_of_every_mode else _suggest_type
    detail = (
        f'The provider {display_source(source, context.flavour)} does not support {kind} "{resource.type}".'
        f"{suggest(offered, resource)}"
    )
    return error(summary, detail, request.block.type_range)


def _suggest_type(offered: ProviderSchema, resource: Resource) -> str:
    if resource.mode is ResourceMode.MANAGED and resource.type in offered.data:
        return _suggest_block(f'the data source "{resource.type}"', "data", "resource")
    if resource.mode is ResourceMode.DATA and resource.type in offered.managed:
        return _suggest_block(f'the managed resource type "{resource.type}"', "resource", "data")
    if resource.mode is ResourceMode.EPHEMERAL:
        return ""
    names: Iterable[str] = offered.managed if resource.mode is ResourceMode.MANAGED else offered.data
    return did_you_mean(resource.type, names)


_BLOCKS: Final = {
    ResourceMode.MANAGED: "resource",
    ResourceMode.DATA: "data",
    ResourceMode.EPHEMERAL: "ephemeral",
}
"""The block types by mode, in the order in which other modes are searched for a name."""


def _suggest_any_mode(offered: ProviderSchema, resource: Resource) -> str:
    """Suggest the first other mode that has the name. Otherwise suggest a similar name of a managed resource, whatever
    the mode of this block."""
    offers = {
        ResourceMode.MANAGED: offered.managed,
        ResourceMode.DATA: offered.data,
        ResourceMode.EPHEMERAL: offered.ephemeral,
    }
    for mode, block in _BLOCKS.items():
        if mode is not resource.mode and resource.type in offers[mode]:
            return (
                f'\n\nDid you intend to use a block of type "{block}" "{resource.type}"? If so, declare this using a '
                f'block of type "{block}" instead of one of type "{_BLOCKS[resource.mode]}".'
            )
    return did_you_mean(resource.type, offered.managed)


def _suggest_block(what: str, right: str, wrong: str) -> str:
    return (
        f'\n\nDid you intend to use {what}? If so, declare this using a "{right}" block instead of a "{wrong}" block.'
    )


def _check_ignore_changes(
    block: ResourceBlock, schema: SchemaBlock, scope: ModuleScope, so_far: list[Diagnostic]
) -> list[Diagnostic]:
    """Check that paths fit the schema and lead to something that a configuration can set. The latter is only checked if
    there are no other problems."""
    problems: list[Diagnostic] = []
    for traversal in block.lifecycle.ignore_changes:
        steps = (TraverseAttribute(traversal.root, traversal.root_range), *traversal.steps)
        problems += check_attributes(schema, steps, scope.flavour)
        if has_errors([*so_far, *problems]):
            continue
        path = _to_path(steps)
        reached, attribute = schema_attribute(schema, path)
        if reached == path and attribute is not None and attribute.computed and not attribute.optional:
            problems.append(_redundant_warning(path_text(path).removeprefix("."), block, scope.flavour))
    return problems


def _to_path(steps: Iterable[Step]) -> Path:
    return tuple(
        paths.AttributeStep(step.name) if isinstance(step, TraverseAttribute) else paths.IndexStep(step.key)
        for step in steps
    )


def _redundant_warning(path: str, block: ResourceBlock, flavour: Flavour) -> Diagnostic:
    detail = (
        f"Adding an attribute name to ignore_changes tells {flavour.product} to ignore future changes to the argument "
        "in configuration after the object has been created, retaining the value originally configured.\n\n"
        f"The attribute {path} is decided by the provider alone and therefore there can be no configured value to "
        "compare with. Including this attribute in ignore_changes has no effect. Remove the attribute from "
        "ignore_changes to quiet this warning."
    )
    return warning("Redundant ignore_changes element", detail, block.type_range)
