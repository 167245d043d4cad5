"""An initial state that no engine here has written: objects of older and newer schemas, tainted and deposed objects,
and objects that are in no configuration. Reaching such a state by steps would take several, if it is possible at all.

The objects exist in the cloud under the names and ids of the state, so that a refresh finds them. Some are missing.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import field
from typing import Any, Final
from uuid import NAMESPACE_DNS, uuid5

from harness.generate.choices import GenerationContext
from harness.generate.instances import ModelInstance, find_instances
from harness.generate.model import BlockKind, ModelModule
from harness.generate.printing import SIMCLOUD_SOURCE, address
from harness.generate.referable_attributes import schema_of
from shared_nodes.record import record
from shared_nodes.values.json import Tree

__all__ = ["InitialState", "generate_initial_state"]

_PLAIN: Final = ("simcloud_updated", "simcloud_replaced", "simcloud_overcautious", "simcloud_parent")
_UPGRADED: Final = "simcloud_upgraded"
_KNOWN: Final = (*_PLAIN, _UPGRADED, "terraform_data")
_ORPHANS: Final = (*_KNOWN, *_KNOWN, "simcloud_upgrade_failing")
_MODULES: Final = ("", "", "module.gone", "module.gone.module.inner", 'module.gone[0].module.inner["k"]')
_KEYS: Final[tuple[int | str | None, ...]] = (None, None, 0, "k")
_Tree = dict[str, Any]
_OLD: Final[tuple[_Tree, ...]] = ({"size": "10GB"}, {"size": 10}, {"capacity": 10, "unit": "GB"})
_NEWER: Final = 9


@record
class InitialState:
    state: str | None
    cloud: tuple[Mapping[str, Tree], ...]


@record(frozen=False)
class _StateBuilder:
    context: GenerationContext
    region: str
    addresses: list[str]
    """Addresses of the root's resources, ordered so that each may depend on those before it."""

    resources: dict[tuple[str, str, str], _Tree] = field(default_factory=dict)
    cloud: list[Mapping[str, Tree]] = field(default_factory=list)


def generate_initial_state(context: GenerationContext, root: ModelModule) -> InitialState:
    """Generate a state with some objects of the configuration and some that are in no configuration."""
    known = [
        one
        for one in find_instances(root, BlockKind.MANAGED)
        if one.block.type in _KNOWN and one.block.provider is None
    ]
    builder = _StateBuilder(
        context, _provider_region(root), [address(block) for block in root.live_blocks(BlockKind.MANAGED)]
    )
    for one in context.chooser.sample(known, 3):
        _add_instance(builder, one)
    for number in range(context.chooser.integer(0, 2)):
        _add_orphan(builder, number)
    outputs = {"left": {"value": "over", "type": "string"}} if context.chance("output in the first state", 25) else {}
    tree = {
        "version": 4,
        "terraform_version": "1.11.4",
        "serial": 3,
        "lineage": "3b1f0f6e-5a7c-0f0e-7c53-0a1f7c8f1c13",
        "outputs": outputs,
        "resources": list(builder.resources.values()),
        "check_results": None,
    }
    return InitialState(json.dumps(tree, indent=2) + "\n", tuple(builder.cloud))


def _provider_region(root: ModelModule) -> str:
    """Return the region of the default provider configuration, if it is a constant."""
    usual = [block for block in root.live_blocks(BlockKind.PROVIDER) if not block.name]
    parts = usual[0].arguments["region"].parts if usual and "region" in usual[0].arguments else ()
    return "".join(part for part in parts if isinstance(part, str)).strip('"')


def _add_instance(builder: _StateBuilder, one: ModelInstance) -> None:
    """Add an instance, and sometimes a second one that adding or removing `count` would move to the same address."""
    own = address(one.block)
    module, _, key = one.address.rpartition(own)
    index = json.loads(key[1:-1]) if key else None
    where = module.removesuffix("."), one.block.type, one.block.name
    _add_resource(builder, where, index, one.cloud_name)
    if any("deposed" in tree for tree in builder.resources[where]["instances"]):
        one.block.must_exist = True
        one.block.settings.pop("enabled", None)
    other = 0 if index is None else None
    known = [tree.get("index_key") for tree in builder.resources[where]["instances"]]
    if other not in known and builder.context.chance("with and without a key in the first state", 15):
        _add_resource(builder, where, other, f"{one.cloud_name}-more")


