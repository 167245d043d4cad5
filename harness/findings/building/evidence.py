"""The evidence for the findings of a case: its files, the observations of each engine, and the orders that engines
guarantee where these differ.

It is text, since nothing is computed from it. Binary files and very long ones are named without their content;
sensitive values are masked in all of it.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

from harness.case.case import HISTORY_FILE, Case
from harness.case.recordings import is_recording
from harness.compare.effect_order import FIELD as ORDER
from harness.compare.effect_order import constraints_of, effect_text
from harness.findings.finding import Finding
from harness.findings.secrets.masking import Secrets
from harness.play.case_runner import Observations
from shared_nodes.values.json import Tree, dumps

__all__ = ["evidence_of", "order_text", "read_history"]

_STATE: Final = "terraform.tfstate"
"""The state file next to a configuration without a case: a real one of the user, which the story does not use."""

_LONGEST: Final = 100_000
"""Limit of one file in bytes."""


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
        "courses": {name: secrets.masked_observations(each) for name, each in observations.items()},
    }
    places = dict.fromkeys(found.place for found in findings if found.field == ORDER)
    if places:
        tree["graphs"] = secrets.masked_tree({place: _orders(observations, place) for place in places})
    return dumps(tree, escape_html=False)


def read_history(directory: Path, secrets: Secrets) -> str:
    """Return the history of the reduction of the case; empty if it was not reduced, or the file is too long."""
    file = directory / HISTORY_FILE
    return secrets.masked(_text(file)) if _is_file(file) and file.stat().st_size <= _LONGEST else ""


def _orders(observations: Mapping[str, Observations], place: str) -> Tree:
    """Return the orders by engine."""
    return {name: order_text(each[place]) for name, each in observations.items() if ORDER in each.get(place, {})}


def order_text(observation: Mapping[str, Tree]) -> str:
    """Return one line per effect, sorted, with its direct predecessors indented below it."""
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
    """Return the files by path, relative to the case: modules of a plain directory may be outside of it. Links are not
    followed, since they may lead to files that are not part of the case."""
    if case is None:
        paths = sorted(directory.rglob("*"))
    else:
        paths = [path for path in case.files if case.plain is None or _STATE not in path.name]
    files = {Path(os.path.relpath(path, directory)): path for path in paths if _is_file(path)}
    return {name.as_posix(): _text(path) for name, path in files.items() if _belongs_to_case(name)}


def _is_file(path: Path) -> bool:
    return path.is_file() and not path.is_symlink()


def _belongs_to_case(name: Path) -> bool:
    """Recordings do not count, nor do hidden directories of other programs, such as installed providers."""
    if name.name == HISTORY_FILE or is_recording(name.name):
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
