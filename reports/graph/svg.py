"""Writes a dependency graph as a self-contained SVG file: no external font, style sheet or script. It follows the
reader's choice of a light or dark theme."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from html import escape
from typing import Final

from reports.graph.clusters import clustered
from reports.graph.layout import BOX_HEIGHT, PADDING, TEXT_BASE, Arrow, Box, lay_out
from reports.visible import visible_line

__all__ = ["graph_svg"]

_STYLE: Final = """\
<style>
svg { background: #fff; font: 12px ui-monospace, "DejaVu Sans Mono", monospace; }
rect { fill: #eef1f6; stroke: #5b6777; }
.cluster rect { fill: #fdf1d8; stroke: #7a4a00; stroke-dasharray: 5 3; stroke-width: 1.5; }
text { fill: #1d2329; }
.arrow { fill: none; stroke: #6b7683; stroke-width: 1.2; }
.tip { fill: #6b7683; }
@media (prefers-color-scheme: dark) {
svg { background: #14181d; }
rect { fill: #2c343c; stroke: #a3adb8; }
.cluster rect { fill: #43310c; stroke: #ffcf7d; }
text { fill: #e6e9ec; }
.arrow { stroke: #a3adb8; }
.tip { fill: #a3adb8; }
}
</style>"""

_TIP: Final = (
    '<defs><marker id="tip" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" orient="auto" '
    'markerUnits="userSpaceOnUse"><path class="tip" d="M0 0L8 4L0 8z"/></marker></defs>'
)
_MOST_MEMBERS: Final = 60
"""Number of members of a cluster that its tooltip lists."""


def graph_svg(dependencies: Mapping[str, Iterable[str]], opened: Collection[str] = ()) -> str:
    """Draw vertices, given the names of those each waits for. `opened` are modules whose inside is drawn even if the
    graph is so large that other modules become single vertices."""
    graph = clustered(dependencies, opened)
    layout = lay_out(graph.dependencies)
    width, height = f"{layout.width:.0f}", f"{layout.height:.0f}"
    size = f'width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
    summary = f"{len(dependencies)} vertices" + (f", {len(graph.members)} clusters of them" if graph.members else "")
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img">',
        f"<title>{summary}; arrows go from what waits to what it waits for</title>",
        _STYLE,
        _TIP,
        *map(_arrow, layout.arrows),
        *(_box(box, graph.members.get(box.name, ())) for box in layout.boxes),
        "</svg>",
    ]
    return "".join(f"{part}\n" for part in parts)


def _arrow(arrow: Arrow) -> str:
    title = _escape(f"{arrow.waiting} waits for {arrow.awaited}")
    return f'<path class="arrow" d="{arrow.path}" marker-end="url(#tip)"><title>{title}</title></path>'


def _box(box: Box, members: Sequence[str]) -> str:
    rest = len(members) - _MOST_MEMBERS
    listed = [*members[:_MOST_MEMBERS], *([f"and {rest} more"] if rest > 0 else [])]
    return (
        f'<g class="{"cluster" if members else "vertex"}"><title>{_escape(*(listed or [box.name]))}</title>'
        f'<rect x="{box.left:g}" y="{box.top:g}" width="{box.width:g}" height="{BOX_HEIGHT}" rx="4"/>'
        f'<text x="{box.left + PADDING:g}" y="{box.top + TEXT_BASE:g}">{_escape(box.label)}</text></g>'
    )


def _escape(*lines: str) -> str:
    return "\n".join(escape(visible_line(line)) for line in lines)
