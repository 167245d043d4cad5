"""Converts state files of versions 1 to 3, from before Terraform 0.12, to records of a version 4 file.

Three things were different. Resources were grouped by module, with every instance separate. Attributes were texts by
dotted name, which only their provider can interpret, so they are kept unchanged. Outputs had no types, so types are
guessed from the values. What cannot be converted is reported in the original's words. Where the original crashes (null
in the place of a module, a resource or an output), the file is malformed.
"""

from __future__ import annotations

import base64
import math
from collections.abc import Iterator, Mapping
from decimal import Decimal
from enum import IntEnum
from typing import Final

import regex

from shared_nodes.lang.diagnostics import error
from shared_nodes.lang.identifiers import is_identifier
from shared_nodes.lang.parser import parse_traversal
from shared_nodes.lang.source import Source
from shared_nodes.lang.tree import TraverseAttribute
from shared_nodes.state.fields import (
    MalformedError,
    integer_field,
    record_field,
    records_field,
    text_field,
    texts_by_name_field,
    texts_field,
    truth_field,
    wrong_field,
)
from shared_nodes.state.stored_providers import is_legacy_provider
from shared_nodes.values.json import JsonNumber, Tree, dumps, implied_value, type_to_json
from shared_nodes.values.text import quoted
from shared_nodes.values.types import ListType, MapType, ObjectType, TupleType, Type

__all__ = ["upgrade_format"]

_Record = Mapping[str, Tree]


class _Version(IntEnum):
    FIRST = 1
    """Outputs are texts, there is no lineage or program version, and no object is tainted."""

    SECOND = 2
    """Maps store their size in the same way as lists."""

    THIRD = 3


def upgrade_format(tree: _Record) -> dict[str, Tree]:
    """Convert a file to version 4. Raises MalformedError if it is not a valid file of an old version."""
    version = _Version(integer_field(tree, "version"))
    has_history = version is not _Version.FIRST
    outputs: dict[str, Tree] = {}
    resources: list[Tree] = []
    serial = integer_field(tree, "serial")
    modules = records_field(tree, "modules")
    if serial < 0:
        raise _failure("state has serial less than zero, which is invalid")
    for module in modules:
        path = texts_field(module, "path", "modules.")
        if version is _Version.FIRST:
            path = path or ["root"]
        resources.extend(_resources(module, _module_address(path), version))
        found = _outputs(module, version)
        if path == ["root"]:
            outputs |= found
    return {
        "terraform_version": (text_field(tree, "terraform_version") if has_history else "") or "0.0.0",
        "serial": JsonNumber(str(serial)),
        "lineage": text_field(tree, "lineage") if has_history else "",
        "outputs": outputs,
        "resources": resources,
    }


def _failure(reason: str) -> MalformedError:
    detail = f"Error upgrading state file format from version 3 to version 4: {reason}."
    return MalformedError(error("State format upgrade failed", detail))


def _module_address(path: list[str]) -> str:
    shown = f"[]string{{{', '.join(map(quoted, path))}}}"
    if path[:1] != ["root"]:
        raise _failure(f"state contains invalid module path {shown}")
    for name in path[1:]:
        if not is_identifier(name):
            raise _failure(
                f"state contains invalid module path {shown}: {quoted(name)} is not a valid identifier; rename it in "
                "Terraform 0.11 before upgrading to Terraform 0.12"
            )
    return ".".join(f"module.{name}" for name in path[1:])


# Resources


def _resources(module: _Record, module_address: str, version: _Version) -> Iterator[Tree]:
    """Yield the resources of one module. If the instances of a resource have different providers, the first one's is
    used."""
    found: dict[tuple[str, str, str], dict[str, Tree]] = {}
    for address, record in sorted(record_field(module, "resources", "modules.").items()):
        if not isinstance(record, dict):
            raise wrong_field("modules.resources", record)
        mode, type_name, name, key = _parse_address(address)
        given = text_field(record, "provider", "modules.resources.")
        instances = list(_instances(record, key, version))
        resource = found.get((mode, type_name, name))
        if resource is None:
            shown = f"{'data.' if mode == 'data' else ''}{type_name}.{name}{'' if key is None else f'[{key}]'}"
            provider = _provider(given, module_address, type_name, shown)
            resource = found[mode, type_name, name] = {
                "module": module_address,
                "mode": mode,
                "type": type_name,
                "name": name,
                "provider": provider,
                "instances": [],
            }
        listed = resource["instances"]
        assert isinstance(listed, list)
        listed.extend(instances)
    yield from found.values()


