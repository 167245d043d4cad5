"""Judges one unit: from its files to its result, in whatever process it runs."""

from __future__ import annotations

from collections.abc import Callable

from harness.case.trust import may_execute
from harness.case.unit import EXPRESSIONS, LANGUAGE, Unit, UnitKind
from harness.compare.ruling import Ruling
from harness.compare.verdict import judge_engines
from harness.expressions.compare import AnswerAgreement as Answered
from harness.expressions.corpus import AreaResult, JudgedLine, judge_file
from harness.findings.build import build_result
from harness.findings.finding import Finding
from harness.findings.result import CaseResult
from harness.findings.signature import Signature
from harness.mutants.activation import mutated
from harness.play.run_spec import RunSpec
from harness.play.schedule import Schedule
from shared_nodes.flavour import FLAVOURS
from shared_nodes.values.json import dumps

__all__ = ["judge_unit"]


def judge_unit(
    unit: Unit, settings: RunSpec, on_run: Callable[[str, Schedule], None] = lambda _engine, _schedule: None
) -> CaseResult:
    """Judge a unit. `on_run` is called before each run of an engine, so that another process knows which one was
    running."""
    with mutated(settings.mutant):
        return _judge_case(unit, settings, on_run) if unit.sort is UnitKind.CASE else _judge_expressions(unit, settings)


def _judge_case(unit: Unit, settings: RunSpec, on_run: Callable[[str, Schedule], None]) -> CaseResult:
    trusted = may_execute(unit.path, settings.trusted)
    verdict = judge_engines(
        unit.path,
        settings.engines,
        settings.ways,
        again=settings.again,
        may_execute=trusted,
        changes=settings.changes,
        timeout_s=settings.timeout_s,
        permissive=settings.permissive,
        on_run=on_run,
    )
    return build_result(unit, settings, verdict)


def _judge_expressions(unit: Unit, settings: RunSpec) -> CaseResult:
    area = AreaResult(unit.path.stem, list(judge_file(unit.path, FLAVOURS[settings.flavour])))
    different = [judged for judged in area.counted if judged.agreement is Answered.DIFFERENT]
    return CaseResult(
        unit.identifier,
        unit.path.as_posix(),
        EXPRESSIONS,
        f"recorded answers: {unit.path.stem}",
        engines=(LANGUAGE,),
        is_recorded=True,
        counts={
            "lines": len(area.judged),
            "exact": area.count(Answered.EXACT),
            "same outcome": area.count(Answered.SAME_OUTCOME),
            "different": len(different),
            "waiting": len(area.judged) - len(area.counted),
        },
        agrees=() if different else (LANGUAGE,),
        findings=tuple(_wrong_answer(area.area, judged) for judged in different),
        runs={LANGUAGE: 1},
    )


def _wrong_answer(area: str, judged: JudgedLine) -> Finding:
    signature = Signature(LANGUAGE, "eval", Ruling.DIFFERS, area, "answer")
    expected, got = (dumps(side, escape_html=False) for side in (judged.expected, judged.got))
    return Finding(signature, ("recorded",), judged.identifier, "answer", expected, got)
