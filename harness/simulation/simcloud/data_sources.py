"""The data sources of simcloud: their arguments and answers.

A read sees the cloud at that moment, so that one that comes too early or too late is visible in its result.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Final

from harness.simulation.simcloud.behaviour import text_of
from harness.simulation.simcloud.refusal import CloudRefusal
from harness.simulation.simcloud.simulation import Simulation
from shared_nodes.providers.schema import BlockType, Nesting, ResourceSchema, SchemaAttribute, SchemaBlock
from shared_nodes.record import record
from shared_nodes.values import number as numbers
from shared_nodes.values.types import BOOL, NUMBER, STRING, ListType, MapType, Type
from shared_nodes.values.value import Value, boolean, integer, list_of, map_of, string

__all__ = ["DATA_SOURCES", "DataSource"]


@record
class DataSource:
    """A data source. `read` takes the whole configuration and the region, and returns the attributes it adds.
    CloudRefusal becomes an error."""

    block: SchemaBlock
    provokes: str
    read: Callable[[Simulation, str, Value], Awaitable[Mapping[str, Value]]]

    @property
    def schema(self) -> ResourceSchema:
        return ResourceSchema(self.block)


def _computed(type: Type = STRING, *, sensitive: bool = False) -> SchemaAttribute:
    return SchemaAttribute(type, computed=True, sensitive=sensitive)


_REQUIRED: Final = SchemaAttribute(STRING, required=True)
_OPTIONAL: Final = SchemaAttribute(STRING, optional=True)


async def _read_pure(_simulation: Simulation, _region: str, config: Value) -> Mapping[str, Value]:
    return {"result": string(f"found-{text_of(config, 'name') or ''}")}


async def _read_live(simulation: Simulation, region: str, config: Value) -> Mapping[str, Value]:
    identifier = text_of(config, "identifier")
    for live in simulation.cloud.objects.live_objects(None):
        if live.identifier == identifier and live.region == region:
            texts = {name: part for name, part in live.value.payload.items() if isinstance(part.payload, str)}
            return {"exists": boolean(True), "kind": string(live.type_name), "texts": map_of(STRING, texts)}
    return {"exists": boolean(False), "kind": string(""), "texts": map_of(STRING, {})}


async def _read_listing(simulation: Simulation, region: str, config: Value) -> Mapping[str, Value]:
    prefix = text_of(config, "prefix") or ""
    kinds = {text_of(part, "kind") for part in config.payload["only"].payload}
    found = [
        live.identifier
        for live in simulation.cloud.objects.live_objects(None)
        if live.region == region and (live.name or "").startswith(prefix) and (not kinds or live.type_name in kinds)
    ]
    return {"identifiers": list_of(STRING, map(string, sorted(found))), "number": integer(len(found))}


async def _read_failing(_simulation: Simulation, _region: str, config: Value) -> Mapping[str, Value]:
    raise CloudRefusal("Lookup failed", text_of(config, "message") or "This data source always fails.")


async def _read_slow(simulation: Simulation, _region: str, config: Value) -> Mapping[str, Value]:
    seconds = config.payload["seconds"]
    await simulation.time.sleep(0 if seconds.is_null else numbers.to_int(seconds.payload))
    return {"result": string(f"found-{text_of(config, 'name') or ''}")}


async def _read_secret(_simulation: Simulation, _region: str, config: Value) -> Mapping[str, Value]:
    return {"secret": string(f"secret-{text_of(config, 'name') or ''}")}


DATA_SOURCES: Final[Mapping[str, DataSource]] = {
    "simcloud_pure": DataSource(
        SchemaBlock({"name": _REQUIRED, "result": _computed()}),
        "result is found-<name>, which depends on name alone",
        _read_pure,
    ),
    "simcloud_live": DataSource(
        SchemaBlock(
            {
                "identifier": _REQUIRED,
                "exists": _computed(BOOL),
                "kind": _computed(),
                "texts": _computed(MapType(STRING)),
            }
        ),
        "whether a live object has that id, and its attributes: read too early, it does not exist",
        _read_live,
    ),
    "simcloud_listing": DataSource(
        SchemaBlock(
            {"prefix": _OPTIONAL, "identifiers": _computed(ListType(STRING)), "number": _computed(NUMBER)},
            {"only": BlockType(Nesting.LIST, SchemaBlock({"kind": _REQUIRED}))},
        ),
        "ids of all live objects whose name begins with prefix, limited to the kinds in only blocks: needs depends_on",
        _read_listing,
    ),
    "simcloud_failing": DataSource(
        SchemaBlock({"name": _OPTIONAL, "message": _OPTIONAL, "result": _computed()}),
        "always an error, with message",
        _read_failing,
    ),
    "simcloud_slow": DataSource(
        SchemaBlock({"name": _REQUIRED, "seconds": SchemaAttribute(NUMBER, required=True), "result": _computed()}),
        "answers after that many seconds of virtual time",
        _read_slow,
    ),
    "simcloud_secret": DataSource(
        SchemaBlock({"name": _REQUIRED, "secret": _computed(sensitive=True)}), "a sensitive result", _read_secret
    ),
}
"""The data sources by type name."""
