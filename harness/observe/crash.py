"""What is told of an engine that broke: the same on every machine, and in whatever process it broke."""

from __future__ import annotations

import re
import sys
import traceback
from pathlib import Path
from typing import Final

__all__ = ["crash_text"]

_FILE: Final = re.compile(r'File "([^"]+)"')
_CARETS: Final = re.compile(r"^\s*[~^]+\s*\n", re.MULTILINE)
"""Where in a line: there or not by how a module was compiled."""

_OURS: Final = str(Path(__file__).parents[2])
"""Not on the path where the package is installed for editing."""


def crash_text(crash: BaseException) -> str:
    """The traceback of the crash that is being handled, ending with the crash itself: concurrent code wraps it into
    groups that say nothing. Files are named from where Python finds them, not from where somebody installed them."""
    text = traceback.format_exc()
    while isinstance(crash, BaseExceptionGroup):
        crash = crash.exceptions[0]
    text += "".join(traceback.format_exception_only(crash))
    return _FILE.sub(lambda match: f'File "{_shortened(match[1])}"', _CARETS.sub("", text))


def _shortened(file: str) -> str:
    roots = (root for root in (_OURS, *sys.path) if root and file.startswith(f"{root}/"))
    return file[len(max(roots, key=len, default=str(Path(file).parent))) + 1 :]
