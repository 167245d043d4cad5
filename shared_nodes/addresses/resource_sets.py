"""Sets of resources as integers, with one bit per resource.

While a graph is built, what a resource depends on, directly or indirectly, is passed from vertex to vertex, so uniting
sets must be cheap: here it is one operation, however large they are. A list is built only when members are requested,
and equal sets share one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import compress
from typing import Final

from shared_nodes.addresses.resource import ConfigResource, interned

__all__ = ["ResourceSets"]

_BITS: Final = bytes.maketrans(b"01", b"\0\1")
_SPARSE: Final = 32


class ResourceSets:
    """Sets of the given resources. Bits are in the order of printed addresses, so lists of members are sorted."""

    __slots__ = ("_addresses", "_lists", "_numbers")

    def __init__(self, addresses: Iterable[ConfigResource] = ()) -> None:
        self._addresses = sorted(set(map(interned, addresses)), key=str)
        self._numbers = {address: number for number, address in enumerate(self._addresses)}
        self._lists: dict[int, tuple[ConfigResource, ...]] = {0: ()}

    def of(self, address: ConfigResource) -> int:
        """The set that contains only this resource."""
        return 1 << self._numbers[address]

    def __contains__(self, address: ConfigResource) -> bool:
        return address in self._numbers

    def members(self, bits: int) -> tuple[ConfigResource, ...]:
        found = self._lists.get(bits)
        if found is None:
            is_sparse = bits.bit_count() * _SPARSE < len(self._addresses)
            found = self._lists[bits] = tuple(self._list_sparse(bits) if is_sparse else self._list_dense(bits))
        return found

    def _list_sparse(self, bits: int) -> Iterator[ConfigResource]:
        """List the members bit by bit, which is fast for small sets."""
        while bits:
            lowest = bits & -bits
            yield self._addresses[lowest.bit_length() - 1]
            bits ^= lowest

    def _list_dense(self, bits: int) -> Iterator[ConfigResource]:
        """List the members in one pass over all resources, in C, which is fast for large sets."""
        lowest_first = bin(bits)[:1:-1].encode().translate(_BITS)
        return compress(self._addresses, lowest_first)
