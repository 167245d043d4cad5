"""Save specimens as cases, one per signature.

A case is not saved if one with the same signature exists that is not larger. Existing files are never changed.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Sequence
from itertools import count
from pathlib import Path
from typing import Final

from harness.case.case import CASE_FILE, CaseError
from harness.findings.run import Group
from harness.findings.signature import Signature
from harness.generate.campaign import Campaign, save_stories
from harness.reduce.history import ReductionStep, write_history
from harness.reduce.predicate import NothingToReduceError
from harness.reduce.reduction import ReducedCase, reduce_story
from harness.reduce.search import Limits
from harness.reduce.specimens.specimen import Specimen, read_specimen

__all__ = ["LIMITS_PER_SIGNATURE", "readme_line", "save_reduced", "save_specimen"]

LIMITS_PER_SIGNATURE: Final = Limits(trials=600)
"""Limited by trials, not by time: the same campaign must save the same files on every machine."""


def save_specimen(
    specimen: Specimen, signature: Signature, directory: Path, history: Sequence[ReductionStep] = ()
) -> tuple[Path, bool]:
    """Save a specimen with its history, completely or not at all. Return its directory and whether it was written."""
    for number in count(1):
        case_directory = directory / f"found-{signature.digest}{f'-{number}' if number > 1 else ''}"
        if not case_directory.exists():
            break
        if _is_small_enough(case_directory, specimen):
            return case_directory, False
    directory.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".shrunk-", dir=directory) as scratch:
        written = Path(scratch) / case_directory.name
        written.mkdir()
        specimen.write(written)
        write_history(history, written)
        os.rename(written, case_directory)
    return case_directory, True


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


def save_reduced(
    campaign: Campaign, groups: Iterable[Group], directory: Path, limits: Limits = LIMITS_PER_SIGNATURE
) -> list[Path]:
    """Reduce and save the story of each group, as `save_stories` does. Stories that cannot be reduced are saved
    unchanged: those that violate a law, which no comparison of engines shows, and those that hang."""
    saved: list[Path] = []
    for group in groups:
        if group.known or (directory / f"found-{group.signature.digest}").exists():
            continue
        reduced = _reduce_group(campaign, group, limits)
        if reduced is None:
            saved += save_stories(campaign, [group], directory)
            continue
        case_directory, is_new = save_specimen(reduced.specimen, reduced.signature, directory, reduced.history)
        saved += [case_directory] if is_new else []
    return saved


def _reduce_group(campaign: Campaign, group: Group, limits: Limits) -> ReducedCase | None:
    digest = group.signature.digest
    task, story = campaign.tasks.get(digest), campaign.stories.get(digest)
    if task is None or story is None or story.name != task.name or group.signature.ruling.is_timeout_or_memory:
        return None
    try:
        return reduce_story(task, digest, limits)
    except NothingToReduceError:
        return None
