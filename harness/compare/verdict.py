"""Decides about a case: on each engine by the recording, and on the engines by each other.

Steps after a difference are still compared, since a recording is most useful where several steps agree, but a case is
judged by its first difference. A crash or a hang is a verdict of its own, never a difference. So is an outcome that
varies: the first run of an engine is compared with the recording, and every other must have the same outcome.

The first engine is the baseline: every other engine is compared with it as strictly as two runs of one engine are
compared with each other. A case without a recording is judged by that alone.

Nothing here runs an engine: verdicts are functions of runs and recordings (`harness/execute/case_judge.py` makes the
runs).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field, replace
from functools import partial
from typing import Final

from harness.compare.consequences import DifferenceKey, consequences, hidden_differences
from harness.compare.difference import Difference
from harness.compare.effect_order import compare_with_orders
from harness.compare.observations import (
    compare_observations,
    compare_places,
    compare_step,
    compare_with_binary,
    unexpected_crashes,
    unmet,
)
from harness.compare.ruling import Ruling
from harness.play.case_runner import Observations
from harness.play.engine_runs import EngineRun
from harness.play.schedule import Schedule
from shared_nodes.record import record

__all__ = [
    "RECORDED",
    "CaseVerdict",
    "RunComparison",
    "Verdict",
    "compare_engines",
    "judge_engine",
    "mark_consequences",
    "unreadable",
]

RECORDED: Final = "recorded"
"""The name under which a recording takes the place of an engine."""

Differences = tuple[tuple[str, Difference], ...]
"""With the place of each: "step 2 (apply v2)", or "validate v1" for the validation of a directory."""


@record
class Verdict:
    """The verdict on one engine, by the recording or by the baseline."""

    ruling: Ruling
    differences: Differences = ()
    crash: str = ""
    schedule: Schedule | None = None
    """The schedule in which the outcome was different from that of the first run, or in which there was none."""

    first_schedule: Schedule | None = None
    """The schedule of the first run, where the outcome varies."""

    runs: int = 0
    """How often the case was run to its end: not in every schedule, where it varied or crashed before."""

    reason: str = ""
    """Why it was not run."""

    consequences: frozenset[DifferenceKey] = frozenset()
    """Those of the differences from the baseline that follow from earlier ones: they are gone where the engine begins
    the step in the state of the baseline."""

    resynchronised: Differences = ()
    """Differences from the baseline where the engine begins a step in the state of the baseline."""

    elapsed_s: float = field(default=0.0, compare=False)
    """Time of all runs together. Not part of the outcome."""

    trace: str = field(default="", compare=False)
    """Where an engine was when its time or memory ran out: another place each time."""

    @property
    def resynchronised_only(self) -> Differences:
        """Those of `resynchronised` that the engine's own history hides."""
        return hidden_differences(self.differences, self.resynchronised)

    @property
    def only_details(self) -> bool:
        """Whether nothing differs but the prose of diagnostics."""
        return bool(self.differences) and all(difference.is_detail for _, difference in self.differences)

    @property
    def first(self) -> str:
        """The first thing that is wrong, in one text."""
        if self.ruling is Ruling.NOT_RUN:
            return self.reason
        schedule = "" if self.schedule is None else f"{self.schedule}: "
        if self.ruling.is_breakdown:
            return schedule + self.crash.strip().rpartition("\n")[2]
        serious = [found for found in self.differences if not found[1].is_detail]
        place, difference = (serious or self.differences)[0]
        return f"{schedule}{place}: {difference}"


@record
class CaseVerdict:
    """The verdicts on all engines of a case."""

    is_recorded: bool
    of: Mapping[str, Verdict]
    """On each engine by itself and by the recording, where there is one."""

    between: Mapping[str, Verdict]
    """On each engine but the baseline, by the baseline, where both came to an end."""

    baseline: str
    observations: Mapping[str, Observations] = field(default_factory=dict, compare=False)
    """By engine, where it came to an end, and under `RECORDED` the recording. They are the evidence."""

    resynchronised: Mapping[str, Observations] = field(default_factory=dict, compare=False)
    """By engine, what it did at those steps that it began in another state than the baseline, once more from the
    baseline's. Without an entry there was no such step."""

    faked: tuple[str, ...] = ()
    """Commands that were not run but assumed to have succeeded."""

    normalised: Mapping[str, int] = field(default_factory=dict, compare=False)
    """How often each rule that makes observations comparable changed something, in all runs."""

    strangers: frozenset[str] = frozenset()
    """Binaries of another release than the recorded one: they were not compared with the recording."""

    varies: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """What varied between the runs of an engine, by engine."""

    binaries_s: float = field(default=0.0, compare=False)
    """Time in which commands of binaries ran. Not part of the outcome."""

    step_s: Mapping[str, Mapping[str, float]] = field(default_factory=dict, compare=False)
    """The time of each step in the first run by each engine. Not part of the outcome."""

    description: str = ""
    tags: tuple[str, ...] = ()
    """As the case has them; empty for a case that could not be read."""

    invalid: str = ""
    """Why the case cannot be read: file, line and reason. Then there is no verdict on any engine."""

    @property
    def all(self) -> list[tuple[str, Verdict]]:
        """Each verdict with a description of what it is about."""
        against = [(f"{name} against {self.baseline}", verdict) for name, verdict in self.between.items()]
        return [*self.of.items(), *against]


