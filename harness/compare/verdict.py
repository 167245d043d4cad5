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
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Final

import trio

from harness.case.case import GOLDEN_FILE, Case, CaseError, Step, read_case, read_golden
from harness.compare.effect_order import with_orders
from harness.compare.observations import (
    Difference,
    compare_observations,
    compare_places,
    compare_step,
    compare_with_binary,
    unmet,
)
from harness.engines.external import is_external
from harness.engines.registry import engine_named
from harness.observe.crash import crash_text
from harness.play.case_runner import CaseRunner, Observations, recorded_observations, recorded_validations
from harness.play.run_spec import DEFAULT_TIMEOUT_S
from harness.play.schedule import Schedule
from shared_nodes.processes import REAL, RecordedProcesses
from shared_nodes.values.json import Tree

__all__ = [
    "RECORDED",
    "Agreement",
    "CaseVerdict",
    "Terms",
    "Verdict",
    "asked_configurations",
    "judge_case",
    "judge_engines",
    "judge_theatre",
    "known_changes",
]

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
    `way` is the one in which the outcome was another than in the first, or there was none. That first one is `usual`,
    where the outcome varies."""

    area: str
    identifier: str
    agreement: Agreement
    differences: tuple[tuple[str, Difference], ...] = ()
    crash: str = ""
    way: Schedule | None = None
    usual: Schedule | None = None
    runs: int = 0
    """How often the case was run to its end: not in every way, where it varied or crashed before."""

    reason: str = ""
    """Why it was not run."""

    elapsed_s: float = field(default=0.0, compare=False)
    """Time all runs took. No part of the outcome."""

    trace: str = field(default="", compare=False)
    """Where an engine was when its time or memory ran out: another place each time."""

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
    courses: Mapping[str, Observations] = field(default_factory=dict, compare=False)
    """What was observed of each engine that came to an end, and under `RECORDED` what had been recorded. Kept only
    where something is wrong: it is the evidence."""

    faked: tuple[str, ...] = ()
    """Commands that were not run, but taken to have succeeded."""

    normalised: Mapping[str, int] = field(default_factory=dict, compare=False)
    """How often each rule that makes observations comparable changed something, in all runs."""

    description: str = ""
    tags: tuple[str, ...] = ()
    """As the case has them; nothing of a case that could not be read."""

    @property
    def all(self) -> list[tuple[str, Verdict]]:
        """Each verdict with whom it is about."""
        against = [(f"{name} against {self.baseline}", verdict) for name, verdict in self.between.items()]
        return [*self.of.items(), *against]


def judge_case(directory: Path, engine: str = "legacy", ways: Sequence[Schedule] = (Schedule(),)) -> Verdict:
    """One engine, by the recording."""
    verdict = judge_engines(directory, [engine], ways)
    if not verdict.is_recorded and verdict.of[engine].agreement is not Agreement.CRASHED:
        missing = f"{directory / GOLDEN_FILE}: missing, so there is nothing to hold the outcome against"
        return Verdict(verdict.area, verdict.identifier, Agreement.CRASHED, crash=missing)
    return verdict.of[engine]


def judge_engines(
    directory: Path,
    engines: Sequence[str],
    ways: Sequence[Schedule] = (Schedule(),),
    *,
    again: Sequence[Schedule] = (),
    may_execute: bool = True,
    changes: frozenset[str] = frozenset(),
    timeout_s: float | None = None,
    permissive: tuple[str, ...] = (),
    on_run: Callable[[str, Schedule], None] = lambda _engine, _way: None,
) -> CaseVerdict:
    """The baseline runs in the ways of `again`, too: what differs there is no difference between engines. `on_run` is
    told before each run, so that whoever watches knows whom to blame. `changes` are made by every engine that knows
    them; `permissive` are stood in for beside those the case names itself. Where commands had to be faked, engines are
    held against each other and not against the recording: it tells what the commands really did."""
    area, identifier = directory.parent.name, f"{directory.parent.name}/{directory.name}"
    with tempfile.TemporaryDirectory(prefix="diffharness-") as place:
        try:
            case = read_case(directory)
            case = replace(case, permissive=(*case.permissive, *permissive)) if permissive else case
            golden = read_golden(case)
            processes = REAL if may_execute else RecordedProcesses()
            theatre = CaseRunner.of(case, Path(place), asked_configurations(case, golden), processes)
        except CaseError as problem:
            crash = Verdict(area, identifier, Agreement.CRASHED, crash=str(problem))
            return CaseVerdict(area, identifier, False, dict.fromkeys(engines, crash), {}, engines[0])
        recorded = None if golden is None else recorded_observations(case, golden)
        terms = Terms(theatre, recorded, changes, DEFAULT_TIMEOUT_S if timeout_s is None else timeout_s, on_run)
        verdict = judge_theatre(terms, engines, ways, again)
    if all(found.agreement in _UNREMARKABLE for _, found in verdict.all):
        return replace(verdict, courses={})
    return verdict


def judge_theatre(
    terms: Terms, engines: Sequence[str], ways: Sequence[Schedule] = (Schedule(),), again: Sequence[Schedule] = ()
) -> CaseVerdict:
    """The verdict, with the courses whatever it is."""
    theatre, recorded = terms.theatre, terms.recorded
    case = theatre.case
    baseline = next((engine for engine in engines if theatre.obstacle(engine) is None), engines[0])
    played = {engine: _timed(terms, engine, (*ways, *again) if engine == baseline else ways) for engine in engines}
    of = {engine: verdict for engine, (verdict, _) in played.items()}
    first = played[baseline][1]
    between = {
        engine: _compared(theatre, first, course, recorded, any(map(is_external, (baseline, engine))))
        for engine, (_, course) in played.items()
        if engine != baseline and first is not None and course is not None
    }
    recorded = None if theatre.faked else recorded
    courses = {RECORDED: recorded, **{engine: course for engine, (_, course) in played.items()}}
    return CaseVerdict(
        case.area,
        case.identifier,
        recorded is not None,
        of,
        between,
        baseline,
        {name: course for name, course in courses.items() if course is not None},
        theatre.faked,
        dict(sorted(theatre.normalised.items())),
        case.description,
        case.tags,
    )


def asked_configurations(case: Case, golden: Mapping[str, Tree] | None) -> Iterable[str]:
    """Those a verdict is asked on: the recorded ones, or else all that steps name and none of them validates. A step
    that does, without faults, asks just what the verdict would."""
    if golden is not None:
        return recorded_validations(golden)
    validated = () if case.faults else {step.config for step in case.steps if step == Step("validate", step.config)}
    return [name for name in case.configurations if name not in validated]


def _compared(
    theatre: CaseRunner, first: Observations, other: Observations, recorded: Observations | None, with_binary: bool
) -> Verdict:
    case = theatre.case
    differences = _between(first, other, recorded, with_binary, theatre.normalised)
    return Verdict(case.area, case.identifier, _agreement(differences), tuple(differences))


def _between(
    first: Observations,
    other: Observations,
    recorded: Observations | None,
    with_binary: bool,
    applied: Counter[str] | None = None,
) -> list[tuple[str, Difference]]:
    if with_binary:
        compare = partial(compare_with_binary, applied=applied)
        return compare_places(_unstable_marked(first, recorded), other, compare)
    return compare_places(first, other, with_orders(partial(compare_observations, applied=applied)))


def _unstable_marked(course: Observations, recorded: Observations | None) -> Observations:
    """The course, with what its recording knows to differ from run to run of a binary."""
    marks = {place: step["unstable"] for place, step in (recorded or {}).items() if "unstable" in step}
    return {place: {**step, "unstable": marks.get(place)} for place, step in course.items()}


@dataclass(frozen=True, slots=True)
class Terms:
    """What is the same for all engines of a case."""

    theatre: CaseRunner
    recorded: Observations | None = None
    changes: frozenset[str] = frozenset()
    timeout_s: float = DEFAULT_TIMEOUT_S
    """Of one run."""

    on_run: Callable[[str, Schedule], None] = lambda _engine, _way: None


def _timed(terms: Terms, engine: str, ways: Sequence[Schedule]) -> tuple[Verdict, Observations | None]:
    if is_external(engine):
        ways = list({way.parallelism: way for way in reversed(ways)}.values())[::-1]
    started = time.monotonic()
    verdict, course = _judged(terms, engine, ways)
    return replace(verdict, elapsed_s=time.monotonic() - started), course


def _judged(terms: Terms, engine: str, ways: Sequence[Schedule]) -> tuple[Verdict, Observations | None]:
    """The verdict, and what happened in the first way; None where that never came to its end."""
    theatre, recorded = terms.theatre, terms.recorded
    verdict = partial(Verdict, theatre.case.area, theatre.case.identifier)
    reason = theatre.obstacle(engine)
    if reason is not None:
        return verdict(Agreement.NOT_RUN, reason=reason), None
    changes = terms.changes & known_changes(engine)
    first: Observations | None = None
    differences: list[tuple[str, Difference]] = []
    for runs, way in enumerate(ways):
        terms.on_run(engine, way)
        alarm = _Alarm()
        try:
            with alarm.after(terms.timeout_s + _BEHIND_S):
                course = theatre.play(engine, way, terms.timeout_s, changes)
        except BaseException as problem:  # whatever escapes an engine is its crash, and the verdict on this case
            return replace(_broken(terms, verdict, problem, alarm.rang), way=way, runs=runs), None
        if course == first:
            continue
        found = [*unmet(course)]
        if recorded is not None and not theatre.faked:
            compare = partial(compare_step, applied=theatre.normalised if first is None else None)
            found = [*compare_places(recorded, course, compare), *found]
        if first is None:
            first, differences = course, found
            continue
        varied = _between(first, course, recorded, is_external(engine))
        varied = varied or [each for each in found if each not in differences]
        if varied:
            return verdict(Agreement.VARIES, tuple(varied), way=way, usual=ways[0], runs=runs + 1), first
    return verdict(_agreement(differences), tuple(differences), runs=len(ways)), first


def _broken(terms: Terms, verdict: Callable[..., Verdict], problem: BaseException, is_late: bool) -> Verdict:
    """Concurrent code wraps what is raised into groups; the first leaf says what it is, unless the alarm rang: that may
    come out as anything. Where time or memory ran out is another place each time, so that it is kept apart from what is
    told. Only an interrupt is nobody's fault."""
    trace = crash_text(problem).replace(str(terms.theatre.directory), "<scratch>")
    while isinstance(problem, BaseExceptionGroup):
        problem = problem.exceptions[0]
    if isinstance(problem, KeyboardInterrupt):
        raise KeyboardInterrupt
    if is_late or isinstance(problem, trio.TooSlowError):
        return verdict(Agreement.HUNG, crash=f"hung: no end after {terms.timeout_s:g} s", trace=trace)
    if isinstance(problem, MemoryError):
        return verdict(Agreement.OVER_BUDGET, crash="over budget: more memory than a case may have", trace=trace)
    return verdict(Agreement.CRASHED, crash=trace)


def known_changes(engine: str) -> frozenset[str]:
    """Intended changes the engine can be asked to make: those its module says it knows."""
    return frozenset() if is_external(engine) else frozenset(getattr(engine_named(engine), "KNOWN_CHANGES", ()))


def _agreement(differences: Iterable[tuple[str, Difference]]) -> Agreement:
    kinds = {difference.is_detail for _, difference in differences}
    if False in kinds:
        return Agreement.DIFFERS
    return Agreement.DETAILS if kinds else Agreement.AGREES


_BEHIND_S: Final = 1.0
"""So much later than an event loop, which can end an engine that waits without breaking anything."""


class _Alarm:
    """For an engine that computes without end: it hears of no deadline. What its signal raises can come out of an event
    loop as an error of the loop, so whoever catches that asks whether it rang."""

    __slots__ = ("rang",)

    def __init__(self) -> None:
        self.rang = False

    @contextmanager
    def after(self, limit_s: float) -> Iterator[None]:
        before = signal.signal(signal.SIGALRM, self._ring)
        signal.setitimer(signal.ITIMER_REAL, limit_s)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)

    def _ring(self, _signal: int, _frame: FrameType | None) -> None:
        self.rang = True
        raise _Hang
