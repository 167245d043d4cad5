"""Whether a mutant is found: by the corpus, or by stories nobody has written.

What counts is a finding that is not there without the mutant: a case that shows something is judged once more by the
engines as they are, and stories are rehearsed by them.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from harness.case.unit import Unit, UnitKind
from harness.execute.unit import judge_unit
from harness.findings.finding import Finding
from harness.findings.signature import Signature
from harness.generate.campaign import BATCH_SIZE, CampaignOptions, StoryTask
from harness.generate.feedback import Coverage
from harness.mutants.catalogue import mutant_named
from harness.mutants.catalogue.shown import SHOWN_BY
from harness.mutants.mutant import Mutant
from harness.mutants.rehearsal import Rehearsed, findings_with, rehearse
from harness.play.run_spec import RunSpec

__all__ = ["Trial", "Work", "in_order", "try_corpus", "try_stories"]

Work = Callable[[Callable[[Any], Any], Iterable[Any]], Iterable[Any]]
"""As `map`: in this process, or in several."""


@dataclass(frozen=True, slots=True)
class Trial:
    mutant: str
    examples: int = 0
    """Cases or stories, until it was found or there were no more."""

    seconds: float = 0.0
    """Without rehearsals, which all mutants share."""

    found_by: str = ""
    """The case or story; nothing where it was not found."""

    signature: Signature | None = None
    place: str = ""
    field: str = ""
    reached: int = 0
    """Stories that call its function, and are steady without it. Not counted for cases."""

    task: StoryTask | None = None
    """Of the story that found it, with the mutant among its terms."""

    blocks: int | None = None
    lines: int | None = None
    """Of configuration, in what is left of the case that found it when it is made smaller."""


def in_order(mutant: Mutant, units: Iterable[Unit]) -> list[Unit]:
    """First the case that is known to show it, then those of its areas. Expressions are asked of no engine."""
    cases = [unit for unit in units if unit.sort is UnitKind.CASE]
    return sorted(cases, key=lambda unit: _distance(mutant, unit.path))


def _distance(mutant: Mutant, path: Path) -> int:
    known = SHOWN_BY.get(mutant.identifier)
    if known is not None and path.as_posix().endswith(f"/{known}"):
        return 0
    return 1 if any(word in path.parts for word in mutant.areas) else 2


def try_corpus(mutant: Mutant, units: Sequence[Unit], settings: RunSpec) -> Trial:
    started = time.monotonic()
    with_mutant = replace(settings, mutant=mutant.identifier)
    trial = Trial(mutant.identifier)
    for unit in in_order(mutant, units):
        trial = replace(trial, examples=trial.examples + 1)
        found = judge_unit(unit, with_mutant).open_findings
        new = _only_with_mutant(found, judge_unit(unit, settings).open_findings) if found else None
        if new is not None:
            trial = _found(trial, unit.path.as_posix(), new)
            break
    return replace(trial, seconds=time.monotonic() - started)


def _only_with_mutant(found: Sequence[Finding], without: Sequence[Finding]) -> Finding | None:
    known = {finding.signature for finding in without}
    new = [finding for finding in found if finding.signature not in known]
    return next((finding for finding in new if not finding.is_detail), new[0] if new else None)


def _found(trial: Trial, where: str, finding: Finding) -> Trial:
    return replace(trial, found_by=where, signature=finding.signature, place=finding.place, field=finding.field)


# Stories


def try_stories(
    mutants: Sequence[Mutant],
    options: CampaignOptions,
    examples: int,
    work: Work = map,
    on_rehearsed: Callable[[Rehearsed], None] = lambda _rehearsed: None,
) -> Iterator[list[Trial]]:
    """The stories of the campaign of these terms, for all mutants at once: what each has come to, after each batch of
    stories, until all are found or there are no more stories. Only what has been seen without mutants decides about
    stories, so that they are the same for each, and those of `diffharness fuzz`."""
    trials = {mutant.identifier: Trial(mutant.identifier) for mutant in mutants}
    coverage = Coverage()
    for first in range(0, examples, BATCH_SIZE):
        still_open = [trial for trial in trials.values() if not trial.found_by]
        if not still_open:
            return
        weights = coverage.weights()
        tasks = [StoryTask(options, index, weights) for index in range(first, min(examples, first + BATCH_SIZE))]
        targets = tuple(dict.fromkeys(mutant_named(trial.mutant).target for trial in still_open))
        with tempfile.TemporaryDirectory(prefix="diffharness-rehearsal-") as directory:
            prepare = partial(rehearse, targets=targets, directory=Path(directory))
            batch: list[Rehearsed] = list(work(prepare, tasks))
            for one in batch:
                coverage.learn(one.features, one.shown)
                on_rehearsed(one)
            for trial in work(partial(_go_on, batch), still_open):
                trials[trial.mutant] = trial
                yield list(trials.values())


def _go_on(batch: Sequence[Rehearsed], trial: Trial) -> Trial:
    """One mutant and one batch of stories, until one of them finds it."""
    started = time.monotonic()
    mutant = mutant_named(trial.mutant)
    for one in batch:
        may_show = one.may_show(mutant)
        trial = replace(trial, examples=trial.examples + 1, reached=trial.reached + may_show)
        found = findings_with(mutant, one) if may_show else []
        if found:
            options = replace(one.task.options, mutant=mutant.identifier)
            trial = replace(_found(trial, one.task.name, found[0]), task=replace(one.task, options=options))
            break
    return replace(trial, seconds=trial.seconds + time.monotonic() - started)
