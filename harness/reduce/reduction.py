"""One case, or one story of the generator, made as small as it can be while it shows the same signature."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from harness.findings.signature import Signature
from harness.generate.campaign import StoryTask, story_of_task
from harness.generate.choices import GenerationContext
from harness.generate.story_execution import schedules_for
from harness.generate.story_generator import generate_story
from harness.mutants.activation import mutated
from harness.play.schedule import Schedule
from harness.reduce.choice_reduction import Choices, RecordingChooser, ReplayingChooser, reduce_choices
from harness.reduce.history import ReductionStep, count_blocks, count_lines
from harness.reduce.passes import case_passes, deletions, expressions, inlining
from harness.reduce.passes.inline_module import inline_modules
from harness.reduce.passes.json_data import drop_json_parts
from harness.reduce.passes.shorten_names import shorten_names
from harness.reduce.passes.use_terraform_data import use_terraform_data
from harness.reduce.predicate import SignaturePredicate, make_predicate
from harness.reduce.search import DEFAULT_LIMITS, BudgetSpentError, Limits, OnTrial, Pass, Search, ignore
from harness.reduce.specimen import Specimen, SpecimenChange, read_specimen, specimen_of_story
from harness.reduce.syntax import formatted

__all__ = ["ReducedCase", "reduce_case", "reduce_story"]

_PASSES: Final = (
    Pass(case_passes.steps, "left out a step"),
    Pass(case_passes.versions, "used one version in the place of another"),
    Pass(case_passes.tasks, "left out a task"),
    Pass(deletions.files, "left out files", at_once=True),
    Pass(deletions.directories, "left out a module"),
    Pass(deletions.blocks, "left out blocks", at_once=True),
    Pass(deletions.blocks_with_mentions, "left out a block and what refers to it"),
    Pass(deletions.arguments, "left out arguments", at_once=True),
    Pass(case_passes.drop_case_details, "left out what case.yaml says beside its steps"),
    Pass(deletions.lines, "left out lines", at_once=True),
    Pass(expressions.unrepeated, "made one object of several"),
    Pass(expressions.simpler, "made expressions simpler"),
    Pass(inlining.inline_values, "put values in the place of names"),
    Pass(inline_modules, "lifted the content of a module out of it"),
    Pass(use_terraform_data, "used plainer types of resources"),
    Pass(deletions.files_apart, "left out files, in one version", at_once=True),
    Pass(deletions.blocks_apart, "left out a block, in one version"),
    Pass(deletions.arguments_apart, "left out an argument, in one version"),
    Pass(expressions.simpler_apart, "made an expression simpler, in one version"),
    Pass(inlining.inline_values_in_one_version, "put a value in the place of a name, in one version"),
    Pass(drop_json_parts, "left out parts of data"),
    Pass(deletions.joined_files, "joined files"),
    Pass(case_passes.renumbered, "numbered versions anew"),
    Pass(shorten_names, "gave shorter names"),
)
"""What drops most comes first: all that follows has less to do then."""

_FORMATTED: Final = "written as usual"

_CHOICES_SHARE: Final = 4
"""One in so many trials: those of whole stories take longest."""


@dataclass(frozen=True, slots=True)
class ReducedCase:
    signature: Signature
    specimen: Specimen
    trials: int
    is_complete: bool
    """Whether no pass helps any more; else the budget was spent."""

    others: Mapping[Signature, Specimen] = field(default_factory=dict)
    """What else showed first in a trial, with the smallest specimen of each."""

    frames: tuple[ReductionStep, ...] = ()
    """How it became what it is, from the beginning."""

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
    ways: Sequence[Schedule] = (Schedule(),),
    changes: frozenset[str] = frozenset(),
    limits: Limits = DEFAULT_LIMITS,
    on_trial: OnTrial = ignore,
) -> ReducedCase:
    """`signature` is a digest; without one the case's first finding counts. Raises CaseError for what is no case, and
    NothingShownError for one that does not show it. Nothing is written anywhere."""
    source = f"{directory.parent.name}/{directory.name}"
    with mutated(mutant):
        specimen = read_specimen(directory)
        predicate = make_predicate(specimen, tuple(engines), signature, tuple(ways), changes)
        return _run_search(
            Search(predicate, _with_description(specimen, predicate, source, mutant), limits, on_trial), source
        )


def reduce_story(task: StoryTask, signature: str, limits: Limits = DEFAULT_LIMITS) -> ReducedCase:
    """The story of a task of a campaign, with the mutant the campaign has: by its decisions first, for which a part of
    the trials may be used, then as a case."""
    options = task.options
    with mutated(options.mutant):
        story = story_of_task(task)
        ways = (Schedule(), *schedules_for(task.index, options.schedules, story, options.engines))
        predicate = make_predicate(specimen_of_story(story), options.engines, signature, ways)
        half = None if limits.minutes is None else limits.minutes / 2
        first = Search(predicate, specimen_of_story(story), Limits(limits.trials // _CHOICES_SHARE, half))
        _search_choices(task, first)
        rest = Limits(limits.trials - first.trials, half)
        found = _run_search(
            Search(predicate, _with_description(first.best, predicate, task.name, options.mutant), rest), task.name
        )
    later = [replace(frame, trials=frame.trials + first.trials) for frame in found.frames[1:]]
    return replace(found, trials=found.trials + first.trials, frames=(*first.frames, *later))


def _search_choices(task: StoryTask, search: Search) -> None:
    recording = RecordingChooser(task.new_context("story").chooser)
    _generate_specimen(task, recording)

    def made_if_shown(choices: Choices) -> list[int] | None:
        chooser = ReplayingChooser(choices)
        specimen = _generate_specimen(task, chooser)
        if specimen.files == search.best.files and specimen.case_yaml == search.best.case_yaml:
            return chooser.made
        if not search.is_interesting(specimen):
            return None
        search.accept(specimen, "made up again with simpler decisions")
        return chooser.made

    try:
        reduce_choices(recording.made, made_if_shown)
    except BudgetSpentError:
        return


def _generate_specimen(task: StoryTask, chooser: RecordingChooser | ReplayingChooser) -> Specimen:
    new_context = GenerationContext(chooser, task.weights, task.profile.forbidden)
    return specimen_of_story(generate_story(new_context, task.profile, task.size, task.name))


def _with_description(specimen: Specimen, predicate: SignaturePredicate, source: str, mutant: str) -> Specimen:
    """From the beginning: what is tried is what will be saved."""
    how = f" with the mutant {mutant}" if mutant else ""
    if predicate.ways != (Schedule(),):
        how += f", run with {' and '.join(map(str, predicate.ways))}"
    description = f"Shows {predicate.signature}{how}. Made smaller by diffharness shrink, from {source}."
    rest = {key: part for key, part in specimen.case_yaml.items() if key not in ("description", "tags")}
    return Specimen({"description": description, "tags": ["shrunk"], **rest}, specimen.files)


def _run_search(search: Search, source: str) -> ReducedCase:
    is_complete = True
    try:
        _format(search)
        search.run(_PASSES)
        _format(search)
    except BudgetSpentError:
        is_complete = False
    predicate = search.predicate
    others = {
        one: _describe_other(specimen, one, source)
        for one, specimen in sorted(predicate.others.items(), key=lambda item: item[0])
        if not predicate.is_noisy(specimen)
    }
    return ReducedCase(predicate.signature, search.best, search.trials, is_complete, others, tuple(search.frames))


def _describe_other(specimen: Specimen, signature: Signature, source: str) -> Specimen:
    description = f"Shows {signature}. Met by diffharness shrink while it made {source} smaller; not made smaller."
    return Specimen({**specimen.case_yaml, "description": description, "tags": ["shrunk"]}, specimen.files)


def _format(search: Search) -> None:
    """All files, or else each that can be. Longer than before is allowed here: it is the same every time."""
    texts = {path: formatted(path, text) for path, text in search.best.files.items()}
    different = {path: text for path, text in texts.items() if text != search.best.files[path]}
    if different and not search.attempt(
        search.best.changed(SpecimenChange(files=different)), _FORMATTED, must_be_simpler=False
    ):
        for path, text in different.items():
            search.attempt(search.best.changed(SpecimenChange(files={path: text})), _FORMATTED, must_be_simpler=False)
