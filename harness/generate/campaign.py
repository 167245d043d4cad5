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
from harness.findings.finding import Finding, findings_of
from harness.findings.known_divergences import KnownDivergences
from harness.findings.result import CaseResult
from harness.findings.run import Group, Run
from harness.generate.choices import GenerationContext, SeededChooser
from harness.generate.feedback import Coverage, find_behaviours
from harness.generate.laws import LawTrial, find_violations, make_law_trial
from harness.generate.profiles import PROFILES, Profile, Size
from harness.generate.story import GeneratedStory, save_story
from harness.generate.story_execution import run_story, schedules_for, should_validate, story_scratch_directory
from harness.generate.story_generator import generate_story
from harness.mutants.activation import mutated

__all__ = [
    "Campaign",
    "CampaignOptions",
    "StoryOutcome",
    "StoryTask",
    "law_trial_of_task",
    "run_campaign",
    "run_task",
    "save_stories",
    "story_of_task",
]

BATCH_SIZE: Final = 32
"""Stories between two looks at what is new. The same whatever the number of processes."""

_GROWS_EVERY: Final = 64
_LAW_EVERY: Final = 4
AREA: Final = "fuzz"


@dataclass(frozen=True, slots=True)
class CampaignOptions:
    """What is the same for a whole campaign."""

    seed: int = 0
    profile: str = "default"
    engines: tuple[str, ...] = ("legacy", "new")
    schedules: int = 2
    """In how many ways each engine runs each story."""

    mutant: str = ""
    """The mistake that is put into an engine: an identifier of `harness.mutants.catalogue`."""


