"""`provider_meta`: data of a module that is passed to the provider of a resource with every call."""

from __future__ import annotations

from shared_nodes.addresses.provider import ProviderInstance
from shared_nodes.addresses.resource import AbsResourceInstance
from shared_nodes.config.blocks import ProviderMeta
from shared_nodes.context.node_context import NodeContext
from shared_nodes.lang.diagnostics import Diagnostic, error
from shared_nodes.nodes.body.decode import decode_body
from shared_nodes.values.value import NULL_DYNAMIC, Value

__all__ = ["provider_meta"]


def provider_meta(
    context: NodeContext, address: AbsResourceInstance, provider: ProviderInstance
) -> tuple[Value, list[Diagnostic]]:
    """Evaluate the block. The result is null without a `provider_meta` block, and for objects without a resource block.
    A provider that does not support it is reported here, not in validation, as in the original."""
    meta = _find_block(context, address, provider)
    if meta is None:
        return NULL_DYNAMIC, []
    schema = context.schemas[provider.source].provider_meta
    if schema is None:
        summary = f"Provider {provider.source} doesn't support provider_meta"
        name = str(address).removeprefix(f"{address.module}.")
        detail = f"The resource {name} belongs to a provider that doesn't support provider_meta blocks"
        return NULL_DYNAMIC, [error(summary, detail, meta.provider_range)]
    value, problems = decode_body(context.scope(address.module), meta.body, schema)
    return value.unmark_deep()[0], problems


def _find_block(context: NodeContext, address: AbsResourceInstance, provider: ProviderInstance) -> ProviderMeta | None:
    node = context.config.at(address.module.path)
    if node is None or not node.module.provider_metas or address.resource not in node.module.resources:
        return None
    metas = node.module.provider_metas.values()
    return next((meta for meta in metas if node.module.source_for(meta.provider) == provider.source), None)
