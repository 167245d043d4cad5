"""`resource`, `data` and `ephemeral` blocks: reads the meta-arguments and leaves the rest to the provider."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Final

from shared_nodes.addresses.resource import Resource, ResourceMode
from shared_nodes.config.blocks.lifecycle import read_foreign_lifecycle, read_managed_lifecycle
from shared_nodes.config.blocks.model import Lifecycle, ProvisionerBlock, ResourceBlock
from shared_nodes.config.blocks.provider_references import read_provider_reference
from shared_nodes.config.blocks.provisioner import check_destroy_references, read_provisioner
from shared_nodes.config.blocks.repetition import repetition_conflict
from shared_nodes.config.syntax.content import ContentSchema, merged_body, split_content
from shared_nodes.config.syntax.literals import check_name
from shared_nodes.config.syntax.static_reference import reference_list
from shared_nodes.flavour import Flavour
from shared_nodes.lang.diagnostics import Diagnostic, error
from shared_nodes.lang.tree import Block
from shared_nodes.record import record

__all__ = ["MODES", "duplicate_escape", "duplicate_lifecycle", "read_resource", "reserved_block"]

MODES: Final[Mapping[str, ResourceMode]] = {
    "resource": ResourceMode.MANAGED,
    "data": ResourceMode.DATA,
    "ephemeral": ResourceMode.EPHEMERAL,
}
"""The resource mode that each block type declares."""

_ARGUMENTS: Final = frozenset(("count", "for_each", "provider", "depends_on"))
_BLOCKS: Final[Mapping[str, tuple[str, ...]]] = {"lifecycle": (), "locals": (), "_": ()}
_SCHEMAS: Final[Mapping[str, ContentSchema]] = {
    "resource": ContentSchema(_ARGUMENTS, blocks={**_BLOCKS, "connection": (), "provisioner": ("type",)}),
    "data": ContentSchema(_ARGUMENTS, blocks=_BLOCKS),
    "ephemeral": ContentSchema(_ARGUMENTS, blocks=_BLOCKS),
}
_EPHEMERAL_NAMES: Final = ("Invalid ephemeral resource type name", "Invalid ephemeral resource name")
_NAME_KINDS: Final[Mapping[str, tuple[str, str]]] = {
    "resource": ("Invalid resource type name", "Invalid resource name"),
    "data": ("Invalid data source name", "Invalid data resource name"),
    "ephemeral": ("Invalid ephemeral resource type", "Invalid ephemeral resource name"),
}


@record(frozen=False)
class _Reading:
    """What has been read from the nested blocks of one resource so far."""

    block: Block
    resource: Resource
    flavour: Flavour
    is_override: bool
    problems: list[Diagnostic] = field(default_factory=list)
    lifecycle: Lifecycle | None = None
    lifecycle_block: Block | None = None
    connection: Block | None = None
    provisioners: list[ProvisionerBlock] = field(default_factory=list)
    escape: Block | None = None

    @property
    def reads_as_data(self) -> bool:
        if self.resource.mode is ResourceMode.EPHEMERAL:
            return not self.flavour.ephemeral_blocks_read_as_resources
        return self.resource.mode is ResourceMode.DATA


def read_resource(
    block: Block, flavour: Flavour, *, is_nested: bool = False, is_override: bool = False
) -> tuple[ResourceBlock, list[Diagnostic]]:
    """Read a resource. `is_nested` is set inside a check, which has its own rules on repetition."""
    reads_as_resource = block.type == "ephemeral" and flavour.ephemeral_blocks_read_as_resources
    content, rest, problems = split_content(block.body, _SCHEMAS["resource" if reads_as_resource else block.type])
    resource = Resource(MODES[block.type], block.labels[0], block.labels[1])
    reading = _Reading(block, resource, flavour, is_override, problems)
    summaries = _EPHEMERAL_NAMES if reads_as_resource else _NAME_KINDS[block.type]
    for summary, name, where in zip(summaries, block.labels, block.label_ranges, strict=True):
        problems.extend(check_name(summary, name, where))
    attributes = content.attributes
    provider, found = None, list[Diagnostic]()
    if "provider" in attributes:
        provider, found = read_provider_reference(attributes["provider"].expression, "provider", flavour)
    problems.extend(found)
    depends_on, found = (
        ([], []) if "depends_on" not in attributes else reference_list(attributes["depends_on"].expression, flavour)
    )
    problems.extend(found)
    for inner in content.blocks:
        _read_inner(reading, inner)
    lifecycle = reading.lifecycle or Lifecycle()
    if not is_nested:
        problems.extend(repetition_conflict(block.type, attributes, lifecycle.enabled, flavour))
    if reading.connection is not None and any(one.when == "destroy" for one in reading.provisioners):
        problems.extend(check_destroy_references(reading.connection.body, flavour))
    count, for_each = attributes.get("count"), attributes.get("for_each")
    decoded = ResourceBlock(
        resource=resource,
        body=rest if reading.escape is None else merged_body(rest, reading.escape.body),
        range=block.header_range,
        type_range=block.label_ranges[0],
        count=None if count is None else count.expression,
        for_each=None if for_each is None else for_each.expression,
        depends_on=tuple(depends_on),
        provider=provider,
        lifecycle=lifecycle,
        provisioners=tuple(reading.provisioners),
        connection=None if reading.connection is None else reading.connection.body,
    )
    return decoded, problems


def _read_inner(reading: _Reading, inner: Block) -> None:
    match inner.type:
        case "lifecycle":
            _read_lifecycle(reading, inner)
        case "connection" | "provisioner" if reading.resource.mode is ResourceMode.EPHEMERAL:
            detail = (
                f'The block type "{inner.type}" cannot be used in ephemeral resources. This is meant to be used '
                'strictly in "resource" blocks.'
            )
            summary = "Invalid configuration block for ephemeral resource"
            reading.problems.append(error(summary, detail, inner.header_range))
        case "connection":
            if reading.connection is None:
                reading.connection = inner
                return
            detail = f"This resource already has a connection block at {reading.connection.header_range}."
            reading.problems.append(error("Duplicate connection block", detail, inner.header_range))
        case "provisioner":
            provisioner, found = read_provisioner(inner, reading.flavour)
            reading.problems.extend(found)
            if provisioner is not None:
                reading.provisioners.append(provisioner)
        case "_":
            if reading.escape is None:
                reading.escape = inner
                return
            kind = "data" if reading.reads_as_data else "resource"
            reading.problems.append(duplicate_escape(reading.escape, inner, "resource-type-specific", kind))
        case _:
            reading.problems.append(reserved_block(inner, reading.block.type, reading.flavour))


def _read_lifecycle(reading: _Reading, inner: Block) -> None:
    if reading.lifecycle_block is not None:
        is_ephemeral = reading.resource.mode is ResourceMode.EPHEMERAL and not reading.reads_as_data
        what = "ephemeral resource" if is_ephemeral else "resource"
        reading.problems.append(duplicate_lifecycle(reading.lifecycle_block, inner, what))
        return
    reading.lifecycle_block = inner
    read = read_managed_lifecycle if reading.block.type == "resource" else read_foreign_lifecycle
    reading.lifecycle, found = read(inner, reading.resource, reading.flavour, is_override=reading.is_override)
    reading.problems.extend(found)


def duplicate_lifecycle(first: Block, again: Block, what: str = "resource") -> Diagnostic:
    detail = f"This {what} already has a lifecycle block at {first.header_range}."
    return error("Duplicate lifecycle block", detail, again.header_range)


def duplicate_escape(first: Block, again: Block, purpose: str, kind: str) -> Diagnostic:
    """Report a second block named `_`. Such a block holds arguments whose names would otherwise denote
    meta-arguments."""
    detail = (
        f'The special block type "_" can be used to force particular arguments to be interpreted as {purpose} rather '
        f"than as meta-arguments, but each {kind} block can have only one such block. The first escaping block was at "
        f"{first.header_range}."
    )
    return error("Duplicate escaping block", detail, again.header_range)


def reserved_block(block: Block, where: str, flavour: Flavour) -> Diagnostic:
    detail = f'The block type name "{block.type}" is reserved for use by {flavour.product} in a future version.'
    return error(f"Reserved block type name in {where} block", detail, block.type_range)
