"""The simulated cloud of a case: `cloud`, the objects that exist before the first step, and `faults`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final

import yaml

from harness.case.yaml_fields import CaseError, Fields, json_mapping, line_of
from harness.simulation.simcloud.behaviour import text_of, with_unknown_computed
from harness.simulation.simcloud.cloud import Cloud, CloudRefusal
from harness.simulation.simcloud.faults import KINDS_OF, Fault, FaultKind, Phase, Verb
from harness.simulation.simcloud.objects import CallContext, object_from_json
from harness.simulation.simcloud.resource_types import RESOURCE_TYPES
from harness.simulation.simcloud.sim import SIM
from harness.simulation.simcloud.simcloud import SIMCLOUD, SIMCLOUD_SCHEMA
from harness.simulation.simcloud.thing import SIM_SCHEMA, THING_TYPE, known_text, thing_from_json
from shared_nodes.values.json import JsonError, Tree, loads

__all__ = [
    "NEXT_OPERATION",
    "furnished_cloud",
    "read_arranged",
    "read_cloud",
    "read_drift",
    "read_faults",
    "read_killing",
]

_EVERY: Final = "all"
NEXT_OPERATION: Final = 0
"""The step of a fault that a task injects. A task is not a step: any number serves that does not mean every step."""

_TYPES: Final = frozenset(
    name
    for schema in (SIM_SCHEMA, SIMCLOUD_SCHEMA)
    for kind in (schema.managed, schema.data, schema.ephemeral)
    for name in kind
) | {SIM.type, SIMCLOUD.type}
"""The subjects of calls: a type, or for `configure` a provider."""


def read_cloud(file: Path, key: str, node: yaml.Node) -> tuple[Mapping[str, Tree], ...]:
    """Read the objects and create them on trial: what the cloud refuses, such as a unique value given twice, is a
    mistake in the case."""
    things: list[Mapping[str, Tree]] = []
    for item in _items(file, key, node):
        things.append(_attributes(file, key, item))
        try:
            furnished_cloud(tuple(things))
        except (JsonError, CloudRefusal) as problem:
            raise CaseError(f"{file}:{line_of(item)}: {key}: {problem}") from problem
    return tuple(things)


def furnished_cloud(things: tuple[Mapping[str, Tree], ...]) -> Cloud:
    """Return a cloud with these things, created in this order by the usual rules. One with a `type` is an object of
    that type, in its `region`."""
    cloud = Cloud()
    for attributes in things:
        if "type" in attributes:
            _furnish_object(cloud, attributes)
            continue
        if "version" in attributes:
            raise JsonError("version: a new thing always has version 1")
        thing = thing_from_json(attributes)
        if known_text(thing, "name") is None:
            raise JsonError("name: every thing needs one")
        cloud.create(thing, known_text(thing, "id"))
    return cloud


def _furnish_object(cloud: Cloud, item: Mapping[str, Tree]) -> None:
    """Create an object. The server fills in what is computed and not given, as it always does."""
    type_name, region = item["type"], item.get("region", "")
    if not isinstance(type_name, str) or not isinstance(region, str):
        raise JsonError("type and region: must be texts")
    given = {name: part for name, part in item.items() if name not in ("type", "region")}
    wanted = object_from_json(type_name, given)
    if text_of(wanted, "name") is None:
        raise JsonError("name: every object needs one")
    behaviour = RESOURCE_TYPES[type_name]
    wanted = with_unknown_computed(behaviour.block, wanted, behaviour.known_defaults)
    cloud.objects.create(CallContext(type_name, region), wanted, text_of(wanted, "id"))


def read_faults(file: Path, key: str, node: yaml.Node, steps: int) -> tuple[Fault, ...]:
    return tuple(
        _fault(file, item, f"fault {position}", steps) for position, item in enumerate(_items(file, key, node), 1)
    )


def _fault(file: Path, node: yaml.Node, what: str, steps: int) -> Fault:
    fields = Fields(file, node, what)
    step: int | None = fields.take("step", lambda key, value: _step(file, key, value, steps))
    fault = _of_kind(file, fields, FaultKind(fields.take("kind", fields.one_of(list(FaultKind)))), step)
    fields.finish()
    return fault


def read_arranged(file: Path, fields: Fields) -> Fault:
    """Read a fault that a task injects into the next operation or, if it is `lasting`, into all that follow."""
    kind = FaultKind(fields.take("kind", fields.one_of([kind for kind in FaultKind if kind.needs_call])))
    is_lasting: bool = fields.take("lasting", fields.boolean, False)
    return _of_kind(file, fields, kind, None if is_lasting else NEXT_OPERATION)


def read_drift(file: Path, fields: Fields) -> Fault:
    """Read a change of the cloud without the engine: an object gets other attributes, or vanishes."""
    vanishes: bool = fields.take("vanish", fields.boolean, False)
    return _of_kind(file, fields, FaultKind.VANISH if vanishes else FaultKind.DRIFT, NEXT_OPERATION)


def read_killing(file: Path, key: str, node: yaml.Node) -> Fault:
    """Read the call at which an apply is killed. The call gets stuck, and the process is killed while it waits."""
    fields = Fields(file, node, key)
    fault = _of_kind(file, fields, FaultKind.STUCK, NEXT_OPERATION, Phase.APPLY)
    fields.finish()
    return fault


def _of_kind(file: Path, fields: Fields, kind: FaultKind, step: int | None, phase: Phase | None = None) -> Fault:
    """Read a fault of this kind. One that could never occur is refused, because its author expects it to."""
    type_name = fields.take("type", fields.one_of(sorted(_TYPES)), None)
    arguments = fields.take("where", lambda key, value: _attributes(file, key, value), {}) if kind.needs_call else {}
    is_found_otherwise = type_name is not None or arguments
    read_name = partial(_name, file)
    name = fields.take("name", read_name, None) if is_found_otherwise else fields.take("name", read_name)
    fault = Fault(step, name, kind, phase=phase, type_name=type_name, arguments=arguments)
    if kind.needs_call:
        return _of_call(file, fields, fault)
    if kind is FaultKind.DRIFT:
        return replace(fault, attributes=fields.take("set", lambda key, value: _drift(file, key, value, type_name)))
    return fault


def _of_call(file: Path, fields: Fields, fault: Fault) -> Fault:
    verb = Verb(fields.take("verb", fields.one_of([verb for verb in Verb if fault.kind in KINDS_OF[verb]])))
    if fault.phase is not None:
        occurrence = fields.take("occurrence", lambda key, value: _count(file, key, value), 1)
        return replace(fault, verb=verb, occurrence=occurrence)
    phase = fields.take("phase", fields.one_of(list(Phase)), None)
    fault = replace(fault, verb=verb, phase=None if phase is None else Phase(phase))

    def number(key: str, node: yaml.Node) -> int:
        return _count(file, key, node)

    if fault.kind is FaultKind.FLAKY:
        return replace(fault, times=fields.take("times", number))
    if fault.kind is FaultKind.LATENCY:
        fault = replace(fault, seconds=fields.take("seconds", number))
    occurrence = fields.take("occurrence", lambda key, value: _occurrence(file, key, value), 1)
    return replace(fault, occurrence=occurrence)


def _step(file: Path, key: str, node: yaml.Node, steps: int) -> int | None:
    value = yaml.SafeLoader("").construct_document(node)
    if value == _EVERY:
        return None
    if not isinstance(value, int) or isinstance(value, bool):
        raise CaseError(f"{file}:{line_of(node)}: {key}: must be an integer, or {_EVERY}")
    if not 0 <= value < steps:
        raise CaseError(f"{file}:{line_of(node)}: {key}: there is no step {value}; they are 0 to {steps - 1}")
    return value


def _name(file: Path, key: str, node: yaml.Node) -> str:
    """Null is the name of a provider configuration without a region only, for which the empty name stands as well."""
    value = yaml.SafeLoader("").construct_document(node)
    if value is not None and not isinstance(value, str):
        raise CaseError(f"{file}:{line_of(node)}: {key}: must be a text")
    return value or ""


def _occurrence(file: Path, key: str, node: yaml.Node) -> int | None:
    if yaml.SafeLoader("").construct_document(node) == _EVERY:
        return None
    return _count(file, key, node, f", or {_EVERY}")


def _count(file: Path, key: str, node: yaml.Node, otherwise: str = "") -> int:
    value = yaml.SafeLoader("").construct_document(node)
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise CaseError(f"{file}:{line_of(node)}: {key}: must be a whole number from 1{otherwise}")
    return value


def _drift(file: Path, key: str, node: yaml.Node, type_name: str | None) -> Mapping[str, Tree]:
    """Read the new attributes. Without a type they must be attributes of a thing."""
    attributes = _attributes(file, key, node)
    try:
        if type_name in (None, THING_TYPE):
            thing_from_json(attributes)
        else:
            object_from_json(str(type_name), attributes)
    except JsonError as problem:
        raise CaseError(f"{file}:{line_of(node)}: {key}: {problem}") from problem
    return attributes


def _attributes(file: Path, key: str, node: yaml.Node) -> Mapping[str, Tree]:
    tree = loads(json_mapping(file, key, node, "a mapping of attributes to values"))
    assert isinstance(tree, dict)
    return tree


def _items(file: Path, key: str, node: yaml.Node) -> list[yaml.Node]:
    if not isinstance(node, yaml.SequenceNode):
        raise CaseError(f"{file}:{line_of(node)}: {key}: must be a list")
    return list(node.value)
