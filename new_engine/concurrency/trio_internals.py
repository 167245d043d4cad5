"""The one place of the engines that reads an internal of trio.

Trio has no public way to ask in which cancel scope a task is at the moment.
`tests/unit/new_engine/concurrency/test_promises.py` fails if a version of trio no longer has the attribute.
"""

from __future__ import annotations

import trio

__all__ = ["cancel_status"]


def cancel_status() -> object:
    """Return an object that identifies the innermost cancel scope around the current task."""
    return getattr(trio.lowlevel.current_task(), "_cancel_status", None)
