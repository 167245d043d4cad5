"""Relevant attributes: the parts of objects from which the planned changes were computed.

The analysis starts at the references of every changed object and output and goes back through variables, locals,
outputs and the arguments of resources, collecting each resource on the path. It uses only the configuration: an
argument that a provider computed leads nowhere, and both branches of a condition count. If a resource is referred to as
a whole, every argument of it counts.

Quirks kept on purpose: a reference to a keyed resource without its key (a splat) is reported under the resource's
address; `each` and `count` lead back to the repetition of a resource, but not of a module; a block type that can occur
several times is stepped over, and what follows it is looked up beside it: `part[0].key` leads nowhere, and `part` alone
to everything in the resource.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from shared_nodes.addresses.module import ModuleInstance
from shared_nodes.addresses.provider import ProviderSource
from shared_nodes.addresses.references import (
    CountAttribute,
    EachAttribute,
    InputVariable,
    LocalValue,
    ModuleCall,
    ModuleOutput,
    Reference,
    ResourceInstance,
    Subject,
)
from shared_nodes.addresses.resource import AbsResourceInstance, Resource, ResourceMode
from shared_nodes.config.blocks import ResourceBlock
from shared_nodes.config.module import Module
from shared_nodes.config.tree import ConfigTree
from shared_nodes.lang import tree
from shared_nodes.nodes.body.content import blocks_named
from shared_nodes.nodes.body.decode import body_references
from shared_nodes.plan.change import Action, Changes
from shared_nodes.plan.plan import ResourceAttribute
from shared_nodes.providers.schema import BlockType, Nesting, ProviderSchema, SchemaBlock
from shared_nodes.record import record
from shared_nodes.values import paths
from shared_nodes.values.paths import Path, path_text

__all__ = ["relevant_attributes"]

Schemas = Mapping[ProviderSource, ProviderSchema]


@record
class _Mention:
    """A reference, the module instance that contains it, and the resource whose block contains it, if any."""

    module: ModuleInstance
    subject: Subject
    remaining: Path
    within: Resource | None = None


def relevant_attributes(config: ConfigTree, changes: Changes, schemas: Schemas) -> tuple[ResourceAttribute, ...]:
    """Return the attributes, sorted; the original's order is arbitrary."""
    analysis = _Analysis(config, schemas)
    pending: list[_Mention] = []
    changing = [change.address.containing for change in changes.resources.values() if change.action is not Action.NO_OP]
    for address in dict.fromkeys(changing):
        pending.extend(analysis.resource_sources(address.module, address.resource, ()))
    for output in changes.outputs.values():
        if output.action is not Action.NO_OP:
            pending.extend(analysis.output_sources(output.module, output.name))
    found: set[ResourceAttribute] = set()
    visited: set[_Mention] = set()
    searched: set[_Part] = set()
    while pending:
        mention = pending.pop()
        if mention in visited:
            continue
        visited.add(mention)
        attribute = _resource_attribute(mention)
        if attribute is not None:
            found.add(attribute)
        part = analysis.part_of(mention)
        if part not in searched:
            searched.add(part)
            pending.extend(analysis.sources_of(mention))
    return tuple(sorted(found, key=lambda each: (str(each.resource), path_text(each.path))))


def _resource_attribute(mention: _Mention) -> ResourceAttribute | None:
    match mention.subject:
        case ResourceInstance(resource, key):
            return ResourceAttribute(AbsResourceInstance(mention.module, resource, key), mention.remaining)
        case Resource() as resource:
            return ResourceAttribute(AbsResourceInstance(mention.module, resource), mention.remaining)
    return None


_Part = tuple[ModuleInstance, Subject, Resource | None, tuple[object, ...]]
"""What the sources of a mention depend on. Many mentions have one part: whatever attribute of a local value is
mentioned, all of its expression counts."""


