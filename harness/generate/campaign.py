"""Run many stories, and collect their behaviours and findings.

Seed, profile, engines and number of stories determine every story, finding and file, on any machine and with any number
of processes. A campaign limited by time runs the same stories, as many as it can.
"""

from __future__ import annotations

import shlex
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from pathlib import Path
from typing import Final

from harness.case.prelude import Prelude
from harness.engines.external import is_external
from harness.findings.case_findings import findings_of
from harness.findings.causes import Cause
from harness.findings.finding import Finding
from harness.findings.known_divergences import KnownDivergences
from harness.findings.result import CaseResult
from harness.findings.run import Run
from harness.findings.signature import Signature
from harness.generate.choices import GenerationContext, SeededChooser
from harness.generate.feedback import Coverage, find_behaviours
from harness.generate.given_values import with_given_values
from harness.generate.laws import LawTrial, find_violations, make_law_trial
from harness.generate.profiles import Profile, Size, profile_for
from harness.generate.story import GeneratedStory, save_story
from harness.generate.story_execution import (
    handover_of,
    run_story,
    schedules_of_story,
    should_validate,
    story_scratch_directory,
)
from harness.generate.story_generator import generate_story
from harness.mutants.activation import apply_mutants
from harness.worker_pool import start_pool
from shared_nodes.record import record

__all__ = [
    "AREA",
    "Campaign",
    "CampaignOptions",
    "StoryOutcome",
    "StoryTask",
    "case_name",
    "law_trial_of_task",
    "run_campaign",
    "run_task",
    "save_stories",
    "saved_digest",
    "story_of_task",
]

BATCH_SIZE: Final = 32
"""Number of stories between two updates of the weights. It does not depend on the number of processes."""

_GROWS_EVERY: Final = 64
_LAW_EVERY: Final = 4
AREA: Final = "fuzz"
_FOUND: Final = "found-"


@record
class CampaignOptions:
    """The settings of a whole campaign."""

    seed: int = 0
    profile: str = "default"
    engines: tuple[str, ...] = ("legacy", "new")
    schedules: int = 2
    """Number of schedules under which each engine runs a story in which engines differ, or that is in the sample."""

    mutant: str = ""
    """The id of a mutant to apply, from `harness.mutants.catalogue`."""

    prelude: Prelude | None = None
    """The file that is added to modules which declare no providers."""

    values: tuple[tuple[str, str], ...] = ()
    """Values that the user gives to variables, each with its kind (`harness/case/given.py`)."""


