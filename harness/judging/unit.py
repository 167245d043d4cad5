"""What a run consists of: units of work, each of which comes to one result, in whatever process it is done.

A unit is a case, or a file of expressions with their recorded answers. All that decides about its result beside itself
is in the `Settings` of the run: both are plain data, so that a worker on another machine needs nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final

from harness.expressions.compare import AnswerAgreement as Answered
from harness.expressions.corpus import AreaResult, JudgedLine, find_corpora, judge_file
from harness.judging.evidence import evidence_of, film_of
from harness.judging.explanation import explain
from harness.judging.finding import Finding, findings_of
from harness.judging.result import CaseResult
from harness.judging.ruling import Ruling
from harness.judging.secrets import Secrets, secrets_of
from harness.judging.signature import Signature
from harness.mutants.activation import mutated
from harness.scenarios.case import find_cases
from harness.scenarios.judge import PATIENCE_S, Agreement, CaseVerdict, judge_engines
from harness.scenarios.way import Way
from harness.stories.plain import find_plain
from harness.trust import may_execute
from shared_nodes.flavour import FLAVOURS, TERRAFORM_1_11
from shared_nodes.values.json import dumps

__all__ = ["Settings", "Sort", "Unit", "case_result", "find_units", "judge_unit"]

EXPRESSIONS: Final = "expressions"
LANGUAGE: Final = "language"
"""What expressions are asked of: all engines share it."""


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

    trusted: tuple[Path, ...] = ()
    """Directories whose cases may run commands and real binaries: `harness.trust.trusted_directories`."""

    changes: frozenset[str] = frozenset()
    """Intended changes, made by every engine that knows them."""

    again: tuple[Way, ...] = ()
    """Ways in which the baseline runs as well: what differs there is noise."""

    timeout_s: float = PATIENCE_S
    """Of one run of a case: by one engine, in one way."""

    permissive: tuple[str, ...] = ()
    """Providers that another stands in for, in every case: as `--permissive` names them."""

    mutant: str = ""
    """The mistake that is put into an engine: an identifier of `harness.mutants.catalogue`."""


def find_units(paths: Iterable[Path]) -> list[Unit]:
    """Everything at or below the paths: expressions first, then cases, each sorted. Below a path that has neither,
    each configuration is a case by itself (harness/stories/plain.py)."""
    paths = list(paths)
    files = [file for corpus in find_corpora(paths) for file in sorted(corpus.glob("*.jsonl"))]
    plain = (case for path in paths if not find_corpora([path]) and not find_cases([path]) for case in find_plain(path))
    cases = dict.fromkeys([*find_cases(paths), *plain])
    return [Unit(Sort.EXPRESSIONS, file) for file in files] + [Unit(Sort.CASE, case) for case in cases]


def judge_unit(
    unit: Unit, settings: Settings, on_run: Callable[[str, Way], None] = lambda _engine, _way: None
) -> CaseResult:
    """`on_run` is told before each run of an engine: whoever watches from another process then knows whom to blame."""
    with mutated(settings.mutant):
        return _judged_case(unit, settings, on_run) if unit.sort is Sort.CASE else _judged_expressions(unit, settings)


def _judged_case(unit: Unit, settings: Settings, on_run: Callable[[str, Way], None]) -> CaseResult:
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
    return case_result(unit, settings, verdict)


def case_result(unit: Unit, settings: Settings, verdict: CaseVerdict) -> CaseResult:
    """What is kept of a verdict: explained, and without anything that is sensitive."""
    findings = findings_of(verdict)
    secrets = secrets_of(unit.path, verdict.courses) if findings or verdict.faked else Secrets()
    findings = [secrets.masked_finding(found) for found in explain(unit.path, verdict, findings)]
    return CaseResult(
        unit.identifier,
        unit.path.as_posix(),
        unit.path.parent.name,
        secrets.masked(verdict.description),
        verdict.tags,
        settings.engines,
        verdict.is_recorded,
        agrees=tuple(
            name for name, one in verdict.of.items() if verdict.is_recorded and one.agreement is Agreement.AGREES
        ),
        equal=tuple(name for name, one in verdict.between.items() if one.agreement is Agreement.AGREES),
        not_run={name: one.reason for name, one in verdict.of.items() if one.agreement is Agreement.NOT_RUN},
        findings=tuple(findings),
        faked=tuple(map(secrets.masked, verdict.faked)),
        changes=tuple(sorted(settings.changes)),
        permissive=settings.permissive,
        mutant=settings.mutant,
        normalised=verdict.normalised,
        evidence=evidence_of(unit.path, verdict.courses, findings, secrets) if findings else "",
        film=film_of(unit.path, secrets) if findings else "",
        runs={name: one.runs for name, one in verdict.of.items()},
        elapsed_s={name: one.elapsed_s for name, one in verdict.of.items()},
        trace=secrets.masked("\n".join(one.trace for one in verdict.of.values() if one.trace)),
    )


def _judged_expressions(unit: Unit, settings: Settings) -> CaseResult:
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
        findings=tuple(_answered_wrong(area.area, judged) for judged in different),
        runs={LANGUAGE: 1},
    )


def _answered_wrong(area: str, judged: JudgedLine) -> Finding:
    signature = Signature(LANGUAGE, "eval", Ruling.DIFFERS, area, "answer")
    expected, got = (dumps(side, escape_html=False) for side in (judged.expected, judged.got))
    return Finding(signature, ("recorded",), judged.identifier, "answer", expected, got)
