"""Small findings and results, made by hand."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from harness.compare.ruling import Ruling
from harness.findings.finding import Finding, Standing
from harness.findings.result import CaseResult
from harness.findings.signature import Signature

__all__ = ["finding", "following", "result"]


def finding(shape: str = "state.x", subject: str = "new", *, role: str = "", **other: Any) -> Finding:
    """Return a finding by itself in the first step, or as `other` says."""
    ruling, kind = other.pop("ruling", Ruling.DIFFERS), other.pop("kind", "value")
    signature = Signature(subject, other.pop("operation", "apply"), ruling, shape, kind, role)
    return replace(Finding(signature, ("legacy",), "step 1 (apply v1)", shape, "1", "2"), **other)


def following(shape: str, *reasons: Finding, **other: Any) -> Finding:
    """Return a finding that follows from others."""
    digests = tuple(reason.signature.digest for reason in reasons)
    return finding(shape, **{"standing": Standing.FOLLOWS, "follows": digests, **other})


def result(name: str, *findings: Finding, **other: Any) -> CaseResult:
    area, _, _ = name.partition("/")
    return replace(CaseResult(name, name, area, engines=("legacy", "new"), findings=findings), **other)