def _add_orphan(builder: _StateBuilder, number: int) -> None:
    context = builder.context
    context.used_features.add("orphan in the first state")
    type_name, module = context.chooser.choice(_ORPHANS), context.chooser.choice(_MODULES)
    _add_resource(builder, (module, type_name, f"gone{number}"), context.chooser.choice(_KEYS), f"gone{number}")


def _add_resource(builder: _StateBuilder, where: tuple[str, str, str], index: int | str | None, name: str) -> None:
    module, type_name, label = where
    is_simulated = type_name.startswith("simcloud_")
    source = SIMCLOUD_SOURCE if is_simulated else "terraform.io/builtin/terraform"
    resource = builder.resources.setdefault(
        where,
        {
            **({"module": module} if module else {}),
            "mode": "managed",
            "type": type_name,
            "name": label,
            "provider": f'provider["{source}"]{_choose_alias(builder, where)}',
            "instances": [],
        },
    )
    resource["instances"] += _make_objects(builder, where, index, name)


def _choose_alias(builder: _StateBuilder, where: tuple[str, str, str]) -> str:
    """Return an alias for some orphans: they were created by a provider configuration that is gone as well."""
    is_orphan = where[2].startswith("gone")
    return ".gone" if is_orphan and builder.context.chance("provider gone since the first state", 6) else ""


def _addresses_before(addresses: list[str], own: str) -> list[str]:
    """Return the addresses before `own`; all of them if `own` is not a resource of the root."""
    return addresses[: addresses.index(own)] if own in addresses else addresses


def _make_objects(
    builder: _StateBuilder, where: tuple[str, str, str], index: int | str | None, name: str
) -> Iterator[_Tree]:
    """Yield the state objects of one instance: a current object, deposed objects, or both."""
    context = builder.context
    has_deposed = context.chance("deposed in the first state", 30)
    if not has_deposed or not context.chance("nothing but deposed in the first state", 25):
        status = {"status": "tainted"} if context.chance("tainted in the first state", 25) else {}
        yield {**_make_object(builder, where, index, name, 1), **status}
    for number in range(context.chooser.integer(1, 2) if has_deposed else 0):
        yield {**_make_object(builder, where, index, name, 2 + number), "deposed": f"0000000{number + 1}"}


def _make_object(
    builder: _StateBuilder, where: tuple[str, str, str], index: int | str | None, name: str, number: int
) -> _Tree:
    context, (_, type_name, label) = builder.context, where
    own = f"{type_name}.{label}"
    version, attributes = _make_attributes(builder, type_name, name, number)
    if context.chance("newer schema in the first state", 3):
        version = _NEWER
    tree: _Tree = {} if index is None else {"index_key": index}
    tree["schema_version"] = version
    if context.chance("flat attributes in the first state", 3):
        tree["attributes_flat"] = {"id": attributes["id"]}
    else:
        tree["attributes"] = attributes
    hidden = [[{"type": "get_attr", "value": "value"}]] if "value" in attributes else []
    tree["sensitive_attributes"] = hidden if context.chance("sensitive in the first state", 10) else []
    if context.chance("dependencies in the first state", 40):
        tree["dependencies"] = sorted(context.chooser.sample(_addresses_before(builder.addresses, own), 2))
    if context.chance("create_before_destroy in the first state", 30):
        tree["create_before_destroy"] = True
    if context.chance("opentofu: skip_destroy in the first state", 12):
        tree["skip_destroy"] = True
    return tree


def _make_attributes(builder: _StateBuilder, type_name: str, name: str, number: int) -> tuple[int, _Tree]:
    """Return attributes and the schema version they are written for. The matching cloud object is added as well."""
    context = builder.context
    if type_name == "terraform_data":
        identifier = f"{uuid5(NAMESPACE_DNS, f'{name}-{number}')}"
        return 0, {"id": identifier, "input": None, "output": None, "triggers_replace": None}
    identifier = f"{builder.region}.{name}-{number}" if builder.region else f"{name}-{number}"
    if type_name == _UPGRADED:
        version = context.chooser.integer(0, 2)
        own = _OLD[version]
        live: dict[str, Tree] = {"unit": "GB"}
    else:
        version, own = 0, dict.fromkeys(schema_of(BlockKind.MANAGED, type_name).attributes)
        own["value"] = "old"
        live = {"value": "old"}
    if not context.chance("gone since the first state", 10):
        region = {"region": builder.region} if builder.region else {}
        builder.cloud.append({"type": type_name, "id": identifier, "name": name, **live, **region})
    return version, {**own, "id": identifier, "name": name}
