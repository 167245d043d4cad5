"""Sets of resources as whole numbers, a bit for each resource.

What a resource depends on, directly or not, is passed from vertex to vertex when a graph is built, so sets must be
cheap to unite: for these that is one operation, however large they are. Only who asks for the members pays for a list,
and equal sets share one.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import compress
from typing import Final

from shared_nodes.addresses.resource import ConfigResource

__all__ = ["ResourceSets"]

_BITS: Final = bytes.maketrans(b"01", b"\0\1")


class ResourceSets:
    """Sets of the given resources. Bits stand in the order of printed addresses, so lists come out sorted."""

    __slots__ = ("_addresses", "_lists", "_numbers")

    def __init__(self, addresses: Iterable[ConfigResource] = ()) -> None:
        self._addresses = sorted(set(addresses), key=str)
        self._numbers = {address: number for number, address in enumerate(self._addresses)}
        self._lists: dict[int, tuple[ConfigResource, ...]] = {0: ()}

    def of(self, address: ConfigResource) -> int:
        """The set of this one resource."""
        return 1 << self._numbers[address]

    def members(self, bits: int) -> tuple[ConfigResource, ...]:
        found = self._lists.get(bits)
        if found is None:
            lowest_first = bin(bits)[:1:-1].encode().translate(_BITS)
            found = self._lists[bits] = tuple(compress(self._addresses, lowest_first))
        return found
