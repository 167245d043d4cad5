"""A run as SARIF 2.1.0, which shows a divergence on the line of the configuration that causes it.

A rule is a signature: a new divergence is a new rule, and two hundred cases of one bug are two hundred results of one
rule. Results are identified by signature and case, not by line, so that an edit further up does not make an old
divergence new. Documented divergences are included, but suppressed. GitHub accepts at most 5,000 results: new ones come
first, and the rest is counted.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any, Final
from urllib.parse import quote

from harness.findings.finding import Finding, leading
from harness.findings.result import CaseResult
from harness.findings.run import Group, Run
from harness.findings.run_comparison import Comparison, compare_runs
from harness.findings.signature import Ruling, Signature
from reports.run.screen import case_screen, reproduction_line
from reports.run.source_lines import find_source_lines, read_evidence
from reports.visible import shortened, visible, visible_line

__all__ = ["MOST_RESULTS", "sarif"]

MOST_RESULTS: Final = 5_000
_SCHEMA: Final = "https://json.schemastore.org/sarif-2.1.0.json"
_LONGEST: Final = 1_000
_LEVELS: Final = {Ruling.NOISE: "warning", Ruling.FLAKY: "warning", Ruling.NOT_RUN: "note"}
_CASE_FILE: Final = "case.yaml"
_MOST_GONE: Final = 100


def sarif(run: Run, before: Run | None = None) -> str:
    """Return the SARIF text. `before` is an earlier run: each result says whether it was already present then.

    Findings that are gone become notifications, not results: GitHub does not know absent results and would display
    them.
    """
    earlier = _known_earlier(before)
    found = [(result, finding) for result in run.results for finding in leading(result.findings)]
    found.sort(key=lambda each: bool(each[1].known))
    groups = {group.signature: group for group in reversed(run.groups)}
    rules = [_rule(groups[signature]) for signature in sorted(groups)]
    numbers = {signature: number for number, signature in enumerate(sorted(groups))}
    results = [
        {**_result(result, finding, numbers[finding.signature]), **_state(result, finding, earlier)}
        for result, finding in found[:MOST_RESULTS]
    ]
    since = None if before is None else compare_runs(before, run)
    tree = {
        "$schema": _SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": {**_driver(run), "rules": rules}},
                "columnKind": "unicodeCodePoints",
                "invocations": [_invocation(run, len(found) - len(results), since)],
                "results": results,
            }
        ],
    }
    return json.dumps(tree, indent=1) + "\n"


def _driver(run: Run) -> dict[str, str]:
    version = run.header.get("version", "")
    return {"name": "diffharness", **({"version": visible_line(version)} if version else {})}


def _known_earlier(before: Run | None) -> dict[tuple[str, Signature], str] | None:
    """Map case and signature to the entry of known.yaml, which is empty if the finding was not documented."""
    if before is None:
        return None
    return {
        (result.identifier, finding.signature): finding.known
        for result in before.results
        for finding in leading(result.findings)
    }


def _state(result: CaseResult, finding: Finding, earlier: Mapping[tuple[str, Signature], str] | None) -> dict[str, str]:
    if earlier is None:
        return {}
    was = earlier.get((result.identifier, finding.signature))
    return {"baselineState": "new" if was is None else "unchanged" if was == finding.known else "updated"}


def _invocation(run: Run, left_out: int, since: Comparison | None) -> dict[str, Any]:
    """Report what fails a run without being a result of a case, and what is no longer found."""
    notes = [f"{stale.place}: {stale.entry}: {stale.problem}" for stale in run.stale]
    if not run.is_complete:
        notes.append(f"{run.planned - len(run.results)} of {run.planned} cases were not run")
    if left_out:
        notes.append(f"{left_out} more results do not fit here")
    shown = [{"level": "error", "message": {"text": visible_line(note)}} for note in notes]
    gone = () if since is None else since.gone[:_MOST_GONE]
    shown += [{"level": "note", "message": {"text": _describe_gone(group)}} for group in gone]
    return {"executionSuccessful": run.is_complete, **({"toolExecutionNotifications": shown} if shown else {})}


def _describe_gone(group: Group) -> str:
    return visible_line(f"gone: {shortened(str(group.signature), _LONGEST)}, which was in {group.smallest.identifier}")


def _rule(group: Group) -> dict[str, Any]:
    signature = group.signature
    text = visible_line(shortened(str(signature), _LONGEST))
    return {
        "id": signature.digest,
        "name": visible_line(f"{signature.subject}/{signature.operation}/{signature.ruling}"),
        "shortDescription": {"text": text},
        "help": {"text": f"{text}\nThe smallest case: {reproduction_line(group.smallest)}"},
        "defaultConfiguration": {"level": _LEVELS.get(signature.ruling, "error")},
        "properties": {"tags": list(dict.fromkeys([str(signature.ruling), visible_line(signature.kind)]))},
    }


def _result(result: CaseResult, finding: Finding, rule: int) -> dict[str, Any]:
    digest = finding.signature.digest
    name = visible_line(result.identifier)
    justification = visible_line(finding.known)
    return {
        "ruleId": digest,
        "ruleIndex": rule,
        "level": "note" if finding.known else _LEVELS.get(finding.signature.ruling, "error"),
        "message": {"text": visible(shortened(case_screen(result), 4 * _LONGEST)).expandtabs(4)},
        "locations": list(_locations(result)),
        "partialFingerprints": {"signature/v1": digest, "primaryLocationLineHash": f"{digest}:{name}"},
        **({"suppressions": [{"kind": "external", "justification": justification}]} if finding.known else {}),
    }


def _locations(result: CaseResult) -> Iterable[dict[str, Any]]:
    """Yield one location: results with several are displayed several times. If no line is known, it is the file that
    describes the case."""
    evidence = read_evidence(result)
    lines = find_source_lines(result, evidence)
    name, line = lines[0] if lines else (_describing_file(evidence.files), 1)
    path = f"{result.path}/{name}" if name else result.path
    where = {"artifactLocation": {"uri": _uri(path)}, "region": {"startLine": line}}
    yield {"physicalLocation": where, "logicalLocations": [{"fullyQualifiedName": visible_line(result.identifier)}]}


def _describing_file(files: Iterable[str]) -> str:
    names = sorted(files)
    return _CASE_FILE if _CASE_FILE in names else next(iter(names), "")


def _uri(path: str) -> str:
    """Encode a path as a URI reference of RFC 3986. A name that starts like a scheme must not be read as one."""
    text = quote(path, safe="/", errors="surrogatepass")
    return f"file://{text}" if text.startswith("/") else text
