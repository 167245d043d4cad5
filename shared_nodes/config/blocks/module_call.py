"""`module` blocks."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from shared_nodes.config.blocks.lifecycle import read_module_lifecycle
from shared_nodes.config.blocks.model import ModuleCallBlock, PassedProvider
from shared_nodes.config.blocks.provider_references import read_passed_providers
from shared_nodes.config.blocks.repetition import repetition_conflict
from shared_nodes.config.blocks.resource import duplicate_escape, duplicate_lifecycle, reserved_block
from shared_nodes.config.syntax.content import ContentSchema, merged_body, split_content
from shared_nodes.config.syntax.literals import check_name, constant_text
from shared_nodes.config.syntax.module_source import check_source
from shared_nodes.config.syntax.static_reference import reference_list
from shared_nodes.config.syntax.version_constraint import read_constraint
from shared_nodes.flavour import Flavour
from shared_nodes.lang.diagnostics import Diagnostic
from shared_nodes.lang.tree import Attribute, Block, Traversal

__all__ = ["located_call", "read_module_call"]

_SCHEMA: Final = ContentSchema(
    arguments=frozenset(("version", "count", "for_each", "depends_on", "providers")),
    required=("source",),
    blocks={"_": (), "lifecycle": (), "locals": (), "provider": ("type",)},
)
_OVERRIDE: Final = _SCHEMA.without_requirements()


def read_module_call(
    block: Block, flavour: Flavour, *, is_override: bool = False
) -> tuple[ModuleCallBlock, list[Diagnostic]]:
    """Read a module call. If its source is invalid, or not known before it is evaluated, `source` is empty."""
    content, rest, problems = split_content(block.body, _OVERRIDE if is_override else _SCHEMA)
    attributes = content.attributes
    problems.extend(check_name("Invalid module instance name", block.labels[0], block.label_ranges[0]))
    depends_on: list[Traversal] = []
    if "depends_on" in attributes:
        depends_on, found = reference_list(attributes["depends_on"].expression, flavour)
        problems.extend(found)
    passed: tuple[PassedProvider, ...] | None = None
    if "providers" in attributes:
        passed, found = read_passed_providers(attributes["providers"].expression, flavour)
        problems.extend(found)
    escape, enabled = _read_inner_blocks(content.blocks, flavour, problems)
    problems.extend(repetition_conflict("module", attributes, enabled, flavour))
    count, for_each = attributes.get("count"), attributes.get("for_each")
    given = attributes.get("source")
    call = ModuleCallBlock(
        name=block.labels[0],
        source="",
        source_range=block.header_range if given is None else given.expression.range,
        body=rest if escape is None else merged_body(rest, escape.body),
        range=block.header_range,
        count=None if count is None else count.expression,
        for_each=None if for_each is None else for_each.expression,
        enabled=None if enabled is None else enabled.expression,
        depends_on=tuple(depends_on),
        passed_providers=passed,
        source_argument=given,
        version_argument=attributes.get("version"),
    )
    if not flavour.evaluates_statically:
        call, found = _with_constants(call, flavour)
        problems.extend(found)
    return call, problems


def _with_constants(call: ModuleCallBlock, flavour: Flavour) -> tuple[ModuleCallBlock, list[Diagnostic]]:
    problems: list[Diagnostic] = []
    version = read_constraint(call.version_argument, problems)
    source = constant_text(call.source_argument, flavour, problems)
    call, found = located_call(call, source, version, flavour)
    return call, [*problems, *found]


def located_call(
    call: ModuleCallBlock, source: str | None, version: str, flavour: Flavour
) -> tuple[ModuleCallBlock, list[Diagnostic]]:
    """Return the call with its source and version, as soon as they are known. None is an unusable source."""
    problems: list[Diagnostic] = []
    if source is not None:
        problems = check_source(source, call.source_range, flavour, has_version=call.version_argument is not None)
    return replace(call, source="" if source is None or problems else source, version=version), problems


def _read_inner_blocks(
    blocks: tuple[Block, ...], flavour: Flavour, problems: list[Diagnostic]
) -> tuple[Block | None, Attribute | None]:
    """Return the escaping block, and the argument that enables the module."""
    escape: Block | None = None
    lifecycle: Block | None = None
    enabled: Attribute | None = None
    for inner in blocks:
        if inner.type == "lifecycle" and flavour.lifecycle_enables_objects:
            if lifecycle is not None:
                problems.append(duplicate_lifecycle(lifecycle, inner))
                continue
            lifecycle = inner
            enabled, found = read_module_lifecycle(inner)
            problems.extend(found)
        elif inner.type != "_":
            problems.append(reserved_block(inner, "module", flavour))
        elif escape is not None:
            problems.append(duplicate_escape(escape, inner, "module input variables", "module"))
        else:
            escape = inner
    return escape, enabled
