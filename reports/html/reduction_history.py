"""How a case was reduced, version by version, as its page shows it.

The directory of a run may come from an untrusted source: malformed data counts as no history.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from reports.html.highlight import highlighted
from reports.visible import shortened, visible_line

__all__ = ["reduction_steps"]

_MOST_FRAMES: Final = 100
_LONGEST: Final = 200


def reduction_steps(text: str) -> list[dict[str, Any]]:
    """Return the versions, each with the files that differ from the version before, and the names of removed files."""
    try:
        frames = json.loads(text)["frames"] if text else []
        return [_render_step(frame) for frame in frames[:_MOST_FRAMES]]
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return []


def _render_step(frame: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "told": visible_line(shortened(frame["told"], _LONGEST)),
        "trials": int(frame["trials"]),
        "blocks": int(frame["blocks"]),
        "lines": int(frame["lines"]),
        "files": {visible_line(name): highlighted(name, text) for name, text in frame["files"].items()},
        "without": [visible_line(name) for name in frame["without"]],
    }
