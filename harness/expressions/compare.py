"""Compares two answers to the same line.

There are two degrees of agreement. *Same outcome*: equal value, type and sensitivity, or an error with the same
summary. *Exact*: also every diagnostic, warnings included, with its detail and range, the phase that found it, and the
sensitive parts.
"""

from __future__ import annotations

import base64
import gzip
from collections.abc import Mapping
from enum import StrEnum
from typing import Any

__all__ = ["AnswerAgreement", "compare_answers"]


class AnswerAgreement(StrEnum):
    EXACT = "exact"
    SAME_OUTCOME = "same outcome"
    DIFFERENT = "different"


def compare_answers(expected: Mapping[str, Any], got: Mapping[str, Any]) -> AnswerAgreement:
    if not _same_outcome(expected, got):
        return AnswerAgreement.DIFFERENT
    return AnswerAgreement.EXACT if _same_details(expected, got) else AnswerAgreement.SAME_OUTCOME


def _same_outcome(expected: Mapping[str, Any], got: Mapping[str, Any]) -> bool:
    if "valid" in expected:
        return expected["valid"] == got.get("valid") and _first_summary(expected) == _first_summary(got)
    if "planned" in expected:
        return _same_value(expected["planned"], got.get("planned")) and expected.get("type", got["type"]) == got["type"]
    if "error" in expected:
        return _first_summary(expected) == _first_summary(got)
    for key in ("not_serializable", "ephemeral"):
        if key in expected:
            return bool(expected[key] == got.get(key))
    if expected.get("type") != got.get("type") or expected.get("sensitive") != got.get("sensitive"):
        return False
    if "note" in expected:
        return _same_compressed(expected["value"], got.get("value"))
    return "value_omitted" in expected or _same_value(expected.get("value"), got.get("value"))


def _same_value(expected: Any, got: Any) -> bool:
    """Compare JSON values. Python considers True equal to 1, so types are compared as well."""
    if isinstance(expected, bool) or isinstance(got, bool):
        return expected is got
    if isinstance(expected, list) and isinstance(got, list):
        return len(expected) == len(got) and all(map(_same_value, expected, got))
    if isinstance(expected, dict) and isinstance(got, dict):
        return expected.keys() == got.keys() and all(_same_value(expected[key], got[key]) for key in expected)
    return bool(expected == got)


def _same_compressed(expected: str, got: Any) -> bool:
    return isinstance(got, str) and _unpacked(expected) == _unpacked(got)


def _unpacked(text: str) -> bytes:
    return gzip.decompress(base64.b64decode(text))


def _problems(answer: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    if "diagnostics" in answer:
        return list(answer["diagnostics"])
    return list(answer.get("errors") or ([answer["error"]] if "error" in answer else []))


def _first_summary(answer: Mapping[str, Any]) -> str | None:
    found = _problems(answer)
    return found[0]["summary"] if found else None


def _same_details(expected: Mapping[str, Any], got: Mapping[str, Any]) -> bool:
    if expected.get("sensitive_paths") != got.get("sensitive_paths"):
        return False
    if _as_set(expected.get("warnings", [])) != _as_set(got.get("warnings", [])):
        return False
    if expected.get("phase") != got.get("phase") or expected.get("syntax") != got.get("syntax"):
        return False
    if expected.get("panic"):
        return str(got["error"]["detail"]).startswith(expected["error"]["detail"])
    return _as_set(_problems(expected)) == _as_set(_problems(got))


def _as_set(found: list[Mapping[str, Any]]) -> set[str]:
    return {repr(sorted(problem.items(), key=lambda item: item[0])) for problem in found}
