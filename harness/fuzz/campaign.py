"""A campaign: many stories, what they showed, and what was found.

The promise: seed, profile, engines and number of stories decide about every story, finding and file, on whatever
machine and with however many processes. A campaign by the clock tells the same stories, as many as there is time for.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from multiprocessing import get_context
from pathlib import Path
from typing import Final

from harness.engines.external import is_external
from harness.fuzz.chooser import SeededChooser
from harness.fuzz.craft import Craft
from harness.fuzz.feedback import Coverage, shown_by
from harness.fuzz.laws import Trial, broken_laws, make_trial
from harness.fuzz.performance import is_validated, perform, place_for_stories, ways_of
from harness.fuzz.story import Story, save_story
from harness.fuzz.telling import PROFILES, Profile, Size, tell_story
from harness.judging.finding import Finding, findings_of
from harness.judging.result import CaseResult
from harness.judging.run import Group, Run
from harness.known import Known
from harness.mutants.activation import mutated

__all__ = ["Campaign", "Outcome", "Task", "Terms", "carry_out", "conduct", "law_beside", "save_groups", "story_of"]

BATCH: Final = 32
"""Stories between two looks at what is new. The same whatever the number of processes."""

_GROWS_EVERY: Final = 64
_LAW_EVERY: Final = 4
AREA: Final = "fuzz"


@dataclass(frozen=True, slots=True)
class Terms:
    """What is the same for a whole campaign."""

    seed: int = 0
    profile: str = "default"
    engines: tuple[str, ...] = ("legacy", "new")
    schedules: int = 2
    """In how many ways each engine runs each story."""

    mutant: str = ""
    """The mistake that is put into an engine: an identifier of `harness.mutants.catalogue`."""


@dataclass(frozen=True, slots=True)
class Task:
    terms: Terms
    index: int
    weights: Mapping[str, int] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return f"{self.terms.profile}-{self.terms.seed}-{self.index}"

    @property
    def profile(self) -> Profile:
        return PROFILES[self.terms.profile]

    @property
    def size(self) -> Size:
        """The first stories are small. The longer a campaign lasts, the larger some of its stories are."""
        sizes = self.profile.sizes
        return sizes[self.index % min(len(sizes), 1 + self.index // _GROWS_EVERY)]

    def craft(self, purpose: str) -> Craft:
        return Craft(SeededChooser(f"{purpose} {self.name}"), self.weights, self.profile.forbidden)


@dataclass(frozen=True, slots=True)
class Outcome:
    index: int
    features: frozenset[str]
    shown: frozenset[str]
    result: CaseResult
    stories: Mapping[str, Story] = field(default_factory=dict)
    """By the digest of the signature, where something was found."""

    configurations: int = 0
    valid: int = 0
    is_wrong_on_purpose: bool = False
    steps: int = 0
    task: Task | None = None
    """Where something was found."""


def story_of(task: Task) -> Story:
    return tell_story(task.craft("story"), task.profile, task.size, task.name)


def carry_out(task: Task) -> Outcome:
    """One story through all engines, and every so often a law for each engine."""
    started = time.monotonic()
    story = story_of(task)
    terms = task.terms
    with mutated(terms.mutant), place_for_stories() as place:
        ways = ways_of(task.index, terms.schedules, story, terms.engines)
        verdict = perform(story, place, terms.engines, ways, validates=is_validated(task.index))
        findings = findings_of(verdict)
        stories = {finding.signature.digest: story for finding in findings}
        for finding, told in _law_findings(task, place):
            findings.append(finding)
            stories.setdefault(finding.signature.digest, told)
    course = verdict.courses.get(verdict.baseline, {})
    verdicts = [seen for where, seen in course.items() if where.startswith("validate ")]
    result = CaseResult(
        f"{AREA}/{task.name}",
        task.name,
        AREA,
        story.description,
        engines=terms.engines,
        equal=tuple(name for name, one in verdict.between.items() if not one.differences),
        not_run={name: one.reason for name, one in verdict.of.items() if one.reason},
        findings=tuple(findings),
        evidence=story.text if findings else "",
        runs={name: one.runs for name, one in verdict.of.items()},
        elapsed_s={"all": time.monotonic() - started},
    )
    return Outcome(
        task.index,
        story.features,
        frozenset(shown_by(course)),
        result,
        stories,
        len(verdicts),
        sum(seen.get("ok") is True for seen in verdicts),
        bool(story.mistake),
        len(story.steps),
        task if stories else None,
    )


def law_beside(task: Task) -> Trial | None:
    """What is tried beside its story; only every so often there is one."""
    if task.index % _LAW_EVERY != _LAW_EVERY - 1:
        return None
    return make_trial(task.craft("law"), task.profile, task.size, f"{task.name}-law")


def _law_findings(task: Task, place: Path) -> Iterator[tuple[Finding, Story]]:
    trial = law_beside(task)
    if trial is None:
        return
    for engine in task.terms.engines:
        if not is_external(engine):
            for finding in broken_laws(trial, place, engine):
                yield finding, trial.stories[-1]


# All of them


@dataclass(slots=True)
class Campaign:
    terms: Terms
    known: Known = field(default_factory=Known)
    """What is documented is counted, and is no failure. Which of its entries nothing shows any more is not asked of
    stories: that is for the cases they name."""

    coverage: Coverage = field(default_factory=Coverage)
    results: list[CaseResult] = field(default_factory=list)
    stories: dict[str, Story] = field(default_factory=dict)
    """For each signature the shortest story that showed it, by digest."""

    tasks: dict[str, Task] = field(default_factory=dict)
    """What those stories were told for, by the same digest."""

    configurations: int = 0
    valid: int = 0
    wrong_on_purpose: int = 0
    steps: int = 0

    def learn(self, outcome: Outcome) -> None:
        self.coverage.learn(outcome.features, outcome.shown)
        self.results.append(self.known.documented(outcome.result))
        self.configurations += outcome.configurations
        self.valid += outcome.valid
        self.wrong_on_purpose += outcome.is_wrong_on_purpose
        self.steps += outcome.steps
        for digest, story in outcome.stories.items():
            known = self.stories.get(digest)
            if known is None or len(story.text) < len(known.text):
                self.stories[digest] = story
                if outcome.task is not None:
                    self.tasks[digest] = outcome.task

    def run(self, header: Mapping[str, str]) -> Run:
        ordered = tuple(sorted(self.results, key=lambda result: result.identifier))
        return Run(header, self.terms.engines, ordered, classes=self.known.classes, planned=len(ordered))


def conduct(
    terms: Terms,
    *,
    examples: int | None,
    minutes: float | None,
    jobs: int = 1,
    on_outcome: Callable[[Outcome], None] = lambda _outcome: None,
    campaign: Campaign | None = None,
) -> Campaign:
    """Until that many stories are told, or that much time is over. What was found before an interrupt is in the
    campaign that was given."""
    campaign = Campaign(terms) if campaign is None else campaign
    ends_at = None if minutes is None else time.monotonic() + 60 * minutes
    with _Workers(jobs) as work:
        while (examples is None or campaign.coverage.stories < examples) and not _is_over(ends_at):
            first = campaign.coverage.stories
            last = first + BATCH if examples is None else min(examples, first + BATCH)
            weights = campaign.coverage.weights()
            tasks = [Task(terms, index, weights) for index in range(first, last)]
            for outcome in _until(ends_at, work(tasks)):
                campaign.learn(outcome)
                on_outcome(outcome)
    return campaign


def _is_over(ends_at: float | None) -> bool:
    return ends_at is not None and time.monotonic() >= ends_at


def _until(ends_at: float | None, outcomes: Iterable[Outcome]) -> Iterator[Outcome]:
    for outcome in outcomes:
        yield outcome
        if _is_over(ends_at):
            return


class _Workers:
    """Processes, or this one. Outcomes come in the order of the tasks."""

    def __init__(self, jobs: int) -> None:
        self._pool = ProcessPoolExecutor(jobs, mp_context=get_context("forkserver")) if jobs > 1 else None

    def __enter__(self) -> Callable[[Sequence[Task]], Iterable[Outcome]]:
        pool = self._pool
        return (lambda tasks: map(carry_out, tasks)) if pool is None else (lambda tasks: pool.map(carry_out, tasks))

    def __exit__(self, *_: object) -> None:
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)


def save_groups(campaign: Campaign, groups: Iterable[Group], directory: Path) -> list[Path]:
    """The story of each group that is not there yet, as a case whose name is the digest of the signature."""
    saved: list[Path] = []
    for group in groups:
        place = directory / f"found-{group.signature.digest}"
        story = campaign.stories.get(group.signature.digest)
        if group.known or story is None or place.exists():
            continue
        place.mkdir(parents=True)
        save_story(story, place, f"{story.description} Found: {group.signature}")
        saved.append(place)
    return saved
