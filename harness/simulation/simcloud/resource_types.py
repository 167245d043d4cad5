"""The resource types of simcloud: each provokes one behaviour and is named after it.

All have a `name`, by which faults find them, and an `id`. docs/simcloud.md is the reference, with instructions to
provoke each behaviour.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from harness.simulation.simcloud.behaviour import Behaviour, ChangeContext, Protection, text_of
from shared_nodes.lang.diagnostics import Diagnostic, warning
from shared_nodes.providers.schema import (
    BlockType,
    IdentityAttribute,
    IdentitySchema,
    NestedAttributes,
    Nesting,
    SchemaAttribute,
    SchemaBlock,
)
from shared_nodes.values.json import JsonNumber, Tree
from shared_nodes.values.paths import AttributeStep
from shared_nodes.values.types import BOOL, DYNAMIC, NUMBER, STRING, ListType, MapType, ObjectType, SetType, Type
from shared_nodes.values.value import Value, integer, string

__all__ = ["RESOURCE_TYPES"]

_ID: Final = SchemaAttribute(STRING, computed=True)
_NAME: Final = SchemaAttribute(STRING, required=True)
_VALUE: Final = SchemaAttribute(STRING, optional=True)
_COUNTER: Final = SchemaAttribute(NUMBER, computed=True)
_MADE: Final = SchemaAttribute(STRING, computed=True)


def _block(
    attributes: Mapping[str, SchemaAttribute], block_types: Mapping[str, BlockType] | None = None
) -> SchemaBlock:
    return SchemaBlock({"id": _ID, "name": _NAME, **attributes}, block_types or {})


def _optional(type: Type) -> SchemaAttribute:
    return SchemaAttribute(type, optional=True)


def _optional_computed(type: Type) -> SchemaAttribute:
    """Return an optional attribute that the server sets if the configuration does not."""
    return SchemaAttribute(type, optional=True, computed=True)


# Changing and replacing

_UPDATED: Final = Behaviour(
    _block({"value": _VALUE, "revision": _COUNTER}),
    "every change, including one of name, is an update in place; revision counts updates and is unknown in a plan "
    "that has one",
    recomputed=("revision",),
)

_REPLACED: Final = Behaviour(
    _block({"value": _VALUE, "label": _VALUE}),
    "a change of value forces a replacement, a change of label is an update",
    replaced_by=(("value",),),
)

_OVERCAUTIOUS: Final = Behaviour(
    _block({"value": _VALUE, "label": _VALUE}),
    "a change of value forces a replacement; the provider lists value as requiring replacement in every plan, although "
    "a change of label alone is an update",
    replaced_by=(("value",),),
    names_replacing_always=True,
)

_REPLACED_BY_SEVERAL: Final = Behaviour(
    _block({"zone": _VALUE, "size": _optional(NUMBER), "labels": _optional(MapType(STRING)), "label": _VALUE}),
    "changes of zone, size and labels force a replacement, and each path is reported; label changes in place",
    replaced_by=(("zone",), ("size",), ("labels",)),
)

_REPLACED_BY_NESTED: Final = Behaviour(
    _block(
        {
            "placement": SchemaAttribute(
                nested=NestedAttributes(Nesting.SINGLE, {"zone": _VALUE, "rack": _VALUE}), optional=True
            )
        },
        {"disk": BlockType(Nesting.LIST, SchemaBlock({"kind": _VALUE, "label": _VALUE}))},
    ),
    "only disk[*].kind and placement.zone force a replacement; disk[*].label and placement.rack change in place",
    replaced_by=(("placement", "zone"), ("disk", "kind")),
)

# Values computed by the server

_COMPUTED: Final = Behaviour(
    _block(
        {
            "trigger": _VALUE,
            "text": _MADE,
            "number": _COUNTER,
            "flag": SchemaAttribute(BOOL, computed=True),
            "list": SchemaAttribute(ListType(STRING), computed=True),
            "map": SchemaAttribute(MapType(STRING), computed=True),
            "object": SchemaAttribute(ObjectType({"text": STRING, "number": NUMBER}), computed=True),
        }
    ),
    "computed values of every shape, unknown until applied; a change of trigger makes number and object unknown again",
    recomputed=("number", "object"),
)


def _defaults(planned: Value, change: ChangeContext) -> Mapping[str, Value]:
    return {"zone": string(f"zone-{change.name}")} if not planned.payload["zone"].is_known else {}


_DEFAULTED: Final = Behaviour(
    _block(
        {
            "size": _optional_computed(NUMBER),
            "zone": _optional_computed(STRING),
            "labels": _optional_computed(MapType(STRING)),
            "network": SchemaAttribute(
                nested=NestedAttributes(
                    Nesting.SINGLE, {"range": _optional_computed(STRING), "mtu": _optional_computed(NUMBER)}
                ),
                optional=True,
                computed=True,
            ),
        }
    ),
    "unset arguments get default values from the server: size 10 is known in the plan, all others only after the "
    "apply; they are kept when an argument is no longer set",
    known_defaults={"size": integer(10)},
    fill=_defaults,
)

# Secrets

_SENSITIVE: Final = Behaviour(
    _block(
        {
            "secret": SchemaAttribute(STRING, optional=True, sensitive=True),
            "token": SchemaAttribute(STRING, computed=True, sensitive=True),
            "keys": SchemaAttribute(ListType(STRING), optional=True, sensitive=True),
            "account": SchemaAttribute(
                nested=NestedAttributes(
                    Nesting.SINGLE, {"user": _VALUE, "password": SchemaAttribute(STRING, optional=True, sensitive=True)}
                ),
                optional=True,
            ),
        },
        {
            "login": BlockType(
                Nesting.LIST,
                SchemaBlock({"user": _VALUE, "password": SchemaAttribute(STRING, optional=True, sensitive=True)}),
            )
        },
    ),
    "sensitive by schema: an argument, a computed attribute, a list, one attribute of a nested object, one of a block",
)


def _fingerprints(_planned: Value, change: ChangeContext) -> Mapping[str, Value]:
    """Return a fingerprint of the written secrets: the only trace they leave."""
    config = change.config
    written = [text_of(config, "secret") or ""]
    logins = config.payload.get("login") if config.payload.__class__ is dict else None
    if logins is not None and logins.payload.__class__ is tuple:
        written += [text_of(login, "password") or "" for login in logins.payload]
    return {"fingerprint": string(hashlib.sha256("\n".join(written).encode()).hexdigest()[:12])}


_WRITE_ONLY: Final = Behaviour(
    _block(
        {
            "secret": SchemaAttribute(STRING, optional=True, write_only=True),
            "secret_version": _optional(NUMBER),
            "fingerprint": SchemaAttribute(STRING, computed=True),
        },
        {
            "login": BlockType(
                Nesting.LIST,
                SchemaBlock({"user": _VALUE, "password": SchemaAttribute(STRING, optional=True, write_only=True)}),
            )
        },
    ),
    "secret and login[*].password reach the server but no plan or state; fingerprint shows what arrived, and changes "
    "only with another argument (secret_version)",
    recomputed=("fingerprint",),
    fill=_fingerprints,
)

# Shapes

_PART: Final = {"key": _VALUE, "amount": _optional(NUMBER), "made": _MADE}


def _nested_block(nesting: Nesting, *, min_items: int = 0, max_items: int = 0) -> Behaviour:
    how = {
        Nesting.SINGLE: "at most one block part; null if there is none",
        Nesting.GROUP: "at most one block part; an object of nulls if there is none",
        Nesting.LIST: "an ordered list of blocks part",
        Nesting.SET: "an unordered set of blocks part without identity",
        Nesting.MAP: "blocks part by label",
    }[nesting]
    limits = f", {min_items} to {max_items} of them" if max_items else ""
    block = _block({}, {"part": BlockType(nesting, SchemaBlock(_PART), min_items, max_items)})
    return Behaviour(block, f"{how}{limits}; part.made is computed in each")


def _nested_attribute(nesting: Nesting) -> Behaviour:
    attribute = SchemaAttribute(nested=NestedAttributes(nesting, _PART), optional=True)
    how = {"single": "one object", "list": "a list", "set": "a set", "map": "a map"}[nesting]
    return Behaviour(
        _block({"part": attribute}), f"part = {how} with a nested attribute type; made is computed in each"
    )


_BLOCK_DEEP: Final = Behaviour(
    _block(
        {},
        {
            "outer": BlockType(
                Nesting.LIST,
                SchemaBlock(
                    {"key": _VALUE},
                    {
                        "middle": BlockType(
                            Nesting.SET,
                            SchemaBlock({"key": _VALUE}, {"inner": BlockType(Nesting.SINGLE, SchemaBlock(_PART))}),
                        )
                    },
                ),
            )
        },
    ),
    "a single block in a set of blocks in a list of blocks",
)

_MEMBER: Final = ObjectType({"key": STRING, "amount": NUMBER})

_OBJECTS: Final = Behaviour(
    _block(
        {
            "set": _optional(SetType(_MEMBER)),
            "list": _optional(ListType(_MEMBER)),
            "map": _optional(MapType(_MEMBER)),
            "sets": _optional(MapType(SetType(STRING))),
        }
    ),
    "plain attributes that are sets, lists and maps of objects, and sets in a map",
)

_DYNAMIC: Final = Behaviour(
    _block(
        {"input": _optional(DYNAMIC), "output": SchemaAttribute(DYNAMIC, computed=True)},
        {"part": BlockType(Nesting.LIST, SchemaBlock({"key": _VALUE, "content": _optional(DYNAMIC)}))},
    ),
    "input of any type, output equal to it once applied; blocks part with content of any type, so their value is a "
    "tuple",
    recomputed=("output",),
    fill=lambda planned, _making: {"output": planned.payload["input"]},
)


def _deprecations(config: Value) -> list[Diagnostic]:
    """Return deprecation warnings. As with plugins, providers issue them; engines do not."""
    found: list[Diagnostic] = []
    if not config.payload["old_value"].is_null:
        detail = "Use value instead of old_value."
        found.append(replace(warning("Argument is deprecated", detail), attribute=(AttributeStep("old_value"),)))
    if config.payload["old_part"].payload:
        detail = "Use value instead of old_part."
        found.append(replace(warning("Block is deprecated", detail), attribute=(AttributeStep("old_part"),)))
    return found


_OLD_VALUE: Final = SchemaAttribute(
    STRING, optional=True, deprecated=True, deprecation_message="Use value instead of old_value."
)

_DEPRECATED: Final = Behaviour(
    _block(
        {"value": _VALUE, "old_value": _OLD_VALUE},
        {"old_part": BlockType(Nesting.LIST, SchemaBlock({"key": _VALUE}, deprecated=True))},
    ),
    "warnings for old_value and old_part, at the argument",
    warnings=_deprecations,
)

_DEPRECATED_TYPE: Final = Behaviour(
    replace(_block({"value": _VALUE}), deprecated=True),
    "a warning for the whole resource",
    warnings=lambda _config: [
        replace(
            warning("Deprecated Resource", "Use simcloud_updated instead of simcloud_deprecated_type."), attribute=()
        )
    ],
)

# Rules of the cloud

_PARENT: Final = Behaviour(
    _block({"value": _VALUE}),
    "cannot be deleted while a simcloud_child has it as its parent; a change of value forces a replacement",
    replaced_by=(("value",),),
    protection=Protection(children=True),
)

_CASCADING_PARENT: Final = Behaviour(
    _block({"value": _VALUE}),
    "its children are deleted with it, so their own deletion finds nothing; a change of value forces a replacement",
    replaced_by=(("value",),),
    protection=Protection(cascades=True),
)

_CHILD: Final = Behaviour(
    _block({"parent": SchemaAttribute(STRING, required=True), "value": _VALUE}),
    "cannot be created without a live parent; a change of parent forces a replacement, value changes in place",
    replaced_by=(("parent",),),
    protection=Protection(parent="parent"),
)

_UNIQUE: Final = Behaviour(
    _block({"value": _VALUE}),
    "no two of the same name in a region, so create_before_destroy collides; a change of value forces a replacement",
    replaced_by=(("value",),),
    protection=Protection(unique="name"),
)

_SINGLETON: Final = Behaviour(
    _block({"value": _VALUE}),
    "only one per region, whatever its name; a change of value forces a replacement",
    replaced_by=(("value",),),
    protection=Protection(one_per_region=True),
)

_PROTECTED: Final = Behaviour(
    _block({"protected": _optional(BOOL), "value": _VALUE}),
    "its deletion cannot even be planned while protected is true in the state",
    protection=Protection(flag="protected"),
)

# Normalisation, private data and metadata


def _canonical(value: Value) -> Value:
    """Normalise: text in lower case and trimmed, tags sorted."""
    parts = dict(value.payload)
    text, tags = parts["text"], parts["tags"]
    if isinstance(text.payload, str):
        parts["text"] = string(text.payload.strip().lower())
    if tags.payload.__class__ is tuple and tags.is_wholly_known:
        parts["tags"] = Value(tags.type, tuple(sorted(tags.payload, key=lambda tag: str(tag.payload))))
    return Value(value.type, parts)


_NORMALISED: Final = Behaviour(
    _block({"text": _VALUE, "tags": _optional(ListType(STRING))}),
    "the server stores text in lower case and trimmed, and tags sorted. The result of an apply is as planned, so the "
    "next read finds drift; a different spelling is not a change",
    canonical=_canonical,
)

_NORMALISED_LEGACY: Final = replace(
    _NORMALISED,
    provokes="like simcloud_normalised, but the result has the server's spelling at once: the provider asks the engine "
    "to tolerate it, like those built with the old SDK",
    legacy_types=True,
)

_EVENTUAL: Final = Behaviour(
    _block({"value": _VALUE, "revision": _COUNTER}),
    "the first read after an update returns the previous object: apparent drift, and another update",
    recomputed=("revision",),
    lagging_reads=True,
)

_PRIVATE: Final = Behaviour(
    _block({"value": _VALUE, "replaced": _VALUE}),
    "every answer has private data, and every call that does not pass them back fails",
    replaced_by=(("replaced",),),
    keeps_private=True,
)


def _fill_meta(_planned: Value, change: ChangeContext) -> Mapping[str, Value]:
    return {"module_name": string(text_of(change.provider_meta, "module_name") or "")}


_META: Final = Behaviour(
    _block({"value": _VALUE, "module_name": _MADE}),
    "module_name is the provider_meta of its module at the last apply, empty if it has none",
    recomputed=("module_name",),
    fill=_fill_meta,
)

_UNIMPORTABLE: Final = Behaviour(_block({"value": _VALUE}), "importing it is an error", importable=False)

_RENAMED: Final = replace(
    _UPDATED,
    provokes="a new name of simcloud_updated: moved blocks can move simcloud_updated and terraform_data to it",
    stored_as="simcloud_updated",
)

# Schema versions


def _size_as_number(attributes: dict[str, Tree]) -> dict[str, Tree] | str:
    """Upgrade from version 0, which stored the size as text with its unit."""
    size = attributes.get("size")
    if size is None:
        return {**attributes, "size": None}
    if not isinstance(size, str) or not size.removesuffix("GB").isdigit():
        return f"The size {size!r} is not a number of GB."
    return {**attributes, "size": JsonNumber(size.removesuffix("GB"))}


def _size_as_capacity(attributes: dict[str, Tree]) -> dict[str, Tree] | str:
    """Upgrade from version 1, which named the attribute `size`."""
    renamed = {name: part for name, part in attributes.items() if name != "size"}
    return {**renamed, "capacity": attributes.get("size"), "unit": "GB"}


_UPGRADED: Final = Behaviour(
    _block({"capacity": _optional(NUMBER), "unit": _optional_computed(STRING)}),
    'schema version 2: version 0 had size = "10GB", version 1 size = 10, version 2 has capacity and unit; a size that '
    "is not a number of GB cannot be upgraded",
    known_defaults={"unit": string("GB")},
    upgrades=(_size_as_number, _size_as_capacity),
)

_UPGRADE_FAILING: Final = Behaviour(
    _block({"value": _VALUE}),
    "schema version 1; version 0 can never be upgraded",
    upgrades=(lambda _attributes: "Objects of version 0 have no successor.",),
)


_IDENTIFIED: Final = Behaviour(
    _block({"value": _VALUE, "zone": _VALUE}),
    "has an identity, name and region, of version 1 (in version 0 the name was called label), by which it can be "
    "imported instead of by its id; a change of name changes the identity, one of zone forces a replacement",
    replaced_by=(("zone",),),
    identity=IdentitySchema(
        {"name": IdentityAttribute(STRING, required=True), "region": IdentityAttribute(STRING, optional=True)},
        version=1,
    ),
)

_BEHAVIOURS: Final[Mapping[str, Behaviour]] = {
    "updated": _UPDATED,
    "replaced": _REPLACED,
    "overcautious": _OVERCAUTIOUS,
    "replaced_by_several": _REPLACED_BY_SEVERAL,
    "replaced_by_nested": _REPLACED_BY_NESTED,
    "computed": _COMPUTED,
    "defaulted": _DEFAULTED,
    "sensitive": _SENSITIVE,
    "write_only": _WRITE_ONLY,
    "block_deep": _BLOCK_DEEP,
    "objects": _OBJECTS,
    "dynamic": _DYNAMIC,
    "deprecated": _DEPRECATED,
    "deprecated_type": _DEPRECATED_TYPE,
    "parent": _PARENT,
    "cascading_parent": _CASCADING_PARENT,
    "child": _CHILD,
    "unique": _UNIQUE,
    "singleton": _SINGLETON,
    "protected": _PROTECTED,
    "normalised": _NORMALISED,
    "normalised_legacy": _NORMALISED_LEGACY,
    "eventual": _EVENTUAL,
    "private": _PRIVATE,
    "meta": _META,
    "unimportable": _UNIMPORTABLE,
    "renamed": _RENAMED,
    "upgraded": _UPGRADED,
    "upgrade_failing": _UPGRADE_FAILING,
    "identified": _IDENTIFIED,
}

RESOURCE_TYPES: Final[Mapping[str, Behaviour]] = {
    **{f"simcloud_{name}": behaviour for name, behaviour in _BEHAVIOURS.items()},
    **{f"simcloud_block_{nesting}": _nested_block(nesting) for nesting in Nesting},
    "simcloud_block_limited": _nested_block(Nesting.LIST, min_items=1, max_items=2),
    **{f"simcloud_nested_{nesting}": _nested_attribute(nesting) for nesting in Nesting if nesting != Nesting.GROUP},
}
"""The resource types by type name."""