def _parse_address(address: str) -> tuple[str, str, str, int | None]:
    """Parse `type.name` or `type.name.0`, with or without a leading `data.`, into mode, type, name and key."""
    parts = address.split(".")
    is_data = len(parts) > 2 and parts[0] == "data"
    names = parts[1:] if is_data else parts
    if not 2 <= len(parts) <= 4 or len(names) > 3:
        raise _failure(f"invalid internal resource address format: {address}")
    mode = "data" if is_data else "managed"
    if len(names) == 2:
        return mode, names[0], names[1], None
    key = _parse_key(names[2])
    if isinstance(key, str):
        reason = f"strconv.ParseInt: parsing {quoted(names[2])}: {key}"
        raise _failure(f"error parsing resource address {quoted(address)}: {reason}")
    return mode, names[0], names[1], key


_OCTAL: Final = regex.compile(r"([+-]?)0([0-7_]+)")
_INT64: Final = range(-(2**63), 2**63)


def _parse_key(text: str) -> int | str:
    """Parse an integer as Go does, in any base; return the reason if it is not one."""
    octal = _OCTAL.fullmatch(text)
    try:
        number = int(f"{octal[1]}0o{octal[2]}" if octal is not None else text, 0)
    except ValueError:
        return "invalid syntax"
    return number if number in _INT64 and text.isascii() else "value out of range"


def _provider(given: str, module_address: str, type_name: str, address: str) -> str:
    """Return the address of a provider configuration in the form used before providers had sources. An address without
    `provider.` belongs to the module of the resource; without any address, the resource type determines it."""
    if "provider." in given:
        if not is_legacy_provider(given):
            raise _bad_provider(f"invalid provider config reference {quoted(given)} for {address}", given)
        return given
    prefix = f"{module_address}." if module_address else ""
    if not given:
        return f"{prefix}provider.{type_name.split('_', maxsplit=1)[0]}"
    traversal, problems = parse_traversal(Source("", given))
    if problems or traversal is None:
        raise _bad_provider(f"invalid legacy provider config reference {quoted(given)} for {address}", given)
    alias = [step.name for step in traversal.steps[:1] if isinstance(step, TraverseAttribute)]
    return prefix + ".".join(["provider", traversal.root, *alias])


def _bad_provider(what: str, given: str) -> MalformedError:
    if "${" in given:
        return _failure(
            f"{what}: this alias seems to contain a template interpolation sequence, which was not supported but also "
            "not error-checked in Terraform 0.11. To proceed, rename the associated provider alias to a valid "
            "identifier and apply the change with Terraform 0.11 before upgrading to Terraform 0.12"
        )
    _, problems = parse_traversal(Source("", given))
    reason = f"{problems[0].summary}: {problems[0].detail}" if problems else _NO_PROVIDER
    return _failure(f"{what}: {reason}")


_NO_PROVIDER: Final = (
    'Invalid provider configuration address: Provider address must begin with "provider.", followed by a provider type '
    "name."
)


# Objects


def _instances(record: _Record, key: int | None, version: _Version) -> Iterator[Tree]:
    """Yield all objects of an instance. Deposed objects had no keys; the generated keys are the same every time."""
    path = "modules.resources."
    if record.get("primary") is not None:
        yield _object(record_field(record, "primary", path), key, "", version, f"{path}primary.")
    for number, deposed in enumerate(records_field(record, "deposed", path), 1):
        yield _object(deposed, key, f"{number:08x}", version, f"{path}deposed.")


def _object(record: _Record, key: int | None, deposed: str, version: _Version, path: str) -> Tree:
    is_tainted = version is not _Version.FIRST and truth_field(record, "tainted", path)
    schema_version, private = _meta(record, version, path)
    tree: dict[str, Tree] = {
        "index_key": None if key is None else JsonNumber(str(key)),
        "status": "tainted" if is_tainted else "",
        "deposed": deposed,
        "schema_version": JsonNumber(str(schema_version)),
        "private": base64.b64encode(private).decode(),
    }
    attributes = _attributes(record, version, path)
    if attributes is not None:
        tree["attributes_flat"] = {**attributes}
    return tree


