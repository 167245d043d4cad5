"""Drift: how managed objects were found to differ from what the last run recorded."""

from __future__ import annotations

from collections.abc import Container, Mapping

from shared_nodes.addresses.provider import ProviderInstance
from shared_nodes.addresses.resource import AbsResourceInstance, ResourceMode
from shared_nodes.plan.change import Action, ResourceChange
from shared_nodes.plan.options import Mode
from shared_nodes.plan.plan import Plan
from shared_nodes.providers.schema import SchemaBlock, implied_type
from shared_nodes.state.file import Schemas, schema_of
from shared_nodes.state.model import State
from shared_nodes.state.object_values import decoded
from shared_nodes.values.json import JsonError
from shared_nodes.values.value import Value, null

__all__ = ["drift_between", "shown_drift"]


def drift_between(
    previous: State,
    refreshed: State,
    schemas: Schemas,
    moved_from: Mapping[AbsResourceInstance, AbsResourceInstance],
    converted: Container[AbsResourceInstance] = (),
) -> list[ResourceChange]:
    """Return the objects that changed, vanished or moved since the last run. Deposed objects are not compared, and
    neither are those `converted` from another type. A change of sensitivity counts as a change; a change of
    dependencies does not."""
    found: list[ResourceChange] = []
    for address, instance in previous.instances():
        if address.resource.mode is not ResourceMode.MANAGED or instance.current is None or address in converted:
            continue
        resource = previous.resources[address.containing]
        schema = schema_of(schemas, resource.provider, address.resource)
        if schema is None:
            continue
        before = _value(previous, address, schema.block)
        after = _value(refreshed, address, schema.block)
        old_address = moved_from.get(address, address)
        if before is None or after is None or (before == after and old_address == address):
            continue
        action = Action.DELETE if after.is_null else Action.NO_OP if before == after else Action.UPDATE
        provider = ProviderInstance(resource.provider, instance.provider_key)
        change = ResourceChange(
            address,
            old_address,
            provider,
            action,
            before,
            after,
            before_identity=_identity(previous, address),
            after_identity=_identity(refreshed, address),
        )
        found.append(change)
    return found


def _value(state: State, address: AbsResourceInstance, block: SchemaBlock) -> Value | None:
    """Return null for an object that is gone; None for one that cannot be read, which is reported where it is used.

    Only what was recorded as sensitive is marked, so that a state that recorded less than the schema declares has
    drifted."""
    current = state.current(address)
    if current is None:
        return null(implied_type(block))
    if current.value is not None:
        return current.value
    try:
        return decoded(current, block)
    except JsonError:
        return None


def _identity(state: State, address: AbsResourceInstance) -> Value | None:
    current = state.current(address)
    return None if current is None else current.identity


def shown_drift(plan: Plan) -> list[ResourceChange]:
    """Return the drift to report. A move without other changes is already among the planned changes, unless nothing is
    planned at all."""
    if plan.mode is Mode.REFRESH_ONLY:
        return plan.drift
    return [change for change in plan.drift if change.action is not Action.NO_OP]
