"""A story through the engines: played in memory where there is some, and judged as a case on disk is.

Commands of provisioners are pretended, with what they would have printed: a story of the generator asks for nothing
else than `echo` and `exit`. A binary has to run them for real, and then so does everybody.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from multiprocessing.util import get_temp_dir
from pathlib import Path
from typing import Final

import trio

from harness.compare.verdict import CaseVerdict, Terms, judge_theatre
from harness.engines.external import is_external
from harness.execute.scratch import scratch_directory
from harness.generate.story import GeneratedStory, case_of_story, write_versions
from harness.play.case_runner import CaseRunner
from harness.play.schedule import PlanTransfer, Schedule
from harness.simulation.simcloud.faults import Kind
from shared_nodes.processes import REAL, Command, Processes

__all__ = [
    "SIMULATED_PROCESSES",
    "prepare_story",
    "run_story",
    "schedules_for",
    "should_validate",
    "story_scratch_directory",
]

_ECHO: Final = re.compile(r"echo (.*)")
_EXIT: Final = re.compile(r"exit (\d+)")
_THOROUGH: Final = 3
_NEEDING_ROOM: Final = (Kind.STUCK, Kind.CRASH, Kind.CRASH_AFTER, Kind.LATENCY)
"""Faults that strike once nothing else can go on, or while others do: with less done at a time something else comes of
them, a token that is renewed once more, say."""

TIMEOUT_S: Final = 20.0


class _SimulatedProcesses:
    async def run(self, command: Command, on_line: object) -> int:
        assert callable(on_line)
        script = command.arguments[-1]
        await trio.lowlevel.checkpoint()
        if (echoed := _ECHO.fullmatch(script)) is not None:
            on_line(echoed[1].encode() + b"\n")
            return 0
        ended = _EXIT.fullmatch(script)
        return int(ended[1]) if ended is not None else 0


SIMULATED_PROCESSES: Final[Processes] = _SimulatedProcesses()


@contextmanager
def story_scratch_directory() -> Iterator[Path]:
    """A scratch directory, in memory where the system has that; plans that are saved on the way go there as well. What
    this process keeps for processes it starts must be elsewhere, since it is made once and this place goes away."""
    get_temp_dir()
    before = tempfile.tempdir
    with scratch_directory() as place:
        tempfile.tempdir = place
        try:
            yield Path(place)
        finally:
            tempfile.tempdir = before


def schedules_for(
    index: int, schedules: int, story: GeneratedStory, engines: Iterable[str] = ()
) -> tuple[Schedule, ...]:
    """The usual parallelism first. Then other orders of what dependencies leave open, with less done at a time; but not
    where a call gets stuck or takes its time or a provider dies, since what else goes on then depends on how much may.
    Every third story hands its plans over in files, as a binary always does; for the others that takes too long."""
    in_memory = index % _THOROUGH and not any(map(is_external, engines))
    handover = PlanTransfer.MEMORY if in_memory else PlanTransfer.FILE
    needs_room = any(fault.kind in _NEEDING_ROOM for fault in (*story.faults, *story.kills.values()))
    parallelisms = (10,) if needs_room else (10, 2, 1, 3)
    return tuple(
        Schedule(index + number, parallelisms[number % len(parallelisms)], handover) for number in range(schedules)
    )


def should_validate(index: int) -> bool:
    """Planning says all that validating does and more: only every third story asks for a verdict on each version."""
    return index % _THOROUGH == 0


@contextmanager
def prepare_story(
    story: GeneratedStory, place: Path, engines: Sequence[str], *, validates: bool = True
) -> Iterator[CaseRunner]:
    """The theatre of one story, whose files are gone afterwards."""
    processes = REAL if any(map(is_external, engines)) else SIMULATED_PROCESSES
    with (
        tempfile.TemporaryDirectory(prefix="story-", dir=place) as directory,
        tempfile.TemporaryDirectory(prefix="stage-", dir=place) as scratch,
    ):
        write_versions(story, Path(directory))
        case = case_of_story(story, Path(directory))
        configurations = tuple(story.versions) if validates else ()
        yield CaseRunner(case, Path(scratch), configurations, story.text, story.prior_state, processes)


def run_story(
    story: GeneratedStory, place: Path, engines: Sequence[str], ways: Sequence[Schedule], *, validates: bool = True
) -> CaseVerdict:
    with prepare_story(story, place, engines, validates=validates) as theatre:
        return judge_theatre(Terms(theatre, timeout_s=TIMEOUT_S), engines, ways)
