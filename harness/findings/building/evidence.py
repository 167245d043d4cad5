"""The evidence for the findings of a case: its files, the observations of each engine, and the orders that engines
guarantee where these differ.

It is text, since nothing is computed from it. Binary files and very long ones are named without their content, and so
is whatever exceeds the limit of a case; sensitive values are masked in all of it. Of a case that cannot be read no file
is kept, because it is not known what is sensitive in it.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final

from harness.case.case import HISTORY_FILE, Case
from harness.case.recordings import is_recording
from harness.compare.effect_order import FIELD as ORDER
from harness.compare.effect_order import constraints_of, effect_text
from harness.findings.building.limits import LONGEST_EVIDENCE, limited_observations
from harness.findings.finding import Finding
from harness.findings.secrets.masking import Secrets
from harness.play.case_runner import Observations
from shared_nodes.values.json import Tree, dumps

__all__ = ["evidence_of", "order_text", "read_files", "read_history"]

_STATE: Final = "terraform.tfstate"
"""The state file next to a configuration without a case: a real one of the user, which the story does not use."""

_LONGEST: Final = 100_000
"""Limit of one file in bytes."""

_LONGEST_TOGETHER: Final = 2_000_000
"""Limit of all files of a case."""


def evidence_of(
    directory: Path,
    case: Case | None,
    observations: Mapping[str, Observations],
    findings: Iterable[Finding],
    secrets: Secrets,
) -> str:
    """Return the evidence as JSON text. `case` is None where it could not be read."""
    tree: dict[str, Tree] = {
        "files": secrets.masked_tree({**read_files(directory, case)}),
        "courses": {name: secrets.masked_observations(each) for name, each in observations.items()},
    }
    places = dict.fromkeys(found.place for found in findings if found.field == ORDER)
    if places:
        tree["graphs"] = secrets.masked_tree({place: _orders(observations, place) for place in places})
    text = dumps(tree, escape_html=False)
    if len(text) > LONGEST_EVIDENCE:
        kept = limited_observations(observations)
        tree["courses"] = {name: secrets.masked_observations(each) for name, each in kept.items()}
        text = dumps(tree, escape_html=False)
    return text


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


def read_files(directory: Path, case: Case | None) -> dict[str, str]:
    """Return the files by path, relative to the case: modules of a plain directory may be outside of it. Links are not
    followed, since they may lead to files that are not part of the case."""
    if case is None:
        return {}
    files = {name: path for name, path in _named_files(directory, case) if _is_file(path)}
    kept: dict[str, str] = {}
    left = _LONGEST_TOGETHER
    for name, path in files.items():
        kept[name] = _text(path, min(left, _LONGEST))
        left = max(0, left - len(kept[name]))
    return kept if case.plain is None else {**kept, **case.plain.written_files}


def _named_files(directory: Path, case: Case) -> Iterator[tuple[str, Path]]:
    if case.plain is not None:
        yield from ((name, path) for name, path in case.plain.named_files if _STATE not in path.name)
        return
    for path in case.files:
        name = Path(os.path.relpath(path, directory))
        if _belongs_to_case(name):
            yield name.as_posix(), path


def _is_file(path: Path) -> bool:
    return path.is_file() and not path.is_symlink()


def _belongs_to_case(name: Path) -> bool:
    """Recordings do not count, nor do hidden directories of other programs, such as installed providers."""
    if name.name == HISTORY_FILE or is_recording(name.name):
        return False
    return not any(part.startswith(".") for part in name.parent.parts if part != os.pardir)


def _text(path: Path, longest: int = _LONGEST) -> str:
    size = path.stat().st_size
    if size > longest:
        return f"({size:,} bytes, not kept)"
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return f"({size:,} bytes that are no text)"
