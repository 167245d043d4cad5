"""Tries to detect a mutant with the corpus, or with generated stories.

Only a finding that does not occur without the mutant counts. A case with findings is judged once more without the
mutant; for stories, the baseline serves this purpose.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from harness.case.unit import Unit, UnitKind
from harness.execute.judge import judge_unit
from harness.findings.finding import Finding
from harness.findings.signature import Signature
from harness.generate.campaign import BATCH_SIZE, CampaignOptions, StoryTask
from harness.generate.feedback import Coverage
from harness.mutants.catalogue import mutant_named
from harness.mutants.catalogue.known_cases import KNOWN_CASES
from harness.mutants.catalogue.mutant import Mutant
from harness.mutants.source import targets_of
from harness.play.run_spec import RunSpec
from harness.trials.baseline import Baseline, findings_with, run_baseline
from shared_nodes.record import record

__all__ = ["MutantTrial", "Work", "sort_cases", "try_corpus", "try_stories"]

Work = Callable[[Callable[[Any], Any], Iterable[Any]], Iterable[Any]]
"""A replacement for `map`, which may use several processes."""


@record
class MutantTrial:
    """The result of trying to find one mutant."""

    mutant: str
    examples: int = 0
    """Number of cases or stories until it was found or none were left."""

    seconds: float = 0.0
    """Duration without the baseline, which all mutants share."""

    found_by: str = ""
    """The case or story; empty if the mutant was not found."""

    signature: Signature | None = None
    place: str = ""
    field: str = ""
    reached: int = 0
    """Number of stories that call its function and are stable without it. Not counted for cases."""

    task: StoryTask | None = None
    """The task of the story that found it, with the mutant in its options."""

    blocks: int | None = None
    lines: int | None = None
    """The size of the configuration in the reduced case."""


def sort_cases(mutant: Mutant, units: Iterable[Unit]) -> list[Unit]:
    """Sort the cases: first the one that is known to show the mutant, then those of its areas. Files of expressions are
    left out, since no engine runs them."""
    cases = [unit for unit in units if unit.kind is UnitKind.CASE]
    return sorted(cases, key=lambda unit: _distance(mutant, unit.path))


def _distance(mutant: Mutant, path: Path) -> int:
    known = KNOWN_CASES.get(mutant.identifier)
    if known is not None and path.as_posix().endswith(f"/{known}"):
        return 0
    return 1 if any(word in path.parts for word in mutant.areas) else 2


def try_corpus(mutant: Mutant, units: Sequence[Unit], settings: RunSpec) -> MutantTrial:
    started = time.monotonic()
    with_mutant = replace(settings, mutant=mutant.identifier)
    trial = MutantTrial(mutant.identifier)
    for unit in sort_cases(mutant, units):
        trial = replace(trial, examples=trial.examples + 1)
        found = judge_unit(unit, with_mutant).open_findings
        new = _find_first_new(found, judge_unit(unit, settings).open_findings) if found else None
        if new is not None:
            trial = _with_finding(trial, unit.path.as_posix(), new)
            break
    return replace(trial, seconds=time.monotonic() - started)


def _find_first_new(found: Sequence[Finding], without: Sequence[Finding]) -> Finding | None:
    known = {finding.signature for finding in without}
    new = [finding for finding in found if finding.signature not in known]
    return next((finding for finding in new if not finding.is_detail), new[0] if new else None)


def _with_finding(trial: MutantTrial, where: str, finding: Finding) -> MutantTrial:
    return replace(trial, found_by=where, signature=finding.signature, place=finding.place, field=finding.field)


# Stories


def try_stories(
    mutants: Sequence[Mutant],
    options: CampaignOptions,
    examples: int,
    work: Work = map,
    on_baseline: Callable[[Baseline], None] = lambda _baseline: None,
) -> Iterator[list[MutantTrial]]:
    """Run the stories of a campaign with all mutants at once, until all are found or no stories are left. Whenever one
    mutant has been tried with a batch of stories, all trials so far are yielded. Stories are chosen only by what is
    observed without mutants, so they are the same for each mutant, and the same as those of `diffharness fuzz`."""
    trials = {mutant.identifier: MutantTrial(mutant.identifier) for mutant in mutants}
    coverage = Coverage()
    for first in range(0, examples, BATCH_SIZE):
        still_open = [trial for trial in trials.values() if not trial.found_by]
        if not still_open:
            return
        weights = coverage.weights()
        tasks = [StoryTask(options, index, weights) for index in range(first, min(examples, first + BATCH_SIZE))]
        targets = dict.fromkeys(target for trial in still_open for target in targets_of(mutant_named(trial.mutant)))
        with tempfile.TemporaryDirectory(prefix="diffharness-baseline-") as directory:
            prepare = partial(run_baseline, targets=tuple(targets), directory=Path(directory))
            batch: list[Baseline] = list(work(prepare, tasks))
            for one in batch:
                coverage.learn(one.features, one.behaviours)
                on_baseline(one)
            for trial in work(partial(_try_batch, batch), still_open):
                trials[trial.mutant] = trial
                yield list(trials.values())


def _try_batch(batch: Sequence[Baseline], trial: MutantTrial) -> MutantTrial:
    """Try one mutant with the stories of one batch, until one of them finds it."""
    started = time.monotonic()
    mutant = mutant_named(trial.mutant)
    for one in batch:
        may_show = one.may_show(mutant)
        trial = replace(trial, examples=trial.examples + 1, reached=trial.reached + may_show)
        found = findings_with(mutant, one) if may_show else []
        if found:
            options = replace(one.task.options, mutant=mutant.identifier)
            trial = replace(_with_finding(trial, one.task.name, found[0]), task=replace(one.task, options=options))
            break
    return replace(trial, seconds=trial.seconds + time.monotonic() - started)
