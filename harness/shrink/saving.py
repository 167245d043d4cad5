"""What becomes of a specimen: a case in a directory, once for each signature.

A case is there already if one of its signature is that is not larger. Nothing that is there is ever changed.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Sequence
from itertools import count
from pathlib import Path

from harness.case.case import CASE_FILE, CaseError
from harness.findings.signature import Signature
from harness.reduce.history import ReductionStep, write_history
from harness.reduce.reduction import ReducedCase
from harness.reduce.specimen import Specimen, read_specimen

__all__ = ["readme_line", "save_specimen"]


def save_specimen(
    specimen: Specimen, signature: Signature, directory: Path, frames: Sequence[ReductionStep] = ()
) -> tuple[Path, bool]:
    """Where it is, and whether it was written, with the film of how it became so. As a whole or not at all."""
    for number in count(1):
        place = directory / f"found-{signature.digest}{f'-{number}' if number > 1 else ''}"
        if not place.exists():
            break
        if _is_as_good(place, specimen):
            return place, False
    directory.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".shrunk-", dir=directory) as scratch:
        written = Path(scratch) / place.name
        written.mkdir()
        specimen.write(written)
        write_history(frames, written)
        os.rename(written, place)
    return place, True


def _is_as_good(place: Path, specimen: Specimen) -> bool:
    """What cannot be read is somebody else's."""
    if not (place / CASE_FILE).is_file():
        return False
    try:
        return _size(read_specimen(place)) <= _size(specimen)
    except (CaseError, OSError):
        return False


def _size(specimen: Specimen) -> int:
    """Without the description, which also tells where a case comes from."""
    rest = {key: part for key, part in specimen.plot.items() if key not in ("description", "tags")}
    return Specimen(rest, specimen.files).rank[0]


def readme_line(shrunk: ReducedCase, place: Path) -> str:
    """For the README of the corpus the case goes to."""
    return f"- `{place.name}/` shows {shrunk.signature} ({shrunk.blocks} blocks, {shrunk.lines} lines)"
