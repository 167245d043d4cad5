"""The history of a reduction: the accepted versions, one after the other.

A reader of a small case wonders what was left out and whether it mattered. The history answers that. It is saved next
to the case, and a report on the case shows it.

It contains case.yaml and the configuration, and no state. Values that are sensitive in the original case are masked in
every version: the last version may no longer declare them, and a report only knows what is sensitive there.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from harness.case.case import CASE_FILE, HISTORY_FILE, CaseError, read_case
from harness.findings.secrets.masking import Secrets, secrets_of
from harness.reduce.specimens.specimen import Specimen
from harness.reduce.specimens.syntax import bodies_of
from shared_nodes.lang.file_names import CONFIGURATION_SUFFIXES
from shared_nodes.record import record

__all__ = ["FORMAT", "ReductionStep", "count_blocks", "count_lines", "render_history", "write_history"]

FORMAT: Final = 1
_LONGEST: Final = 60_000
"""Maximum size in characters. The journal of a run stores the history of every case with findings."""

_MOST_STEPS: Final = (48, 24, 12, 6, 2)
"""Maximum numbers of versions; the first one that fits the size limit is used."""

_CONFIGURATION: Final = (*CONFIGURATION_SUFFIXES, ".tfvars")


@record
class ReductionStep:
    action: str
    """What was done to the previous version."""

    trials: int
    """Number of trials so far."""

    specimen: Specimen


def count_blocks(specimen: Specimen) -> int:
    """Count the top-level blocks in all versions."""
    return sum(len(body.blocks) for _, body in bodies_of(specimen))


def count_lines(specimen: Specimen) -> int:
    """Count the non-blank lines of configuration in all versions."""
    texts = (text for path, text in specimen.files.items() if path.endswith(_CONFIGURATION))
    return sum(bool(line.strip()) for text in texts for line in text.splitlines())


def write_history(steps: Sequence[ReductionStep], directory: Path) -> None:
    """Write the history, unless nothing was reduced."""
    text = render_history(steps) if len(steps) > 1 else ""
    if text:
        (directory / HISTORY_FILE).write_text(text, encoding="ascii")


def render_history(steps: Sequence[ReductionStep]) -> str:
    """Return the JSON text with the first and last version and as many between them as fit; empty if not even those two
    fit."""
    secrets = _find_secrets(steps[0].specimen)
    for most in _MOST_STEPS:
        text = json.dumps(_history_tree(_select(steps, most), secrets), indent=1)
        if len(text) < _LONGEST:
            return f"{text}\n"
    return ""


def _find_secrets(specimen: Specimen) -> Secrets:
    with tempfile.TemporaryDirectory() as place:
        specimen.write(Path(place))
        try:
            return secrets_of(read_case(Path(place)), {})
        except CaseError:
            return secrets_of(None, {})


def _select(steps: Sequence[ReductionStep], most: int) -> list[ReductionStep]:
    """Select versions evenly by position: late steps matter as much to a reader as early ones."""
    if len(steps) <= most:
        return list(steps)
    return [steps[round(number * (len(steps) - 1) / (most - 1))] for number in range(most)]


def _history_tree(steps: Sequence[ReductionStep], secrets: Secrets) -> dict[str, Any]:
    trees: list[dict[str, Any]] = []
    before: Mapping[str, str] = {}
    for step in steps:
        texts = {path: secrets.masked(text) for path, text in _configuration_texts(step.specimen).items()}
        trees.append(
            {
                "told": step.action,
                "trials": step.trials,
                "blocks": count_blocks(step.specimen),
                "lines": count_lines(step.specimen),
                "files": {path: text for path, text in texts.items() if before.get(path) != text},
                "without": sorted(before.keys() - texts.keys()),
            }
        )
        before = texts
    return {"format": FORMAT, "frames": trees}


def _configuration_texts(specimen: Specimen) -> dict[str, str]:
    files = {path: text for path, text in sorted(specimen.files.items()) if path.endswith(_CONFIGURATION)}
    return {CASE_FILE: specimen.case_text, **files}