def unreadable(engines: Sequence[str], problem: Exception) -> CaseVerdict:
    """Return the verdict on a case that cannot be read."""
    return CaseVerdict(False, {}, {}, engines[0], invalid=str(problem))


def judge_engine(
    runs: Iterable[EngineRun], comparison: RunComparison, *, is_baseline: bool
) -> tuple[Verdict, Observations | None]:
    """Decide about the runs of one engine. Return the observations of the first run as well, if all came to an end.

    Runs are consumed only until the verdict is known: after a failure, or after the first outcome that varies.
    """
    first: EngineRun | None = None
    differences: Differences = ()
    count = 0
    for run in runs:
        if run.failure is not None:
            ruling = Ruling(run.failure.kind)
            message, trace = run.failure.message, run.failure.trace
            return Verdict(ruling, crash=message, schedule=run.schedule, runs=count, trace=trace), None
        count += 1
        if first is not None and run.observations == first.observations:
            continue
        found = comparison.with_recording(run, is_first=first is None)
        if first is None:
            first, differences = run, found
            continue
        varied = comparison.between_runs(first, run) or tuple(each for each in found if each not in differences)
        if varied:
            ruling = Ruling.NOISE if is_baseline else Ruling.FLAKY
            verdict = Verdict(ruling, varied, schedule=run.schedule, first_schedule=first.schedule, runs=count)
            return verdict, first.observations
    ruling = Ruling.DIFFERS if differences else Ruling.EQUAL
    return Verdict(ruling, differences, runs=count), None if first is None else first.observations


def compare_engines(comparison: RunComparison, baseline: Observations, other: Observations) -> Verdict:
    """Decide about an engine by the observations of the baseline."""
    differences = comparison.between(baseline, other, comparison.applied)
    return Verdict(Ruling.DIFFERS if differences else Ruling.EQUAL, differences)


def mark_consequences(
    comparison: RunComparison, verdict: Verdict, baseline: Observations, resynchronised: Observations
) -> Verdict:
    """Return the verdict on an engine by the baseline, completed by what it did from the baseline's state."""
    again = comparison.between({place: baseline[place] for place in resynchronised}, resynchronised)
    return replace(verdict, consequences=consequences(verdict.differences, again, resynchronised), resynchronised=again)


@record
class RunComparison:
    """How the observations of an engine are compared."""

    recording: Observations | None
    with_binary: bool
    """Whether a real binary takes part: it writes some lists in another order each time."""

    applied: Counter[str]
    """How often each rule made something comparable."""

    judge_end: Callable[[Observations], list[tuple[str, Difference]]] = unmet
    """Returns what is wrong with the end of a story by itself, even if all engines end it alike."""

    def with_recording(self, run: EngineRun, *, is_first: bool) -> Differences:
        """Compare a run with the recording, where that can be compared, and with what its story expects."""
        assert run.observations is not None
        recording = None if run.is_faked else self.recording
        found = unexpected_crashes(run.observations, recording)
        found += self.judge_end(run.observations)
        if self.recording is not None and not run.is_faked:
            compare = partial(compare_step, applied=self.applied if is_first else None)
            found = [*compare_places(self.recording, run.observations, compare), *found]
        return tuple(found)

    def between_runs(self, first: EngineRun, other: EngineRun) -> Differences:
        assert first.observations is not None
        assert other.observations is not None
        return self.between(first.observations, other.observations)

    def between(self, first: Observations, other: Observations, applied: Counter[str] | None = None) -> Differences:
        compare = compare_with_binary if self.with_binary else compare_observations
        with_orders = partial(compare_with_orders, compare=partial(compare, applied=applied))
        return tuple(compare_places(self._with_unstable(first) if self.with_binary else first, other, with_orders))

    def _with_unstable(self, observations: Observations) -> Observations:
        """Add to the observations what the recording knows to differ from run to run of a binary."""
        marks = {place: step["unstable"] for place, step in (self.recording or {}).items() if "unstable" in step}
        return {place: {**step, "unstable": marks.get(place)} for place, step in observations.items()}
