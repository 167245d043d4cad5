"""Whether a mutant is found: by the corpus, or by stories nobody has written.

What counts is a finding that is not there without the mutant: so whatever shows something is judged once more by the
engines as they are.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from harness.fuzz.campaign import BATCH, Task, Terms, carry_out
from harness.fuzz.feedback import Coverage
from harness.judging.finding import Finding
from harness.judging.unit import Settings, Sort, Unit, judge_unit
from harness.mutants.catalogue.shown import SHOWN_BY
from harness.mutants.mutant import Mutant

__all__ = ["Trial", "in_order", "try_corpus", "try_stories"]


@dataclass(frozen=True, slots=True)
class Trial:
    mutant: str
    examples: int
    """Cases or stories, until it was found or there were no more."""

    seconds: float
    found_by: str = ""
    """The case or story; nothing where it was not found."""

    signature: str = ""
    place: str = ""
    field: str = ""


def in_order(mutant: Mutant, units: Iterable[Unit]) -> list[Unit]:
    """First the case that is known to show it, then those of its areas. Expressions are asked of no engine."""
    cases = [unit for unit in units if unit.sort is Sort.CASE]
    return sorted(cases, key=lambda unit: _distance(mutant, unit.path))


def _distance(mutant: Mutant, path: Path) -> int:
    known = SHOWN_BY.get(mutant.identifier)
    if known is not None and path.as_posix().endswith(f"/{known}"):
        return 0
    return 1 if any(word in path.parts for word in mutant.areas) else 2


def try_corpus(mutant: Mutant, units: Sequence[Unit], settings: Settings) -> Trial:
    started = time.monotonic()
    with_mutant = replace(settings, mutant=mutant.identifier)
    tried = 0
    for unit in in_order(mutant, units):
        tried += 1
        found = judge_unit(unit, with_mutant).open_findings
        new = _only_with_mutant(found, judge_unit(unit, settings).open_findings) if found else None
        if new is not None:
            return _found(mutant, tried, started, unit.path.as_posix(), new)
    return Trial(mutant.identifier, tried, time.monotonic() - started)


def try_stories(mutant: Mutant, terms: Terms, examples: int) -> Trial:
    """The stories of the campaign with this seed: what is tried more of is decided by what has been seen, as there."""
    started = time.monotonic()
    coverage = Coverage()
    weights = coverage.weights()
    for index in range(examples):
        if index % BATCH == 0:
            weights = coverage.weights()
        task = Task(terms, index, weights)
        outcome = carry_out(replace(task, terms=replace(terms, mutant=mutant.identifier)))
        found = outcome.result.open_findings
        new = _only_with_mutant(found, carry_out(task).result.open_findings) if found else None
        if new is not None:
            return _found(mutant, index + 1, started, task.name, new)
        coverage.learn(outcome.features, outcome.shown)
    return Trial(mutant.identifier, examples, time.monotonic() - started)


def _only_with_mutant(found: Sequence[Finding], without: Sequence[Finding]) -> Finding | None:
    known = {finding.signature for finding in without}
    new = [finding for finding in found if finding.signature not in known]
    return next((finding for finding in new if not finding.is_detail), new[0] if new else None)


def _found(mutant: Mutant, tried: int, started: float, where: str, finding: Finding) -> Trial:
    elapsed = time.monotonic() - started
    signature = str(finding.signature)
    return Trial(mutant.identifier, tried, elapsed, where, signature, finding.place, finding.field)
