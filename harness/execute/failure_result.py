"""The result of a unit that could not be judged: its process died, hung or ran out of memory, or the harness failed.

Such a result has one finding, about the engine that was running at that moment; nothing is known about the others.
Details that differ between equal failures are in the trace only, so that equal failures have equal signatures.
"""

from __future__ import annotations

from typing import Final

from harness.case.case import CaseError, read_case, read_golden
from harness.case.unit import EXPRESSIONS, LANGUAGE, Unit, UnitKind
from harness.compare.ruling import Ruling
from harness.execute.runner import LostUnit
from harness.findings.finding import Finding
from harness.findings.result import CaseResult
from harness.findings.signature import Signature
from harness.play.run_spec import RunSpec
from shared_nodes.flavour import TERRAFORM_1_11

__all__ = ["HARNESS", "failure_result"]

HARNESS: Final = "harness"
"""The subject of the finding if no engine was running."""


def failure_result(unit: Unit, spec: RunSpec, ruling: Ruling, lost: LostUnit) -> CaseResult:
    engines = spec.engines if unit.kind is UnitKind.CASE else (LANGUAGE,)
    subject = lost.engine or (HARNESS if unit.kind is UnitKind.CASE else LANGUAGE)
    shape = lost.message.partition(":")[0] if ruling is Ruling.CRASH else str(ruling)
    finding = Finding(
        Signature(subject, "run", ruling, shape, str(ruling)), (), lost.schedule, "", "an end", lost.message
    )
    description, tags, is_recorded, flavour = _describe_unit(unit, spec)
    return CaseResult(
        unit.identifier,
        unit.path.as_posix(),
        unit.path.parent.name if unit.kind is UnitKind.CASE else EXPRESSIONS,
        description,
        tags,
        engines=engines,
        is_recorded=is_recorded,
        flavour=flavour,
        findings=(finding,),
        changes=tuple(sorted(spec.changes)),
        permissive=spec.permissive,
        mutant=spec.mutant,
        trace=lost.trace,
    )


def _describe_unit(unit: Unit, spec: RunSpec) -> tuple[str, tuple[str, ...], bool, str]:
    """Return the description, the tags, whether there is a recording, and the flavour."""
    flavour = spec.flavour or unit.flavour
    if unit.kind is UnitKind.EXPRESSIONS:
        return f"recorded answers: {unit.path.stem}", (), True, flavour or TERRAFORM_1_11.name
    try:
        case = read_case(unit.path, flavour)
        return case.description, case.tags, read_golden(case, spec.against) is not None, case.flavour
    except CaseError:
        return "", (), False, flavour