@record
class _Analysis:
    config: ConfigTree
    schemas: Schemas

    def part_of(self, mention: _Mention) -> _Part:
        match mention.subject:
            case ResourceInstance(resource) | (Resource() as resource):
                return mention.module, resource, None, self._names_searched(mention.module, resource, mention.remaining)
            case CountAttribute() | EachAttribute():
                return mention.module, mention.subject, mention.within, ()
        return mention.module, mention.subject, None, ()

    def _names_searched(self, module: ModuleInstance, resource: Resource, path: Path) -> tuple[object, ...]:
        """Return the steps of a path that select a part of a block."""
        node = self.config.at(module.path)
        schema = None if node is None else self._schema(node.module, resource)
        names: list[object] = []
        for step in path:
            if schema is None:
                break
            name = _name_of(step)
            names.append(name)
            nested = schema.block_types.get(name)
            if nested is None:
                break
            schema = _inside(schema, nested)
        return tuple(names)

    def sources_of(self, mention: _Mention) -> Iterator[_Mention]:
        """Yield what the referenced object was computed from."""
        module = mention.module
        match mention.subject:
            case InputVariable(name):
                yield from self._variable_sources(module, name)
            case LocalValue(name):
                node = self.config.at(module.path)
                if node is not None and name in node.module.locals:
                    yield from _mentions(module, node.module, node.module.locals[name].expression)
            case ModuleOutput(call, name):
                yield from self.output_sources(module.child(call.name, call.key), name)
            case ModuleCall(name, key):
                yield from self._module_sources(module.child(name, key))
            case ResourceInstance(resource) | (Resource() as resource):
                yield from self.resource_sources(module, resource, mention.remaining)
            case CountAttribute() | EachAttribute() if mention.within is not None:
                yield from self._repetition_sources(module, mention.within)

    def _variable_sources(self, module: ModuleInstance, name: str) -> Iterator[_Mention]:
        node = self.config.at(module.path)
        parent = self.config.at(module.path.parent)
        if not module.steps or node is None or parent is None or node.call is None:
            return
        argument = node.call.body.attributes.get(name)
        if argument is not None:
            yield from _mentions(module.parent, parent.module, argument.expression)

    def output_sources(self, module: ModuleInstance, name: str) -> Iterator[_Mention]:
        node = self.config.at(module.path)
        if node is not None and name in node.module.outputs:
            yield from _mentions(module, node.module, node.module.outputs[name].expression)

    def _module_sources(self, module: ModuleInstance) -> Iterator[_Mention]:
        node = self.config.at(module.path)
        for name in node.module.outputs if node is not None else ():
            yield from self.output_sources(module, name)

    def _repetition_sources(self, module: ModuleInstance, resource: Resource) -> Iterator[_Mention]:
        node = self.config.at(module.path)
        block = node.module.resources.get(resource) if node is not None else None
        if node is None or block is None:
            return
        for expression in (block.for_each, block.count):
            if expression is not None:
                yield from _mentions(module, node.module, expression, resource)

    def resource_sources(self, module: ModuleInstance, resource: Resource, path: Path) -> Iterator[_Mention]:
        node = self.config.at(module.path)
        block = node.module.resources.get(resource) if node is not None else None
        if node is None or block is None:
            return
        schema = self._schema(node.module, resource)
        if schema is None:
            return
        for reference in _references_at(node.module, block, schema, path):
            yield _mention(module, reference, resource)

    def _schema(self, module: Module, resource: Resource) -> SchemaBlock | None:
        provider = self.schemas.get(module.source_of(resource), ProviderSchema())
        kinds = {ResourceMode.MANAGED: provider.managed, ResourceMode.DATA: provider.data}
        schema = kinds.get(resource.mode, provider.ephemeral).get(resource.type)
        return None if schema is None else schema.block


def _mentions(
    module: ModuleInstance, declared: Module, expression: tree.Expression, within: Resource | None = None
) -> Iterator[_Mention]:
    for reference in declared.expressions.prepare(expression).references:
        yield _mention(module, reference, within)


def _mention(module: ModuleInstance, reference: Reference, within: Resource | None) -> _Mention:
    steps = (
        paths.AttributeStep(step.name) if isinstance(step, tree.TraverseAttribute) else paths.IndexStep(step.key)
        for step in reference.remaining
    )
    return _Mention(module, reference.subject, tuple(steps), within)


def _references_at(module: Module, resource: ResourceBlock, schema: SchemaBlock, path: Path) -> Iterable[Reference]:
    """Return the references in the part of a block that a path selects: one argument, the nested block of a type that
    occurs once, or all of it."""
    bodies, expressions = [resource.body], list[tree.Expression]()
    for step in path:
        name = _name_of(step)
        nested = schema.block_types.get(name)
        if name in schema.attributes:
            expressions += [body.attributes[name].expression for body in bodies if name in body.attributes]
        if nested is None:
            bodies = []
            break
        if _is_single(nested):
            schema = nested.block
            bodies, found = _nested_parts(bodies, name)
            expressions += found
            if not bodies:
                return ()
    found_in_expressions = [each for part in expressions for each in module.expressions.prepare(part).references]
    return [*found_in_expressions, *(each for body in bodies for each in body_references(module, body, schema))]


def _name_of(step: paths.AttributeStep | paths.IndexStep) -> str:
    """Return the name that a step would select; one that is no text selects nothing."""
    return str(step.name if isinstance(step, paths.AttributeStep) else step.key.payload)


def _is_single(nested: BlockType) -> bool:
    return nested.nesting in (Nesting.SINGLE, Nesting.GROUP)


def _inside(schema: SchemaBlock, nested: BlockType) -> SchemaBlock:
    """Return where the next step is looked up: a block type that can occur several times is stepped over."""
    return nested.block if _is_single(nested) else schema


def _nested_parts(bodies: list[tree.Body], name: str) -> tuple[list[tree.Body], list[tree.Expression]]:
    """Return the bodies of the blocks of one type, and the expressions that decide about the dynamic ones."""
    static = [block.body for body in bodies for block in blocks_named(body, name, ())]
    dynamic = [
        block.body for body in bodies for block in blocks_named(body, "dynamic", ("type",)) if block.labels == (name,)
    ]
    deciding = [
        body.attributes[each].expression
        for body in dynamic
        for each in ("for_each", "labels")
        if each in body.attributes
    ]
    contents = [block.body for body in dynamic for block in blocks_named(body, "content", ())]
    return [*static, *contents], deciding
