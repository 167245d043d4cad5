"""From a verdict to the result that is recorded: findings, explained, with everything sensitive masked."""

from __future__ import annotations

import os
from collections.abc import Collection

from harness.case.case import Case
from harness.case.features import features_of
from harness.case.given import VALUE_FILE
from harness.case.unit import Unit
from harness.compare.ruling import Ruling
from harness.compare.verdict import CaseVerdict
from harness.findings.building.compared import count_compared
from harness.findings.building.evidence import evidence_of, read_files, read_history
from harness.findings.building.limits import limited_finding, limited_text
from harness.findings.building.story_failure import describe_failure
from harness.findings.case_findings import findings_of
from harness.findings.explanations.explain import explain
from harness.findings.result import CaseResult
from harness.findings.secrets.masking import HIDDEN, Secrets, secrets_of
from harness.play.run_spec import RunSpec
from shared_nodes.values.json import loads

__all__ = ["build_result"]


def _needed_options(case: Case, spec: RunSpec) -> tuple[str, ...]:
    """Return the options that a command needs which runs this case alone: its modules may be outside of it, and values
    were given or chosen for its variables."""
    if case.plain is None or case.has_file:
        return ()
    values = case.plain.values.chosen_texts
    return (
        *(word for kind, text in spec.values for word in _value_option(kind, text, case.plain.values.secret)),
        *(("--include", os.path.relpath(case.plain.root)) if case.plain.leads_out else ()),
        *(word for name, text in values.items() for word in ("--var", f"{name}={_as_option(text)}")),
    )


def _value_option(kind: str, text: str, secret: Collection[str]) -> tuple[str, str]:
    if kind == VALUE_FILE:
        return "--var-file", text
    name = text.partition("=")[0].strip()
    return "--var", f"{name}={HIDDEN}" if name in secret else text


def _as_option(text: str) -> str:
    """Return JSON as the value of `--var`: a text is given without quotes."""
    value = loads(text)
    return value if isinstance(value, str) else text


def build_result(unit: Unit, case: Case | None, spec: RunSpec, verdict: CaseVerdict) -> CaseResult:
    """Return what is recorded of a verdict. `case` is None where it could not be read."""
    findings = findings_of(verdict)
    failure = _failure(unit, case, spec, verdict)
    observations = verdict.observations if findings or failure else {}
    secrets = secrets_of(case, observations) if findings or verdict.faked or failure else Secrets()
    findings = secrets.masked_findings(explain(case, verdict, findings))
    return CaseResult(
        identifier=unit.identifier,
        path=unit.path.as_posix(),
        area=unit.area,
        repository=unit.repository,
        description=limited_text(secrets.masked(verdict.description)),
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
        missing_modules=() if case is None or case.plain is None else case.plain.modules.missing_sources,
        given_values=() if case is None or case.plain is None else tuple(case.plain.values.given),
        chosen_values={} if case is None or case.plain is None else case.plain.values.chosen_texts,
        findings=tuple(map(limited_finding, findings)),
        failure=limited_text(secrets.masked(failure)),
        faked=tuple(map(secrets.masked, verdict.faked)),
        changes=tuple(sorted(spec.changes)),
        permissive=spec.permissive,
        mutant=spec.mutant,
        prelude="" if spec.prelude is None or case is None or not case.prelude else spec.prelude.option,
        varies={name: tuple(map(secrets.masked, texts)) for name, texts in verdict.varies.items()},
        normalised=verdict.normalised,
        repeated=() if case is None else _needed_options(case, spec),
        evidence=evidence_of(unit.path, case, observations, findings, secrets) if findings else "",
        reduction_history=read_history(unit.path, secrets) if findings else "",
        runs={name: one.runs for name, one in verdict.of.items()},
        elapsed_s={name: one.elapsed_s for name, one in verdict.of.items()},
        binaries_s=verdict.binaries_s,
        compared=count_compared(verdict),
        step_s={name: {place: round(time_s, 4) for place, time_s in of.items()} for name, of in verdict.step_s.items()},
        trace=limited_text(secrets.masked("\n".join(one.trace for one in verdict.of.values() if one.trace))),
    )


def _failure(unit: Unit, case: Case | None, spec: RunSpec, verdict: CaseVerdict) -> str:
    """Return why a configuration alone came to no good end, unless that is a finding in this run."""
    if case is None or case.plain is None or spec.expect_success:
        return ""
    return describe_failure(verdict, read_files(unit.path, case))
