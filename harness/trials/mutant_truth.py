"""Which cases of a corpus show which mutant: the truth that a search for causes is measured by.

A case shows a mutant if it has a difference with the mutant and none without it. With 151 mutants and a thousand cases
this cannot be tried for every pair. A case is tried only with mutants whose function it calls; many of them are active
at once; and it is judged only where an engine does something else than without a mutant.

This is not exact. Of several mutants that are active at once, one can keep the code of another from running, and have
no effect of its own in that case: then the other one is overlooked there. C03 hides L04 in this way, and S35 hides S65.
A mutant that is overlooked in one case, of which is known that it shows there, is therefore tried again in all cases
without others (`find_overlooked`).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field, replace
from typing import Final, NamedTuple

from harness.case.case import read_case
from harness.configuration import may_execute
from harness.findings.finding import Finding
from harness.findings.result import CaseResult
from harness.mutants.activation import apply_mutants, can_be_combined
from harness.mutants.catalogue import mutant_named
from harness.mutants.catalogue.known_cases import KNOWN_CASES
from harness.play.case_runner import CaseRunner, prepare_runner
from harness.play.engine_runs import FailureKind, ignore_run, run_schedules
from harness.play.run_spec import RunSpec
from harness.trials.case_baseline import CaseBaseline, judge_with_mutants, read_known_runs
from harness.trials.group_testing import Group, divide_into_groups, find_effective
from harness.trials.known_runs import KnownRun, KnownRuns, with_known_runs
from shared_nodes import tasks
from shared_nodes.record import record

__all__ = [
    "CaseTruth",
    "Truth",
    "as_truth",
    "difference_marks",
    "find_known_truth",
    "find_overlooked",
    "find_truth",
    "group_mutants",
    "merge_truths",
    "single_mutants",
]

Truth = Mapping[str, Mapping[str, frozenset[str]]]
"""By mutant, the cases that show it, each with the marks of its differences (`difference_marks`)."""

_MARK_LENGTH: Final = 12


class CaseTruth(NamedTuple):
    """The mutants that one case shows, each with the marks of its differences."""

    case: str
    shown: Mapping[str, frozenset[str]]


def as_truth(mutants: Iterable[str], cases: Iterable[CaseTruth]) -> Truth:
    """Return the same by mutant. A mutant that no case shows is there as well."""
    truth: dict[str, dict[str, frozenset[str]]] = {name: {} for name in mutants}
    for case in cases:
        for name, marks in case.shown.items():
            truth[name][case.case] = marks
    return truth


def merge_truths(cases: Iterable[CaseTruth]) -> list[CaseTruth]:
    """Return what several trials of the same cases have shown, by case."""
    merged: dict[str, dict[str, frozenset[str]]] = {}
    for case in cases:
        merged.setdefault(case.case, {}).update(case.shown)
    return [CaseTruth(name, dict(sorted(shown.items()))) for name, shown in sorted(merged.items())]


def find_overlooked(grouped: Iterable[CaseTruth], alone: Iterable[CaseTruth]) -> list[str]:
    """Return the mutants that show in a case alone, and that were not found there in a group."""
    found = {case.case: case.shown for case in grouped}
    return sorted({name for case in alone for name in case.shown if name not in found[case.case]})


def difference_marks(result: CaseResult) -> frozenset[str]:
    """Return a short mark for each finding of a case: where it is, and of what kind. Values are no part of it, because
    they may be those of several mutants at once."""
    return frozenset(map(_mark, result.findings))


def _mark(finding: Finding) -> str:
    text = f"{finding.place}: {finding.signature}"
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()[:_MARK_LENGTH]


# Groups


def single_mutants(mutants: Iterable[str]) -> tuple[Group, ...]:
    return tuple(Group((name,)) for name in mutants)


def group_mutants(mutants: Iterable[str], sample: Sequence[CaseTruth]) -> tuple[Group, ...]:
    """Group the mutants of each engine by how many cases of a sample show them."""
    by_engine: dict[str, dict[str, float]] = {}
    for name in mutants:
        shown = sum(name in case.shown for case in sample)
        by_engine.setdefault(mutant_named(name).engine, {})[name] = (shown + 0.5) / (len(sample) + 1)
    return tuple(group for chances in by_engine.values() for group in divide_into_groups(chances, can_be_combined))


# Trying


def find_truth(baseline: CaseBaseline, groups: Sequence[Group], spec: RunSpec) -> CaseTruth:
    """Try a case with all mutants of the groups."""
    candidates = {name for group in groups for name in group.members if baseline.may_show(mutant_named(name))}
    shown: dict[str, frozenset[str]] = {}
    if candidates and baseline.is_usable:
        case, trusted = read_case(baseline.unit.path), may_execute(baseline.unit.path, spec.trusted)
        with prepare_runner(case, may_execute=trusted) as (runner, _):
            trial = _Trial(runner, read_known_runs(baseline), spec)
            for name in find_effective(groups, candidates, trial.changes_something):
                marks = difference_marks(judge_with_mutants([name], baseline, spec, trial.runs[name]))
                if marks:
                    shown[name] = marks
    return CaseTruth(baseline.unit.identifier, dict(sorted(shown.items())))


def find_known_truth(baseline: CaseBaseline, mutants: Iterable[str], spec: RunSpec) -> CaseTruth:
    """Try a case with those of the mutants that it is known to show, one at a time."""
    path = f"/{baseline.unit.path.as_posix()}"
    known = [name for name in mutants if name in KNOWN_CASES and path.endswith(f"/{KNOWN_CASES[name]}")]
    return find_truth(baseline, single_mutants(known), spec)


@record
class _Trial:
    """A case that is run with one group of mutants after the other."""

    runner: CaseRunner
    known: KnownRuns
    spec: RunSpec
    runs: dict[str, KnownRuns] = field(default_factory=dict)
    """The runs with single mutants that changed something. Crashes are not kept, because their traces are needed;
    hangs are, because to repeat them takes long."""

    def changes_something(self, mutants: tuple[str, ...]) -> bool:
        """Run the engine of these mutants with all of them."""
        engine, schedule = mutant_named(mutants[0]).engine, self.spec.schedules[0]
        alone = replace(self.spec, engines=(engine,), mutant=",".join(mutants))
        seen: KnownRuns = {}
        with apply_mutants(alone.mutant):
            run = next(run_schedules(with_known_runs(self.runner, seen), engine, (schedule,), alone, ignore_run))
        before = self.known.get((engine, schedule))
        if isinstance(before, KnownRun) and run.observations == before.observations:
            return False
        if run.failure is not None and run.failure.kind is FailureKind.HANG:
            seen[engine, schedule] = tasks.TooSlowError()
        if len(mutants) == 1:
            self.runs[mutants[0]] = seen
        return True
