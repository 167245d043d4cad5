"""One case once more, as a run had it, and everything it leaves kept.

A finding is understood by looking at what is behind it: the plan, the state before and after, the graph. So the same
engines play the same case in the same way, and what a run would have thrown away stays in a directory.
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import cast

from harness.judging.result import CaseResult
from harness.judging.unit import Settings, Sort, Unit, case_result
from harness.mutants.activation import mutated
from harness.scenarios.case import Case, CaseError, read_case, read_golden
from harness.scenarios.course import Course, Theatre, recorded_course
from harness.scenarios.judge import PATIENCE_S, CaseVerdict, Terms, asked_configurations, judge_theatre
from harness.scenarios.keeping import Keeper
from harness.trust import may_execute
from shared_nodes.processes import REAL, RecordedProcesses
from shared_nodes.values.json import Tree

__all__ = ["Replayed", "replay"]


@dataclass(frozen=True, slots=True)
class Replayed:
    case: Case
    verdict: CaseVerdict
    result: CaseResult


def replay(directory: Path, settings: Settings, keeper: Keeper, until: int | None = None) -> Replayed:
    """Raises CaseError where the case cannot be read, or has no such step. With `until`, what comes after that step,
    counted from 1, is not done. In the first of the ways only: others would leave the same files, and another seed is
    another replay."""
    case = read_case(directory)
    case = replace(case, permissive=(*case.permissive, *settings.permissive))
    golden = read_golden(case)
    if until is not None:
        case, golden = _cut(case, golden, until)
    processes = REAL if may_execute(directory, settings.trusted) else RecordedProcesses()
    with tempfile.TemporaryDirectory(prefix="diffharness-") as place:
        theatre = replace(Theatre.of(case, Path(place), asked_configurations(case, golden), processes), keeper=keeper)
        recorded: Course | None = None if golden is None else recorded_course(case, golden)
        terms = Terms(theatre, recorded, settings.changes, settings.timeout_s or PATIENCE_S)
        with mutated(settings.mutant):
            verdict = judge_theatre(terms, settings.engines, settings.ways[:1])
    return Replayed(case, verdict, case_result(Unit(Sort.CASE, directory), settings, verdict))


def _cut(case: Case, golden: Mapping[str, Tree] | None, until: int) -> tuple[Case, Mapping[str, Tree] | None]:
    if not case.steps:
        raise CaseError(f"{case.directory}: has no steps that could be counted, but a story whose tasks decide")
    if not 1 <= until <= len(case.steps):
        raise CaseError(f"{case.directory}: there is no step {until}; they are 1 to {len(case.steps)}")
    recorded = golden and {**golden, "steps": cast("list[Tree]", golden["steps"])[:until]}
    return replace(case, steps=case.steps[:until]), recorded
