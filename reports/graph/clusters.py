"""Reduces a graph that is too large to read: modules become single vertices, the innermost first.

If that is not enough, more is merged, in this order: all instances of a module, all instances of a resource, everything
of one type. The reader can have the inside of single modules drawn.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import partial
from typing import Final

from shared_nodes.record import record

__all__ = ["MOST_VERTICES", "Clustered", "clustered"]

MOST_VERTICES: Final = 200
"""A drawing with more vertices cannot be followed, whatever its layout."""

_KEY: Final = r'\[(?:"(?:[^"\\]|\\.)*"|[^\]"]*)\]'
_STEP: Final = re.compile(rf"module\.[^.\[\s]+(?:{_KEY})?(?=[.\s]|$)\.?")
_KEYS: Final = re.compile(_KEY)

Merging = Callable[[str], str]
"""Maps the address of a vertex to the name of its cluster; empty if the vertex is drawn by itself."""


@record
class Clustered:
    dependencies: Mapping[str, tuple[str, ...]]
    """Names of vertices and clusters, with the names of those each waits for."""

    members: Mapping[str, tuple[str, ...]]
    """Members of each cluster, sorted."""

    owners: Mapping[str, str]
    """Maps every vertex to the vertex drawn for it: itself, or its cluster."""


def clustered(
    dependencies: Mapping[str, Iterable[str]],
    opened: Collection[str] = (),
    address: Callable[[str], str] = str,
    most: int = MOST_VERTICES,
) -> Clustered:
    """Merge vertices until there are at most `most`. A graph that is small enough is returned unchanged.

    `opened` are modules whose inside is drawn; `address` returns the address of a vertex, given its name.
    """
    addresses = {name: address(name) for name in dependencies}
    owners = {name: name for name in dependencies}
    if len(owners) > most:
        for merging in _mergings(max(len(_steps(each)) for each in addresses.values())):
            merged = {name: "" if _is_open(each, opened) else merging(each) for name, each in addresses.items()}
            owners = _name_clusters(merged)
            if len(set(owners.values())) <= most:
                break
    return _merge(dependencies, owners)


def _mergings(deepest: int) -> Iterator[Merging]:
    """Yield functions that merge vertices, from the finest to the coarsest."""
    depths = range(deepest, 0, -1)
    yield from (partial(_module, depth) for depth in depths)
    yield from (partial(_module_of_all_instances, depth) for depth in depths)
    yield lambda address: _module_of_all_instances(1, address) or _mask_keys(address.partition(" ")[0])
    yield lambda address: "module" if _module(1, address) else _type(address)


def _steps(address: str) -> list[str]:
    steps: list[str] = []
    at = 0
    while (match := _STEP.match(address, at)) is not None:
        steps.append(match[0].rstrip("."))
        at = match.end()
    return steps


def _module(depth: int, address: str) -> str:
    """Return the module at this depth that contains the address; empty if it is not nested so deep."""
    steps = _steps(address)
    return ".".join(steps[:depth]) if len(steps) >= depth else ""


def _module_of_all_instances(depth: int, address: str) -> str:
    return _mask_keys(_module(depth, address))


def _mask_keys(address: str) -> str:
    return _KEYS.sub("[*]", address)


def _type(address: str) -> str:
    """Return the type of a resource, or the kind of any other vertex, such as a variable or a provider."""
    words = re.split(r"[.\[\s]", address, maxsplit=2)
    return f"data.{words[1]}" if words[0] == "data" and len(words) > 1 else words[0]


def _is_open(address: str, opened: Collection[str]) -> bool:
    """Return whether the inside of the module is drawn. This does not open the modules nested in it."""
    steps = _steps(address)
    return bool(steps) and ".".join(steps) in opened


def _name_clusters(merged: Mapping[str, str]) -> dict[str, str]:
    """Return the owner of each vertex. The name of a cluster ends with its number of members. A vertex that would be
    alone in its cluster is not merged."""
    members: dict[str, list[str]] = {}
    for name, cluster in merged.items():
        members.setdefault(cluster, []).append(name)
    owners = {name: name for name in merged}
    for cluster, names in members.items():
        if cluster and len(names) > 1:
            owners |= dict.fromkeys(names, f"{cluster} ({len(names)})")
    return owners


def _merge(dependencies: Mapping[str, Iterable[str]], owners: Mapping[str, str]) -> Clustered:
    edges: dict[str, set[str]] = {}
    members: dict[str, list[str]] = {}
    for name, others in dependencies.items():
        owner = owners[name]
        ends = edges.setdefault(owner, set())
        ends |= {owners[other] for other in others if other in owners and (owners[other] != owner or name == other)}
        if owner != name:
            members.setdefault(owner, []).append(name)
    return Clustered(
        {name: tuple(sorted(others)) for name, others in edges.items()},
        {name: tuple(sorted(several)) for name, several in members.items()},
        owners,
    )
