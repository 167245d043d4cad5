"""What a run consists of: units of work, each of which comes to one result, in whatever process it is done.

A unit is a case, or a file of expressions with their recorded answers. All that decides about its result beside itself
is in the `Settings` of the run: both are plain data, so that a worker on another machine needs nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final

from harness.expressions.compare import Agreement as Answered
from harness.expressions.corpus import AreaResult, Judged, find_corpora, judge_file
from harness.judging.evidence import evidence_of
from harness.judging.finding import Finding, findings_of
from harness.judging.result import CaseResult
from harness.judging.ruling import Ruling
from harness.judging.signature import Signature
from harness.scenarios.case import CaseError, find_cases, read_case
from harness.scenarios.judge import Agreement, judge_engines
from harness.scenarios.way import Way
from shared_nodes.flavour import FLAVOURS, TERRAFORM_1_11
from shared_nodes.values.json import dumps

__all__ = ["Settings", "Sort", "Unit", "find_units", "judge_unit"]

EXPRESSIONS: Final = "expressions"


class Sort(StrEnum):
    CASE = "case"
    EXPRESSIONS = "expressions"


@dataclass(frozen=True, slots=True)
class Unit:
    sort: Sort
    path: Path

    @property
    def identifier(self) -> str:
        area = self.path.parent.name if self.sort is Sort.CASE else EXPRESSIONS
        return f"{area}/{self.path.name if self.sort is Sort.CASE else self.path.stem}"


@dataclass(frozen=True, slots=True)
class Settings:
    engines: tuple[str, ...]
    ways: tuple[Way, ...] = (Way(),)
    flavour: str = TERRAFORM_1_11.name
    """Of expressions; cases name their own."""


def find_units(paths: Iterable[Path]) -> list[Unit]:
    """Everything at or below the paths: expressions first, then cases, each sorted."""
    paths = list(paths)
    files = [file for corpus in find_corpora(paths) for file in sorted(corpus.glob("*.jsonl"))]
    return [Unit(Sort.EXPRESSIONS, file) for file in files] + [Unit(Sort.CASE, case) for case in find_cases(paths)]


def judge_unit(unit: Unit, settings: Settings) -> CaseResult:
    return _judged_case(unit, settings) if unit.sort is Sort.CASE else _judged_expressions(unit, settings)


def _judged_case(unit: Unit, settings: Settings) -> CaseResult:
    verdict = judge_engines(unit.path, settings.engines, settings.ways)
    findings = findings_of(verdict)
    try:
        case = read_case(unit.path)
        description, tags = case.description, case.tags
    except CaseError:
        description, tags = "", ()
    return CaseResult(
        unit.identifier,
        unit.path.as_posix(),
        unit.path.parent.name,
        description,
        tags,
        settings.engines,
        verdict.is_recorded,
        agrees=tuple(
            name for name, one in verdict.of.items() if verdict.is_recorded and one.agreement is Agreement.AGREES
        ),
        equal=tuple(name for name, one in verdict.between.items() if one.agreement is Agreement.AGREES),
        not_run={name: one.reason for name, one in verdict.of.items() if one.agreement is Agreement.NOT_RUN},
        findings=tuple(findings),
        evidence=evidence_of(unit.path, verdict.courses) if findings else "",
        runs=sum(one.runs for one in verdict.of.values()),
        elapsed_s={name: one.elapsed_s for name, one in verdict.of.items()},
    )


def _judged_expressions(unit: Unit, settings: Settings) -> CaseResult:
    area = AreaResult(unit.path.stem, list(judge_file(unit.path, FLAVOURS[settings.flavour])))
    different = [judged for judged in area.counted if judged.agreement is Answered.DIFFERENT]
    return CaseResult(
        unit.identifier,
        unit.path.as_posix(),
        EXPRESSIONS,
        f"recorded answers: {unit.path.stem}",
        engines=(EXPRESSIONS,),
        is_recorded=True,
        counts={
            "lines": len(area.judged),
            "exact": area.count(Answered.EXACT),
            "same outcome": area.count(Answered.SAME_OUTCOME),
            "different": len(different),
            "waiting": len(area.judged) - len(area.counted),
        },
        agrees=() if different else (EXPRESSIONS,),
        findings=tuple(_answered_wrong(area.area, judged) for judged in different),
        runs=1,
    )


def _answered_wrong(area: str, judged: Judged) -> Finding:
    signature = Signature("language", "eval", Ruling.DIFFERS, area, "answer")
    expected, got = (dumps(side, escape_html=False) for side in (judged.expected, judged.got))
    return Finding(signature, ("recorded",), judged.identifier, "answer", expected, got)
