"""The legs of a plan's changes, in order of address."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from new_engine.nodes.leg import Leg, LegKind
from shared_nodes.addresses.provider import ProviderInstance
from shared_nodes.addresses.resource import AbsResourceInstance
from shared_nodes.config.tree import ConfigTree
from shared_nodes.plan.change import Action, Changes, ResourceChange
from shared_nodes.state.model import State

__all__ = ["has_legs", "legs_of", "provider_of_leg"]


NewKey = Callable[[AbsResourceInstance], str]


def legs_of(changes: Changes, config: ConfigTree, new_key: NewKey) -> list[Leg]:
    """Return the legs of all changes. `new_key` returns a key for the object of an instance that is about to be
    deposed."""
    return [leg for change in changes.in_order() for leg in _legs(change, config, new_key)]


def has_legs(changes: Changes, config: ConfigTree) -> bool:
    """Whether there is anything to do. A plan without changes has legs, too, if there are conditions about unchanged
    objects."""
    return any(True for change in changes.resources.values() for _ in _legs(change, config, str))


def provider_of_leg(leg: Leg, changes: Changes, state: State) -> ProviderInstance:
    """Return the provider instance that a leg works with: the one chosen for the change; but a removal uses the one
    that planning has recorded for the instance, which may have been chosen for another of its objects."""
    change = changes.of(leg.instance, leg.deposed) or changes.of(leg.instance)
    assert change is not None, f"{leg} belongs to no planned change"
    recorded = None if leg.kind is LegKind.APPLY else state.provider_of(leg.instance)
    return change.provider if recorded is None else ProviderInstance(change.provider.config, recorded.key)


def _legs(change: ResourceChange, config: ConfigTree, new_key: NewKey) -> Iterator[Leg]:
    action, address = change.action, change.address
    match action:
        case Action.DELETE:
            yield Leg(LegKind.DESTROY, address, action, change.deposed)
        case Action.FORGET:
            yield Leg(LegKind.FORGET, address, action, change.deposed)
        case Action.NO_OP:
            if change.deposed is None and _has_conditions(change, config):
                yield Leg(LegKind.APPLY, address, action)
        case Action.CREATE_THEN_DELETE:
            key = new_key(address)
            yield Leg(LegKind.APPLY, address, action, deposes=key)
            yield Leg(LegKind.DESTROY, address, action, key)
        case Action.DELETE_THEN_CREATE:
            yield Leg(LegKind.APPLY, address, action)
            yield Leg(LegKind.DESTROY, address, action)
        case Action.FORGET_THEN_CREATE:
            yield Leg(LegKind.APPLY, address, action)
            yield Leg(LegKind.FORGET, address, action)
        case _:
            yield Leg(LegKind.APPLY, address, action)


def _has_conditions(change: ResourceChange, config: ConfigTree) -> bool:
    """Whether an unchanged object has conditions, which are checked again."""
    block = config.resource(change.address.config)
    return block is not None and block.lifecycle.has_conditions
