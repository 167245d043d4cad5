"""From a verdict to the result that is recorded: findings, explained, with everything sensitive masked."""

from __future__ import annotations

from harness.case.case import Case
from harness.case.features import features_of
from harness.case.unit import Unit
from harness.compare.ruling import Ruling
from harness.compare.verdict import CaseVerdict
from harness.findings.building.evidence import evidence_of, read_history
from harness.findings.case_findings import findings_of
from harness.findings.explanations.explain import explain
from harness.findings.result import CaseResult
from harness.findings.secrets.masking import Secrets, secrets_of
from harness.play.run_spec import RunSpec

__all__ = ["build_result"]


def build_result(unit: Unit, case: Case | None, spec: RunSpec, verdict: CaseVerdict) -> CaseResult:
    """Return what is recorded of a verdict. `case` is None where it could not be read."""
    findings = findings_of(verdict)
    observations = verdict.observations if findings else {}
    secrets = secrets_of(case, observations) if findings or verdict.faked else Secrets()
    findings = secrets.masked_findings(explain(case, verdict, findings))
    return CaseResult(
        identifier=unit.identifier,
        path=unit.path.as_posix(),
        area=unit.path.parent.name,
        description=secrets.masked(verdict.description),
        tags=verdict.tags,
        features=() if case is None else features_of(case),
        engines=spec.engines,
        is_recorded=verdict.is_recorded,
        flavour="" if case is None else case.flavour,
        agrees=tuple(
            name
            for name, one in verdict.of.items()
            if verdict.is_recorded and one.ruling is Ruling.EQUAL and name not in verdict.strangers
        ),
        equal=tuple(name for name, one in verdict.between.items() if one.ruling is Ruling.EQUAL),
        not_run={name: one.reason for name, one in verdict.of.items() if one.ruling is Ruling.NOT_RUN},
        findings=tuple(findings),
        faked=tuple(map(secrets.masked, verdict.faked)),
        changes=tuple(sorted(spec.changes)),
        permissive=spec.permissive,
        mutant=spec.mutant,
        prelude="" if spec.prelude is None or case is None or not case.prelude else spec.prelude.option,
        varies={name: tuple(map(secrets.masked, texts)) for name, texts in verdict.varies.items()},
        normalised=verdict.normalised,
        evidence=evidence_of(unit.path, case, observations, findings, secrets) if findings else "",
        reduction_history=read_history(unit.path, secrets) if findings else "",
        runs={name: one.runs for name, one in verdict.of.items()},
        elapsed_s={name: one.elapsed_s for name, one in verdict.of.items()},
        binaries_s=verdict.binaries_s,
        trace=secrets.masked("\n".join(one.trace for one in verdict.of.values() if one.trace)),
    )
