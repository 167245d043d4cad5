"""What is known about the scenarios of a corpus, kept beside them.

`agreeing.txt` lists the cases that agree with their recording; it may only grow. `known_differences.yaml` gives a
reason for each case that is known not to; it may only shrink. A case that stops agreeing is a regression, whatever
else has become better meanwhile.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Final

import yaml

from harness.scenarios.judge import Agreement, CaseVerdict

__all__ = ["AGREEING_FILE", "KNOWN_FILE", "agreeing", "known_differences", "record_agreeing"]

AGREEING_FILE: Final = "agreeing.txt"
KNOWN_FILE: Final = "known_differences.yaml"


def agreeing(corpus: Path) -> frozenset[str]:
    file = corpus / AGREEING_FILE
    return frozenset(file.read_text(encoding="utf-8").split()) if file.exists() else frozenset()


def known_differences(corpus: Path) -> dict[str, str]:
    file = corpus / KNOWN_FILE
    if not file.exists():
        return {}
    return {str(key): str(reason) for key, reason in (yaml.safe_load(file.read_text(encoding="utf-8")) or {}).items()}


def record_agreeing(paths: Iterable[Path], verdicts: Iterable[CaseVerdict]) -> None:
    """Add to the list of each corpus below the paths what agrees with its recording, whoever runs it. Nothing is ever
    taken out here: that would hide a regression."""
    now = {
        case.identifier
        for case in verdicts
        if case.is_recorded and all(verdict.agreement is Agreement.AGREES for verdict in case.of.values())
    }
    for file in sorted({file for path in paths for file in path.rglob(AGREEING_FILE)}):
        here = {name for name in now if (file.parent / name).is_dir()}
        names = sorted(agreeing(file.parent) | here)
        file.write_text("".join(f"{name}\n" for name in names), encoding="utf-8")
