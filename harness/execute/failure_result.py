"""The result of a unit that could not be judged: its process died, hung or ran out of memory, or the harness failed.

Such a result has one finding, about the engine that was running at that moment; nothing is known about the others.
Details that differ between equal failures are in the trace only, so that equal failures have equal signatures. No file
of the unit is opened: what has just brought a process down must not do it to this one.
"""

from __future__ import annotations

from harness.case.unit import LANGUAGE, Unit, UnitKind
from harness.compare.ruling import Ruling
from harness.execute.runner import LostUnit, UnitFacts
from harness.findings.finding import Finding
from harness.findings.result import HARNESS, CaseResult
from harness.findings.signature import Signature, limited_shape
from harness.play.run_spec import RunSpec
from shared_nodes.flavour import TERRAFORM_1_11

__all__ = ["HARNESS", "failure_result"]


def failure_result(unit: Unit, spec: RunSpec, ruling: Ruling, lost: LostUnit) -> CaseResult:
    engines = spec.engines if unit.kind is UnitKind.CASE else (LANGUAGE,)
    subject = lost.engine or (HARNESS if unit.kind is UnitKind.CASE else LANGUAGE)
    shape = limited_shape(lost.message.partition(":")[0]) if ruling is Ruling.CRASH else str(ruling)
    finding = Finding(
        Signature(subject, "run", ruling, shape, str(ruling)),
        (),
        lost.schedule,
        "",
        "an end",
        lost.message,
    )
    facts = lost.facts if unit.kind is UnitKind.CASE else _facts_of_expressions(unit, spec)
    return CaseResult(
        unit.identifier,
        unit.path.as_posix(),
        unit.area,
        facts.description,
        facts.tags,
        engines=engines,
        is_recorded=facts.is_recorded,
        flavour=facts.flavour or spec.flavour or unit.flavour,
        repository=unit.repository,
        findings=(finding,),
        changes=tuple(sorted(spec.changes)),
        permissive=spec.permissive,
        mutant=spec.mutant,
        trace=lost.trace,
    )


def _facts_of_expressions(unit: Unit, spec: RunSpec) -> UnitFacts:
    flavour = spec.flavour or unit.flavour or TERRAFORM_1_11.name
    return UnitFacts(f"recorded answers: {unit.path.stem}", is_recorded=True, flavour=flavour)
