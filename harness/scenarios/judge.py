"""One case through engines, and verdicts: on each engine by the recording, and on the engines by each other.

Steps after a difference are still run, since a recording tells most where several steps agree, but a case is judged by
its first difference. A crash or a hang of the engine is a verdict of its own, never a difference. So is an outcome that
varies: the first way a case is run in is held against the recording, and every other must come to the same as that.

The first engine is the baseline: every other is held against it as strictly as two runs of one engine are held against
each other. A case without a recording is judged by that alone.
"""

from __future__ import annotations

import signal
import tempfile
import time
import traceback
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from types import FrameType
from typing import Final

import trio

from harness.engines.external import is_external
from harness.scenarios.case import GOLDEN_FILE, Case, CaseError, read_case, read_golden
from harness.scenarios.compare import (
    Difference,
    compare_courses,
    compare_observations,
    compare_step,
    compare_with_binary,
)
from harness.scenarios.course import Course, Theatre, recorded_course, recorded_verdicts
from harness.scenarios.crash import crash_text
from harness.scenarios.way import Way
from shared_nodes.values.json import Tree

__all__ = ["RECORDED", "Agreement", "CaseVerdict", "Verdict", "judge_case", "judge_cases", "judge_engines"]

PATIENCE_S: Final = 60
"""No recorded case takes a second; one that takes this long hangs."""


RECORDED: Final = "recorded"
"""Whose course a recording is."""


