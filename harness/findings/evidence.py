"""What a report shows of a case in which something was found: its files, what each engine was observed to do, and the
orders engines keep to where these differ.

Kept as text, since nothing computes with it. Files that are no text, or that are longer than anybody would read, are
named without their content; what is sensitive is replaced in all of it.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

from harness.case.case import FILM_FILE, GOLDEN_FILE, Case
from harness.compare.effect_order import FIELD as ORDER
from harness.compare.effect_order import constraints_of, effect_text
from harness.findings.finding import Finding
from harness.findings.secrets.masking import Secrets
from harness.play.case_runner import Observations
from shared_nodes.values.json import Tree, dumps

__all__ = ["evidence_of", "film_of", "order_text"]

_STATE: Final = "terraform.tfstate"
"""Beside a configuration without a case: somebody's real one, which the story does not begin with."""

_LONGEST: Final = 100_000
"""Bytes of one file."""


def evidence_of(
    directory: Path,
    case: Case | None,
    observations: Mapping[str, Observations],
    findings: Iterable[Finding],
    secrets: Secrets,
) -> str:
    """Return the evidence as JSON text. `case` is None where it could not be read."""
    tree: dict[str, Tree] = {
        "files": secrets.masked_tree({**_read_files(directory, case)}),
        "courses": {name: secrets.masked_course(course) for name, course in observations.items()},
    }
    places = dict.fromkeys(found.place for found in findings if found.field == ORDER)
    if places:
        tree["graphs"] = secrets.masked_tree({place: _orders(observations, place) for place in places})
    return dumps(tree, escape_html=False)


def film_of(directory: Path, secrets: Secrets) -> str:
    """How the case was made smaller; empty where nobody did, or what is there is not of the size such a file has."""
    file = directory / FILM_FILE
    return secrets.masked(_text(file)) if _is_file(file) and file.stat().st_size <= _LONGEST else ""


def _orders(courses: Mapping[str, Observations], place: str) -> Tree:
    """By engine."""
    return {name: order_text(course[place]) for name, course in courses.items() if ORDER in course.get(place, {})}


def order_text(observation: Mapping[str, Tree]) -> str:
    """One line an effect, sorted; those it always comes after indented below it, without what follows from others."""
    constraints = constraints_of(observation)
    if constraints is None:
        return ""
    nearest = constraints.nearest
    lines = []
    for effect in sorted(constraints.effects):
        lines.append(effect_text(effect))
        lines += [f"  after {effect_text(first)}" for first, second in nearest if second == effect]
    return "".join(f"{line}\n" for line in lines)


def _read_files(directory: Path, case: Case | None) -> dict[str, str]:
    """By path inside the case, or beside it for modules of a plain directory. Links are not followed: what they lead to
    need not be the case's."""
    if case is None:
        paths = sorted(directory.rglob("*"))
    else:
        paths = [path for path in case.files if case.plain is None or _STATE not in path.name]
    files = {Path(os.path.relpath(path, directory)): path for path in paths if _is_file(path)}
    return {name.as_posix(): _text(path) for name, path in files.items() if _belongs_to_case(name)}


def _is_file(path: Path) -> bool:
    return path.is_file() and not path.is_symlink()


def _belongs_to_case(name: Path) -> bool:
    """Not a recording, and not what other programs keep in directories of their own, such as installed providers."""
    if name.name in (GOLDEN_FILE, FILM_FILE):
        return False
    return not any(part.startswith(".") for part in name.parent.parts if part != os.pardir)


def _text(path: Path) -> str:
    size = path.stat().st_size
    if size > _LONGEST:
        return f"({size:,} bytes, not kept)"
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return f"({size:,} bytes that are no text)"
