"""What a case may consist of: files and directories, inside of its own directory, and not too many of them.

A case may come from anywhere. Reading a pipe never ends, reading a device fills the memory, and following a link may
publish private files. So the directory is looked at before any of its files is opened, and each file is read up to a
limit.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from harness.case.own_output import is_output
from harness.case.yaml_fields import CaseError
from harness.directory_walk import DEEPEST, walk
from shared_nodes.world import Files

__all__ = ["KEPT_DIRECTORY", "files_of", "is_kept", "limit_size", "read_contained", "require_contained"]

KEPT_DIRECTORY: Final = ".diffharness"
"""The directory in which runs are stored. It is not part of a case, even if a run was started inside of one. So it is
not looked at, and nothing may be read from it either: what is in it may lead anywhere."""

_MOST_FILES: Final = 10_000
_MOST_BYTES: Final = 100_000_000
"""Limits of a whole case: it is copied into memory for every step."""


def require_contained(directory: Path) -> None:
    """Raise CaseError for anything in a case that is neither a file nor a directory, nor a link to a file inside the
    case, and for a case that is too large."""
    root = os.path.realpath(directory)
    size = _Size(directory)
    for place, directories, others in walk(directory, is_kept, DEEPEST + 1):
        size.add_directory(place, directories)
        for name in others:
            path = place / name
            status = path.lstat()
            if stat.S_ISLNK(status.st_mode):
                _require_inside(path, root)
            elif not stat.S_ISREG(status.st_mode):
                raise CaseError(f"{path}: neither a file nor a directory, so it cannot be part of a case")
            size.add_file(status.st_size)


def is_kept(name: str) -> bool:
    return name == KEPT_DIRECTORY


def files_of(directory: Path) -> Iterator[Path]:
    """Yield the files of a case that were required to be contained in it, links to files among them."""
    for place, _, others in walk(directory, is_kept):
        yield from (place / name for name in others if os.path.isfile(place / name))


def limit_size(directory: Path, ignored: frozenset[str]) -> None:
    """Raise CaseError if a directory is too large to be copied for every step, without the directories that are
    ignored."""
    size = _Size(directory)
    for place, directories, others in walk(directory, ignored.__contains__, DEEPEST + 1, is_output):
        size.add_directory(place, directories)
        for name in others:
            size.add_file((place / name).lstat().st_size)


class _Size:
    """Counts what is in a directory."""

    __slots__ = ("_bytes", "_count", "_top")

    def __init__(self, top: Path) -> None:
        self._top = top
        self._count = self._bytes = 0

    def add_directory(self, place: Path, below: list[str]) -> None:
        if len(place.relative_to(self._top).parts) > DEEPEST:
            raise CaseError(f"{self._top}: has directories more than {DEEPEST} deep, too many for a case")
        self._add(len(below), 0)

    def add_file(self, size: int) -> None:
        self._add(1, size)

    def _add(self, count: int, size: int) -> None:
        self._count += count
        self._bytes += size
        if self._count > _MOST_FILES:
            raise CaseError(f"{self._top}: has more than {_MOST_FILES:,} files and directories, too many for a case")
        if self._bytes > _MOST_BYTES:
            raise CaseError(f"{self._top}: has more than {_MOST_BYTES:,} bytes, too many for a case")


def _require_inside(link: Path, root: str) -> None:
    if not _leads_inside(link, root):
        raise CaseError(f"{link}: a link that does not lead to a file of the case; put the file itself there")


def _leads_inside(link: Path, root: str) -> bool:
    try:
        target = os.path.realpath(link)
    except OSError:  # it leads to what cannot be read
        return False
    return os.path.isfile(target) and Path(target).is_relative_to(root)


def read_contained(file: Path, directory: Path, longest: int = _MOST_BYTES) -> str:
    """Return the text of a file of a case. CaseError is raised for a file outside of it, one that is no regular file,
    and one of more than `longest` bytes."""
    try:
        content = Files(directory, root=directory).read_bytes(os.path.relpath(file, directory), longest)
        return content.decode("utf-8")
    except (OSError, ValueError) as problem:
        raise CaseError(f"{file}: cannot be read: {problem}") from problem
