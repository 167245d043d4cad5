"""Judges one unit: from its files to its result, in whatever process it runs."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

from harness.case.case import Case, CaseError, read_case
from harness.case.unit import EXPRESSIONS, LANGUAGE, Unit, UnitKind
from harness.compare.ruling import Ruling
from harness.compare.verdict import unreadable
from harness.configuration import may_execute
from harness.execute.case_judge import judge_runner
from harness.expressions.compare import AnswerAgreement
from harness.expressions.corpus import AreaResult, CorpusError, JudgedLine, judge_file
from harness.findings.building.result_builder import build_result
from harness.findings.finding import Finding
from harness.findings.result import CaseResult
from harness.findings.signature import Signature
from harness.mutants.activation import apply_mutants
from harness.play.alarm import Alarm, AlarmRang
from harness.play.case_runner import CaseRunner, prepare_runner
from harness.play.engine_runs import BeforeRun, ignore_run
from harness.play.run_spec import RunSpec
from shared_nodes.flavour import FLAVOURS, TERRAFORM_1_11
from shared_nodes.values.json import dumps

__all__ = ["AdaptRunner", "OnCase", "ignore_case", "judge_unit", "keep_runner"]

AdaptRunner = Callable[[CaseRunner], CaseRunner]
"""Exchanges the runner of a case, for callers that know already what some of its runs would observe."""


OnCase = Callable[[Case], None]


def keep_runner(runner: CaseRunner) -> CaseRunner:
    """Return the runner itself."""
    return runner


def ignore_case(_case: Case) -> None:
    """Do nothing with a case that was read."""


def judge_unit(
    unit: Unit,
    spec: RunSpec,
    before_run: BeforeRun = ignore_run,
    adapt_runner: AdaptRunner = keep_runner,
    on_case: OnCase = ignore_case,
) -> CaseResult:
    """Run a unit, and return its result. `before_run` is called before each run of an engine, so that a process that
    watches this one knows which engine to blame, and `on_case` with the case that was read."""
    if unit.kind is UnitKind.EXPRESSIONS:
        try:
            with apply_mutants(spec.mutant):
                return _judge_expressions(unit, spec)
        except CorpusError as problem:
            return build_result(unit, None, spec, unreadable((LANGUAGE,), problem))
    started = time.monotonic()
    case: Case | None = None
    with apply_mutants(spec.mutant):
        try:
            case = _read_in_time(unit, spec)
            on_case(case)
            trusted = may_execute(unit.path, spec.trusted)
            prepared = prepare_runner(
                case,
                may_execute=trusted,
                permissive=spec.permissive,
                permissive_files=spec.permissive_files,
                against=spec.against,
                prelude=spec.prelude,
            )
            with prepared as (runner, recording):
                verdict = judge_runner(adapt_runner(runner), spec, recording, before_run)
        except CaseError as problem:
            verdict = unreadable(spec.engines, problem)
        result = build_result(unit, case, spec, verdict)
    return replace(result, case_s=time.monotonic() - started)


def _read_in_time(unit: Unit, spec: RunSpec) -> Case:
    try:
        with Alarm().after(spec.timeout_s):
            return read_case(unit.path, spec.flavour or unit.flavour, spec.inputs)
    except AlarmRang:
        raise CaseError(f"{unit.path}: reading it takes more than {spec.timeout_s:g} s") from None


def _judge_expressions(unit: Unit, spec: RunSpec) -> CaseResult:
    flavour = spec.flavour or unit.flavour or TERRAFORM_1_11.name
    area = AreaResult(unit.path.stem, list(judge_file(unit.path, FLAVOURS[flavour], spec.against)))
    different = [judged for judged in area.counted if judged.agreement is AnswerAgreement.DIFFERENT]
    return CaseResult(
        identifier=unit.identifier,
        path=unit.path.as_posix(),
        area=EXPRESSIONS,
        description=f"recorded answers: {unit.path.stem}",
        engines=(LANGUAGE,),
        is_recorded=True,
        flavour=flavour,
        counts={
            "lines": len(area.judged),
            "exact": area.count(AnswerAgreement.EXACT),
            "same outcome": area.count(AnswerAgreement.SAME_OUTCOME),
            "different": len(different),
            "waiting": len(area.judged) - len(area.counted),
        },
        agrees=() if different else (LANGUAGE,),
        findings=tuple(_find_wrong_answer(area.area, judged) for judged in different),
        runs={LANGUAGE: 1},
    )


def _find_wrong_answer(area: str, judged: JudgedLine) -> Finding:
    signature = Signature(LANGUAGE, "eval", Ruling.DIFFERS, area, "answer")
    expected, got = (dumps(side, escape_html=False) for side in (judged.expected, judged.got))
    return Finding(signature, ("recorded",), judged.identifier, "answer", expected, got)
