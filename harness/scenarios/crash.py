"""What is told of an engine that broke."""

from __future__ import annotations

import traceback

__all__ = ["crash_text"]


def crash_text(crash: BaseException) -> str:
    """The traceback of the crash that is being handled, ending with the crash itself: concurrent code wraps it into
    groups that say nothing."""
    text = traceback.format_exc()
    while isinstance(crash, BaseExceptionGroup):
        crash = crash.exceptions[0]
    return text + "".join(traceback.format_exception_only(crash))
