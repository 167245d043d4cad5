"""Merges blocks of override files into the blocks they amend, argument by argument.

What may be overridden, and how, differs between block types in the original, and is reproduced: `ignore_changes` is
replaced but `replace_triggered_by` is not, nor is `ignore_changes = all` in some flavours; rules cannot be replaced at
all, and an argument unknown to both provider and module is not reported once a body has been overridden.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from shared_nodes.config.blocks.model import Lifecycle, ModuleCallBlock, OutputBlock, ProviderBlock, ResourceBlock
from shared_nodes.config.blocks.variable import Variable, null_default
from shared_nodes.flavour import Flavour
from shared_nodes.lang.diagnostics import Diagnostic, error
from shared_nodes.lang.tree import Block, Body, Traversal
from shared_nodes.record import record
from shared_nodes.values.convert import ConversionError, convert

__all__ = [
    "OverriddenBody",
    "kept_blocks",
    "override_module_call",
    "override_output",
    "override_provider",
    "override_resource",
    "override_variable",
]


@record
class OverriddenBody(Body):
    """A body merged from two. Arguments and blocks unknown to the schema are silently ignored in it, and required
    arguments must be in the first of the two, whatever the second adds."""

    base: Body
    override: Body


def override_body(base: Body, override: Body) -> OverriddenBody:
    """Replace arguments individually, and nested blocks all of a type together."""
    kept = kept_blocks(base.blocks, override.blocks)
    attributes = {**base.attributes, **override.attributes}
    return OverriddenBody(attributes, (*kept, *override.blocks), base.range, base.end_range, base, override)


def kept_blocks(base: Iterable[Block], override: Iterable[Block]) -> list[Block]:
    """Return the blocks of a body of whose types an override has none."""
    replaced = set(map(_block_type, override))
    return [block for block in base if _block_type(block) not in replaced]


def _block_type(block: Block) -> str:
    """Return the type of a block. A dynamic block counts as one of the blocks it generates."""
    return block.labels[0] if block.type == "dynamic" and block.labels else block.type


def override_resource(
    base: ResourceBlock, override: ResourceBlock, flavour: Flavour
) -> tuple[ResourceBlock, list[Diagnostic]]:
    merged = replace(
        base,
        body=override_body(base.body, override.body),
        count=override.count or base.count,
        for_each=override.for_each or base.for_each,
        provider=override.provider or base.provider,
        lifecycle=_override_lifecycle(base.lifecycle, override.lifecycle, flavour),
        provisioners=override.provisioners or base.provisioners,
        connection=override.connection or base.connection,
    )
    return merged, _refuse_depends_on(override.depends_on)


def _override_lifecycle(base: Lifecycle, override: Lifecycle, flavour: Flavour) -> Lifecycle:
    before = override.create_before_destroy
    return replace(
        base,
        create_before_destroy=base.create_before_destroy if before is None else before,
        prevent_destroy=override.prevent_destroy or base.prevent_destroy,
        destroy=override.destroy or base.destroy,
        ignore_changes=override.ignore_changes or base.ignore_changes,
        ignore_all_changes=base.ignore_all_changes or (override.ignore_all_changes and flavour.overrides_ignore_all),
    )


def _refuse_depends_on(depends_on: tuple[Traversal, ...]) -> list[Diagnostic]:
    if not depends_on:
        return []
    detail = "The depends_on argument may not be overridden."
    return [error("Unsupported override", detail, depends_on[0].range)]


def override_module_call(
    base: ModuleCallBlock, override: ModuleCallBlock, block: Block
) -> tuple[ModuleCallBlock, list[Diagnostic]]:
    sources = override if "source" in block.body.attributes else base
    merged = replace(
        base,
        source=sources.source,
        source_range=sources.source_range,
        version=override.version or base.version,
        source_argument=sources.source_argument,
        version_argument=override.version_argument or base.version_argument,
        body=override_body(base.body, override.body),
        count=override.count or base.count,
        for_each=override.for_each or base.for_each,
        passed_providers=override.passed_providers or base.passed_providers,
    )
    return merged, _refuse_depends_on(override.depends_on)


def override_provider(base: ProviderBlock, override: ProviderBlock) -> ProviderBlock:
    return replace(base, body=override_body(base.body, override.body), version=override.version or base.version)


def override_output(base: OutputBlock, override: OutputBlock, block: Block) -> tuple[OutputBlock, list[Diagnostic]]:
    attributes = block.body.attributes
    merged = replace(
        base,
        expression=override.expression if "value" in attributes else base.expression,
        sensitive=override.sensitive if "sensitive" in attributes else base.sensitive,
        ephemeral=override.ephemeral if "ephemeral" in attributes else base.ephemeral,
        deprecated=override.deprecated or base.deprecated,
        description=override.description if "description" in attributes else base.description,
    )
    return merged, _refuse_depends_on(override.depends_on)


def override_variable(
    base: Variable, override: Variable, block: Block, flavour: Flavour
) -> tuple[Variable, list[Diagnostic]]:
    """Merge two variables. The resulting default must fit the resulting type, wherever each comes from."""
    attributes = block.body.attributes
    merged = replace(
        base,
        constraint=override.constraint if "type" in attributes else base.constraint,
        parses_literally=override.parses_literally if "type" in attributes else base.parses_literally,
        default=override.default if "default" in attributes else base.default,
        nullable=override.nullable if "nullable" in attributes else base.nullable,
        sensitive=override.sensitive if "sensitive" in attributes else base.sensitive,
        ephemeral=override.ephemeral if "ephemeral" in attributes else base.ephemeral,
        deprecated=override.deprecated or base.deprecated,
        const=override.const if "const" in attributes else base.const,
        description=override.description if "description" in attributes else base.description,
    )
    if merged.default is None:
        return merged, []
    try:
        merged = replace(merged, default=convert(merged.default, merged.constraint.type))
    except ConversionError as failure:
        reason = failure.explain(flavour)
        if "default" in attributes and "type" not in attributes:
            detail = (
                "The overridden default value for this variable is not compatible with the variable's type "
                f"constraint: {reason}."
            )
        else:
            detail = f"Overriding this variable's type constraint has made its default value invalid: {reason}."
        return merged, [error("Invalid default value for variable", detail, block.header_range)]
    if merged.default is not None and merged.default.is_null and not merged.nullable:
        return merged, [null_default(block.header_range)]
    return merged, []