def _attributes(record: _Record, version: _Version, path: str) -> dict[str, str] | None:
    """Return the attributes, to which the id, once a separate field, is added if it is missing."""
    attributes = texts_by_name_field(record, "attributes", path)
    if version is not _Version.THIRD:
        attributes = _with_counted_maps(attributes)
    identifier = text_field(record, "id", path)
    if identifier and not attributes.get("id"):
        attributes["id"] = identifier
    return attributes if attributes or record.get("attributes") is not None else None


def _with_counted_maps(attributes: Mapping[str, str]) -> dict[str, str]:
    """Rename the size of each map from `x.#` to `x.%`, and drop the size of anything empty. Anything with a non-numeric
    key is a map."""
    upgraded = dict(attributes)
    for count in sorted(name for name in attributes if name.endswith(".#")):
        prefix = count[:-1]
        rest = [name.removeprefix(prefix) for name in upgraded if name.startswith(prefix)]
        keys = {name.split(".", maxsplit=1)[0] or name for name in rest} - {"#"}
        if not keys:
            del upgraded[count]
        elif not all(map(_DECIMAL.fullmatch, keys)):
            upgraded[f"{prefix}%"] = upgraded.pop(count)
    return upgraded


_DECIMAL: Final = regex.compile(r"[+-]?[0-9]+")


def _meta(record: _Record, version: _Version, path: str) -> tuple[int, bytes]:
    """Return the schema version, which was part of the provider's private data, and the rest of that data."""
    if version is _Version.FIRST:
        meta: dict[str, Tree] = {**texts_by_name_field(record, "meta", path)}
    else:
        meta = {name: _rounded(part, f"{path}meta") for name, part in record_field(record, "meta", path).items()}
    schema_version = _schema_version(meta.get("schema_version"))
    if schema_version is not None:
        del meta["schema_version"]
    return schema_version or 0, dumps(_sorted(meta)).encode() if meta else b""


def _schema_version(tree: Tree) -> int | None:
    if isinstance(tree, JsonNumber):
        return max(int(float(tree.text)), 0)
    return int(tree) if isinstance(tree, str) and tree.isascii() and tree.isdecimal() else None


# Outputs


def _outputs(module: _Record, version: _Version) -> dict[str, Tree]:
    if version is _Version.FIRST:
        texts = texts_by_name_field(module, "outputs", "modules.")
        return {name: {"value": text, "type": "string", "sensitive": False} for name, text in texts.items()}
    outputs: dict[str, Tree] = {}
    for name, record in record_field(module, "outputs", "modules.").items():
        if not isinstance(record, dict):
            raise wrong_field("modules.outputs", record)
        sensitive = truth_field(record, "sensitive", "modules.outputs.")
        value = _rounded(record.get("value"), "modules.outputs.value")
        type_ = type_to_json(_as_collections(implied_value(value).type))
        outputs[name] = {"value": value, "type": type_, "sensitive": sensitive}
    return outputs


def _as_collections(type_: Type) -> Type:
    """Convert tuples and objects, which did not exist then, to a list or a map if all elements have one type. Empty
    ones stay, since their element type is unknown."""
    if isinstance(type_, TupleType) and len(set(type_.elements)) == 1:
        return ListType(_as_collections(type_.elements[0]))
    if isinstance(type_, ObjectType) and len(set(type_.attributes.values())) == 1:
        return MapType(_as_collections(next(iter(type_.attributes.values()))))
    return type_


# Untyped values


def _rounded(tree: Tree, path: str) -> Tree:
    """Round numbers to double precision, as they were read then, in the shortest form that identifies them."""
    if isinstance(tree, dict):
        return {name: _rounded(part, path) for name, part in tree.items()}
    if isinstance(tree, list):
        return [_rounded(part, path) for part in tree]
    if not isinstance(tree, JsonNumber):
        return tree
    number = float(tree.text)
    if math.isinf(number):
        raise wrong_field(path, tree, show_number=True)
    if number and not 1e-6 <= abs(number) < 1e21:
        return JsonNumber(repr(number).replace("e-0", "e-"))
    text = format(Decimal(repr(number)), "f")
    return JsonNumber(text.removesuffix(".0"))


def _sorted(tree: Tree) -> Tree:
    if isinstance(tree, dict):
        return {name: _sorted(tree[name]) for name in sorted(tree)}
    return [_sorted(part) for part in tree] if isinstance(tree, list) else tree
