"""A run as the published JSON, described by `run.schema.json`.

The same run gives the same bytes: start time, duration and number of processes are not included. Evidence is not
included either; it is in the directory of the run and in the HTML report.
"""

from __future__ import annotations

from collections import Counter
from typing import Any, Final

from harness.findings.causes import Cause
from harness.findings.feature_outcomes import FeatureOutcomes, count_features
from harness.findings.finding import Finding
from harness.findings.headline import headline
from harness.findings.missing_modules import cases_by_source
from harness.findings.reproduction import reproduction
from harness.findings.result import CaseResult, result_to_json
from harness.findings.run import Group, Run
from harness.findings.run_comparison import Comparison
from harness.findings.signature import Ruling
from reports.run.cause_status import task_of
from reports.run.comparison import CASE_CHANGES
from reports.run.impacts import IMPACTS, count_impacts, impact_of
from reports.run.repositories import repositories_document

__all__ = ["FORMAT", "cause_document", "run_document"]

FORMAT: Final = 2
"""2: causes are ordered by weight, whether or not they are documented; `headline`, `impacts`, `task`, `reproduce` and
`compared` are new. docs/reports.md says what a reader of format 1 has to change."""

VOLATILE_FACTS: Final = ("command", "jobs", "started", "finished", "elapsed", "runner", "shard")
"""Facts of the header that may differ between two runs with equal results."""

_OMITTED: Final = (
    "format",
    "evidence",
    "film",
    "elapsed_s",
    "step_s",
    "case_s",
    "binaries_s",
    "attempts",
    "trace",
    "findings",
    "repeated",
    "first_schedule",
)


def run_document(run: Run, since: Comparison | None = None) -> dict[str, Any]:
    """Return the document. `since` has the changes since an earlier run, if one was given."""
    normalised = Counter[str]()
    for result in run.results:
        normalised.update(result.normalised)
    impacts = count_impacts(run)
    smallest = {cause.smallest for cause in run.causes}
    reproductions = {each.identifier: reproduction(each) for each in run.results if each.identifier in smallest}
    return {
        "format": FORMAT,
        "header": {name: text for name, text in run.header.items() if name not in VOLATILE_FACTS},
        "engines": list(run.engines),
        "exit_status": run.exit_status,
        "headline": headline(run),
        "cases": {
            "planned": run.planned,
            "run": len(run.results),
            "rulings": {str(ruling): run.rulings.get(ruling, 0) for ruling in Ruling},
            "impacts": {name: impacts.get(name, 0) for name in IMPACTS},
            "flavours": {
                flavour: {"run": len(results), "equal": sum(result.ruling is Ruling.EQUAL for result in results)}
                for flavour, results in run.by_flavour.items()
                if flavour
            },
        },
        "causes": [{**cause_document(cause), "reproduce": reproductions[cause.smallest]} for cause in run.causes],
        "features": [_feature(row) for row in count_features(run.results, run.candidates)],
        "groups": [_group(group) for group in run.groups],
        **({"repositories": repositories_document(run)} if run.by_repository else {}),
        "missing_modules": [
            {"source": source, "cases": list(cases)} for source, cases in cases_by_source(run.results).items()
        ],
        "known": [
            {"entry": entry, "class": category, "cases": run.documented.get(entry, 0)}
            for entry, category in sorted(run.classes.items())
        ],
        "stale": [{"entry": stale.entry, "place": stale.place, "problem": stale.problem} for stale in run.stale],
        "normalised": dict(sorted(normalised.items())),
        "results": [_result(result, impact_of(result, run.candidates)) for result in run.results],
        **({} if since is None else {"since": _changes_since(since)}),
    }


def _changes_since(comparison: Comparison) -> dict[str, Any]:
    """Return the changes. Current groups are identified by digest; groups that are gone are included as a whole."""
    return {
        "new": [group.signature.digest for group in comparison.new],
        "gone": [_group(group) for group in comparison.gone],
        "changed": [
            {"digest": group.signature.digest, "before": before, "now": now}
            for group, before, now in comparison.changed
        ],
        "new_causes": [cause.identifier for cause in comparison.new_causes],
        "gone_causes": [cause_document(cause) for cause in comparison.gone_causes],
        **{name: list(getattr(comparison, name)) for name in CASE_CHANGES},
    }


def cause_document(cause: Cause) -> dict[str, Any]:
    return {
        "id": cause.identifier,
        "title": cause.title,
        "class": cause.category,
        "known": cause.known,
        "weight": int(cause.weight),
        "severity": cause.weight.description,
        "task": str(task_of(cause)),
        "cases": list(cause.cases),
        "smallest": cause.smallest,
        "features": list(cause.features),
        "signatures": [str(signature) for signature in cause.signatures],
        "consequences": [str(signature) for signature in cause.consequences],
    }


def _feature(row: FeatureOutcomes) -> dict[str, Any]:
    return {"name": row.name, "cases": row.cases, **{str(outcome): count for outcome, count in row.counts.items()}}


def _group(group: Group) -> dict[str, Any]:
    signature = group.signature
    return {
        "signature": str(signature),
        "digest": signature.digest,
        "subject": signature.subject,
        "operation": signature.operation,
        "ruling": str(signature.ruling),
        "shape": signature.shape,
        "kind": signature.kind,
        "role": signature.role,
        "weight": int(group.example.weight),
        "known": group.known,
        "smallest": group.smallest.identifier,
        "reproduce": reproduction(group.smallest),
        "cases": sorted(case.identifier for case in group.cases),
    }


def _result(result: CaseResult, impact: str) -> dict[str, Any]:
    tree = {name: value for name, value in result_to_json(result).items() if name not in _OMITTED}
    findings = [_finding(finding) for finding in result.findings]
    return {**tree, "ruling": str(result.ruling), "impact": impact, **({"findings": findings} if findings else {})}


def _finding(finding: Finding) -> dict[str, Any]:
    return {
        "signature": str(finding.signature),
        "digest": finding.signature.digest,
        "ruling": str(finding.signature.ruling),
        "subject": finding.signature.subject,
        "against": list(finding.against),
        "place": finding.place,
        "field": finding.field,
        "expected": finding.expected,
        "got": finding.got,
        "is_detail": finding.is_detail,
        "explanation": list(finding.explanation),
        "standing": str(finding.standing),
        "follows": list(finding.follows),
        "count": finding.count,
        "known": finding.known,
    }
