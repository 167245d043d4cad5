"""Recorded rows, and functions to compare with them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from shared_nodes.lang.diagnostics import Diagnostic

HERE: Final = Path(__file__).parent


def rows(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (HERE / name).read_text(encoding="utf-8").splitlines()]


def write(directory: Path, files: Mapping[str, str]) -> None:
    for name, text in files.items():
        path = directory / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def as_recorded(problems: Iterable[Diagnostic]) -> list[list[str | None]]:
    """Return severity, summary, detail and place, sorted, because the order of diagnostics is not significant."""
    found = []
    for problem in problems:
        place = None
        if problem.subject is not None:
            first, last = problem.subject.display_positions
            filename = problem.subject.source.filename
            place = f"{filename}:{first.line},{first.column}-{last.line},{last.column}"
        found.append([str(problem.severity), problem.summary, problem.detail, place])
    return sorted(found, key=str)
