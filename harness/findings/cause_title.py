"""The title of a cause: its heaviest finding in words, and the feature that predicts it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from harness.compare.expectations import EXPECTED
from harness.compare.roles import OTHERWISE
from harness.findings.finding import Finding
from harness.findings.signature import Ruling, Signature

__all__ = ["describe_signature", "title_of"]

_IN_BRACKETS: Final = re.compile(r"(\w+)(?:\.\w+)?\[(.*)\](\.\w+)?")
_DOCUMENTS: Final = {
    "plan": "the plan",
    "state": "the state",
    "plan_summary": "the totals of the plan",
    "apply_summary": "the totals of the apply",
    "plan_events": "while planning",
    "events": "while applying",
    "plan_calls": "provider calls while planning",
    "calls": "provider calls while applying",
    "provider_data": "data of providers in the state",
    "inventory": "the cloud",
}
_PACKAGE: Final = re.compile(r"(?<= in )\S*/(?=[^\s/]+$)")
"""The directories before the function that crashed."""

_LONGEST: Final = 160
_STORY: Final = "story."


def _name(subject: str) -> str:
    """Return the name of an engine as a sentence has it."""
    return subject.removeprefix("recorded:")


def title_of(finding: Finding, predictors: Sequence[str] = ()) -> str:
    """Return one sentence without a full stop: "With a moved block: an object is moved by the baseline, and created by
    new"."""
    where = f"With {_article(predictors[0])}: " if predictors else ""
    text = f"{where}{describe_signature(finding.signature)}"
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."


def _article(feature: str) -> str:
    return f"a {feature}" if feature.endswith(" block") else f"`{feature}`"


def describe_signature(signature: Signature) -> str:
    """Return what differs in words, without a full stop."""
    if signature.ruling is Ruling.INVALID_CASE:
        return f"invalid case: {signature.shape}"
    if signature.ruling is Ruling.CRASH:
        return _of_crash(signature)
    if signature.ruling.is_breakdown:
        return f"{_name(signature.subject)}: {signature.ruling.description}"
    if signature.shape.startswith(("diagnostics", "init.diagnostics")):
        return _of_diagnostics(signature)
    if OTHERWISE in signature.role and signature.shape.startswith("plan.resource_changes"):
        wanted, _, got = signature.role.partition(OTHERWISE)
        return f"the baseline plans {_intention(wanted)}, {_name(signature.subject)} {_intention(got)}"
    if signature.shape.startswith(_STORY):
        return f"{_name(signature.subject)} does not bring the story to a good end ({_words(signature.shape)})"
    if signature.shape.startswith(f"{EXPECTED}."):
        what = signature.shape.removeprefix(f"{EXPECTED}.")
        return f"{_name(signature.subject)} does not do what the case expects ({what})"
    return _of_values(signature)


def _words(shape: str) -> str:
    return shape.removeprefix(_STORY).replace("_", " ")


def _of_crash(signature: Signature) -> str:
    what = _PACKAGE.sub("", _text(signature.shape))
    if signature.kind == "missing":
        return f"the baseline crashes, {_name(signature.subject)} does not: {what}"
    return f"{_name(signature.subject)} crashes: {what}"


def _intention(role: str) -> str:
    return {"none": "nothing", "no-op": "no change"}.get(role, f"to {role}")


def _text(shape: str) -> str:
    match = _IN_BRACKETS.fullmatch(shape)
    return match[2] if match else shape


def _of_diagnostics(signature: Signature) -> str:
    match = _IN_BRACKETS.fullmatch(signature.shape)
    what, part = (match[2], (match[3] or "").lstrip(".")) if match else (signature.shape, "")
    when = "init reports" if signature.shape.startswith("init") else "reports"
    if part:
        missing = "lacks the" if signature.kind == "missing" else "has another"
        return f"{what}: {_name(signature.subject)} {missing} {part}"
    if signature.kind == "missing":
        failing = ", and succeeds where the baseline fails" if signature.ruling is Ruling.ONLY_BASELINE_FAILS else ""
        return f"{_name(signature.subject)} does not report {what}{failing}"
    return f"{_name(signature.subject)}: {when} {what}, which the baseline does not"


def _of_values(signature: Signature) -> str:
    document = re.split(r"[.\[]", signature.shape, maxsplit=1)[0]
    rest = signature.shape[len(document) :].strip(".")
    verb = {"missing": "lacks", "surplus": "has in addition", "order": "does not guarantee"}.get(
        signature.kind, "differs in"
    )
    about = f" of objects to {signature.role}" if signature.role and OTHERWISE not in signature.role else ""
    return (
        f"{_DOCUMENTS.get(document, document)}: {_name(signature.subject)} {verb} {rest.strip('[]') or document}{about}"
    )
