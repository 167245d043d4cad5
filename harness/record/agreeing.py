"""`agreeing.txt`: the list of the cases of a corpus that agree with their recording.

The list may only grow. A case that stops agreeing is a regression, whatever else has become better meanwhile. What is
known not to agree is documented in known.yaml, with a reason.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable
from pathlib import Path
from typing import Final

__all__ = ["AGREEING_FILE", "agreeing", "record_agreeing"]

AGREEING_FILE: Final = "agreeing.txt"


def agreeing(corpus: Path) -> frozenset[str]:
    file = corpus / AGREEING_FILE
    return frozenset(file.read_text(encoding="utf-8").split()) if _is_own_file(file) else frozenset()


def _is_own_file(file: Path) -> bool:
    """Return whether it is a file, and not a link that leads elsewhere, or a pipe."""
    return os.path.lexists(file) and stat.S_ISREG(file.lstat().st_mode)


def record_agreeing(paths: Iterable[Path], now: Iterable[str]) -> None:
    """Add the cases that agree with their recording now to the list of each corpus below the paths. Nothing is ever
    removed here: that would hide a regression."""
    now = frozenset(now)
    for file in sorted({file for path in paths for file in path.rglob(AGREEING_FILE) if _is_own_file(file)}):
        here = {name for name in now if (file.parent / name).is_dir()}
        names = sorted(agreeing(file.parent) | here)
        file.write_text("".join(f"{name}\n" for name in names), encoding="utf-8")
