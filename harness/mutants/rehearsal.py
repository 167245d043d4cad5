"""Stories played once by the engines as they are, so that each mutant costs no more than what it changes.

What the engine without a mutant does in a story is the same whichever mutant the other one has, and so is what the
story is: the campaign learns from the engines as they are. So a story is rehearsed once, and what was seen is kept in a
file. With a mutant only its own engine plays, and only stories in which its function is called.
"""

from __future__ import annotations

import pickle
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from harness.compare.ruling import Ruling
from harness.compare.verdict import CaseVerdict, Terms, judge_theatre
from harness.findings.finding import Finding, findings_of
from harness.findings.signature import Signature
from harness.generate.campaign import StoryTask, law_trial_of_task, story_of_task
from harness.generate.feedback import find_behaviours
from harness.generate.laws import find_violations
from harness.generate.story_execution import (
    TIMEOUT_S,
    prepare_story,
    schedules_for,
    should_validate,
    story_scratch_directory,
)
from harness.mutants.mutant import Mutant, applied
from harness.mutants.reach import Call, noted_calls, reaches
from harness.observe.observation import Observation
from harness.play.case_runner import CaseRunner
from harness.play.schedule import Schedule

__all__ = ["Rehearsed", "findings_with", "rehearse"]

_VARYING: Final = (Ruling.NOISE, Ruling.FLAKY)

_Courses = dict[tuple[str, Schedule], dict[str, Observation]]
"""By who played, and how."""


@dataclass(frozen=True, slots=True)
class Rehearsed:
    """One story as it goes without a mutant."""

    task: StoryTask
    file: Path
    """Where its courses are. They are large, and wanted only by mutants that the story reaches."""

    calls: frozenset[Call]
    law_calls: frozenset[Call]
    """Of the law that is tried beside the story, where there is one."""

    signatures: frozenset[Signature]
    """What is found without a mutant counts for none."""

    features: frozenset[str]
    shown: frozenset[str]

    @property
    def is_steady(self) -> bool:
        """Whether each engine comes to the same in every way. What varies without a mutant varies with any."""
        return all(signature.ruling not in _VARYING for signature in self.signatures)

    def may_show(self, mutant: Mutant) -> bool:
        return self.is_steady and (reaches(self.calls, mutant) or reaches(self.law_calls, mutant))


def rehearse(task: StoryTask, targets: Iterable[str], directory: Path) -> Rehearsed:
    """Calls of these targets are noted; courses are kept in the directory."""
    courses: _Courses = {}
    law = law_trial_of_task(task)
    with story_scratch_directory() as place, noted_calls(targets, task.options.engines) as calls:
        verdict = _played(task, place, courses)
        findings, reached = findings_of(verdict), frozenset(calls)
        calls.clear()
        for engine in task.options.engines if law is not None else ():
            findings += find_violations(law, place, engine) if law is not None else []
        law_calls = frozenset(calls)
    file = directory / f"{task.name}.courses"
    file.write_bytes(pickle.dumps(courses))
    return Rehearsed(
        task,
        file,
        reached,
        law_calls,
        frozenset(finding.signature for finding in findings),
        story_of_task(task).features,
        frozenset(find_behaviours(verdict.courses.get(verdict.baseline, {}))),
    )


def findings_with(mutant: Mutant, rehearsed: Rehearsed) -> list[Finding]:
    """What is found in a story with the mutant, and not without; where that is nothing, in the law beside it. For
    stories that may show it."""
    task, law = rehearsed.task, law_trial_of_task(rehearsed.task)
    new: list[Finding] = []
    with applied(mutant), story_scratch_directory() as place:
        if reaches(rehearsed.calls, mutant):
            courses: _Courses = pickle.loads(rehearsed.file.read_bytes())
            others = {key: course for key, course in courses.items() if key[0] != mutant.engine}
            new = _new(findings_of(_played(task, place, others, is_short=True)), rehearsed)
        if not new and law is not None and reaches(rehearsed.law_calls, mutant):
            new = _new(find_violations(law, place, mutant.engine), rehearsed)
    return new


def _new(findings: Iterable[Finding], rehearsed: Rehearsed) -> list[Finding]:
    """What is more than prose first."""
    new = [finding for finding in findings if finding.signature not in rehearsed.signatures]
    return sorted(new, key=lambda finding: finding.is_detail)


def _played(task: StoryTask, place: Path, courses: _Courses, *, is_short: bool = False) -> CaseVerdict:
    """The verdict on the story of a task, as its campaign comes to it. What is among the courses is not played again,
    and all else is among them afterwards. The short way is one of them only, another from story to story: engines that
    agree in all ways without a mutant need not vary with one, they differ from each other."""
    story, options = story_of_task(task), task.options
    ways = schedules_for(task.index, options.schedules, story, options.engines)
    if is_short:
        ways = (ways[task.index % len(ways)],)
    with prepare_story(story, place, options.engines, validates=should_validate(task.index)) as theatre:
        remembering = _Remembering(
            theatre.case,
            theatre.directory,
            theatre.configurations,
            theatre.given,
            theatre.prior_state,
            theatre.processes,
            courses=courses,
        )
        return judge_theatre(Terms(remembering, timeout_s=TIMEOUT_S), options.engines, ways)


@dataclass(frozen=True, slots=True)
class _Remembering(CaseRunner):
    """A theatre that plays nothing twice. What ends in a crash is not remembered."""

    courses: _Courses = field(default_factory=dict, compare=False)

    def play(
        self, engine: str, way: Schedule, patience_s: float, changes: frozenset[str] = frozenset()
    ) -> dict[str, Observation]:
        known = self.courses.get((engine, way))
        if known is None:
            known = self.courses[engine, way] = CaseRunner.play(self, engine, way, patience_s, changes)
        return known
