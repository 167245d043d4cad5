"""Addresses of resources: what they remember of themselves is never part of what they are."""

from __future__ import annotations

import pickle
import subprocess
import sys

from shared_nodes.addresses.module import ModulePath
from shared_nodes.addresses.resource import ConfigResource, Resource, ResourceMode, shared


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
    assert shared(block("a")) is shared(block("a"))
    assert shared(block("a")) is not shared(block("b"))


def test_a_hash_does_not_travel_to_another_process() -> None:
    used = block("a")
    assert hash(used)
    code = (
        f"import pickle; found = pickle.loads({pickle.dumps(used)!r}); "
        "print(found in {type(found)(found.module, found.resource)})"
    )
    environment = {"PYTHONHASHSEED": "123", "PYTHONPATH": ":".join(sys.path)}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout == "True\n"
