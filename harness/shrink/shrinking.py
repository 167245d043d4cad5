"""One case, or one story of the generator, made as small as it can be while it shows the same signature."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from harness.fuzz.campaign import Task, story_of
from harness.fuzz.craft import Craft
from harness.fuzz.performance import ways_of
from harness.fuzz.telling import tell_story
from harness.judging.signature import Signature
from harness.mutants.activation import mutated
from harness.scenarios.way import Way
from harness.shrink import deletions, expressions, inlining, plot
from harness.shrink.choices import Choices, RecordingChooser, ReplayingChooser, shortened
from harness.shrink.data import data
from harness.shrink.film import Frame, block_count, line_count
from harness.shrink.hoisting import hoisted
from harness.shrink.interest import Interest, first_look
from harness.shrink.naming import names
from harness.shrink.plain import plain_resources
from harness.shrink.search import USUAL_LIMITS, Limits, OnTrial, Pass, Search, SpentError, ignore
from harness.shrink.specimen import Change, Specimen, specimen_of, specimen_of_story
from harness.shrink.syntax import formatted

__all__ = ["Shrunk", "shrink_case", "shrink_story"]

_PASSES: Final = (
    Pass(plot.steps, "left out a step"),
    Pass(plot.versions, "used one version in the place of another"),
    Pass(plot.tasks, "left out a task"),
    Pass(deletions.files, "left out files", at_once=True),
    Pass(deletions.directories, "left out a module"),
    Pass(deletions.blocks, "left out blocks", at_once=True),
    Pass(deletions.blocks_with_mentions, "left out a block and what refers to it"),
    Pass(deletions.arguments, "left out arguments", at_once=True),
    Pass(plot.plot_details, "left out what case.yaml says beside its steps"),
    Pass(deletions.lines, "left out lines", at_once=True),
    Pass(expressions.unrepeated, "made one object of several"),
    Pass(expressions.simpler, "made expressions simpler"),
    Pass(inlining.inlined, "put values in the place of names"),
    Pass(hoisted, "lifted the content of a module out of it"),
    Pass(plain_resources, "used plainer types of resources"),
    Pass(deletions.files_apart, "left out files, in one version", at_once=True),
    Pass(deletions.blocks_apart, "left out a block, in one version"),
    Pass(deletions.arguments_apart, "left out an argument, in one version"),
    Pass(expressions.simpler_apart, "made an expression simpler, in one version"),
    Pass(inlining.inlined_apart, "put a value in the place of a name, in one version"),
    Pass(data, "left out parts of data"),
    Pass(deletions.joined_files, "joined files"),
    Pass(plot.renumbered, "numbered versions anew"),
    Pass(names, "gave shorter names"),
)
"""What drops most comes first: all that follows has less to do then."""

_FORMATTED: Final = "written as usual"

_CHOICES_SHARE: Final = 4
"""One in so many trials: those of whole stories take longest."""


@dataclass(frozen=True, slots=True)
class Shrunk:
    signature: Signature
    specimen: Specimen
    trials: int
    is_complete: bool
    """Whether no pass helps any more; else the budget was spent."""

    others: Mapping[Signature, Specimen] = field(default_factory=dict)
    """What else showed first in a trial, with the smallest specimen of each."""

    frames: tuple[Frame, ...] = ()
    """How it became what it is, from the beginning."""

    @property
    def files(self) -> Mapping[str, str]:
        return self.specimen.files

    @property
    def blocks(self) -> int:
        return block_count(self.specimen)

    @property
    def lines(self) -> int:
        return line_count(self.specimen)


def shrink_case(
    directory: Path,
    engines: Sequence[str],
    signature: str = "",
    mutant: str = "",
    *,
    ways: Sequence[Way] = (Way(),),
    changes: frozenset[str] = frozenset(),
    limits: Limits = USUAL_LIMITS,
    on_trial: OnTrial = ignore,
) -> Shrunk:
    """`signature` is a digest; without one the case's first finding counts. Raises CaseError for what is no case, and
    NothingShownError for one that does not show it. Nothing is written anywhere."""
    source = f"{directory.parent.name}/{directory.name}"
    with mutated(mutant):
        specimen = specimen_of(directory)
        interest = first_look(specimen, tuple(engines), signature, tuple(ways), changes)
        return _searched(Search(interest, _titled(specimen, interest, source, mutant), limits, on_trial), source)


def shrink_story(task: Task, signature: str, limits: Limits = USUAL_LIMITS) -> Shrunk:
    """The story of a task of a campaign, with the mutant the campaign has: by its decisions first, for which a part of
    the trials may be used, then as a case."""
    terms = task.terms
    with mutated(terms.mutant):
        story = story_of(task)
        ways = (Way(), *ways_of(task.index, terms.schedules, story, terms.engines))
        interest = first_look(specimen_of_story(story), terms.engines, signature, ways)
        half = None if limits.minutes is None else limits.minutes / 2
        first = Search(interest, specimen_of_story(story), Limits(limits.trials // _CHOICES_SHARE, half))
        _search_choices(task, first)
        rest = Limits(limits.trials - first.trials, half)
        found = _searched(Search(interest, _titled(first.best, interest, task.name, terms.mutant), rest), task.name)
    later = [replace(frame, trials=frame.trials + first.trials) for frame in found.frames[1:]]
    return replace(found, trials=found.trials + first.trials, frames=(*first.frames, *later))


def _search_choices(task: Task, search: Search) -> None:
    recording = RecordingChooser(task.craft("story").chooser)
    _tell(task, recording)

    def made_if_shown(choices: Choices) -> list[int] | None:
        chooser = ReplayingChooser(choices)
        specimen = _tell(task, chooser)
        if specimen.files == search.best.files and specimen.plot == search.best.plot:
            return chooser.made
        if not search.is_shown(specimen):
            return None
        search.accept(specimen, "made up again with simpler decisions")
        return chooser.made

    try:
        shortened(recording.made, made_if_shown)
    except SpentError:
        return


def _tell(task: Task, chooser: RecordingChooser | ReplayingChooser) -> Specimen:
    craft = Craft(chooser, task.weights, task.profile.forbidden)
    return specimen_of_story(tell_story(craft, task.profile, task.size, task.name))


def _titled(specimen: Specimen, interest: Interest, source: str, mutant: str) -> Specimen:
    """From the beginning: what is tried is what will be saved."""
    how = f" with the mutant {mutant}" if mutant else ""
    if interest.ways != (Way(),):
        how += f", run with {' and '.join(map(str, interest.ways))}"
    description = f"Shows {interest.signature}{how}. Made smaller by diffharness shrink, from {source}."
    rest = {key: part for key, part in specimen.plot.items() if key not in ("description", "tags")}
    return Specimen({"description": description, "tags": ["shrunk"], **rest}, specimen.files)


def _searched(search: Search, source: str) -> Shrunk:
    is_complete = True
    try:
        _format(search)
        search.run(_PASSES)
        _format(search)
    except SpentError:
        is_complete = False
    interest = search.interest
    others = {
        one: _titled_other(specimen, one, source)
        for one, specimen in sorted(interest.others.items(), key=lambda item: item[0])
        if not interest.is_noisy(specimen)
    }
    return Shrunk(interest.signature, search.best, search.trials, is_complete, others, tuple(search.frames))


def _titled_other(specimen: Specimen, signature: Signature, source: str) -> Specimen:
    description = f"Shows {signature}. Met by diffharness shrink while it made {source} smaller; not made smaller."
    return Specimen({**specimen.plot, "description": description, "tags": ["shrunk"]}, specimen.files)


def _format(search: Search) -> None:
    """All files, or else each that can be. Longer than before is allowed here: it is the same every time."""
    texts = {path: formatted(path, text) for path, text in search.best.files.items()}
    different = {path: text for path, text in texts.items() if text != search.best.files[path]}
    if different and not search.attempt(
        search.best.changed(Change(files=different)), _FORMATTED, must_be_simpler=False
    ):
        for path, text in different.items():
            search.attempt(search.best.changed(Change(files={path: text})), _FORMATTED, must_be_simpler=False)
