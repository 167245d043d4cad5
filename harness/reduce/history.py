"""How a case became small: the versions that were accepted on the way, one after the other.

Whoever looks at a small case wonders what has been left out, and whether it mattered. A film answers that; it is saved
beside the case, and a report on the case shows it.

It holds what case.yaml and the configuration say, and no state. What is sensitive in the case as it was is replaced in
all frames: a value may be gone from the last one, and a report knows only of what is sensitive there.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from harness.case.case import CASE_FILE, FILM_FILE
from harness.findings.secrets.masking import Secrets, secrets_of
from harness.reduce.specimen import Specimen
from harness.reduce.syntax import bodies_of

__all__ = ["FORMAT", "ReductionStep", "count_blocks", "count_lines", "render_history", "write_history"]

FORMAT: Final = 1
_LONGEST: Final = 60_000
"""Characters. A run keeps a film in its journal with every case that shows something."""

_MOST_FRAMES: Final = (48, 24, 12, 6, 2)
"""The first that fits."""

_CONFIGURATION: Final = (".tf", ".tofu", ".tfvars", ".tf.json")


@dataclass(frozen=True, slots=True)
class ReductionStep:
    told: str
    """What was done to the version before."""

    trials: int
    """How many there had been."""

    specimen: Specimen


def count_blocks(specimen: Specimen) -> int:
    """Outermost ones, in all versions."""
    return sum(len(body.blocks) for _, body in bodies_of(specimen))


def count_lines(specimen: Specimen) -> int:
    """Of configuration, in all versions, without blank ones."""
    texts = (text for path, text in specimen.files.items() if path.endswith(_CONFIGURATION))
    return sum(bool(line.strip()) for text in texts for line in text.splitlines())


def write_history(frames: Sequence[ReductionStep], directory: Path) -> None:
    """Nothing where nothing was made smaller."""
    text = render_history(frames) if len(frames) > 1 else ""
    if text:
        (directory / FILM_FILE).write_text(text, encoding="ascii")


def render_history(frames: Sequence[ReductionStep]) -> str:
    """The first and the last, and of what is between them as much as there is room for; empty where there is none even
    for these two."""
    secrets = _secrets(frames[0].specimen)
    for most in _MOST_FRAMES:
        text = json.dumps(_tree(_select(frames, most), secrets), indent=1)
        if len(text) < _LONGEST:
            return f"{text}\n"
    return ""


def _secrets(specimen: Specimen) -> Secrets:
    with tempfile.TemporaryDirectory() as place:
        specimen.write(Path(place))
        return secrets_of(Path(place), {})


def _select(frames: Sequence[ReductionStep], most: int) -> list[ReductionStep]:
    """Evenly, by their number: what is done late matters as much to a reader as what is done first."""
    if len(frames) <= most:
        return list(frames)
    return [frames[round(number * (len(frames) - 1) / (most - 1))] for number in range(most)]


def _tree(frames: Sequence[ReductionStep], secrets: Secrets) -> dict[str, Any]:
    told: list[dict[str, Any]] = []
    before: Mapping[str, str] = {}
    for frame in frames:
        texts = {path: secrets.masked(text) for path, text in _texts(frame.specimen).items()}
        told.append(
            {
                "told": frame.told,
                "trials": frame.trials,
                "blocks": count_blocks(frame.specimen),
                "lines": count_lines(frame.specimen),
                "files": {path: text for path, text in texts.items() if before.get(path) != text},
                "without": sorted(before.keys() - texts.keys()),
            }
        )
        before = texts
    return {"format": FORMAT, "frames": told}


def _texts(specimen: Specimen) -> dict[str, str]:
    files = {path: text for path, text in sorted(specimen.files.items()) if path.endswith(_CONFIGURATION)}
    return {CASE_FILE: specimen.case_text, **files}
