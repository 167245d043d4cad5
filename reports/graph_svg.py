"""A dependency graph drawn as SVG, without any program outside.

Vertices stand in columns: what waits for nothing on the left, everything else one column right of the last it waits
for. Arrows go from what waits to what it waits for. Members of a cycle stand in the column where the cycle was noticed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Final

__all__ = ["Layout", "graph_svg", "laid_out"]

_ROW, _GAP, _MARGIN, _CHARACTER, _PADDING = 34, 90, 20, 7.3, 10
_BOX_HEIGHT: Final = 24


@dataclass(frozen=True, slots=True)
class Layout:
    """`places` holds left, top and width of each vertex."""

    places: Mapping[str, tuple[float, float, float]]
    width: float
    height: float


def laid_out(dependencies: Mapping[str, Sequence[str]]) -> Layout:
    """From the names of vertices to the names of those each waits for."""
    columns = _columns(dependencies)
    places: dict[str, tuple[float, float, float]] = {}
    left: float = _MARGIN
    for column in columns:
        width = max(len(name) for name in column) * _CHARACTER + 2 * _PADDING
        places |= {name: (left, _MARGIN + row * _ROW, width) for row, name in enumerate(column)}
        left += width + _GAP
    height = 2 * _MARGIN + max((len(column) for column in columns), default=0) * _ROW
    return Layout(places, left, height)


def graph_svg(dependencies: Mapping[str, Sequence[str]]) -> str:
    """From the names of vertices to the names of those each waits for."""
    layout = laid_out(dependencies)
    places = layout.places
    arrows = [_arrow(places[name], places[other]) for name in dependencies for other in dependencies[name]]
    boxes = [_box(name, place) for name, place in places.items()]
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{layout.width:.0f}" height="{layout.height}" '
            'font-family="monospace" font-size="12">',
            '<defs><marker id="tip" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" '
            'orient="auto"><path d="M0 0L8 4L0 8z" fill="#777"/></marker></defs>',
            *arrows,
            *boxes,
            "</svg>",
            "",
        ]
    )


def _columns(dependencies: Mapping[str, Sequence[str]]) -> list[list[str]]:
    depth: dict[str, int] = {}
    waiting = dict(dependencies)
    while waiting:
        ready = [name for name, others in waiting.items() if all(other in depth for other in others)]
        for name in ready or list(waiting):
            depth[name] = 1 + max((depth.get(other, -1) for other in dependencies[name]), default=-1)
            del waiting[name]
    found: dict[int, list[str]] = {}
    for name in sorted(depth):
        found.setdefault(depth[name], []).append(name)
    return [found[level] for level in sorted(found)]


def _arrow(start: tuple[float, float, float], end: tuple[float, float, float]) -> str:
    x1, y1 = start[0], start[1] + _BOX_HEIGHT / 2
    x2, y2 = end[0] + end[2], end[1] + _BOX_HEIGHT / 2
    bend = max(abs(x1 - x2) / 2, 30)
    path = f"M{x1:.1f} {y1:.1f}C{x1 - bend:.1f} {y1:.1f} {x2 + bend:.1f} {y2:.1f} {x2:.1f} {y2:.1f}"
    return f'<path d="{path}" fill="none" stroke="#777" marker-end="url(#tip)"/>'


def _box(name: str, place: tuple[float, float, float]) -> str:
    x, y, width = place
    box = f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{_BOX_HEIGHT}" rx="4" fill="#eef" stroke="#558"/>'
    return f'{box}<text x="{x + _PADDING:.1f}" y="{y + 16:.1f}">{escape(name)}</text>'
