"""The ephemeral resources of simcloud: tokens that are open for a while and must be closed.

Open tokens are kept in the simulation, so that one that was never closed, or closed twice, is noticed.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import timedelta
from typing import Final

from harness.simulation.simcloud.behaviour import text_of, with_parts
from harness.simulation.simcloud.simulation import Simulation
from shared_nodes.lang.diagnostics import Diagnostic, error
from shared_nodes.providers.contract import OpenedEphemeral, Problems, RenewedEphemeral
from shared_nodes.providers.schema import ResourceSchema, SchemaAttribute, SchemaBlock
from shared_nodes.record import record
from shared_nodes.values import number as numbers
from shared_nodes.values.types import NUMBER, STRING
from shared_nodes.values.value import Value, string
from shared_nodes.world import World

__all__ = ["EPHEMERALS", "close_token", "open_token", "renew_token"]

UNRENEWABLE: Final = "simcloud_unrenewable"


def _schema(lifetime: SchemaAttribute) -> ResourceSchema:
    name, token = SchemaAttribute(STRING, required=True), SchemaAttribute(STRING, computed=True)
    return ResourceSchema(SchemaBlock({"name": name, "lifetime": lifetime, "token": token}))


EPHEMERALS: Final[Mapping[str, ResourceSchema]] = {
    "simcloud_token": _schema(SchemaAttribute(NUMBER, optional=True)),
    UNRENEWABLE: _schema(SchemaAttribute(NUMBER, required=True)),
}
"""Schemas by type name. Each token is `token-<name>-<n>`, where n counts the opens of a name. With a `lifetime` in
seconds it has to be renewed, and the second kind refuses that."""


@record
class _Private:
    """The private data of a token, without which it can be neither renewed nor closed."""

    token: str
    lifetime: int | None

    def dump(self) -> bytes:
        return json.dumps([self.token, self.lifetime]).encode()


def _load(private: bytes) -> _Private | None:
    try:
        token, lifetime = json.loads(private)
    except ValueError:
        return None
    return _Private(token, lifetime)


def open_token(simulation: Simulation, world: World, config: Value) -> OpenedEphemeral:
    name = text_of(config, "name") or ""
    token = simulation.tokens.open(name)
    given = config.payload["lifetime"]
    lifetime = None if given.is_null else numbers.to_int(given.payload)
    renew_at = None if lifetime is None else world.now() + timedelta(seconds=lifetime)
    value = with_parts(config, {"token": string(token)})
    return OpenedEphemeral(value, _Private(token, lifetime).dump(), renew_at=renew_at)


def renew_token(simulation: Simulation, world: World, type_name: str, private: bytes) -> RenewedEphemeral:
    kept = _load(private)
    if kept is None or kept.token not in simulation.tokens.opened:
        return RenewedEphemeral(private, problems=[_not_open(kept)])
    if type_name == UNRENEWABLE:
        refusal = error("Renewal refused", f'Token "{kept.token}" cannot be renewed.')
        return RenewedEphemeral(private, problems=[refusal])
    simulation.tokens.renewed[kept.token] += 1
    renew_at = None if kept.lifetime is None else world.now() + timedelta(seconds=kept.lifetime)
    return RenewedEphemeral(private, renew_at)


def close_token(simulation: Simulation, private: bytes) -> Problems:
    kept = _load(private)
    if kept is None or kept.token not in simulation.tokens.opened:
        return [_not_open(kept)]
    simulation.tokens.opened.remove(kept.token)
    return ()


def _not_open(kept: _Private | None) -> Diagnostic:
    what = "Private data of a token were lost." if kept is None else f'Token "{kept.token}" is not open.'
    return error("Token not open", what)
