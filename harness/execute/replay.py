"""Runs one case again, exactly as in an earlier run, and keeps everything it produces.

To understand a finding one needs the files behind it: the plan, the state before and after, the graph. So the same
engines run the same case on the same schedule, and files that a run deletes are kept in a directory.
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import cast

from harness.case.case import Case, CaseError, read_case, read_golden
from harness.case.trust import may_execute
from harness.case.unit import Unit, UnitKind
from harness.compare.verdict import CaseVerdict, Terms, asked_configurations, judge_theatre
from harness.findings.build import build_result
from harness.findings.result import CaseResult
from harness.mutants.activation import mutated
from harness.play.artifacts import ArtifactWriter
from harness.play.case_runner import CaseRunner, Observations, recorded_observations
from harness.play.run_spec import DEFAULT_TIMEOUT_S, RunSpec
from shared_nodes.processes import REAL, RecordedProcesses
from shared_nodes.values.json import Tree

__all__ = ["Replayed", "replay"]


@dataclass(frozen=True, slots=True)
class Replayed:
    case: Case
    verdict: CaseVerdict
    result: CaseResult


def replay(directory: Path, settings: RunSpec, keeper: ArtifactWriter, until: int | None = None) -> Replayed:
    """Run the case again and keep its files. Raises CaseError if it cannot be read or has no such step.

    With `until`, the steps after this one, counted from 1, are not run. Only the first schedule is used: others would
    produce the same files, and another seed is another replay.
    """
    case = read_case(directory)
    case = replace(case, permissive=(*case.permissive, *settings.permissive))
    golden = read_golden(case)
    if until is not None:
        case, golden = _cut(case, golden, until)
    processes = REAL if may_execute(directory, settings.trusted) else RecordedProcesses()
    with tempfile.TemporaryDirectory(prefix="diffharness-") as place:
        theatre = replace(
            CaseRunner.of(case, Path(place), asked_configurations(case, golden), processes), keeper=keeper
        )
        recorded: Observations | None = None if golden is None else recorded_observations(case, golden)
        terms = Terms(theatre, recorded, settings.changes, settings.timeout_s or DEFAULT_TIMEOUT_S)
        with mutated(settings.mutant):
            verdict = judge_theatre(terms, settings.engines, settings.ways[:1])
    return Replayed(case, verdict, build_result(Unit(UnitKind.CASE, directory), settings, verdict))


def _cut(case: Case, golden: Mapping[str, Tree] | None, until: int) -> tuple[Case, Mapping[str, Tree] | None]:
    if not case.steps:
        raise CaseError(f"{case.directory}: has no steps that could be counted, but a story whose tasks decide")
    if not 1 <= until <= len(case.steps):
        raise CaseError(f"{case.directory}: there is no step {until}; they are 1 to {len(case.steps)}")
    recorded = golden and {**golden, "steps": cast("list[Tree]", golden["steps"])[:until]}
    return replace(case, steps=case.steps[:until]), recorded
