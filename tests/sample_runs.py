"""Fake runs for tests of reports: cases with and without findings, and evidence in the form that a run keeps."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any, Final

from harness.compare.ruling import Ruling
from harness.findings.finding import Finding
from harness.findings.result import CaseResult
from harness.findings.run import Run, Stale
from harness.findings.signature import Signature

MAIN: Final = 'resource "terraform_data" "a" {\n  input = "x" # why\n}\n'
ORDER: Final = {"effects": [["terraform_data.a", "create"], ["terraform_data.b", "create"]], "before": [[0, 1]]}
EVIDENCE: Final = json.dumps(
    {
        "files": {"case.yaml": "steps: []\n", "v1/main.tf": MAIN},
        "courses": {
            "legacy": {"validate v1": {"ok": True}, "step 1 (apply v1)": {"config": "v1", "ok": True, "order": ORDER}},
            "new": {
                "validate v1": {"ok": True},
                "step 1 (apply v1)": {"config": "v1", "ok": True, "order": {**ORDER, "before": []}},
            },
        },
    }
)


def finding(shape: str = "plan.actions", ruling: Ruling = Ruling.DIFFERS, **other: Any) -> Finding:
    signature = Signature("new", "apply", ruling, shape, "value")
    found = Finding(
        signature, ("legacy",), "step 1 (apply v1)", "plan terraform_data.a: actions", '"create"', '"no-op"'
    )
    return replace(found, **other)


def result(name: str, *findings: Finding, **other: Any) -> CaseResult:
    found = CaseResult(
        name,
        f"corpus/{name}",
        name.partition("/")[0],
        "it protects something",
        engines=("legacy", "new"),
        equal=() if findings else ("new",),
        findings=findings,
        evidence=EVIDENCE if findings else "",
        runs={"legacy": 2, "new": 1},
        elapsed_s={"legacy": 0.25, "new": 0.25},
    )
    return replace(found, **other)


def run_of(*results: CaseResult, **other: Any) -> Run:
    ordered = tuple(sorted(results, key=lambda each: each.identifier))
    return replace(Run({"seed": "7"}, ("legacy", "new"), ordered, planned=len(ordered)), **other)


MIXED: Final = run_of(
    result("a/equal"),
    result("a/one", finding(explanation=("It is so.", "new did another thing."))),
    result("a/two", finding(), evidence=EVIDENCE + " "),
    result("b/crash", finding("KeyError in new_engine/x.py:f", Ruling.CRASH, got="Traceback\nKeyError: 1")),
    result("b/known", finding("state.x", known="K1")),
    result("b/skipped", not_run={"legacy": "no", "new": "no"}, equal=()),
    result("expressions/paths", engines=("language",)),
    stale=(Stale("K2", "known.yaml:9", "does not show it any more"),),
    classes={"K1": "bug", "K2": "change"},
    titles={"K1": "it is kept so"},
)
