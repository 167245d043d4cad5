"""Derives a schema from everything visible of a provider: the blocks written for it, the attributes that expressions
read, and the objects in a state.

Every argument is optional and of any type; every nested block may occur any number of times. An attribute that is read
but not configured everywhere is computed, and `id` always is. A name that is an argument in one place and a block in
another becomes a block, since no schema allows both.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field, replace
from typing import Final

from harness.simulation.permissive.uses import Use, uses_in
from shared_nodes.addresses.provider import ProviderSource
from shared_nodes.addresses.resource import Resource, ResourceMode
from shared_nodes.config.blocks import ResourceBlock
from shared_nodes.config.tree import ConfigTree
from shared_nodes.lang import tree
from shared_nodes.providers.schema import (
    BlockType,
    Nesting,
    ProviderSchema,
    ResourceSchema,
    SchemaAttribute,
    SchemaBlock,
)
from shared_nodes.record import record
from shared_nodes.state.model import State
from shared_nodes.values.types import DYNAMIC, STRING

__all__ = ["IDENTITY", "Derived", "derive"]

IDENTITY: Final = "id"
_WRITE_ONLY: Final = "_wo"

_Kind = tuple[ResourceMode, str]


@record
class Derived:
    schema: ProviderSchema
    uses: Mapping[_Kind, Use]
    """How each type is used, which determines the shape of its computed attributes."""

    functions: Mapping[str, Use] = field(default_factory=dict)
    """How the result of each function of the provider is used, by the name of the function."""


def derive(
    source: ProviderSource, config: ConfigTree | None, state: State, known: ProviderSchema | None = None
) -> Derived:
    """Derive a schema, or take the known one; only `provider_meta` is in no published schema."""
    kinds: dict[_Kind, _ResourceType] = {}
    own, meta = _MergedBodies(), _MergedBodies()
    functions: dict[str, Use] = {}
    uses_by_module = {} if config is None else uses_in(config)
    for node in () if config is None else config.walk():
        module = node.module
        for resource, block in module.resources.items():
            if module.source_of(resource) == source:
                _type_of(kinds, resource).add(block)
        found = uses_by_module[node.path]
        for resource, use in found.resources.items():
            if resource in module.resources and module.source_of(resource) == source:
                _merge(_type_of(kinds, resource).use, use)
        for name, use in found.functions.items():
            _, local_name, function = name.split("::", 2)
            if module.source_for(local_name) == source:
                _merge(functions.setdefault(function, Use()), use)
        for local_name, remark in module.provider_metas.items():
            if module.source_for(local_name) == source:
                meta.add(remark.body)
        for (name, _), provider in module.providers.items():
            if module.source_for(name) == source:
                own.add(provider.body)
    _add_stored_attributes(kinds, source, state)
    uses = {kind: resource_type.use for kind, resource_type in kinds.items()}
    if known is not None:
        return Derived(replace(known, provider_meta=meta.block(Use())), uses, functions)
    return Derived(
        ProviderSchema(
            provider=own.block(Use()),
            managed=_schemas(kinds, ResourceMode.MANAGED),
            data=_schemas(kinds, ResourceMode.DATA),
            ephemeral=_schemas(kinds, ResourceMode.EPHEMERAL),
            provider_meta=meta.block(Use()),
        ),
        uses,
        functions,
    )


@record(frozen=False)
class _MergedBodies:
    """Several bodies of one kind, merged."""

    bodies: int = 0
    arguments: dict[str, int] = field(default_factory=dict)
    """The number of bodies in which each argument occurs."""

    blocks: dict[str, _MergedBodies] = field(default_factory=dict)
    is_labelled: bool = False
    """Whether such a block has a label, which is then the key of a map."""

    def add(self, body: tree.Body) -> None:
        self.bodies += 1
        for name in body.attributes:
            self.arguments[name] = self.arguments.get(name, 0) + 1
        for block in body.blocks:
            if block.type != "dynamic":
                inner = self.blocks.setdefault(block.type, _MergedBodies())
                inner.is_labelled = inner.is_labelled or bool(block.labels)
                inner.add(block.body)
            elif block.labels:
                inner = self.blocks.setdefault(block.labels[0], _MergedBodies())
                inner.is_labelled = inner.is_labelled or "labels" in block.body.attributes
                for content in block.body.blocks:
                    inner.add(content.body)

    def ignore(self, path: tree.Traversal) -> None:
        """Include what an element of `ignore_changes` names: an argument that others may change."""
        steps = [step.name for step in path.steps if isinstance(step, tree.TraverseAttribute)]
        bodies, name = self, path.root
        while name in bodies.blocks and steps:
            bodies, name = bodies.blocks[name], steps.pop(0)
        if name not in bodies.blocks:
            bodies.arguments.setdefault(name, 0)

    def block(self, use: Use) -> SchemaBlock:
        attributes = {
            name: SchemaAttribute(
                DYNAMIC,
                optional=name in self.arguments,
                computed=name in use.parts and self.arguments.get(name, 0) < self.bodies,
                write_only=name in self.arguments and name.endswith(_WRITE_ONLY),
            )
            for name in sorted(self.arguments.keys() | use.parts.keys() - self.blocks.keys())
            if name not in self.blocks
        }
        blocks = {
            name: BlockType(Nesting.MAP if inner.is_labelled else Nesting.LIST, inner.block(_use_of_block(use, name)))
            for name, inner in sorted(self.blocks.items())
        }
        return SchemaBlock(attributes, blocks)


def _use_of_block(use: Use, name: str) -> Use:
    found = use.parts.get(name, Use())
    return found if found.element is None else found.element


@record(frozen=False)
class _ResourceType:
    """All resources of one type."""

    bodies_seen: _MergedBodies = field(default_factory=_MergedBodies)
    use: Use = field(default_factory=Use)
    ignored: list[tree.Traversal] = field(default_factory=list)
    stored_names: set[str] = field(default_factory=set)
    version: int = 0

    def add(self, block: ResourceBlock) -> None:
        self.bodies_seen.add(block.body)
        self.ignored += block.lifecycle.ignore_changes

    def schema(self) -> ResourceSchema:
        for path in self.ignored:
            self.bodies_seen.ignore(path)
        block = self.bodies_seen.block(self.use)
        attributes = {
            name: SchemaAttribute(DYNAMIC, optional=True, computed=True)
            for name in sorted(self.stored_names - block.attributes.keys() - block.block_types.keys())
        }
        identity = SchemaAttribute(STRING, optional=True, computed=True)
        return ResourceSchema(
            SchemaBlock({**block.attributes, **attributes, IDENTITY: identity}, block.block_types), self.version
        )


def _type_of(kinds: dict[_Kind, _ResourceType], resource: Resource) -> _ResourceType:
    return kinds.setdefault((resource.mode, resource.type), _ResourceType())


def _schemas(kinds: Mapping[_Kind, _ResourceType], mode: ResourceMode) -> dict[str, ResourceSchema]:
    return {name: resource_type.schema() for (of_mode, name), resource_type in kinds.items() if of_mode is mode}


def _merge(into: Use, use: Use) -> None:
    into.count = max(into.count, use.count)
    into.is_text = into.is_text or use.is_text
    into.is_map = into.is_map or use.is_map
    into.form = into.form or use.form
    if use.inside is not None:
        into.inside = into.inside or (use.inside[0], Use())
        _merge(into.inside[1], use.inside[1])
    for name, part in use.parts.items():
        _merge(into.parts.setdefault(name, Use()), part)
    if use.element is not None:
        into.element = into.element or Use()
        _merge(into.element, use.element)


def _add_stored_attributes(kinds: dict[_Kind, _ResourceType], source: ProviderSource, state: State) -> None:
    """Include what objects in the state have, even if it is no longer configured or used."""
    for address, instance in state.instances():
        if state.resources[address.containing].provider.source != source:
            continue
        resource_type = _type_of(kinds, address.resource)
        for stored in (instance.current, *instance.deposed.values()):
            if stored is not None:
                resource_type.version = max(resource_type.version, stored.stored_version, stored.schema_version)
                resource_type.stored_names.update(_names(stored.stored, stored.value))


def _names(stored: object, value: object) -> Iterable[str]:
    if isinstance(stored, dict):
        return stored.keys()
    payload = getattr(value, "payload", None)
    return payload.keys() if isinstance(payload, dict) else ()
