"""The `configuration` part of a published plan: every block, with each expression as its constant value or as the
references in it.

An expression is evaluated without any names or functions. If the result can be expressed in JSON it is shown as a
constant, even if the evaluation also found errors, as in `true ? 1 : var.a`. In JSON syntax every string is a constant
in this sense, even `"${var.a}"`. An expression that is neither constant nor refers to anything, such as `timestamp()`,
is an empty object, or is omitted if it is a repetition.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import field
from typing import Final

from shared_nodes.addresses.module import ModulePath
from shared_nodes.addresses.parse import ImportAddress, parse_import_address
from shared_nodes.addresses.provider import ProviderSource
from shared_nodes.addresses.references import ModuleCall, ModuleOutput, Reference, ResourceInstance, parse_reference
from shared_nodes.addresses.resource import ResourceMode
from shared_nodes.config.blocks import ModuleCallBlock, OutputBlock, ResourceBlock
from shared_nodes.config.blocks.variable import Variable
from shared_nodes.config.module import Module
from shared_nodes.config.tree import ConfigTree
from shared_nodes.flavour import Flavour
from shared_nodes.lang.json_static import static_value
from shared_nodes.lang.tree import Body, Expression, Step, Traversal, TraverseAttribute
from shared_nodes.providers.schema import Nesting, ProviderSchema, SchemaBlock
from shared_nodes.record import record
from shared_nodes.values.convert import ConversionError, convert
from shared_nodes.values.json import JsonError, JsonNumber, Tree, type_to_json, value_to_json
from shared_nodes.values.number import number_text
from shared_nodes.values.sets import set_of
from shared_nodes.values.text import quoted
from shared_nodes.values.types import DYNAMIC, ListType, ObjectType, SetType
from shared_nodes.values.value import Value, list_of, null, object_of

__all__ = ["configuration_document", "expression_document"]

Schemas = Mapping[ProviderSource, ProviderSchema]


def configuration_document(config: ConfigTree, schemas: Schemas) -> Tree:
    providers = _Providers()
    providers.collect(config, None)
    document: dict[str, Tree] = {}
    shown = {
        key: _provider(providers.entries[key], schemas)
        for key in sorted(providers.entries)
        if not providers.entries[key].inherited_from
    }
    if shown:
        document["provider_config"] = shown
    document["root_module"] = _module(config, providers, schemas)
    return document


# Expressions


def expression_document(module: Module, expression: Expression) -> dict[str, Tree]:
    document: dict[str, Tree] = {}
    with suppress(JsonError):
        document["constant_value"] = value_to_json(static_value(expression)[0])
    mentioned: list[Tree] = [
        text for reference in module.expressions.prepare(expression).references for text in _mentions(reference)
    ]
    if mentioned:
        document["references"] = mentioned
    return document


def _mentions(reference: Reference) -> Iterable[str]:
    """Yield the names in a reference from the most specific to the least: `a.b["k"].id`, `a.b["k"]`, `a.b`."""
    subject = str(reference.subject)
    for length in range(len(reference.remaining), 0, -1):
        yield subject + "".join(map(_step_text, reference.remaining[:length]))
    yield subject
    match reference.subject:
        case ResourceInstance(resource, key) if key is not None:
            yield str(resource)
        case ModuleCall(name, key) if key is not None:
            yield str(ModuleCall(name))
        case ModuleOutput(call):
            yield str(call)


def _step_text(step: Step) -> str:
    if isinstance(step, TraverseAttribute):
        return f".{step.name}"
    payload = step.key.payload
    return f"[{quoted(payload) if isinstance(payload, str) else number_text(payload)}]"


def _subjects(module: Module, traversals: Iterable[Traversal]) -> list[Tree]:
    found = (parse_reference(traversal, module.flavour) for traversal in traversals)
    return [str(reference.subject) for reference in found if isinstance(reference, Reference)]


def _body(module: Module, body: Body, block: SchemaBlock) -> dict[str, Tree]:
    """Return arguments and nested blocks by name. What a `dynamic` block would generate is not shown."""
    document: dict[str, Tree] = {
        name: expression_document(module, attribute.expression)
        for name, attribute in body.attributes.items()
        if name in block.attributes
    }
    for nested in body.blocks:
        kind = block.block_types.get(nested.type)
        if kind is None:
            attribute = block.attributes.get(nested.type)
            ty = None if attribute is None or nested.type in document else attribute.type
            if isinstance(ty, ListType | SetType) and isinstance(ty.element, ObjectType):
                document[nested.type] = _blocks_as_argument(module, body, nested.type, ty)
            continue
        content = _body(module, nested.body, kind.block)
        if kind.nesting in (Nesting.SINGLE, Nesting.GROUP):
            document[nested.type] = content
        elif kind.nesting is Nesting.MAP:
            by_label = document.setdefault(nested.type, {})
            assert isinstance(by_label, dict)
            by_label[nested.labels[0]] = content
        else:
            listed = document.setdefault(nested.type, [])
            assert isinstance(listed, list)
            listed.append(content)
    return _sorted(document)


def _blocks_as_argument(module: Module, body: Body, name: str, ty: ListType | SetType) -> dict[str, Tree]:
    """Show blocks in place of an argument, a list or set of objects, as if that argument had been written. The original
    overlooks references in blocks inside of these."""
    document: dict[str, Tree] = {}
    with suppress(JsonError, ConversionError):
        document["constant_value"] = value_to_json(_constant_blocks(body, name, ty))
    mentioned: list[Tree] = [
        text
        for block in body.blocks
        if block.type == name
        for attribute in block.body.attributes.values()
        for reference in module.expressions.prepare(attribute.expression).references
        for text in _mentions(reference)
    ]
    if mentioned:
        document["references"] = mentioned
    return document


def _constant_blocks(body: Body, name: str, ty: ListType | SetType) -> Value:
    assert isinstance(ty.element, ObjectType)
    objects = [_constant_block(block.body, ty.element) for block in body.blocks if block.type == name]
    return list_of(ty.element, objects) if isinstance(ty, ListType) else set_of(ty.element, objects)


def _constant_block(body: Body, ty: ObjectType) -> Value:
    parts = {name: null(part) for name, part in ty.attributes.items()}
    for name, part in ty.attributes.items():
        if name in body.attributes:
            parts[name] = convert(static_value(body.attributes[name].expression)[0], part)
        elif (
            isinstance(part, ListType | SetType)
            and isinstance(part.element, ObjectType)
            and any(block.type == name for block in body.blocks)
        ):
            parts[name] = _constant_blocks(body, name, part)
    return object_of(parts)


def _arguments(module: Module, body: Body, names: Iterable[str]) -> dict[str, Tree]:
    wanted = set(names)
    found = {name: attribute.expression for name, attribute in body.attributes.items() if name in wanted}
    return {name: expression_document(module, found[name]) for name in sorted(found)}


def _sorted(document: dict[str, Tree]) -> dict[str, Tree]:
    return {name: document[name] for name in sorted(document)}


# Modules


def _module(node: ConfigTree, providers: _Providers, schemas: Schemas) -> dict[str, Tree]:
    module = node.module
    document: dict[str, Tree] = {}
    if module.outputs:
        document["outputs"] = {name: _output(module, module.outputs[name]) for name in sorted(module.outputs)}
    shown = [block for block in module.resources.values() if _is_shown(block, module.flavour)]
    blocks = sorted(shown, key=lambda block: (_MODE_ORDER[block.resource.mode], str(block.resource)))
    if blocks:
        document["resources"] = [_resource(node, block, providers, schemas) for block in blocks]
    if node.children:
        document["module_calls"] = {
            name: _call(module, node.children[name], providers, schemas) for name in sorted(node.children)
        }
    if module.variables:
        describe = _described_variable if module.flavour.plan_describes_variables else _variable
        document["variables"] = {name: describe(module.variables[name]) for name in sorted(module.variables)}
    return document


def _is_shown(block: ResourceBlock, flavour: Flavour) -> bool:
    return block.resource.mode is not ResourceMode.EPHEMERAL or flavour.plan_lists_ephemeral_resources


_MODE_ORDER: Final = {ResourceMode.MANAGED: 0, ResourceMode.DATA: 1, ResourceMode.EPHEMERAL: 2}


def _output(module: Module, output: OutputBlock) -> Tree:
    document: dict[str, Tree] = {}
    if output.sensitive:
        document["sensitive"] = True
    if output.ephemeral and module.flavour.plan_describes_variables:
        document["ephemeral"] = True
    if output.deprecated:
        document["deprecated"] = output.deprecated
    document["expression"] = expression_document(module, output.expression)
    if output.depends_on:
        document["depends_on"] = _subjects(module, output.depends_on)
    if output.description:
        document["description"] = output.description
    return document


def _variable(variable: Variable) -> Tree:
    document: dict[str, Tree] = {}
    if variable.default is not None:
        document["default"] = value_to_json(variable.default.unmark_deep()[0])
    if variable.description:
        document["description"] = variable.description
    if variable.sensitive:
        document["sensitive"] = True
    return document


def _described_variable(variable: Variable) -> Tree:
    """Return the variable with its type and everything else that a caller should know. A variable that accepts any type
    has none here."""
    document: dict[str, Tree] = {}
    if variable.constraint.type is not DYNAMIC:
        document["type"] = type_to_json(variable.constraint.type)
    if variable.default is not None:
        document["default"] = value_to_json(variable.default.unmark_deep()[0])
    if variable.description:
        document["description"] = variable.description
    if variable.default is None:
        document["required"] = True
    if variable.sensitive:
        document["sensitive"] = True
    if variable.ephemeral:
        document["ephemeral"] = True
    if variable.deprecated:
        document["deprecated"] = variable.deprecated
    return document


def _put_repetition(document: dict[str, Tree], module: Module, block: ResourceBlock | ModuleCallBlock) -> None:
    for name, expression in (("count_expression", block.count), ("for_each_expression", block.for_each)):
        shown = expression_document(module, expression) if expression is not None else {}
        if shown:
            document[name] = shown


def _resource(node: ConfigTree, block: ResourceBlock, providers: _Providers, schemas: Schemas) -> Tree:
    module, resource = node.module, block.resource
    reference = block.provider
    local = str(reference) if reference is not None else module.local_name_of(resource)
    document: dict[str, Tree] = {
        "address": str(resource),
        "mode": resource.mode.value,
        "type": resource.type,
        "name": resource.name,
        "provider_config_key": providers.resolve(_key(local, node.path)),
    }
    if block.provisioners:
        document["provisioners"] = [
            _without_empty(
                {"type": each.type, "expressions": _arguments(module, each.body, each.body.attributes)},
            )
            for each in block.provisioners
        ]
    provider = schemas.get(module.source_of(resource), ProviderSchema())
    kinds = {ResourceMode.MANAGED: provider.managed, ResourceMode.DATA: provider.data}
    schema = kinds.get(resource.mode, provider.ephemeral).get(resource.type)
    if schema is not None:
        expressions = _body(module, block.body, schema.block)
        if expressions:
            document["expressions"] = expressions
        document["schema_version"] = JsonNumber(str(schema.version))
    _put_repetition(document, module, block)
    if block.depends_on:
        document["depends_on"] = _subjects(module, block.depends_on)
    return document


def _without_empty(document: dict[str, Tree]) -> Tree:
    return {name: part for name, part in document.items() if part != {}}


def _call(module: Module, child: ConfigTree, providers: _Providers, schemas: Schemas) -> Tree:
    call = child.call
    assert call is not None
    document: dict[str, Tree] = {"source": call.source}
    expressions = _arguments(module, call.body, child.module.variables)
    if expressions:
        document["expressions"] = expressions
    _put_repetition(document, module, call)
    document["module"] = _module(child, providers, schemas)
    if call.version:
        document["version_constraint"] = call.version
    if call.depends_on:
        document["depends_on"] = _subjects(module, call.depends_on)
    return document


# Provider configurations


@record
class _ProviderEntry:
    """One provider configuration. `inherited_from` is the key of the actual configuration, if the module received it
    from outside."""

    name: str
    source: ProviderSource
    path: ModulePath
    alias: str | None = None
    constraint: str = ""
    module: Module | None = None
    body: Body | None = None
    inherited_from: str = ""


def _key(local: str, path: ModulePath) -> str:
    return f"{path}:{local}" if path.names else local


@record(frozen=False)
class _Providers:
    """All provider configurations of a tree, declared or implied, by key: `module.m:aws.west`."""

    entries: dict[str, _ProviderEntry] = field(default_factory=dict)

    def resolve(self, key: str) -> str:
        entry = self.entries.get(key)
        return entry.inherited_from if entry is not None and entry.inherited_from else key

    def collect(self, node: ConfigTree, parent: ModulePath | None) -> None:
        module, path = node.module, node.path
        for (name, alias), block in module.providers.items():
            local = f"{name}.{alias}" if alias else name
            source = module.source_for(name)
            constraint = _constraint(module, source)
            entry = _ProviderEntry(name, source, path, alias, constraint, module, block.body)
            self.entries[_key(local, path)] = entry
        for name, requirement in module.required_providers.items():
            for alias_reference in requirement.configuration_aliases:
                entry = _ProviderEntry(name, requirement.source, path, constraint=requirement.constraints)
                self.entries.setdefault(_key(str(alias_reference), path), entry)
            self._imply(name, requirement.source, path, parent, requirement.constraints)
        for source in _sources_used(module):
            self._imply(source.type, source, path, parent)
        for name in sorted(node.children):
            self._pass_to(node.children[name], path)
            self.collect(node.children[name], path)

    def _imply(
        self, name: str, source: ProviderSource, path: ModulePath, parent: ModulePath | None, constraint: str = ""
    ) -> None:
        """Add a configuration that has no block: the parent module's, or an empty one in the root."""
        key = _key(name, path)
        if key not in self.entries:
            outside = self._origin(_key(name, parent)) if parent is not None else ""
            self.entries[key] = _ProviderEntry(name, source, path, constraint=constraint, inherited_from=outside)

    def _pass_to(self, child: ConfigTree, path: ModulePath) -> None:
        assert child.call is not None
        for passed in child.call.passed_providers or ():
            name = str(passed.in_child)
            source = child.module.source_for(passed.in_child.local_name)
            origin = self._origin(_key(str(passed.in_parent), path))
            self.entries[_key(name, child.path)] = _ProviderEntry(name, source, child.path, inherited_from=origin)

    def _origin(self, key: str) -> str:
        entry = self.entries.get(key)
        if entry is None:
            return ""
        return self._origin(entry.inherited_from) if entry.inherited_from else key


def _sources_used(module: Module) -> list[ProviderSource]:
    """Return the providers of resources, and of imports into this module itself, whose targets may have no block
    yet."""
    imports = [parse_import_address(block.to, module.flavour) for block in module.imports]
    addresses = [each.resource for each in imports if isinstance(each, ImportAddress)]
    targets = [address.resource for address in addresses if not address.module.names]
    return list(dict.fromkeys(module.source_of(resource) for resource in [*module.resources, *targets]))


def _constraint(module: Module, source: ProviderSource) -> str:
    found = [r.constraints for r in module.required_providers.values() if r.source == source and r.constraints]
    return ", ".join(found)


def _provider(entry: _ProviderEntry, schemas: Schemas) -> Tree:
    document: dict[str, Tree] = {"name": entry.name, "full_name": str(entry.source)}
    if entry.alias:
        document["alias"] = entry.alias
    if entry.constraint:
        document["version_constraint"] = entry.constraint
    if entry.path.names:
        document["module_address"] = str(entry.path)
    if entry.body is not None and entry.module is not None:
        block = schemas.get(entry.source, ProviderSchema()).provider
        expressions = _body(entry.module, entry.body, block)
        if expressions:
            document["expressions"] = expressions
    return document
