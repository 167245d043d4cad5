"""The baseline runs a case again where that can decide something, and for a sample of all cases."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest

from harness.case.unit import Unit, UnitKind
from harness.compare.ruling import Ruling
from harness.execute.local import judge_safely
from harness.findings.result import CaseResult
from harness.play.run_spec import RunSpec
from harness.play.schedule import Schedule

MakeCase = Callable[[str, str], Path]

AGAIN: Final = (Schedule(seed=1),)


def judge(case: Path, *engines: str, seed: int = 0) -> CaseResult:
    return judge_safely(Unit(UnitKind.CASE, case), RunSpec(engines, (Schedule(seed),), baseline_schedules=AGAIN))


def unsampled_seed(case: Path) -> int:
    """Return a seed that also differs from the one of the repetition, since an equal one would vary nothing."""
    return next(seed for seed in range(2, 99) if not RunSpec(("legacy",), (Schedule(seed),)).is_sampled(case))


def sampled_seed(case: Path) -> int:
    return next(seed for seed in range(2, 99) if RunSpec(("legacy",), (Schedule(seed),)).is_sampled(case))


def test_where_engines_agree_the_baseline_runs_once(make_case: MakeCase) -> None:
    case = make_case("calm", "")
    assert judge(case, "moody", "legacy", seed=unsampled_seed(case)).runs == {"moody": 1, "legacy": 1}


def test_a_sampled_case_runs_twice(make_case: MakeCase) -> None:
    case = make_case("calm", "")
    assert judge(case, "moody", "legacy", seed=sampled_seed(case)).runs == {"moody": 2, "legacy": 1}


def test_where_engines_differ_the_baseline_runs_again(make_case: MakeCase) -> None:
    case = make_case("warning", "warns loudly")
    result = judge(case, "moody", "legacy", seed=unsampled_seed(case))
    assert result.runs == {"moody": 2, "legacy": 1}
    assert {finding.signature.ruling for finding in result.findings} == {Ruling.DIFFERS}


def test_what_varies_is_noise(make_case: MakeCase) -> None:
    case = make_case("varying", "varies")
    result = judge(case, "moody", "legacy", seed=unsampled_seed(case))
    assert Ruling.NOISE in {finding.signature.ruling for finding in result.findings}


def test_an_engine_that_is_compared_with_none_runs_twice(make_case: MakeCase) -> None:
    case = make_case("alone", "")
    assert judge(case, "moody", seed=unsampled_seed(case)).runs == {"moody": 2}


@pytest.mark.parametrize("mood", ["raises", "warns once"])
def test_nothing_else_changes(make_case: MakeCase, mood: str) -> None:
    """The findings of a case do not depend on the sample."""
    case = make_case("any", mood)
    once, twice = (judge(case, "moody", "legacy", seed=seed) for seed in (unsampled_seed(case), sampled_seed(case)))
    assert [str(each.signature) for each in once.findings] == [str(each.signature) for each in twice.findings]


def test_an_eighth_of_the_cases_is_sampled_and_another_one_with_another_seed() -> None:
    cases = [Path("corpus", "area", f"case_{number}") for number in range(800)]
    samples = [{case for case in cases if RunSpec(("legacy",), (Schedule(seed),)).is_sampled(case)} for seed in (0, 1)]
    assert all(70 <= len(sample) <= 130 for sample in samples)
    assert len(samples[0] & samples[1]) < 40


def test_the_sample_does_not_depend_on_where_the_corpus_is() -> None:
    spec = RunSpec(("legacy",))
    names = [f"case_{number}" for number in range(40)]
    assert [spec.is_sampled(Path("/a/b/area") / name) for name in names] == [
        spec.is_sampled(Path("area") / name) for name in names
    ]
