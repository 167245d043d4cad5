"""The verdict on an engine is a function of its runs and the recording: nothing is run here."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from harness.compare.ruling import Ruling
from harness.compare.verdict import RunComparison, judge_engine
from harness.play.case_runner import Observations
from harness.play.engine_runs import EngineRun, FailureKind, RunFailure
from harness.play.schedule import Schedule
from shared_nodes.values.json import Tree

PLACE = "step 1 (plan v1)"


def observed(ok: bool = True) -> Observations:
    step: dict[str, Tree] = {"op": "plan", "config": "v1", "ok": ok, "diagnostics": []}
    return {PLACE: step}


def runs(*observations: Observations) -> list[EngineRun]:
    return [EngineRun(Schedule(seed), each) for seed, each in enumerate(observations)]


def compared_with(recording: Observations | None) -> RunComparison:
    return RunComparison(recording, with_binary=False, applied=Counter())


def test_runs_that_are_equal_to_the_recording_are_equal() -> None:
    verdict, first = judge_engine(runs(observed(), observed()), compared_with(observed()), is_baseline=True)
    assert (verdict.ruling, verdict.differences, verdict.runs) == (Ruling.EQUAL, (), 2)
    assert first == observed()


def test_a_difference_from_the_recording_has_its_place() -> None:
    verdict, _ = judge_engine(runs(observed(ok=False)), compared_with(observed()), is_baseline=True)
    assert verdict.ruling is Ruling.DIFFERS
    assert [(place, found.field) for place, found in verdict.differences] == [(PLACE, "ok")]


def test_the_recording_says_nothing_about_faked_commands() -> None:
    faked = EngineRun(Schedule(), observed(ok=False), is_faked=True)
    verdict, _ = judge_engine([faked], compared_with(observed()), is_baseline=True)
    assert verdict.ruling is Ruling.EQUAL


def test_an_outcome_that_varies_names_both_schedules() -> None:
    """It is noise of the baseline, and a flaw of any other engine."""
    several = runs(observed(), observed(), observed(ok=False), observed())
    noise, first = judge_engine(several, compared_with(None), is_baseline=True)
    flaky, _ = judge_engine(several, compared_with(None), is_baseline=False)
    assert (noise.ruling, flaky.ruling) == (Ruling.NOISE, Ruling.FLAKY)
    assert (noise.first_schedule, noise.schedule, noise.runs) == (Schedule(0), Schedule(2), 3)
    assert first == observed()


def test_a_failure_ends_the_runs_and_leaves_nothing_to_compare() -> None:
    failed = EngineRun(Schedule(1), None, RunFailure(FailureKind.HANG, "1 s were not enough, see --timeout", "trace"))

    def made() -> Iterator[EngineRun]:
        yield EngineRun(Schedule(0), observed())
        yield failed
        raise AssertionError("a run after a failure")

    verdict, first = judge_engine(made(), compared_with(None), is_baseline=True)
    assert (verdict.ruling, verdict.runs, verdict.schedule, verdict.trace) == (Ruling.HANG, 1, Schedule(1), "trace")
    assert verdict.first == f"{Schedule(1)}: 1 s were not enough, see --timeout"
    assert first is None
