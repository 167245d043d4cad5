"""How a case was made smaller, as its page shows it: one version after the other.

A run's directory may come from a stranger: what is not of the form a film has counts as none.
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
    """Each frame with the files it has other than the one before, and the names of those it has no more."""
    try:
        frames = json.loads(text)["frames"] if text else []
        return [_frame(frame) for frame in frames[:_MOST_FRAMES]]
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return []


def _frame(frame: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "told": visible_line(shortened(frame["told"], _LONGEST)),
        "trials": int(frame["trials"]),
        "blocks": int(frame["blocks"]),
        "lines": int(frame["lines"]),
        "files": {visible_line(name): highlighted(name, text) for name, text in frame["files"].items()},
        "without": [visible_line(name) for name in frame["without"]],
    }