@record
class StoryTask:
    options: CampaignOptions
    index: int
    weights: Mapping[str, int] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return f"{self.options.profile}-{self.options.seed}-{self.index}"

    @property
    def profile(self) -> Profile:
        return profile_for(self.options.profile, self.options.engines)

    @property
    def size(self) -> Size:
        """The size of the story. The first stories are small; larger sizes are admitted as the campaign goes on."""
        sizes = self.profile.sizes
        return sizes[self.index % min(len(sizes), 1 + self.index // _GROWS_EVERY)]

    def new_context(self, purpose: str) -> GenerationContext:
        return GenerationContext(SeededChooser(f"{purpose} {self.name}"), self.weights, self.profile.forbidden)


@record
class StoryOutcome:
    index: int
    features: frozenset[str]
    behaviours: frozenset[str]
    result: CaseResult
    stories: Mapping[str, GeneratedStory] = field(default_factory=dict)
    """Stories with findings, by the digest of the signature."""

    configurations: int = 0
    valid: int = 0
    is_wrong_on_purpose: bool = False
    steps: int = 0
    task: StoryTask | None = None
    """The task, if it had findings."""


def story_of_task(task: StoryTask) -> GeneratedStory:
    return generate_story(task.new_context("story"), task.profile, task.size, task.name)


def run_task(task: StoryTask) -> StoryOutcome:
    """Run one story through all engines, and for some tasks a law for each engine."""
    started = time.monotonic()
    options = task.options
    story = with_given_values(story_of_task(task), options.values, options.prelude)
    with apply_mutants(options.mutant), story_scratch_directory() as directory:
        schedules = schedules_of_story(task.index, options.schedules, story, options.engines)
        validates = should_validate(task.index)
        verdict = run_story(story, directory, options.engines, schedules, validates=validates, prelude=options.prelude)
        findings = findings_of(verdict)
        stories = {finding.signature.digest: story for finding in findings}
        for finding, law_story in _find_violations(task, directory):
            findings.append(finding)
            stories.setdefault(finding.signature.digest, law_story)
    observations = verdict.observations.get(verdict.baseline, {})
    verdicts = [seen for where, seen in observations.items() if where.startswith("validate ")]
    result = CaseResult(
        f"{AREA}/{task.name}",
        task.name,
        AREA,
        story.description,
        engines=options.engines,
        equal=tuple(name for name, one in verdict.between.items() if not one.differences),
        not_run={name: one.reason for name, one in verdict.of.items() if one.reason},
        prelude="" if options.prelude is None else options.prelude.option,
        generated_by=_command(task),
        findings=tuple(findings),
        evidence=story.text if findings else "",
        runs={name: one.runs for name, one in verdict.of.items()},
        elapsed_s={"all": time.monotonic() - started},
    )
    return StoryOutcome(
        task.index,
        story.features,
        frozenset(find_behaviours(observations)),
        result,
        stories,
        len(verdicts),
        sum(seen.get("ok") is True for seen in verdicts),
        bool(story.mistake),
        len(story.steps),
        task if stories else None,
    )


def _command(task: StoryTask) -> str:
    """Return the command that generates the story again: the last one of a campaign, because what was learnt from all
    before it decides what it is about."""
    options = task.options
    words = ["diffharness", "fuzz", "--seed", str(options.seed), "--profile", options.profile]
    words += ["--engines", ",".join(options.engines), "--schedules", str(options.schedules)]
    words += ["--mutant", options.mutant] if options.mutant else []
    words += [] if options.prelude is None else ["--prelude", options.prelude.option]
    return shlex.join([*words, "--examples", str(task.index + 1), "--save", "found"])


def law_trial_of_task(task: StoryTask) -> LawTrial | None:
    """Return the law that is tried in addition to the story, for every fourth task."""
    if task.index % _LAW_EVERY != _LAW_EVERY - 1:
        return None
    trial = make_law_trial(task.new_context("law"), task.profile, task.size, f"{task.name}-law")
    return trial.handed_over(handover_of(task.index))


def _find_violations(task: StoryTask, directory: Path) -> Iterator[tuple[Finding, GeneratedStory]]:
    trial = law_trial_of_task(task)
    if trial is None:
        return
    for engine in task.options.engines:
        if not is_external(engine):
            for finding in find_violations(trial, directory, engine):
                yield finding, trial.stories[-1]


# The whole campaign


@record(frozen=False)
class Campaign:
    options: CampaignOptions
    known: KnownDivergences = field(default_factory=KnownDivergences)
    """Documented divergences are counted, and are not failures. Entries that no story shows are not reported: that is
    checked by running the cases they name."""

    coverage: Coverage = field(default_factory=Coverage)
    results: list[CaseResult] = field(default_factory=list)
    stories: dict[str, GeneratedStory] = field(default_factory=dict)
    """The shortest story with each signature, by digest."""

    tasks: dict[str, StoryTask] = field(default_factory=dict)
    """The tasks of those stories, by the same digest."""

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

    def make_run(self, header: Mapping[str, str]) -> Run:
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
    """Run stories until the given number or time is reached. After an interrupt, the given campaign has all findings so
    far."""
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
    """Maps tasks to outcomes, in several processes or in this one. Outcomes are in the order of the tasks."""

    def __init__(self, jobs: int) -> None:
        self._pool = start_pool(jobs) if jobs > 1 else None

    def __enter__(self) -> Callable[[Sequence[StoryTask]], Iterable[StoryOutcome]]:
        pool = self._pool
        return (lambda tasks: map(run_task, tasks)) if pool is None else (lambda tasks: pool.map(run_task, tasks))

    def __exit__(self, *_: object) -> None:
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)


def case_name(signature: Signature) -> str:
    """Return the name of the case that shows a signature."""
    return f"{_FOUND}{signature.digest}"


def saved_digest(place: Path) -> str:
    """Return the digest of the signature that a saved case shows."""
    return place.name.removeprefix(_FOUND)


def save_stories(campaign: Campaign, causes: Iterable[Cause], directory: Path) -> list[Path]:
    """Save the smallest story of each cause as a case, unless that case exists. It is named after the signature of the
    worst finding there, for which the case can be reduced."""
    saved: list[Path] = []
    for cause in causes:
        signature = cause.example.signature
        case_directory = directory / case_name(signature)
        story = campaign.stories.get(signature.digest)
        if cause.known or story is None or case_directory.exists():
            continue
        case_directory.mkdir(parents=True)
        save_story(story, case_directory, f"{story.description} Found: {signature}")
        saved.append(case_directory)
    return saved
