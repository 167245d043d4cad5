"""From a verdict to the result that is recorded: findings, explained, with everything sensitive masked."""

from __future__ import annotations

from harness.case.unit import Unit
from harness.compare.verdict import Agreement, CaseVerdict
from harness.findings.evidence import evidence_of, film_of
from harness.findings.explanations.explain import explain
from harness.findings.finding import findings_of
from harness.findings.result import CaseResult
from harness.findings.secrets.masking import Secrets, secrets_of
from harness.play.run_spec import RunSpec

__all__ = ["build_result"]


def build_result(unit: Unit, settings: RunSpec, verdict: CaseVerdict) -> CaseResult:
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
