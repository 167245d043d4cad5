"""Computes the coordinates of a drawing: a box per vertex, and the path of each arrow.

Arrows lead from the left side of the waiting vertex to the right side of the one it waits for. They cross a column
straight, at the height of their bend, and turn only between columns.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Final

from reports.graph.columns import Bend, Columns, Place, arrange_columns
from reports.visible import visible_line
from shared_nodes.record import record

__all__ = ["BOX_HEIGHT", "PADDING", "TEXT_BASE", "Arrow", "Box", "Layout", "lay_out"]

BOX_HEIGHT: Final = 24
PADDING: Final = 10
TEXT_BASE: Final = 16
_ROW: Final = 34
_BEND: Final = 12
_NARROW_GAP: Final = 48
_WIDE_GAP: Final = 150
_WIDTH_PER_LINE: Final = 6.0
"""Width between two columns per line that turns there, so that many lines remain distinguishable."""

_MARGIN: Final = 16
_CHARACTER: Final = 7.3
_LONGEST_LABEL: Final = 46
_SWEEPS: Final = 8
_STRAIGHT: Final = 4.0
"""Weight of keeping a bend level with its neighbours, relative to that of a box."""


@record
class Box:
    name: str
    label: str
    """The name, shortened to fit."""

    left: float
    top: float
    width: float


@record
class Arrow:
    waiting: str
    awaited: str
    path: str
    """The path in SVG notation."""


@record
class Layout:
    boxes: tuple[Box, ...]
    arrows: tuple[Arrow, ...]
    width: float
    height: float


def lay_out(dependencies: Mapping[str, Iterable[str]]) -> Layout:
    """Lay out vertices, given the names of those each waits for."""
    columns = arrange_columns(dependencies)
    centres = _centres(columns)
    boxes: list[Box] = []
    stations: dict[Place, tuple[float, float, float]] = {}
    for places, (left, right) in zip(columns.places, _sides(columns), strict=True):
        for place in places:
            width = right - left if isinstance(place, Bend) else _width(place)
            stations[place] = (left, left + width, centres[place])
            if not isinstance(place, Bend):
                boxes.append(Box(place, _label(place), left, centres[place] - BOX_HEIGHT / 2, width))
    arrows = [
        Arrow(*pair, _path([stations[place] for place in route])) for pair, route in sorted(columns.routes.items())
    ]
    width = max((right for _, right, _ in stations.values()), default=0) + _MARGIN
    height = max((centre for _, _, centre in stations.values()), default=0) + BOX_HEIGHT / 2 + _MARGIN
    return Layout(tuple(boxes), tuple(arrows), width, height)


def _label(name: str) -> str:
    """Shorten a long name in its middle: its end is as informative as its beginning."""
    shown = visible_line(name)
    if len(shown) <= _LONGEST_LABEL:
        return shown
    half = (_LONGEST_LABEL - 1) // 2
    return f"{shown[:half]}…{shown[-half:]}"


def _width(name: str) -> float:
    return len(_label(name)) * _CHARACTER + 2 * PADDING


def _steps(columns: Columns) -> list[tuple[Place, Place]]:
    """Return the segments of all arrows between neighbouring columns, each once, in a deterministic order."""
    return list(dict.fromkeys(step for _, route in sorted(columns.routes.items()) for step in pairwise(route)))


# Across


def _sides(columns: Columns) -> list[tuple[float, float]]:
    """Return the left and right edge of each column. A gap is wider the more lines turn in it."""
    turning = [0] * len(columns.places)
    numbers = {place: number for number, places in enumerate(columns.places) for place in places}
    for step in _steps(columns):
        turning[max(numbers[place] for place in step)] += 1
    sides: list[tuple[float, float]] = []
    left: float = _MARGIN
    for number, places in enumerate(columns.places):
        if number:
            left += min(max(_WIDTH_PER_LINE * turning[number], _NARROW_GAP), _WIDE_GAP)
        width = max((_width(place) for place in places if isinstance(place, str)), default=0)
        sides.append((left, left + width))
        left += width
    return sides


# Down


def _centres(columns: Columns) -> dict[Place, float]:
    """Return the height of every place, as level with its neighbours as the order of its column allows."""
    connected: dict[Place, list[Place]] = {}
    for pair in _steps(columns):
        for one, other in (pair, pair[::-1]):
            connected.setdefault(one, []).append(other)
    heights: dict[Place, float] = {}
    for places in columns.places:
        heights |= dict(zip(places, _offsets(places), strict=True))
    for sweep in range(_SWEEPS):
        for places in columns.places if sweep % 2 == 0 else reversed(columns.places):
            wanted = [_mean([heights[other] for other in connected.get(place, ())], heights[place]) for place in places]
            heights |= dict(zip(places, _spread(places, wanted), strict=True))
    top = min(heights.values(), default=0) - BOX_HEIGHT / 2 - _MARGIN
    return {place: round(height - top, 1) for place, height in heights.items()}


def _mean(numbers: Sequence[float], otherwise: float) -> float:
    return sum(numbers) / len(numbers) if numbers else otherwise


def _offsets(places: Sequence[Place]) -> list[float]:
    """Return the heights of places packed as closely as allowed."""
    offsets: list[float] = []
    for number, place in enumerate(places):
        room = (_room(places[number - 1]) + _room(place)) / 2 if number else 0.0
        offsets.append(offsets[-1] + room if number else room)
    return offsets


def _room(place: Place) -> float:
    return _BEND if isinstance(place, Bend) else _ROW


def _spread(places: Sequence[Place], wanted: Sequence[float]) -> list[float]:
    """Return the heights closest to the wanted ones, by least squares, that keep order and distance: neighbours that
    want the same space share a mean (pool adjacent violators)."""
    offsets = _offsets(places)
    pools: list[tuple[float, float, int]] = []  # sum of weighted wishes, weight, number of places
    for place, wish, offset in zip(places, wanted, offsets, strict=True):
        weight = _STRAIGHT if isinstance(place, Bend) else 1.0
        pool = (weight * (wish - offset), weight, 1)
        while pools and pools[-1][0] / pools[-1][1] > pool[0] / pool[1]:
            before = pools.pop()
            pool = (before[0] + pool[0], before[1] + pool[1], before[2] + pool[2])
        pools.append(pool)
    means = [total / weight for total, weight, count in pools for _ in range(count)]
    return [mean + offset for mean, offset in zip(means, offsets, strict=True)]


# Arrows


def _path(stations: Sequence[tuple[float, float, float]]) -> str:
    """Draw an arrow through places, each given by left, right and height.

    In a cycle the awaited vertex may be on the right; the path then leads backwards. A vertex that waits for itself has
    a loop.
    """
    (left, right, height), *others = stations
    if not others:
        return f"M{left:.0f} {height - 4:g}c-36 -16 -36 24 0 8"
    leftwards = left > others[0][0]
    at = left if leftwards else right
    path = f"M{at:.0f} {height:g}"
    for left, right, following in others:
        entry, leaving = (right, left) if leftwards else (left, right)
        middle = (at + entry) / 2
        path += f"C{middle:.0f} {height:g} {middle:.0f} {following:g} {entry:.0f} {following:g}H{leaving:.0f}"
        at, height = leaving, following
    return path.rpartition("H")[0]
