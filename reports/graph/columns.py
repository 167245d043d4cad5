"""Arranges a layered drawing in columns: no arrow within a column, short arrows, and few crossings.

Vertices that wait for nothing are on the left. An arrow that passes a column has a bend there. Arrows to one vertex
share their bends, so that a hundred vertices that wait for a provider end in one line.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Final

from shared_nodes.record import record

__all__ = ["Bend", "Columns", "Place", "arrange_columns"]

_SWEEPS: Final = 12
"""Number of passes over all columns, alternating in direction. The order hardly ever improves after half of them."""


@record(order=True)
class Bend:
    """The point at which all arrows to `towards` pass through a column."""

    towards: str
    column: int


Place = str | Bend
_Edges = dict[str, list[str]]


@record
class Columns:
    places: tuple[tuple[Place, ...], ...]
    """The places of each column, from top to bottom."""

    routes: Mapping[tuple[str, str], tuple[Place, ...]]
    """All places on each arrow, from the waiting vertex to the one it waits for."""


def arrange_columns(dependencies: Mapping[str, Iterable[str]]) -> Columns:
    """Arrange vertices, given the names of those each waits for. Names that are not vertices are ignored."""
    edges = {name: sorted(dependencies.keys() & set(dependencies[name])) for name in dependencies}
    forward, turned = _without_cycles(edges)
    column = _move_to_users(forward, _depths(forward))
    routes = {(name, other): _route(name, other, column) for name, others in forward.items() for other in others}
    ordered = _order_columns(column, routes.values())
    for name, other in turned:
        routes[name, other] = (name,) if name == other else tuple(reversed(routes[other, name]))
    return Columns(ordered, {pair: routes[pair] for pair in routes if pair[1] in edges[pair[0]]})


# Cycles


def _without_cycles(edges: _Edges) -> tuple[_Edges, list[tuple[str, str]]]:
    """Reverse the edges that close cycles, and also return those edges. Not recursive, because a chain may be long."""
    turned: list[tuple[str, str]] = []
    done: set[str] = set()
    for start in sorted(edges):
        path: dict[str, Iterable[str]] = {} if start in done else {start: iter(edges[start])}
        while path:
            name = next(reversed(path))
            other = next(iter(path[name]), None)
            if other is None:
                del path[name]
                done.add(name)
            elif other in path:
                turned.append((name, other))
            elif other not in done:
                path[other] = iter(edges[other])
    back = set(turned)
    forward = {name: [other for other in others if (name, other) not in back] for name, others in edges.items()}
    for name, other in turned:
        if name != other and name not in forward[other]:
            forward[other].append(name)
    return forward, turned


# Columns


def _depths(edges: _Edges) -> dict[str, int]:
    """Return the depth of each vertex: one more than that of the deepest vertex it waits for."""
    users = _users(edges)
    missing = {name: len(others) for name, others in edges.items()}
    ready = sorted(name for name, count in missing.items() if count == 0)
    depth: dict[str, int] = {}
    for name in ready:
        depth[name] = 1 + max((depth[other] for other in edges[name]), default=-1)
        for user in users[name]:
            missing[user] -= 1
            if missing[user] == 0:
                ready.append(user)
    return depth


def _move_to_users(edges: _Edges, depth: dict[str, int]) -> dict[str, int]:
    """Move vertices with more users than dependencies next to their users: a variable is drawn close to what reads it,
    not at the far left. Vertices are visited from the right, so that a whole chain follows its end."""
    users = _users(edges)
    for name in sorted(depth, key=lambda each: (-depth[each], each)):
        if len(users[name]) > len(edges[name]):
            depth[name] = min(depth[user] for user in users[name]) - 1
    used = {level: number for number, level in enumerate(sorted(set(depth.values())))}
    return {name: used[level] for name, level in depth.items()}


def _users(edges: _Edges) -> _Edges:
    users: _Edges = {name: [] for name in edges}
    for name, others in edges.items():
        for other in others:
            users[other].append(name)
    return users


def _route(name: str, other: str, column: Mapping[str, int]) -> tuple[Place, ...]:
    return (name, *(Bend(other, between) for between in range(column[name] - 1, column[other], -1)), other)


# The order in each column


def _order_columns(column: Mapping[str, int], routes: Iterable[Sequence[Place]]) -> tuple[tuple[Place, ...], ...]:
    """Return the best order of several sweeps. Each sweep moves every place to the mean position of its neighbours."""
    columns: list[list[Place]] = [[] for _ in range(max(column.values(), default=-1) + 1)]
    for name in sorted(column):
        columns[column[name]].append(name)
    left: dict[Place, set[Place]] = {}
    right: dict[Place, set[Place]] = {}
    for route in routes:
        for user, used in pairwise(route):
            left.setdefault(user, set()).add(used)
            right.setdefault(used, set()).add(user)
    for bend in sorted(place for place in left if isinstance(place, Bend)):
        columns[bend.column].append(bend)
    best, fewest = [list(each) for each in columns], _crossings(columns, left)
    for sweep in range(_SWEEPS):
        if fewest == 0:
            break
        if sweep % 2 == 0:
            for number in range(1, len(columns)):
                _sort_column(columns[number], columns[number - 1], left)
        else:
            for number in range(len(columns) - 2, -1, -1):
                _sort_column(columns[number], columns[number + 1], right)
        crossings = _crossings(columns, left)
        if crossings < fewest:
            best, fewest = [list(each) for each in columns], crossings
    return tuple(map(tuple, best))


def _sort_column(places: list[Place], beside: Sequence[Place], connected: Mapping[Place, set[Place]]) -> None:
    """Sort a column by the mean position of neighbours. A place without neighbours there keeps its position."""
    rows = {place: row for row, place in enumerate(beside)}

    def middle(item: tuple[int, Place]) -> float:
        row, place = item
        others = [rows[other] for other in connected.get(place, ())]
        return sum(others) / len(others) if others else row * len(beside) / max(len(places), 1)

    places[:] = [place for _, place in sorted(enumerate(places), key=middle)]


def _crossings(columns: Sequence[Sequence[Place]], left: Mapping[Place, set[Place]]) -> int:
    found = 0
    for beside, places in pairwise(columns):
        rows = {place: row for row, place in enumerate(beside)}
        seen: list[int] = []
        for place in places:
            ends = sorted(rows[other] for other in left.get(place, ()))
            found += sum(len(seen) - bisect_left(seen, end + 1) for end in ends)
            for end in ends:
                insort(seen, end)
    return found
