"""Graphs for tests: short names, legs as a planner adds them, and a strategy for arbitrary graphs."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from hypothesis import strategies as st

from new_engine.execgraph.builder import GraphBuilder
from new_engine.execgraph.graph import ExecutionGraph, Ref, WaiterRef
from shared_nodes.addresses.module import ROOT_INSTANCE, ModuleInstance, ModulePath, ModuleStep
from shared_nodes.addresses.provider import BUILTIN, AbsProviderConfig, ProviderInstance, ProviderSource
from shared_nodes.addresses.resource import AbsResourceInstance, ConfigResource, Resource, ResourceMode

PROVIDER: Final = ProviderInstance(AbsProviderConfig(BUILTIN))
ALIASED: Final = ProviderInstance(
    AbsProviderConfig(ProviderSource("registry.terraform.io", "hashicorp", "null"), ModulePath(("m",)), "b"), "k"
)


def instance(name: str) -> AbsResourceInstance:
    return AbsResourceInstance(ROOT_INSTANCE, Resource(ResourceMode.MANAGED, "terraform_data", name))


def resource(name: str) -> ConfigResource:
    return instance(name).config


@dataclass(frozen=True, slots=True)
class Leg:
    """The waiter through which a leg waits for others, and the result that others wait for."""

    waiter: WaiterRef
    end: Ref


def create_leg(builder: GraphBuilder, address: AbsResourceInstance) -> Leg:
    waiter = builder.waiter()
    metadata = builder.current_meta(address, PROVIDER, None, waiter)
    end = builder.apply(builder.final_plan(metadata, builder.desired(metadata), None))
    builder.set_result(address, end)
    return Leg(waiter, end)


def delete_leg(builder: GraphBuilder, address: AbsResourceInstance) -> Leg:
    waiter = builder.waiter()
    prior = builder.prior(address)
    metadata = builder.current_meta(address, PROVIDER, prior, waiter)
    end = builder.apply(builder.final_plan(metadata, None, prior))
    builder.set_deletion(address, None, end)
    return Leg(waiter, end)


def deposed_leg(builder: GraphBuilder, address: AbsResourceInstance, key: str) -> Leg:
    waiter = builder.waiter()
    metadata = builder.deposed_meta(address, PROVIDER, key, waiter)
    end = builder.apply(builder.final_plan(metadata, None, builder.already_deposed(metadata)))
    builder.set_deletion(address, key, end)
    return Leg(waiter, end)


def create_first_leg(builder: GraphBuilder, address: AbsResourceInstance, key: str) -> Leg:
    """Return a create-first leg. The deposed object is restored if nothing is created."""
    waiter = builder.waiter()
    prior = builder.prior(address)
    metadata = builder.current_meta(address, ALIASED, prior, waiter)
    desired = builder.desired(metadata)
    deposed = builder.perform_depose(metadata, desired, key)
    again = builder.current_meta(address, ALIASED, deposed, builder.waiter())
    end = builder.apply(builder.final_plan(again, desired, None), deposed)
    builder.set_result(address, end)
    return Leg(waiter, end)


def read_leg(builder: GraphBuilder, address: AbsResourceInstance) -> Leg:
    waiter = builder.waiter()
    metadata = builder.current_meta(address, PROVIDER, None, waiter)
    return Leg(waiter, builder.data_read(metadata, builder.desired(metadata)))


def forget_leg(builder: GraphBuilder, address: AbsResourceInstance) -> Leg:
    waiter = builder.waiter()
    metadata = builder.current_meta(address, PROVIDER, builder.prior(address), waiter)
    return Leg(waiter, builder.forget(metadata))


def _legs(kind: str, builder: GraphBuilder, address: AbsResourceInstance) -> list[Leg]:
    match kind:
        case "create":
            return [create_leg(builder, address)]
        case "delete":
            return [delete_leg(builder, address)]
        case "delete, then create":
            return [delete_leg(builder, address), create_leg(builder, address)]
        case "create, then delete":
            return [create_first_leg(builder, address, "12345678"), deposed_leg(builder, address, "12345678")]
        case "deposed":
            return [deposed_leg(builder, address, key) for key in ("0000000a", "0000000b")]
        case "read":
            return [read_leg(builder, address)]
    return [forget_leg(builder, address)]


_KINDS: Final = ("create", "delete", "delete, then create", "create, then delete", "deposed", "read", "forget")
_NAMES: Final = st.from_regex(r"[a-z_][a-z0-9_-]{0,3}", fullmatch=True)
_KEYS: Final = st.none() | st.integers(0, 3) | st.text(st.characters(codec="utf-8"), max_size=4)
_MODULES: Final = st.lists(st.builds(ModuleStep, _NAMES, _KEYS), max_size=2).map(
    lambda steps: ModuleInstance(tuple(steps))
)
_RESOURCES: Final = st.builds(
    Resource, st.sampled_from((ResourceMode.MANAGED, ResourceMode.DATA)), st.just("terraform_data"), _NAMES
)
ADDRESSES: Final = st.builds(AbsResourceInstance, _MODULES, _RESOURCES, _KEYS)


@st.composite
def graphs(draw: st.DrawFn, *, acyclic: bool = True) -> ExecutionGraph:
    """Generate legs of any kind. Each waits for some that precede it in a random order, which is independent of the
    order in which they are added, so that waiters point forwards as often as backwards. With cycles allowed, it may
    wait for any."""
    builder = GraphBuilder()
    legs: list[Leg] = []
    addresses = draw(st.lists(ADDRESSES, unique=True, max_size=6))
    for address in addresses:
        legs += _legs(draw(st.sampled_from(_KINDS)), builder, address)
        builder.record_instance(address, create_before_destroy=draw(st.booleans()))
    order = draw(st.permutations(legs))
    for position, leg in enumerate(order):
        allowed = order[:position] if acyclic else order
        for before in draw(st.lists(st.sampled_from(allowed), max_size=3)) if allowed else ():
            builder.add(leg.waiter, before.end)
    resources = sorted({address.config for address in addresses}, key=str)
    for each in resources:
        builder.record_resource(each, draw(st.lists(st.sampled_from(resources), unique=True)))
    names = st.none() | st.frozensets(st.sampled_from(("x", "y", "z")))
    return replace(builder.finish(), outputs=draw(names), rules=draw(names))
