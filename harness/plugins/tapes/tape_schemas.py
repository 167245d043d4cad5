"""Schemas and signatures of functions on a tape."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, TypeVar

from harness.plugins.tapes.tape_error import TapeError
from shared_nodes.lang.function import Function, Implementation, Parameter, not_null
from shared_nodes.providers.schema import (
    BlockType,
    IdentityAttribute,
    IdentitySchema,
    NestedAttributes,
    Nesting,
    ProviderSchema,
    ResourceSchema,
    SchemaAttribute,
    SchemaBlock,
)
from shared_nodes.values.json import JsonError, JsonNumber, Tree, type_from_json, type_to_json
from shared_nodes.values.types import DYNAMIC, Type

__all__ = ["function_tree", "functions_from_tree", "schema_from_tree", "schema_tree", "trimmed"]

_Item = TypeVar("_Item")

_FLAGS: Final = ("required", "optional", "computed", "sensitive", "write_only", "deprecated")
_IDENTITY_FLAGS: Final = ("required", "optional")
_PARAMETER_FLAGS: Final = ("allow_null", "allow_unknown", "allow_dynamic")
_KINDS: Final = ("managed", "data", "ephemeral")
_ABILITIES: Final = ("plans_destroy", "moves_state")


def trimmed(schema: ProviderSchema, used: Mapping[str, Iterable[str]]) -> ProviderSchema:
    """Return the schema with only those types of each kind that are used: a provider may have a thousand others."""

    def kept(kind: str, schemas: Mapping[str, ResourceSchema]) -> dict[str, ResourceSchema]:
        return {name: schemas[name] for name in sorted(used.get(kind, ())) if name in schemas}

    return ProviderSchema(
        schema.provider,
        kept("managed", schema.managed),
        kept("data", schema.data),
        kept("ephemeral", schema.ephemeral),
        schema.provider_meta,
        schema.plans_destroy,
        schema.moves_state,
    )


# To a tape


def schema_tree(schema: ProviderSchema) -> Tree:
    tree: dict[str, Tree] = {"provider": _block_tree(schema.provider)}
    for kind in _KINDS:
        schemas: Mapping[str, ResourceSchema] = getattr(schema, kind)
        if schemas:
            tree[kind] = {name: _resource_tree(schemas[name]) for name in sorted(schemas)}
    if schema.provider_meta is not None:
        tree["provider_meta"] = _block_tree(schema.provider_meta)
    return tree | {name: True for name in _ABILITIES if getattr(schema, name)}


def _resource_tree(schema: ResourceSchema) -> Tree:
    version: dict[str, Tree] = {"version": JsonNumber(str(schema.version))} if schema.version else {}
    return version | _block_tree(schema.block) | _identity_tree(schema.identity)


def _identity_tree(identity: IdentitySchema | None) -> dict[str, Tree]:
    if identity is None:
        return {}
    attributes: Tree = {
        name: _identity_attribute_tree(identity.attributes[name]) for name in sorted(identity.attributes)
    }
    version: dict[str, Tree] = {"version": JsonNumber(str(identity.version))} if identity.version else {}
    return {"identity": {**version, "attributes": attributes}}


def _identity_attribute_tree(attribute: IdentityAttribute) -> Tree:
    flags: dict[str, Tree] = {flag: True for flag in _IDENTITY_FLAGS if getattr(attribute, flag)}
    return {"type": type_to_json(attribute.type), **flags}


def _block_tree(block: SchemaBlock) -> dict[str, Tree]:
    tree: dict[str, Tree] = {}
    if block.attributes:
        tree["attributes"] = _attributes_tree(block.attributes)
    if block.block_types:
        tree["blocks"] = {name: _block_type_tree(block.block_types[name]) for name in sorted(block.block_types)}
    return tree | ({"deprecated": True} if block.deprecated else {}) | _message_tree(block)


def _block_type_tree(nested: BlockType) -> Tree:
    limits = {"min_items": nested.min_items, "max_items": nested.max_items}
    return {
        "nesting": nested.nesting.value,
        **{name: JsonNumber(str(limit)) for name, limit in limits.items() if limit},
        **_block_tree(nested.block),
    }


def _attributes_tree(attributes: Mapping[str, SchemaAttribute]) -> Tree:
    return {name: _attribute_tree(attributes[name]) for name in sorted(attributes)}


def _attribute_tree(attribute: SchemaAttribute) -> Tree:
    tree: dict[str, Tree] = {}
    if attribute.type is not None:
        tree["type"] = type_to_json(attribute.type)
    if attribute.nested is not None:
        tree["nesting"] = attribute.nested.nesting.value
        tree["attributes"] = _attributes_tree(attribute.nested.attributes)
    return tree | {flag: True for flag in _FLAGS if getattr(attribute, flag)} | _message_tree(attribute)


def _message_tree(part: SchemaBlock | SchemaAttribute) -> dict[str, Tree]:
    return {"deprecation_message": part.deprecation_message} if part.deprecation_message else {}


def function_tree(function: Function) -> Tree:
    """Write a signature. A return type that depends on the arguments can only be announced as dynamic."""
    fixed = function.return_type if isinstance(function.return_type, Type) else DYNAMIC
    tree: dict[str, Tree] = {"parameters": [_parameter_tree(each) for each in function.parameters]}
    if function.variadic is not None:
        tree["variadic"] = _parameter_tree(function.variadic)
    tree["returns"] = type_to_json(fixed)
    return tree | ({} if function.refinement is None else {"returns_not_null": True})


def _parameter_tree(parameter: Parameter) -> Tree:
    flags: dict[str, Tree] = {flag: True for flag in _PARAMETER_FLAGS if getattr(parameter, flag)}
    return {"name": parameter.name, "type": type_to_json(parameter.type), **flags}


# From a tape


def schema_from_tree(tree: Tree) -> ProviderSchema:
    """Read a schema. TapeError says what is wrong with it."""
    fields = _members(tree, "the schema")
    meta = fields.get("provider_meta")
    return ProviderSchema(
        _block(fields.get("provider")),
        _each(fields.get("managed"), _resource),
        _each(fields.get("data"), _resource),
        _each(fields.get("ephemeral"), _resource),
        None if meta is None else _block(meta),
        fields.get("plans_destroy") is True,
        fields.get("moves_state") is True,
    )


def _resource(tree: Tree) -> ResourceSchema:
    return ResourceSchema(_block(tree), _whole(tree, "version"), _identity(_members(tree, "a type").get("identity")))


def _identity(tree: Tree) -> IdentitySchema | None:
    if tree is None:
        return None
    attributes = _each(_members(tree, "an identity").get("attributes"), _identity_attribute)
    return IdentitySchema(attributes, _whole(tree, "version"))


def _identity_attribute(tree: Tree) -> IdentityAttribute:
    fields = _members(tree, "an attribute of an identity")
    return IdentityAttribute(_type(fields.get("type")), **{flag: fields.get(flag) is True for flag in _IDENTITY_FLAGS})


def _block(tree: Tree) -> SchemaBlock:
    fields = _members(tree, "a block of the schema")
    blocks = _each(fields.get("blocks"), _block_type)
    attributes, is_deprecated = _each(fields.get("attributes"), _attribute), fields.get("deprecated") is True
    return SchemaBlock(attributes, blocks, is_deprecated, _message(fields))


def _block_type(tree: Tree) -> BlockType:
    return BlockType(_nesting(tree), _block(tree), _whole(tree, "min_items"), _whole(tree, "max_items"))


def _attribute(tree: Tree) -> SchemaAttribute:
    fields = _members(tree, "an attribute of the schema")
    flags = {flag: fields.get(flag) is True for flag in _FLAGS}
    if "nesting" in fields:
        nested = NestedAttributes(_nesting(tree), _each(fields.get("attributes"), _attribute))
        return SchemaAttribute(None, nested, **flags, deprecation_message=_message(fields))
    return SchemaAttribute(_type(fields.get("type")), None, **flags, deprecation_message=_message(fields))


def _message(fields: Mapping[str, Tree]) -> str:
    message = fields.get("deprecation_message", "")
    if not isinstance(message, str):
        raise TapeError("deprecation_message of the schema is no text")
    return message


def functions_from_tree(tree: Tree, implement: Callable[[str], Implementation]) -> Sequence[Function]:
    """Read signatures. `implement` returns what is called for a function of a name."""
    found = _members(tree, "functions")
    return [_function(name, found[name], implement(name)) for name in sorted(found)]


def _function(name: str, tree: Tree, implementation: Implementation) -> Function:
    fields = _members(tree, f"the function {name}")
    parameters = fields.get("parameters")
    if not isinstance(parameters, list):
        raise TapeError(f"The tape does not list the parameters of the function {name}")
    variadic = fields.get("variadic")

    return Function(
        name,
        tuple(map(_parameter, parameters)),
        _type(fields.get("returns")),
        implementation,
        None if variadic is None else _parameter(variadic),
        not_null if fields.get("returns_not_null") is True else None,
    )


def _parameter(tree: Tree) -> Parameter:
    fields = _members(tree, "a parameter")
    flags = {flag: fields.get(flag) is True for flag in _PARAMETER_FLAGS}
    return Parameter(str(fields.get("name", "")), _type(fields.get("type")), **flags)


def _type(tree: Tree) -> Type:
    try:
        return type_from_json(tree)
    except JsonError as failure:
        raise TapeError(f"A type in the schema on the tape is invalid: {failure.message}") from failure


def _nesting(tree: Tree) -> Nesting:
    name = _members(tree, "nested content").get("nesting")
    try:
        return Nesting(str(name))
    except ValueError as failure:
        raise TapeError(f"The schema on the tape has an invalid nesting mode: {name}") from failure


def _whole(tree: Tree, name: str) -> int:
    found = _members(tree, "a block of the schema").get(name)
    if found is None:
        return 0
    if not isinstance(found, JsonNumber) or not found.text.isdecimal():
        raise TapeError(f"{name} in the schema on the tape is not a number")
    return int(found.text)


def _each(tree: Tree, read: Callable[[Tree], _Item]) -> dict[str, _Item]:
    return {name: read(part) for name, part in _members(tree, "the schema").items()}


def _members(tree: Tree, what: str) -> Mapping[str, Tree]:
    """Return the members of an object. What is absent has none."""
    if tree is None:
        return {}
    if not isinstance(tree, dict):
        raise TapeError(f"The form of {what} on the tape is invalid: it has to be an object")
    return tree
