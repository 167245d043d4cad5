"""Checks arguments of resources against the schemas of the builtin provider, for configurations without an engine."""

from __future__ import annotations

from shared_nodes.addresses.module import ROOT_INSTANCE
from shared_nodes.addresses.resource import AbsResource, ResourceMode
from shared_nodes.config.blocks import ResourceBlock
from shared_nodes.config.module import Module
from shared_nodes.config.syntax.content import ContentSchema, read_content
from shared_nodes.lang.diagnostics import Diagnostic, error
from shared_nodes.nodes.resource.prevent_destroy import validate_prevent_destroy
from shared_nodes.providers.builtin import block_of, is_builtin_type

__all__ = ["check_resource_arguments"]

_KINDS = {
    ResourceMode.MANAGED: "resource type",
    ResourceMode.DATA: "data source",
    ResourceMode.EPHEMERAL: "ephemeral resource type",
}


def check_resource_arguments(module: Module) -> list[Diagnostic]:
    """Report unknown types, arguments and blocks that a type does not have, and protection that is no boolean."""
    problems = [problem for block in module.resources.values() for problem in _check(block)]
    if module.flavour.prevent_destroy_is_evaluated:
        for resource, block in module.resources.items():
            problems += validate_prevent_destroy(block, AbsResource(ROOT_INSTANCE, resource), module.flavour)
    return problems


def _check(block: ResourceBlock) -> list[Diagnostic]:
    resource = block.resource
    if not is_builtin_type(resource.type):
        return []
    provided = block_of(resource)
    if provided is None:
        kind = _KINDS[resource.mode]
        detail = f'The provider terraform.io/builtin/terraform does not support {kind} "{resource.type}".'
        return [error(f"Invalid {kind}", detail, block.type_range)]
    settable = {name for name, attribute in provided.attributes.items() if attribute.optional or attribute.required}
    schema = ContentSchema(arguments=frozenset(settable), blocks={"dynamic": ("type",)})
    _, problems = read_content(block.body, schema)
    for inner in block.body.blocks:
        if inner.type == "dynamic" and len(inner.labels) == 1:
            detail = f'Blocks of type "{inner.labels[0]}" are not expected here.'
            problems.append(error("Unsupported block type", detail, inner.label_ranges[0]))
    return problems
