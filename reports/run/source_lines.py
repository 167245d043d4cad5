"""Which lines of a case's files its findings are about, as far as evidence tells.

Three things name a line: an explanation, which quotes `main.tf:12,3`; a diagnostic only one side has; and the name of
an object or an output, which leads to the block that declares it. The first that names any is believed, in that order.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from harness.findings.finding import Finding, leading
from harness.findings.result import CaseResult
from shared_nodes.values.json import JsonError, JsonNumber, Tree, dumps, loads

__all__ = ["CaseEvidence", "evidence_in", "guilty_lines"]

_QUOTED: Final = re.compile(r"\bat ([^\s:,]+):(\d{1,9}),\d+", re.IGNORECASE)
_NAMED: Final = re.compile(
    r"""
        \boutput(?:s|_changes)\.([A-Za-z_][A-Za-z0-9_-]*)
      | (?:\b(data|managed)[. ])?\b([a-z][a-z0-9]*_[a-z0-9_]+)[. ]([A-Za-z_][A-Za-z0-9_-]*)
    """,
    re.VERBOSE,
)
"""An output in a document, or an object: `data.null_data.a`, or `managed terraform_data a` as states are told of."""

_MOST_BLOCKS: Final = 8
_SEARCHED: Final = 20_000
"""Characters."""

SourceLine = tuple[str, int]
"""A file of the case, and a line of it."""


@dataclass(frozen=True)
class CaseEvidence:
    """Not slotted, so that what is looked up is looked up once."""

    files: Mapping[str, str]
    courses: Mapping[str, Mapping[str, Mapping[str, Tree]]]
    graphs: Mapping[str, Mapping[str, str]]

    @cached_property
    def places(self) -> tuple[str, ...]:
        """Of all courses, in the order of the case."""
        return tuple(dict.fromkeys(place for course in self.courses.values() for place in course))

    def at(self, name: str, place: str) -> Mapping[str, Tree]:
        return self.courses.get(name, {}).get(place, {})


def evidence_in(result: CaseResult) -> CaseEvidence:
    """A run's directory may come from a stranger: what is not of the form evidence has counts as none."""
    try:
        tree: Any = loads(result.evidence) if result.evidence else {}
    except JsonError:
        tree = {}
    tree = tree if isinstance(tree, dict) else {}
    return CaseEvidence(
        {name: text for name, text in _object(tree.get("files")).items() if isinstance(text, str)},
        {
            name: {place: seen for place, seen in _object(course).items() if isinstance(seen, dict)}
            for name, course in _object(tree.get("courses")).items()
        },
        {
            place: {name: text for name, text in _object(texts).items() if isinstance(text, str)}
            for place, texts in _object(tree.get("graphs")).items()
        },
    )


def _object(tree: Any) -> dict[str, Any]:
    return tree if isinstance(tree, dict) else {}


def guilty_lines(result: CaseResult, evidence: CaseEvidence) -> list[SourceLine]:
    """Lines that are there, each once; those of what came first before others. Empty where nothing names one."""
    findings = leading(result.open_findings or result.findings)
    for search in (_explained, _diagnosed, _declared):
        found = dict.fromkeys(line for finding in findings for line in search(finding, evidence))
        existing = [(name, line) for name, line in found if _has_line(evidence.files.get(name), line)]
        if existing:
            return existing
    return []


def _has_line(text: str | None, line: int) -> bool:
    return text is not None and 1 <= line <= text.count("\n") + 1


def _explained(finding: Finding, evidence: CaseEvidence) -> Iterator[SourceLine]:
    for sentence in finding.explanation:
        for match in _QUOTED.finditer(sentence):
            yield _file(evidence, finding, match[1]), int(match[2])


def _diagnosed(finding: Finding, evidence: CaseEvidence) -> Iterator[SourceLine]:
    """Of diagnostics that not all sides have."""
    sides = [_diagnostics(evidence.at(name, finding.place)) for name in (finding.signature.subject, *finding.against)]
    everywhere = set.intersection(*(set(side) for side in sides))
    for side in sides:
        for text, diagnostic in side.items():
            line = _line(diagnostic)
            if text not in everywhere and line is not None:
                yield _file(evidence, finding, line[0]), line[1]


def _diagnostics(observation: Mapping[str, Tree]) -> dict[str, dict[str, Any]]:
    found = observation.get("diagnostics")
    several = found if isinstance(found, list) else []
    return {dumps(each): each for each in several if isinstance(each, dict)}


def _line(diagnostic: dict[str, Any]) -> SourceLine | None:
    where = _object(diagnostic.get("range"))
    name, line = where.get("filename"), _object(where.get("start")).get("line")
    if not isinstance(name, str) or not isinstance(line, JsonNumber) or not line.text.isdecimal():
        return None
    return name, int(line.text[:9])


def _declared(finding: Finding, evidence: CaseEvidence) -> Iterator[SourceLine]:
    """Blocks a finding names: only of the configuration its step has."""
    for header in _headers(finding)[:_MOST_BLOCKS]:
        words = r"\s+".join(rf'"?{re.escape(word)}"?' for word in header)
        block = re.compile(rf"^[ \t]*{words}\s*\{{", re.MULTILINE)
        for file, content in _of_configuration(evidence, finding):
            for match in block.finditer(content):
                yield file, content.count("\n", 0, match.start()) + 1


def _headers(finding: Finding) -> list[tuple[str, ...]]:
    """What blocks begin with, in the order they are named; what stands in the field before what is only told of it."""
    text = " ".join((finding.field, finding.expected, finding.got, *finding.explanation))[:_SEARCHED]
    found: list[tuple[str, ...]] = []
    for match in _NAMED.finditer(text):
        output, mode, kind, name = match.groups()
        found.append(("output", output) if output else ("data" if mode == "data" else "resource", kind, name))
    return list(dict.fromkeys(found))


def _of_configuration(evidence: CaseEvidence, finding: Finding) -> Iterable[tuple[str, str]]:
    beginning = _file(evidence, finding, "")
    return [each for each in evidence.files.items() if beginning == "." or each[0].startswith(f"{beginning}/")]


def _file(evidence: CaseEvidence, finding: Finding, name: str) -> str:
    """As evidence calls it. Places are told from the configuration of the step."""
    config = evidence.at(finding.signature.subject, finding.place).get("config")
    return posixpath.normpath(posixpath.join(config if isinstance(config, str) else "", name))
