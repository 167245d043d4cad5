"""Sets of resources as whole numbers, a bit for each resource.

What a resource depends on, directly or not, is passed from vertex to vertex when a graph is built, so sets must be
cheap to unite: for these that is one operation, however large they are. Only who asks for the members pays for a list,
and equal sets share one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import compress
from typing import Final

from shared_nodes.addresses.resource import ConfigResource, shared

__all__ = ["ResourceSets"]

_BITS: Final = bytes.maketrans(b"01", b"\0\1")
_SPARSE: Final = 32


class ResourceSets:
    """Sets of the given resources. Bits stand in the order of printed addresses, so lists come out sorted."""

    __slots__ = ("_addresses", "_lists", "_numbers")

    def __init__(self, addresses: Iterable[ConfigResource] = ()) -> None:
        self._addresses = sorted(set(map(shared, addresses)), key=str)
        self._numbers = {address: number for number, address in enumerate(self._addresses)}
        self._lists: dict[int, tuple[ConfigResource, ...]] = {0: ()}

    def of(self, address: ConfigResource) -> int:
        """The set of this one resource."""
        return 1 << self._numbers[address]

    def __contains__(self, address: ConfigResource) -> bool:
        return address in self._numbers

    def members(self, bits: int) -> tuple[ConfigResource, ...]:
        found = self._lists.get(bits)
        if found is None:
            is_sparse = bits.bit_count() * _SPARSE < len(self._addresses)
            found = self._lists[bits] = tuple(self._few(bits) if is_sparse else self._many(bits))
        return found

    def _few(self, bits: int) -> Iterator[ConfigResource]:
        """Bit by bit."""
        while bits:
            lowest = bits & -bits
            yield self._addresses[lowest.bit_length() - 1]
            bits ^= lowest

    def _many(self, bits: int) -> Iterator[ConfigResource]:
        """All at once, in C: the cost is that of all resources there are."""
        lowest_first = bin(bits)[:1:-1].encode().translate(_BITS)
        return compress(self._addresses, lowest_first)