class Agreement(StrEnum):
    AGREES = "agrees"
    DETAILS = "details differ"
    DIFFERS = "differs"
    VARIES = "varies"
    """With the way it is run: a race, or something lost between planning and applying."""

    CRASHED = "crashed"
    HUNG = "hung"
    OVER_BUDGET = "over budget"
    """Of memory. A case cannot be judged that way in the process that judges it, unless Python itself notices."""

    NOT_RUN = "not run here"
    """Because it needs something this engine cannot have. Neither right nor wrong, and so counted apart."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """`differences` are told with their place: "step 2 (apply v2)", or "validate v1" for a verdict on a directory.
    `way` is the one in which the outcome was another than in the first, or there was none."""

    area: str
    identifier: str
    agreement: Agreement
    differences: tuple[tuple[str, Difference], ...] = ()
    crash: str = ""
    way: Way | None = None
    runs: int = 0
    """How often the case was run to its end: not in every way, where it varied or crashed before."""

    reason: str = ""
    """Why it was not run."""

    elapsed_s: float = field(default=0.0, compare=False)
    """Time all runs took. No part of the outcome."""

    @property
    def broke(self) -> bool:
        """Whether the engine came to no end, so that there is nothing to compare."""
        return self.agreement in (Agreement.CRASHED, Agreement.HUNG, Agreement.OVER_BUDGET)

    @property
    def first(self) -> str:
        """The first thing that is wrong, in one text."""
        if self.agreement is Agreement.NOT_RUN:
            return self.reason
        way = "" if self.way is None else f"{self.way}: "
        if self.broke:
            return way + self.crash.strip().rpartition("\n")[2]
        serious = [found for found in self.differences if not found[1].is_detail]
        place, difference = (serious or self.differences)[0]
        return f"{way}{place}: {difference}"


_UNREMARKABLE: Final = (Agreement.AGREES, Agreement.NOT_RUN)


class _Hang(BaseException):
    """Not an Exception, so that nothing in an engine can take it for one of its own."""


@dataclass(frozen=True, slots=True)
class CaseVerdict:
    """`of` has a verdict on each engine; `between` one on each but the baseline, held against the baseline: the first
    engine that can run the case. An engine that crashed is held against nobody."""

    area: str
    identifier: str
    is_recorded: bool
    of: Mapping[str, Verdict]
    between: Mapping[str, Verdict]
    baseline: str
    courses: Mapping[str, Course] = field(default_factory=dict, compare=False)
    """What was observed of each engine that came to an end, and under `RECORDED` what had been recorded. Kept only
    where something is wrong: it is the evidence."""

    @property
    def all(self) -> list[tuple[str, Verdict]]:
        """Each verdict with whom it is about."""
        against = [(f"{name} against {self.baseline}", verdict) for name, verdict in self.between.items()]
        return [*self.of.items(), *against]


def judge_cases(
    directories: Iterable[Path], engines: Sequence[str], ways: Sequence[Way] = (Way(),), *, jobs: int = 1
) -> Iterator[CaseVerdict]:
    """Verdicts in the order of the directories, as they become known."""
    judge = partial(judge_engines, engines=engines, ways=ways)
    if jobs <= 1:
        yield from map(judge, directories)
        return
    with ProcessPoolExecutor(jobs, mp_context=get_context("forkserver")) as pool:
        yield from pool.map(judge, directories, chunksize=4 if len(ways) == 1 else 1)


def judge_case(directory: Path, engine: str = "legacy", ways: Sequence[Way] = (Way(),)) -> Verdict:
    """One engine, by the recording."""
    verdict = judge_engines(directory, [engine], ways)
    if not verdict.is_recorded and verdict.of[engine].agreement is not Agreement.CRASHED:
        missing = f"{directory / GOLDEN_FILE}: missing, so there is nothing to hold the outcome against"
        return Verdict(verdict.area, verdict.identifier, Agreement.CRASHED, crash=missing)
    return verdict.of[engine]


def judge_engines(directory: Path, engines: Sequence[str], ways: Sequence[Way] = (Way(),)) -> CaseVerdict:
    area, identifier = directory.parent.name, f"{directory.parent.name}/{directory.name}"
    with tempfile.TemporaryDirectory(prefix="diffharness-") as place:
        try:
            case = read_case(directory)
            golden = read_golden(case)
            theatre = Theatre.of(case, Path(place), _configurations(case, golden))
        except CaseError as problem:
            crash = Verdict(area, identifier, Agreement.CRASHED, crash=str(problem))
            return CaseVerdict(area, identifier, False, dict.fromkeys(engines, crash), {}, engines[0])
        recorded = None if golden is None else recorded_course(case, golden)
        played = {engine: _timed(theatre, recorded, engine, ways) for engine in engines}
    of = {engine: verdict for engine, (verdict, _) in played.items()}
    baseline = next((engine for engine in engines if of[engine].agreement is not Agreement.NOT_RUN), engines[0])
    first = played[baseline][1]
    between = {
        engine: _compared(case, first, course, recorded, any(map(is_external, (baseline, engine))))
        for engine, (_, course) in played.items()
        if engine != baseline and first is not None and course is not None
    }
    verdict = CaseVerdict(area, identifier, golden is not None, of, between, baseline)
    if all(found.agreement in _UNREMARKABLE for _, found in verdict.all):
        return verdict
    courses = {RECORDED: recorded, **{engine: course for engine, (_, course) in played.items()}}
    return replace(verdict, courses={name: course for name, course in courses.items() if course is not None})


def _configurations(case: Case, golden: Mapping[str, Tree] | None) -> Iterable[str]:
    """Those a verdict is asked on: the recorded ones, or else all that steps name."""
    return dict.fromkeys(step.config for step in case.steps) if golden is None else recorded_verdicts(golden)


def _compared(case: Case, first: Course, other: Course, recorded: Course | None, with_binary: bool) -> Verdict:
    differences = _between(first, other, recorded, with_binary)
    return Verdict(case.area, case.identifier, _agreement(differences), tuple(differences))


def _between(first: Course, other: Course, recorded: Course | None, with_binary: bool) -> list[tuple[str, Difference]]:
    if with_binary:
        return compare_courses(_unstable_marked(first, recorded), other, compare_with_binary)
    return compare_courses(first, other, compare_observations)


def _unstable_marked(course: Course, recorded: Course | None) -> Course:
    """The course, with what its recording knows to differ from run to run of a binary."""
    marks = {place: step["unstable"] for place, step in (recorded or {}).items() if "unstable" in step}
    return {place: {**step, "unstable": marks.get(place)} for place, step in course.items()}


def _timed(
    theatre: Theatre, recorded: Course | None, engine: str, ways: Sequence[Way]
) -> tuple[Verdict, Course | None]:
    if is_external(engine):
        ways = list({way.parallelism: way for way in reversed(ways)}.values())[::-1]
    started = time.monotonic()
    verdict, course = _judged(theatre, recorded, engine, ways)
    return replace(verdict, elapsed_s=time.monotonic() - started), course


def _judged(
    theatre: Theatre, recorded: Course | None, engine: str, ways: Sequence[Way]
) -> tuple[Verdict, Course | None]:
    """The verdict, and what happened in the first way; None where that never came to its end."""
    verdict = partial(Verdict, theatre.case.area, theatre.case.identifier)
    reason = theatre.obstacle(engine)
    if reason is not None:
        return verdict(Agreement.NOT_RUN, reason=reason), None
    first: Course | None = None
    differences: list[tuple[str, Difference]] = []
    for runs, way in enumerate(ways):
        try:
            with _limited_time():
                course = theatre.play(engine, way, PATIENCE_S)
        except (_Hang, trio.TooSlowError):
            crash = f"{traceback.format_exc()}\nhung: no end after {PATIENCE_S} s"
            return verdict(Agreement.HUNG, crash=crash, way=way, runs=runs), None
        except MemoryError as crash:
            return verdict(Agreement.OVER_BUDGET, crash=crash_text(crash), way=way, runs=runs), None
        except Exception as crash:  # whatever escapes an engine is its crash, and the verdict on this case
            return verdict(Agreement.CRASHED, crash=crash_text(crash), way=way, runs=runs), None
        found = [] if recorded is None else compare_courses(recorded, course, compare_step)
        if first is None:
            first, differences = course, found
            continue
        varied = _between(first, course, recorded, is_external(engine))
        varied = varied or [each for each in found if each not in differences]
        if varied:
            return verdict(Agreement.VARIES, tuple(varied), way=way, runs=runs + 1), first
    return verdict(_agreement(differences), tuple(differences), runs=len(ways)), first


def _agreement(differences: Iterable[tuple[str, Difference]]) -> Agreement:
    kinds = {difference.is_detail for _, difference in differences}
    if False in kinds:
        return Agreement.DIFFERS
    return Agreement.DETAILS if kinds else Agreement.AGREES


@contextmanager
def _limited_time() -> Iterator[None]:
    """For an engine that computes without end: one that waits without end was told to stop long before."""

    def expired(_signal: int, _frame: FrameType | None) -> None:
        raise _Hang

    before = signal.signal(signal.SIGALRM, expired)
    signal.setitimer(signal.ITIMER_REAL, 2 * PATIENCE_S)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
