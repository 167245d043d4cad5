"""Runs a story once without any mutant, so that each mutant costs only the time of what it changes.

The engine without a mutant behaves the same in a story whichever mutant the other engine has. The story is the same,
too, because the campaign learns from the unchanged engines. So each story is run once without mutants, and its
observations are kept in a file. For each mutant only its own engine is run, and only in stories that call the function
it changes.
"""

from __future__ import annotations

import pickle
from collections.abc import Iterable
from pathlib import Path

from harness.compare.verdict import CaseVerdict
from harness.execute.case_judge import FurtherSchedules, judge_runner
from harness.findings.case_findings import findings_of
from harness.findings.finding import Finding
from harness.findings.signature import Signature
from harness.generate.campaign import StoryTask, law_trial_of_task, story_of_task
from harness.generate.feedback import find_behaviours
from harness.generate.laws import find_violations
from harness.generate.story_execution import (
    TIMEOUT_S,
    prepare_story,
    schedules_of_story,
    should_validate,
    story_scratch_directory,
)
from harness.mutants.activation import apply_mutant
from harness.mutants.catalogue.mutant import Mutant
from harness.play.run_spec import RunSpec
from harness.trials.call_coverage import Call, reaches, record_calls
from harness.trials.known_runs import KnownRuns, with_known_runs
from shared_nodes.record import record

__all__ = ["Baseline", "findings_with", "run_baseline"]


@record
class Baseline:
    """The outcome of one story without a mutant."""

    task: StoryTask
    file: Path
    """The file with its observations. They are large, and needed only for mutants that the story reaches."""

    calls: frozenset[Call]
    law_calls: frozenset[Call]
    """The calls of the law that is tried in addition to the story, if there is one."""

    signatures: frozenset[Signature]
    """The findings without a mutant. They do not count as detecting one."""

    features: frozenset[str]
    behaviours: frozenset[str]

    @property
    def is_stable(self) -> bool:
        """Whether each engine has the same outcome under every schedule. Otherwise a difference proves nothing."""
        return not any(signature.ruling.is_variation for signature in self.signatures)

    def may_show(self, mutant: Mutant) -> bool:
        return self.is_stable and (reaches(self.calls, mutant) or reaches(self.law_calls, mutant))


def run_baseline(task: StoryTask, targets: Iterable[str], directory: Path) -> Baseline:
    """Run the story of a task, record calls of these functions, and write its observations into the directory."""
    known: KnownRuns = {}
    law = law_trial_of_task(task)
    with story_scratch_directory() as place, record_calls(targets, task.options.engines) as calls:
        verdict = _run_story(task, place, known)
        findings, reached = findings_of(verdict), frozenset(calls)
        calls.clear()
        for engine in task.options.engines if law is not None else ():
            findings += find_violations(law, place, engine) if law is not None else []
        law_calls = frozenset(calls)
    file = directory / f"{task.name}.observations"
    file.write_bytes(pickle.dumps(known))
    return Baseline(
        task,
        file,
        reached,
        law_calls,
        frozenset(finding.signature for finding in findings),
        story_of_task(task).features,
        frozenset(find_behaviours(verdict.observations.get(verdict.baseline, {}))),
    )


def findings_with(mutant: Mutant, baseline: Baseline) -> list[Finding]:
    """Return the findings that a story has with the mutant and not without it; if there are none, those of the law that
    is tried in addition to the story."""
    task, law = baseline.task, law_trial_of_task(baseline.task)
    new: list[Finding] = []
    with apply_mutant(mutant), story_scratch_directory() as place:
        if reaches(baseline.calls, mutant):
            known: KnownRuns = pickle.loads(baseline.file.read_bytes())
            others = {key: seen for key, seen in known.items() if key[0] != mutant.engine}
            new = _new_findings(findings_of(_run_story(task, place, others, is_short=True)), baseline)
        if not new and law is not None and reaches(baseline.law_calls, mutant):
            new = _new_findings(find_violations(law, place, mutant.engine), baseline)
    return new


def _new_findings(findings: Iterable[Finding], baseline: Baseline) -> list[Finding]:
    """Return the findings that the baseline does not have. Those that concern more than wording come first."""
    new = [finding for finding in findings if finding.signature not in baseline.signatures]
    return sorted(new, key=lambda finding: finding.is_detail)


def _run_story(task: StoryTask, place: Path, known: KnownRuns, *, is_short: bool = False) -> CaseVerdict:
    """Return the verdict on the story of a task, as in its campaign. Known observations are reused, and new ones are
    added to them. `is_short` uses a single schedule even for a story that has a finding: engines that agree under all
    schedules without a mutant need not vary with one, because they then differ from each other."""
    story, options = story_of_task(task), task.options
    schedules = schedules_of_story(task.index, options.schedules, story, options.engines)
    further = FurtherSchedules() if is_short else FurtherSchedules(schedules.further, schedules.are_worth_it)
    with prepare_story(story, place, options.engines, validates=should_validate(task.index)) as runner:
        caching = with_known_runs(runner, known, with_checkpoints=False)
        return judge_runner(caching, RunSpec(options.engines, schedules.always, timeout_s=TIMEOUT_S), further=further)
