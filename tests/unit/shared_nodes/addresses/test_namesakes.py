"""Two instances of one module do not see each other, although their resources have the same names."""

from __future__ import annotations

from typing import Final

import pytest

from shared_nodes.addresses.key import InstanceKey
from shared_nodes.addresses.module import ROOT_INSTANCE, ModuleInstance, ModulePath
from shared_nodes.addresses.namesakes import Namesakes
from shared_nodes.addresses.resource import AbsResourceInstance, Resource, ResourceMode

RESOURCE: Final = Resource(ResourceMode.MANAGED, "terraform_data", "a")
FIRST, SECOND = (ROOT_INSTANCE.child("m", key) for key in (0, 1))
ELSEWHERE: Final = ROOT_INSTANCE.child("n")


@pytest.mark.parametrize(
    ("module", "other", "expected"),
    [
        (FIRST, FIRST, True),
        (FIRST, SECOND, False),
        (FIRST, ELSEWHERE, True),
        (FIRST, ROOT_INSTANCE, True),
        (FIRST.child("k"), SECOND.child("k"), False),
        (FIRST.child("k"), SECOND, True),
    ],
)
def test_what_an_instance_sees(module: ModuleInstance, other: ModuleInstance, expected: bool) -> None:
    one, another = (AbsResourceInstance(each, RESOURCE) for each in (module, other))
    assert one.sees(another) is another.sees(one) is expected


def test_namesakes_are_seen_as_their_instances_see_each_other() -> None:
    namesakes: Namesakes[str] = Namesakes()
    modules = {"block": None, "first": FIRST, "second": SECOND, "elsewhere": ELSEWHERE}
    for name, module in modules.items():
        namesakes.add(name, module)
    assert namesakes.everything == list(modules)
    assert namesakes.seen_from(FIRST) == ["block", "elsewhere", "first"]
    assert namesakes.seen_from(SECOND) == ["block", "elsewhere", "second"]
    assert namesakes.seen_from(ROOT_INSTANCE.child("m", 2)) == ["block", "elsewhere"]
    assert namesakes.seen_from(ROOT_INSTANCE) == ["block", "first", "second", "elsewhere"]


@pytest.mark.parametrize(
    ("key", "names"),
    [(None, ["terraform_data.a"]), (0, ["terraform_data.a[0]", "terraform_data.a"])],
)
def test_names_of_an_instance_are_used_in_its_module(key: InstanceKey, names: list[str]) -> None:
    instance = AbsResourceInstance(FIRST, RESOURCE, key)
    assert instance.reference_names() == [(ModulePath(("m",)), name) for name in names]
