"""How much a result keeps of what a case contains.

The process that leads a run holds all results until it has written the report. So no case may make its own as long as
it likes: by a recording, an attribute or a message of many megabytes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from harness.findings.finding import Finding
from harness.play.case_runner import Observations
from shared_nodes.values.json import dumps

__all__ = ["LONGEST_EVIDENCE", "limited_finding", "limited_observations", "limited_text"]

LONGEST_EVIDENCE: Final = 4_000_000
_LONGEST_TEXT: Final = 100_000
"""Limits in characters."""


def limited_text(text: str) -> str:
    return text if len(text) <= _LONGEST_TEXT else f"{text[:_LONGEST_TEXT]}... ({len(text):,} characters)"


def limited_finding(finding: Finding) -> Finding:
    return replace(
        finding,
        expected=limited_text(finding.expected),
        got=limited_text(finding.got),
        explanation=tuple(map(limited_text, finding.explanation)),
    )


def limited_observations(observations: Mapping[str, Observations]) -> dict[str, Observations]:
    """Leave out the observations that are too large together, in the order of the engines and of their places."""
    left = LONGEST_EVIDENCE
    kept: dict[str, Observations] = {}
    for engine, places in observations.items():
        here = {}
        for place, observation in places.items():
            size = len(dumps({**observation}, escape_html=False))
            if size <= left:
                here[place] = observation
                left -= size
        kept[engine] = here
    return kept
