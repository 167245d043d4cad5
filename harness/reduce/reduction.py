"""Reduce one case, or one generated story, while it keeps showing the same signature."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from pathlib import Path
from typing import Final

from harness.case.prelude import Prelude
from harness.findings.signature import Signature
from harness.generate.campaign import StoryTask, story_of_task
from harness.generate.choices import GenerationContext
from harness.generate.story_execution import schedules_for
from harness.generate.story_generator import generate_story
from harness.mutants.activation import apply_mutants
from harness.play.schedule import Schedule
from harness.reduce.choice_reduction import Choices, RecordingChooser, ReplayingChooser, reduce_choices
from harness.reduce.history import ReductionStep, count_blocks, count_lines
from harness.reduce.passes import PASSES
from harness.reduce.predicate import SignaturePredicate, make_predicate
from harness.reduce.search import DEFAULT_LIMITS, BudgetSpentError, Limits, OnTrial, Search, ignore_trial
from harness.reduce.specimens.specimen import Specimen, SpecimenChange, read_specimen, specimen_of_story
from harness.reduce.specimens.syntax import formatted
from shared_nodes.record import record

__all__ = ["ReducedCase", "reduce_case", "reduce_story"]

_FORMATTED: Final = "written as usual"

_CHOICES_SHARE: Final = 4
"""Share of the trials spent on reducing decisions. Trials of whole stories take longest."""


@record
class ReducedCase:
    signature: Signature
    specimen: Specimen
    trials: int
    is_complete: bool
    """Whether no pass helps any more; otherwise the budget was spent."""

    others: Mapping[Signature, Specimen] = field(default_factory=dict)
    """Other signatures that came first in some trial, with the smallest specimen of each."""

    history: tuple[ReductionStep, ...] = ()
    """All accepted versions, starting with the original."""

    @property
    def files(self) -> Mapping[str, str]:
        return self.specimen.files

    @property
    def blocks(self) -> int:
        return count_blocks(self.specimen)

    @property
    def lines(self) -> int:
        return count_lines(self.specimen)


def reduce_case(
    directory: Path,
    engines: Sequence[str],
    signature: str = "",
    mutant: str = "",
    *,
    flavour: str = "",
    schedules: Sequence[Schedule] = (Schedule(),),
    changes: frozenset[str] = frozenset(),
    prelude: Prelude | None = None,
    limits: Limits = DEFAULT_LIMITS,
    on_trial: OnTrial = ignore_trial,
) -> ReducedCase:
    """Reduce a case, run as the product `flavour` or as the one it is about.

    `signature` is a digest; without one the worst finding of the case is kept. Nothing is written. Raises CaseError if
    the directory is not a case, and NothingToReduceError if the case does not show the signature.
    """
    source = f"{directory.parent.name}/{directory.name}"
    with apply_mutants(mutant):
        specimen = read_specimen(directory, flavour)
        predicate = make_predicate(specimen, tuple(engines), signature, tuple(schedules), changes, prelude=prelude)
        return _run_search(
            Search(predicate, _with_description(specimen, predicate, source, mutant), limits, on_trial), source
        )


def reduce_story(task: StoryTask, signature: str, limits: Limits = DEFAULT_LIMITS) -> ReducedCase:
    """Reduce the story of a campaign's task, with the campaign's mutant: first its decisions, with a share of the
    trials, then its files."""
    options = task.options
    with apply_mutants(options.mutant):
        story = story_of_task(task)
        schedules = (Schedule(), *schedules_for(task.index, options.schedules, story, options.engines))
        specimen = specimen_of_story(story)
        predicate = make_predicate(specimen, options.engines, signature, schedules, prelude=options.prelude)
        half = None if limits.minutes is None else limits.minutes / 2
        first = Search(predicate, specimen_of_story(story), Limits(limits.trials // _CHOICES_SHARE, half))
        _search_choices(task, first)
        rest = Limits(limits.trials - first.trials, half)
        found = _run_search(
            Search(predicate, _with_description(first.best, predicate, task.name, options.mutant), rest), task.name
        )
    later = [replace(step, trials=step.trials + first.trials) for step in found.history[1:]]
    return replace(found, trials=found.trials + first.trials, history=(*first.history, *later))


def _search_choices(task: StoryTask, search: Search) -> None:
    recording = RecordingChooser(task.new_context("story").chooser)
    _generate_specimen(task, recording)

    def made_if_interesting(choices: Choices) -> list[int] | None:
        chooser = ReplayingChooser(choices)
        specimen = _generate_specimen(task, chooser)
        if specimen.files == search.best.files and specimen.case_yaml == search.best.case_yaml:
            return chooser.made
        if not search.is_interesting(specimen):
            return None
        search.accept(specimen, "made up again with simpler decisions")
        return chooser.made

    try:
        reduce_choices(recording.made, made_if_interesting)
    except BudgetSpentError:
        return


def _generate_specimen(task: StoryTask, chooser: RecordingChooser | ReplayingChooser) -> Specimen:
    context = GenerationContext(chooser, task.weights, task.profile.forbidden)
    return specimen_of_story(generate_story(context, task.profile, task.size, task.name))


def _with_description(specimen: Specimen, predicate: SignaturePredicate, source: str, mutant: str) -> Specimen:
    """Set the description before the search, so that what is tried is what will be saved."""
    conditions = f" with the mutant {mutant}" if mutant else ""
    if predicate.prelude is not None:
        conditions += f" with the prelude {predicate.prelude.option}"
    if predicate.schedules != (Schedule(),):
        conditions += f", run with {' and '.join(map(str, predicate.schedules))}"
    description = f"Shows {predicate.signature}{conditions}. Made smaller by diffharness shrink, from {source}."
    rest = {key: part for key, part in specimen.case_yaml.items() if key not in ("description", "tags")}
    return Specimen({"description": description, "tags": ["shrunk"], **rest}, specimen.files)


def _run_search(search: Search, source: str) -> ReducedCase:
    is_complete = True
    try:
        _format(search)
        search.run(PASSES)
        _format(search)
    except BudgetSpentError:
        is_complete = False
    predicate = search.predicate
    others = {
        one: _describe_other(specimen, one, source)
        for one, specimen in sorted(predicate.others.items(), key=lambda item: item[0])
        if not predicate.is_noisy(specimen)
    }
    return ReducedCase(predicate.signature, search.best, search.trials, is_complete, others, tuple(search.history))


def _describe_other(specimen: Specimen, signature: Signature, source: str) -> Specimen:
    description = f"Shows {signature}. Met by diffharness shrink while it made {source} smaller; not made smaller."
    return Specimen({**specimen.case_yaml, "description": description, "tags": ["shrunk"]}, specimen.files)


def _format(search: Search) -> None:
    """Format all files at once, or else each file that can be formatted. The result may be longer, but is the same
    every time."""
    texts = {path: formatted(path, text) for path, text in search.best.files.items()}
    different = {path: text for path, text in texts.items() if text != search.best.files[path]}
    if different and not search.attempt(
        search.best.changed(SpecimenChange(files=different)), _FORMATTED, must_be_simpler=False
    ):
        for path, text in different.items():
            search.attempt(search.best.changed(SpecimenChange(files={path: text})), _FORMATTED, must_be_simpler=False)
