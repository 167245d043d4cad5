"""Sets of resources as integers."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from shared_nodes.addresses.module import ModulePath
from shared_nodes.addresses.resource import ConfigResource, Resource, ResourceMode
from shared_nodes.addresses.resource_sets import ResourceSets

_ALL = [
    ConfigResource(ModulePath(module), Resource(ResourceMode.MANAGED, "terraform_data", f"r{number}"))
    for module in ((), ("m",))
    for number in range(20)
]


@given(st.lists(st.sampled_from(_ALL)))
def test_members_are_those_put_in_sorted_as_printed(chosen: list[ConfigResource]) -> None:
    sets = ResourceSets(_ALL)
    united = 0
    for address in chosen:
        united |= sets.of(address)
    assert sets.members(united) == tuple(sorted(set(chosen), key=str))


def test_equal_sets_share_their_list() -> None:
    sets = ResourceSets(_ALL)
    bits = sets.of(_ALL[0]) | sets.of(_ALL[7])
    assert sets.members(bits) is sets.members(bits)
