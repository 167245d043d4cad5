"""Where knowledge about mutants is kept from one call to the next, and when it is still true.

What mutants do depends on the source of the engines and of the harness, and on the cases. All of that is part of the
name of the directory; so knowledge is never out of date, and old one can simply be deleted. Left out is what only reads
results: reports, commands and the search for causes, which is the very thing that is tried again and again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

import harness

__all__ = ["knowledge_directory"]

_HOME: Final = Path(harness.__file__).parent.parent
_SOURCES: Final = ("shared_nodes", "legacy_engine", "new_engine", "harness")
_READERS: Final = ("harness/cli/", "harness/findings/cause", "harness/trials/mix_score")
_LENGTH: Final = 16


def knowledge_directory(cache: Path, corpus: Path, mutants: Sequence[str]) -> Path:
    """Return the directory below `cache` for what these mutants do with this corpus."""
    digest = hashlib.sha256(repr((str(corpus.resolve()), tuple(mutants))).encode())
    for file in (*_source_files(), *_files_below(corpus, "*")):
        digest.update(f"{file}\0".encode(errors="surrogateescape"))
        digest.update(hashlib.sha256(file.read_bytes()).digest())
    return cache.resolve() / digest.hexdigest()[:_LENGTH]


def _source_files() -> Iterator[Path]:
    for package in _SOURCES:
        for file in _files_below(_HOME / package, "*.py"):
            if not file.relative_to(_HOME).as_posix().startswith(_READERS):
                yield file


def _files_below(directory: Path, pattern: str) -> Iterable[Path]:
    return sorted(file for file in directory.rglob(pattern) if file.is_file())
