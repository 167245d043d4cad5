"""Save specimens as cases, one per signature.

A case is not saved if one with the same signature exists that is not larger. Existing files are never changed.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from itertools import count
from pathlib import Path
from typing import Final

from harness.case.case import CASE_FILE, CaseError
from harness.findings.causes import Cause
from harness.findings.signature import Signature
from harness.generate.campaign import Campaign, case_name
from harness.reduce.history import ReductionStep, write_history
from harness.reduce.predicate import NothingToReduceError
from harness.reduce.reduction import ReducedCase, reduce_story
from harness.reduce.search import Limits
from harness.reduce.specimens.specimen import Specimen, read_specimen

__all__ = ["LIMITS_PER_SIGNATURE", "readme_line", "reduce_saved", "save_specimen"]

LIMITS_PER_SIGNATURE: Final = Limits(trials=600)
"""Limited by trials, not by time: the same campaign must save the same files on every machine."""


def save_specimen(
    specimen: Specimen, signature: Signature, directory: Path, history: Sequence[ReductionStep] = ()
) -> tuple[Path, bool]:
    """Save a specimen with its history, completely or not at all. Return its directory and whether it was written."""
    for number in count(1):
        case_directory = directory / f"{case_name(signature)}{f'-{number}' if number > 1 else ''}"
        if not case_directory.exists():
            break
        if _is_small_enough(case_directory, specimen):
            return case_directory, False
    directory.mkdir(parents=True, exist_ok=True)
    _put(specimen, history, case_directory)
    return case_directory, True


def _put(specimen: Specimen, history: Sequence[ReductionStep], case_directory: Path) -> None:
    """Write a case, in place of one that is there. It is written elsewhere first, and then moved."""
    with tempfile.TemporaryDirectory(prefix=".shrunk-", dir=case_directory.parent) as scratch:
        written = Path(scratch) / case_directory.name
        written.mkdir()
        specimen.write(written)
        write_history(history, written)
        if case_directory.exists():
            os.rename(case_directory, Path(scratch) / "replaced")
        os.rename(written, case_directory)


def _is_small_enough(case_directory: Path, specimen: Specimen) -> bool:
    """Whether an existing case is at least as small. A directory that cannot be read is left alone."""
    if not (case_directory / CASE_FILE).is_file():
        return False
    try:
        return _size(read_specimen(case_directory)) <= _size(specimen)
    except (CaseError, OSError):
        return False


def _size(specimen: Specimen) -> int:
    """Return the size without the description, which includes the origin of the case."""
    rest = {key: part for key, part in specimen.case_yaml.items() if key not in ("description", "tags")}
    return Specimen(rest, specimen.files).rank[0]


def readme_line(reduced: ReducedCase, case_directory: Path) -> str:
    """Return a line for the README of the corpus that the case is added to."""
    return f"- `{case_directory.name}/` shows {reduced.signature} ({reduced.blocks} blocks, {reduced.lines} lines)"


def reduce_saved(
    campaign: Campaign, causes: Iterable[Cause], saved: Iterable[Path], limits: Limits = LIMITS_PER_SIGNATURE
) -> Iterator[Path]:
    """Reduce the cases that `save_stories` has saved, one after the other, each in its place. Those that cannot be
    reduced stay as they are: stories that violate a law, which no comparison of engines shows, and those that hang."""
    found = {case_name(cause.example.signature): cause for cause in causes}
    for case_directory in saved:
        reduced = _reduce_cause(campaign, found[case_directory.name], limits)
        if reduced is not None:
            _put(reduced.specimen, reduced.history, case_directory)
            yield case_directory


def _reduce_cause(campaign: Campaign, cause: Cause, limits: Limits) -> ReducedCase | None:
    """Reduce the story of a cause for its example. Its other signatures may get lost on the way."""
    signature = cause.example.signature
    digest = signature.digest
    task, story = campaign.tasks.get(digest), campaign.stories.get(digest)
    if task is None or story is None or story.name != task.name or signature.ruling.is_timeout_or_memory:
        return None
    try:
        return reduce_story(task, digest, limits)
    except NothingToReduceError:
        return None
