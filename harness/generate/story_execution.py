"""Run a generated story through engines, in memory where the system allows it, and compare as for a case on disk.

Provisioner commands are simulated, with the output they would print: generated stories only use `echo` and `exit`. If
an engine is a real binary, all engines run the commands.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from harness.case.prelude import Prelude
from harness.compare.verdict import CaseVerdict
from harness.engines.external import is_external
from harness.execute.case_judge import FurtherSchedules, judge_runner
from harness.execute.scratch import scratch_directory
from harness.generate.story import GeneratedStory, case_of_story, write_versions
from harness.observe.json_trees import as_items, as_object
from harness.owned_directory import keep_sockets
from harness.play.case_runner import CaseRunner, Observations
from harness.play.run_spec import DEFAULT_TIMEOUT_S, RunSpec
from harness.play.schedule import PlanTransfer, Schedule
from harness.simulation.simcloud.faults import FaultKind
from shared_nodes import tasks
from shared_nodes.processes import REAL, Command, Processes
from shared_nodes.record import record
from shared_nodes.values.json import Tree, dumps

__all__ = [
    "SIMULATED_PROCESSES",
    "StorySchedules",
    "handover_of",
    "prepare_story",
    "run_story",
    "schedules_for",
    "schedules_of_story",
    "should_validate",
    "story_scratch_directory",
]

_ECHO: Final = re.compile(r"echo (.*)")
_EXIT: Final = re.compile(r"exit (\d+)")
_THOROUGH: Final = 3
_SAMPLED_ONE_OF: Final = 4
_NEEDING_ROOM: Final = (FaultKind.STUCK, FaultKind.CRASH, FaultKind.CRASH_AFTER, FaultKind.LATENCY)
"""Faults raised once nothing else can run, or while other calls run. With lower parallelism their outcome differs, for
example by one more renewal of a token."""

TIMEOUT_S: Final = 20.0
"""Limit of one run of a story by engines of ours. A binary starts a process for each command, and has the usual one."""


class _SimulatedProcesses:
    async def run(self, command: Command, on_line: object) -> int:
        assert callable(on_line)
        script = command.arguments[-1]
        await tasks.checkpoint()
        if (echoed := _ECHO.fullmatch(script)) is not None:
            on_line(echoed[1].encode() + b"\n")
            return 0
        ended = _EXIT.fullmatch(script)
        return int(ended[1]) if ended is not None else 0


SIMULATED_PROCESSES: Final[Processes] = _SimulatedProcesses()


@contextmanager
def story_scratch_directory() -> Iterator[Path]:
    """Create a scratch directory, in memory if possible, that also receives plans saved during a run. The sockets of
    multiprocessing are needed longer."""
    keep_sockets()
    before = tempfile.tempdir
    with scratch_directory() as scratch_root:
        tempfile.tempdir = scratch_root
        try:
            yield Path(scratch_root)
        finally:
            tempfile.tempdir = before


def schedules_for(
    index: int, schedules: int, story: GeneratedStory, engines: Iterable[str] = ()
) -> tuple[Schedule, ...]:
    """Return the schedules of a story: the default parallelism first, then other orders of independent operations with
    lower parallelism. The parallelism stays the same if a call gets stuck or is slow or a provider crashes, because
    then it affects what else is done. A binary always transfers plans through files."""
    handover = PlanTransfer.FILE if any(map(is_external, engines)) else handover_of(index)
    needs_room = any(fault.kind in _NEEDING_ROOM for fault in (*story.faults, *story.kills.values()))
    parallelisms = (10,) if needs_room else (10, 2, 1, 3)
    return tuple(
        Schedule(index + number, parallelisms[number % len(parallelisms)], handover) for number in range(schedules)
    )


def handover_of(index: int) -> PlanTransfer:
    """Return how a story, or a law that is tried in addition to it, transfers plans: through files for every third,
    since doing so for all would take too long."""
    return PlanTransfer.MEMORY if index % _THOROUGH else PlanTransfer.FILE


@record
class StorySchedules:
    """When a story is run in which schedules."""

    always: tuple[Schedule, ...]
    further: tuple[Schedule, ...] = ()
    """For stories in which engines differ, and for a sample."""

    is_sampled: bool = False
    """Whether `further` is worth the time for this story, if it has effects that no order is guaranteed for."""

    def are_worth_it(self, observations: Observations) -> bool:
        return self.is_sampled and any(map(_has_unordered_effects, observations.values()))


def schedules_of_story(index: int, schedules: int, story: GeneratedStory, engines: Iterable[str]) -> StorySchedules:
    """Return when to run a story in which of its schedules. An engine that depends on the schedule nearly always
    differs from the other one in any of them, so one is enough for most stories: another one from story to story. A
    binary has no seed, and its schedules are ways to run it."""
    every = schedules_for(index, schedules, story, engines)
    if any(map(is_external, engines)):
        return StorySchedules(every)
    first = every[index % len(every)]
    return StorySchedules((first,), tuple(each for each in every if each != first), index % _SAMPLED_ONE_OF == 0)


def _has_unordered_effects(observation: Mapping[str, Tree]) -> bool:
    """Return whether an apply had effects of which neither must come before the other. With n effects, an order is a
    chain if it has n - 1 nearest pairs, and no two with the same first or the same second."""
    order = as_object(observation.get("order"))
    effects, pairs = as_items(order.get("effects")), as_items(order.get("before"))
    ends = [{dumps(as_items(pair)[side]) for pair in pairs} for side in (0, 1)]
    return len(effects) > 1 and not len(pairs) == len(ends[0]) == len(ends[1]) == len(effects) - 1


def should_validate(index: int) -> bool:
    """Whether to validate each version: only for every third story, since planning reports all that validating does."""
    return index % _THOROUGH == 0


@contextmanager
def prepare_story(
    story: GeneratedStory,
    scratch_root: Path,
    engines: Sequence[str],
    *,
    validates: bool = True,
    prelude: Prelude | None = None,
) -> Iterator[CaseRunner]:
    """Write a story to a temporary directory and yield what runs it. The files are removed afterwards."""
    processes = REAL if any(map(is_external, engines)) else SIMULATED_PROCESSES
    with (
        tempfile.TemporaryDirectory(prefix="story-", dir=scratch_root) as directory,
        tempfile.TemporaryDirectory(prefix="stage-", dir=scratch_root) as scratch,
    ):
        write_versions(story, Path(directory))
        case = case_of_story(story, Path(directory))
        configurations = tuple(story.versions) if validates else ()
        yield CaseRunner(case, Path(scratch), configurations, story.text, story.prior_state, processes, prelude)


def run_story(
    story: GeneratedStory,
    scratch_root: Path,
    engines: Sequence[str],
    schedules: StorySchedules,
    *,
    validates: bool = True,
    prelude: Prelude | None = None,
) -> CaseVerdict:
    with prepare_story(story, scratch_root, engines, validates=validates, prelude=prelude) as runner:
        timeout_s = DEFAULT_TIMEOUT_S if any(map(is_external, engines)) else TIMEOUT_S
        spec = RunSpec(tuple(engines), schedules.always, timeout_s=timeout_s)
        return judge_runner(runner, spec, further=FurtherSchedules(schedules.further, schedules.are_worth_it))
