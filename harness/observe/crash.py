"""Tracebacks that are the same on every machine, and in every process."""

from __future__ import annotations

import errno
import re
import sys
import traceback
from pathlib import Path
from typing import Final

__all__ = ["LACK_OF_MEMORY", "crash_text", "is_lack_of_memory"]

LACK_OF_MEMORY: Final = "over budget: more memory than a case may have"

_FILE: Final = re.compile(r'File "([^"]+)"')
_CARETS: Final = re.compile(r"^\s*[~^]+\s*\n", re.MULTILINE)
"""Markers below a line. Whether they are printed depends on how a module was compiled."""

_OURS: Final = str(Path(__file__).parents[2])
"""The root of our packages, which is not on the path of an editable install."""


def crash_text(crash: BaseException) -> str:
    """Return the traceback of the exception that is being handled, ending with the innermost exception: concurrent code
    wraps it into groups. Files are named relative to where Python finds them, whatever the place of installation."""
    text = traceback.format_exc()
    while isinstance(crash, BaseExceptionGroup):
        crash = crash.exceptions[0]
    text += "".join(traceback.format_exception_only(crash))
    return _FILE.sub(lambda match: f'File "{_shortened(match[1])}"', _CARETS.sub("", text))


def is_lack_of_memory(problem: BaseException | None) -> bool:
    """Return whether there was no more memory, as Python says it or as the operating system does."""
    return isinstance(problem, MemoryError) or (isinstance(problem, OSError) and problem.errno == errno.ENOMEM)


def _shortened(file: str) -> str:
    roots = (root for root in (_OURS, *sys.path) if root and file.startswith(f"{root}/"))
    return file[len(max(roots, key=len, default=str(Path(file).parent))) + 1 :]
