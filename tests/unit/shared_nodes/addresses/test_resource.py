"""Addresses of resources: cached properties are never part of their identity."""

from __future__ import annotations

import pickle
import subprocess
import sys

from shared_nodes.addresses.module import ModuleInstance, ModulePath, ModuleStep
from shared_nodes.addresses.provider import AbsProviderConfig, ProviderSource
from shared_nodes.addresses.resource import (
    AbsResource,
    AbsResourceInstance,
    ConfigResource,
    Resource,
    ResourceMode,
    interned,
)


def block(name: str) -> ConfigResource:
    return ConfigResource(ModulePath(("m",)), Resource(ResourceMode.MANAGED, "t", name))


def test_an_address_that_was_printed_and_hashed_equals_a_new_one() -> None:
    used = block("a")
    assert (str(used), hash(used)) == ("module.m.t.a", hash(block("a")))
    assert used == block("a")
    assert used != block("b")
    assert repr(used) == repr(block("a"))
    assert ConfigResource.texts([used, block("b")]) == ["module.m.t.a", "module.m.t.b"]


def test_equal_addresses_are_shared_as_one_object() -> None:
    assert interned(block("a")) is interned(block("a"))
    assert interned(block("a")) is not interned(block("b"))


SOURCE = ProviderSource("example.com", "a", "b")
MODULE = ModuleInstance((ModuleStep("m", "key"),))
RESOURCE = Resource(ResourceMode.MANAGED, "t", "a")


def test_a_hash_does_not_travel_to_another_process() -> None:
    """The hash of an equal address made there would differ."""
    used: list[object] = [block("a"), SOURCE, AbsProviderConfig(SOURCE), MODULE, MODULE.path, RESOURCE]
    used += [AbsResource(MODULE, RESOURCE), AbsResourceInstance(MODULE, RESOURCE, 0)]
    assert all(map(hash, used))
    code = (
        f"import pickle, dataclasses; found = pickle.loads({pickle.dumps(used)!r})\n"
        "parts = lambda one: [getattr(one, field.name) for field in dataclasses.fields(one) if field.init]\n"
        "print(all(one in {type(one)(*parts(one))} for one in found))"
    )
    environment = {"PYTHONHASHSEED": "123", "PYTHONPATH": ":".join(sys.path)}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout == "True\n"
