"""The result of a unit that nobody came to judge: its process ended, hung or ran out of memory, or the judge broke.

Such a result has one finding, about the engine that was running at that moment; nothing is known of the others. What
differs from one breakdown to the next of the same kind is in its trace, so that equal breakdowns are equal.
"""

from __future__ import annotations

from typing import Final

from harness.execute.runner import LostUnit
from harness.judging.finding import Finding
from harness.judging.result import CaseResult
from harness.judging.ruling import Ruling
from harness.judging.signature import Signature
from harness.judging.unit import EXPRESSIONS, LANGUAGE, Settings, Sort, Unit
from harness.scenarios.case import CaseError, read_case, read_golden

__all__ = ["HARNESS", "failure_result"]

HARNESS: Final = "harness"
"""The subject of a breakdown while no engine was running."""


def failure_result(unit: Unit, settings: Settings, ruling: Ruling, found: LostUnit) -> CaseResult:
    engines = settings.engines if unit.sort is Sort.CASE else (LANGUAGE,)
    subject = found.engine or (HARNESS if unit.sort is Sort.CASE else LANGUAGE)
    shape = found.told.partition(":")[0] if ruling is Ruling.CRASH else str(ruling)
    finding = Finding(Signature(subject, "run", ruling, shape, str(ruling)), (), found.way, "", "an end", found.told)
    description, tags, is_recorded = _known_of(unit)
    return CaseResult(
        unit.identifier,
        unit.path.as_posix(),
        unit.path.parent.name if unit.sort is Sort.CASE else EXPRESSIONS,
        description,
        tags,
        engines,
        is_recorded,
        findings=(finding,),
        changes=tuple(sorted(settings.changes)),
        permissive=settings.permissive,
        mutant=settings.mutant,
        trace=found.trace,
    )


def _known_of(unit: Unit) -> tuple[str, tuple[str, ...], bool]:
    if unit.sort is Sort.EXPRESSIONS:
        return f"recorded answers: {unit.path.stem}", (), True
    try:
        case = read_case(unit.path)
        return case.description, case.tags, read_golden(case) is not None
    except CaseError:
        return "", (), False