@dataclass(frozen=True, slots=True)
class StoryTask:
    options: CampaignOptions
    index: int
    weights: Mapping[str, int] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return f"{self.options.profile}-{self.options.seed}-{self.index}"

    @property
    def profile(self) -> Profile:
        return PROFILES[self.options.profile]

    @property
    def size(self) -> Size:
        """The first stories are small. The longer a campaign lasts, the larger some of its stories are."""
        sizes = self.profile.sizes
        return sizes[self.index % min(len(sizes), 1 + self.index // _GROWS_EVERY)]

    def new_context(self, purpose: str) -> GenerationContext:
        return GenerationContext(SeededChooser(f"{purpose} {self.name}"), self.weights, self.profile.forbidden)


@dataclass(frozen=True, slots=True)
class StoryOutcome:
    index: int
    features: frozenset[str]
    behaviours: frozenset[str]
    result: CaseResult
    stories: Mapping[str, GeneratedStory] = field(default_factory=dict)
    """By the digest of the signature, where something was found."""

    configurations: int = 0
    valid: int = 0
    is_wrong_on_purpose: bool = False
    steps: int = 0
    task: StoryTask | None = None
    """Where something was found."""


def story_of_task(task: StoryTask) -> GeneratedStory:
    return generate_story(task.new_context("story"), task.profile, task.size, task.name)


def run_task(task: StoryTask) -> StoryOutcome:
    """One story through all engines, and every so often a law for each engine."""
    started = time.monotonic()
    story = story_of_task(task)
    options = task.options
    with mutated(options.mutant), story_scratch_directory() as place:
        ways = schedules_for(task.index, options.schedules, story, options.engines)
        verdict = run_story(story, place, options.engines, ways, validates=should_validate(task.index))
        findings = findings_of(verdict)
        stories = {finding.signature.digest: story for finding in findings}
        for finding, told in _find_law_findings(task, place):
            findings.append(finding)
            stories.setdefault(finding.signature.digest, told)
    course = verdict.courses.get(verdict.baseline, {})
    verdicts = [seen for where, seen in course.items() if where.startswith("validate ")]
    result = CaseResult(
        f"{AREA}/{task.name}",
        task.name,
        AREA,
        story.description,
        engines=options.engines,
        equal=tuple(name for name, one in verdict.between.items() if not one.differences),
        not_run={name: one.reason for name, one in verdict.of.items() if one.reason},
        findings=tuple(findings),
        evidence=story.text if findings else "",
        runs={name: one.runs for name, one in verdict.of.items()},
        elapsed_s={"all": time.monotonic() - started},
    )
    return StoryOutcome(
        task.index,
        story.features,
        frozenset(find_behaviours(course)),
        result,
        stories,
        len(verdicts),
        sum(seen.get("ok") is True for seen in verdicts),
        bool(story.mistake),
        len(story.steps),
        task if stories else None,
    )


def law_trial_of_task(task: StoryTask) -> LawTrial | None:
    """What is tried beside its story; only every so often there is one."""
    if task.index % _LAW_EVERY != _LAW_EVERY - 1:
        return None
    return make_law_trial(task.new_context("law"), task.profile, task.size, f"{task.name}-law")


def _find_law_findings(task: StoryTask, place: Path) -> Iterator[tuple[Finding, GeneratedStory]]:
    trial = law_trial_of_task(task)
    if trial is None:
        return
    for engine in task.options.engines:
        if not is_external(engine):
            for finding in find_violations(trial, place, engine):
                yield finding, trial.stories[-1]


# All of them


@dataclass(slots=True)
class Campaign:
    options: CampaignOptions
    known: KnownDivergences = field(default_factory=KnownDivergences)
    """What is documented is counted, and is no failure. Which of its entries nothing shows any more is not asked of
    stories: that is for the cases they name."""

    coverage: Coverage = field(default_factory=Coverage)
    results: list[CaseResult] = field(default_factory=list)
    stories: dict[str, GeneratedStory] = field(default_factory=dict)
    """For each signature the shortest story that showed it, by digest."""

    tasks: dict[str, StoryTask] = field(default_factory=dict)
    """What those stories were told for, by the same digest."""

    configurations: int = 0
    valid: int = 0
    wrong_on_purpose: int = 0
    steps: int = 0

    def learn(self, outcome: StoryOutcome) -> None:
        self.coverage.learn(outcome.features, outcome.behaviours)
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
        return Run(header, self.options.engines, ordered, classes=self.known.classes, planned=len(ordered))


def run_campaign(
    options: CampaignOptions,
    *,
    examples: int | None,
    minutes: float | None,
    jobs: int = 1,
    on_outcome: Callable[[StoryOutcome], None] = lambda _outcome: None,
    campaign: Campaign | None = None,
) -> Campaign:
    """Until that many stories are told, or that much time is over. What was found before an interrupt is in the
    campaign that was given."""
    campaign = Campaign(options) if campaign is None else campaign
    ends_at = None if minutes is None else time.monotonic() + 60 * minutes
    with _Workers(jobs) as work:
        while (examples is None or campaign.coverage.stories < examples) and not _is_over(ends_at):
            first = campaign.coverage.stories
            last = first + BATCH_SIZE if examples is None else min(examples, first + BATCH_SIZE)
            weights = campaign.coverage.weights()
            tasks = [StoryTask(options, index, weights) for index in range(first, last)]
            for outcome in _take_until(ends_at, work(tasks)):
                campaign.learn(outcome)
                on_outcome(outcome)
    return campaign


def _is_over(ends_at: float | None) -> bool:
    return ends_at is not None and time.monotonic() >= ends_at


def _take_until(ends_at: float | None, outcomes: Iterable[StoryOutcome]) -> Iterator[StoryOutcome]:
    for outcome in outcomes:
        yield outcome
        if _is_over(ends_at):
            return


class _Workers:
    """Processes, or this one. Outcomes come in the order of the tasks."""

    def __init__(self, jobs: int) -> None:
        self._pool = ProcessPoolExecutor(jobs, mp_context=get_context("forkserver")) if jobs > 1 else None

    def __enter__(self) -> Callable[[Sequence[StoryTask]], Iterable[StoryOutcome]]:
        pool = self._pool
        return (lambda tasks: map(run_task, tasks)) if pool is None else (lambda tasks: pool.map(run_task, tasks))

    def __exit__(self, *_: object) -> None:
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)


def save_stories(campaign: Campaign, groups: Iterable[Group], directory: Path) -> list[Path]:
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
