"""Judging a run by another list of documented divergences, from its results alone."""

from __future__ import annotations

from dataclasses import replace

from harness.findings.known_divergences import KnownDivergences
from harness.findings.run import Run

__all__ = ["judge_again"]


def judge_again(run: Run, known: KnownDivergences) -> Run:
    """Return the run as if `known`, and no other list, had been in force: what was assigned to entries before is
    forgotten."""
    results = tuple(map(known.documented, run.results))
    return replace(run, results=results, stale=known.stale(results), classes=known.classes, titles=known.titles)
