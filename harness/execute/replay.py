"""Runs one case once more, as a run did, and keeps the files it produces.

To understand a finding, a reader needs the plan, the state before and after, and the graph. So the same engines run the
same case under the same schedule, and the files that a run would have removed are kept in a directory.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from harness.case.case import Case, CaseError, read_case
from harness.case.unit import Unit, UnitKind
from harness.compare.verdict import CaseVerdict
from harness.configuration import may_execute
from harness.execute.case_judge import judge_runner
from harness.findings.building.common_errors import common_errors
from harness.findings.building.result_builder import build_result
from harness.findings.result import CaseResult
from harness.mutants.activation import apply_mutants
from harness.play.artifacts import ArtifactWriter
from harness.play.case_runner import prepare_runner
from harness.play.run_spec import RunSpec
from shared_nodes.record import record

__all__ = ["Replayed", "replay"]


@record
class Replayed:
    case: Case
    verdict: CaseVerdict
    result: CaseResult
    errors: Mapping[str, list[str]]
    """The errors at each place where all engines report the same ones."""


def replay(directory: Path, spec: RunSpec, artifacts: ArtifactWriter, until: int | None = None) -> Replayed:
    """Run the case under the first schedule of `spec`, and keep its files: other schedules would leave the same ones.

    Raises CaseError if the case cannot be read, or has no such step. With `until`, steps after that one, counted from
    1, are not run.
    """
    case = read_case(directory, spec.flavour, spec.inputs)
    if until is not None:
        _check_step(case, until)
    trusted = may_execute(directory, spec.trusted)
    once = replace(spec, schedules=spec.schedules[:1], baseline_schedules=())
    prepared = prepare_runner(
        case,
        may_execute=trusted,
        permissive=spec.permissive,
        permissive_files=spec.permissive_files,
        until=until,
        against=spec.against,
        prelude=spec.prelude,
    )
    with prepared as (runner, recording):
        with apply_mutants(spec.mutant):
            verdict = judge_runner(replace(runner, artifacts=artifacts), once, recording)
        result = build_result(Unit(UnitKind.CASE, directory), case, spec, verdict)
        return Replayed(runner.case, verdict, result, common_errors(directory, case, verdict))


def _check_step(case: Case, until: int) -> None:
    if not case.steps:
        raise CaseError(f"{case.directory}: has no steps that could be counted, but a story whose tasks decide")
    if not 1 <= until <= len(case.steps):
        raise CaseError(f"{case.directory}: there is no step {until}; they are 1 to {len(case.steps)}")
