"""A state to begin with, which no engine here has written: objects of older and newer schemas, tainted and deposed
ones, and what is in no configuration at all. To come there by running steps takes several, if it can be done.

Objects live in the cloud under the names and ids the state says, so that refreshing finds them; some do not.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final
from uuid import NAMESPACE_DNS, uuid5

from harness.generate.choices import GenerationContext
from harness.generate.instances import Instance, instances
from harness.generate.model import Module, Sort
from harness.generate.printing import SIMCLOUD_SOURCE, address
from harness.generate.referable_attributes import schema_of
from shared_nodes.values.json import Tree

__all__ = ["Beginning", "begin"]

_PLAIN: Final = ("simcloud_updated", "simcloud_replaced", "simcloud_overcautious", "simcloud_parent")
_UPGRADED: Final = "simcloud_upgraded"
_KNOWN: Final = (*_PLAIN, _UPGRADED, "terraform_data")
_ORPHANS: Final = (*_KNOWN, *_KNOWN, "simcloud_upgrade_failing")
_MODULES: Final = ("", "", "module.gone", "module.gone.module.inner", 'module.gone[0].module.inner["k"]')
_KEYS: Final[tuple[int | str | None, ...]] = (None, None, 0, "k")
_Tree = dict[str, Any]
_OLD: Final[tuple[_Tree, ...]] = ({"size": "10GB"}, {"size": 10}, {"capacity": 10, "unit": "GB"})
_NEWER: Final = 9


@dataclass(frozen=True, slots=True)
class Beginning:
    state: str | None
    cloud: tuple[Mapping[str, Tree], ...]


@dataclass(slots=True)
class _Record:
    craft: GenerationContext
    region: str
    addresses: list[str]
    """Of resources of the root, in an order in which each may depend on those before it."""

    resources: dict[tuple[str, str, str], _Tree] = field(default_factory=dict)
    cloud: list[Mapping[str, Tree]] = field(default_factory=list)


def begin(craft: GenerationContext, root: Module) -> Beginning:
    """Some objects of the configuration, and some that are in none."""
    known = [one for one in instances(root, Sort.MANAGED) if one.node.type in _KNOWN and one.node.provider is None]
    record = _Record(craft, _region(root), [address(node) for node in root.alive(Sort.MANAGED)])
    for one in craft.chooser.some(known, 3):
        _add_instance(record, one)
    for number in range(craft.chooser.integer(0, 2)):
        _add_orphan(record, number)
    outputs = {"left": {"value": "over", "type": "string"}} if craft.wants("output in the first state", 25) else {}
    tree = {
        "version": 4,
        "terraform_version": "1.11.4",
        "serial": 3,
        "lineage": "3b1f0f6e-5a7c-0f0e-7c53-0a1f7c8f1c13",
        "outputs": outputs,
        "resources": list(record.resources.values()),
        "check_results": None,
    }
    return Beginning(json.dumps(tree, indent=2) + "\n", tuple(record.cloud))


def _region(root: Module) -> str:
    """Where the usual configuration of the provider works, as far as that can be read off."""
    usual = [node for node in root.alive(Sort.PROVIDER) if not node.name]
    parts = usual[0].arguments["region"].parts if usual and "region" in usual[0].arguments else ()
    return "".join(part for part in parts if isinstance(part, str)).strip('"')


def _add_instance(record: _Record, one: Instance) -> None:
    """And sometimes one that adding or removing `count` would have moved to the same place."""
    own = address(one.node)
    module, _, key = one.address.rpartition(own)
    index = json.loads(key[1:-1]) if key else None
    where = module.removesuffix("."), one.node.type, one.node.name
    _add(record, where, index, one.cloud_name)
    other = 0 if index is None else None
    known = [kept.get("index_key") for kept in record.resources[where]["instances"]]
    if other not in known and record.craft.wants("with and without a key in the first state", 15):
        _add(record, where, other, f"{one.cloud_name}-more")


def _add_orphan(record: _Record, number: int) -> None:
    craft = record.craft
    craft.used.add("orphan in the first state")
    type_name, module = craft.chooser.choice(_ORPHANS), craft.chooser.choice(_MODULES)
    _add(record, (module, type_name, f"gone{number}"), craft.chooser.choice(_KEYS), f"gone{number}")


def _add(record: _Record, where: tuple[str, str, str], index: int | str | None, name: str) -> None:
    module, type_name, label = where
    is_simulated = type_name.startswith("simcloud_")
    source = SIMCLOUD_SOURCE if is_simulated else "terraform.io/builtin/terraform"
    resource = record.resources.setdefault(
        where,
        {
            **({"module": module} if module else {}),
            "mode": "managed",
            "type": type_name,
            "name": label,
            "provider": f'provider["{source}"]{_alias(record, where)}',
            "instances": [],
        },
    )
    resource["instances"] += _objects(record, where, index, name)


def _alias(record: _Record, where: tuple[str, str, str]) -> str:
    """What is in no configuration may have been made by a configuration of its provider that is gone as well."""
    is_orphan = where[2].startswith("gone")
    return ".gone" if is_orphan and record.craft.wants("provider gone since the first state", 6) else ""


def _before(addresses: list[str], own: str) -> list[str]:
    """All of them, for what is no resource of the root."""
    return addresses[: addresses.index(own)] if own in addresses else addresses


def _objects(record: _Record, where: tuple[str, str, str], index: int | str | None, name: str) -> Iterator[_Tree]:
    """What the state has of one instance: a current object, deposed ones, or both."""
    craft = record.craft
    has_deposed = craft.wants("deposed in the first state", 30)
    if not has_deposed or not craft.wants("nothing but deposed in the first state", 25):
        status = {"status": "tainted"} if craft.wants("tainted in the first state", 25) else {}
        yield {**_object(record, where, index, name, 1), **status}
    for number in range(craft.chooser.integer(1, 2) if has_deposed else 0):
        yield {**_object(record, where, index, name, 2 + number), "deposed": f"0000000{number + 1}"}


def _object(record: _Record, where: tuple[str, str, str], index: int | str | None, name: str, number: int) -> _Tree:
    craft, (_, type_name, label) = record.craft, where
    own = f"{type_name}.{label}"
    version, attributes = _attributes(record, type_name, name, number)
    if craft.wants("newer schema in the first state", 3):
        version = _NEWER
    kept: _Tree = {} if index is None else {"index_key": index}
    kept["schema_version"] = version
    if craft.wants("flat attributes in the first state", 3):
        kept["attributes_flat"] = {"id": attributes["id"]}
    else:
        kept["attributes"] = attributes
    hidden = [[{"type": "get_attr", "value": "value"}]] if "value" in attributes else []
    kept["sensitive_attributes"] = hidden if craft.wants("sensitive in the first state", 10) else []
    if craft.wants("dependencies in the first state", 40):
        kept["dependencies"] = sorted(craft.chooser.some(_before(record.addresses, own), 2))
    if craft.wants("create_before_destroy in the first state", 30):
        kept["create_before_destroy"] = True
    return kept


def _attributes(record: _Record, type_name: str, name: str, number: int) -> tuple[int, _Tree]:
    """With the version of the schema they are written for; what exists under their id is made as well."""
    craft = record.craft
    if type_name == "terraform_data":
        identifier = f"{uuid5(NAMESPACE_DNS, f'{name}-{number}')}"
        return 0, {"id": identifier, "input": None, "output": None, "triggers_replace": None}
    identifier = f"{record.region}.{name}-{number}" if record.region else f"{name}-{number}"
    if type_name == _UPGRADED:
        version = craft.chooser.integer(0, 2)
        own = _OLD[version]
        live: dict[str, Tree] = {"unit": "GB"}
    else:
        version, own = 0, dict.fromkeys(schema_of(Sort.MANAGED, type_name).attributes)
        own["value"] = "old"
        live = {"value": "old"}
    if not craft.wants("gone since the first state", 10):
        region = {"region": record.region} if record.region else {}
        record.cloud.append({"type": type_name, "id": identifier, "name": name, **live, **region})
    return version, {**own, "id": identifier, "name": name}
