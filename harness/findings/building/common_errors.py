"""Errors that all engines report alike: no finding, but what the reader of an equal case wants to know."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from harness.case.case import Case
from harness.compare.verdict import RECORDED, CaseVerdict
from harness.findings.building.evidence import read_files
from harness.findings.diagnostic_text import error_texts, files_of_step
from harness.findings.secrets.masking import secrets_of

__all__ = ["common_errors"]


def common_errors(directory: Path, case: Case, verdict: CaseVerdict) -> Mapping[str, list[str]]:
    """Return the texts of errors at each place where all engines report the same ones, as the product prints them.
    Where engines differ, the findings say what each of them reports."""
    engines = [observations for name, observations in verdict.observations.items() if name != RECORDED]
    files = read_files(directory, case)
    secrets = secrets_of(case, verdict.observations)
    found: dict[str, list[str]] = {}
    for place in dict.fromkeys(place for observations in engines for place in observations):
        seen = [observations.get(place, {}) for observations in engines]
        texts = [error_texts(each, files_of_step(each, files)) for each in seen]
        if texts[0] and all(text == texts[0] for text in texts):
            found[place] = [secrets.masked(text) for text in texts[0]]
    return found
