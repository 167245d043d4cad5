"""What a report shows of a case in which something was found: its files, and what each engine was observed to do.

Kept as text, since nothing computes with it. Files that are no text, or that are longer than anybody would read, are
named without their content.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from harness.scenarios.case import GOLDEN_FILE
from harness.scenarios.course import Course
from shared_nodes.values.json import Tree, dumps

__all__ = ["evidence_of"]

_LONGEST: Final = 100_000
"""Bytes of one file."""


def evidence_of(directory: Path, courses: Mapping[str, Course]) -> str:
    tree: dict[str, Tree] = {
        "files": {**_files(directory)},
        "courses": {name: {place: dict(seen) for place, seen in course.items()} for name, course in courses.items()},
    }
    return dumps(tree, escape_html=False)


def _files(directory: Path) -> dict[str, str]:
    """By path inside the case. Links are not followed: what they lead to need not be the case's."""
    paths = sorted(path for path in directory.rglob("*") if path.is_file() and not path.is_symlink())
    return {path.relative_to(directory).as_posix(): _text(path) for path in paths if path.name != GOLDEN_FILE}


def _text(path: Path) -> str:
    size = path.stat().st_size
    if size > _LONGEST:
        return f"({size:,} bytes, not kept)"
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return f"({size:,} bytes that are no text)"
