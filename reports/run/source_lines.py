"""Finds the lines of a case to which its findings refer, as far as evidence allows.

Four things name a line: an explanation that quotes `main.tf:12,3`; a diagnostic that only one side has; the error that
ended a story; and the name of an object or output, which leads to the block that declares it. They are tried in this
order, and the first success counts.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from harness.findings.finding import Finding
from harness.findings.result import CaseResult
from shared_nodes.values.json import JsonError, JsonNumber, Tree, dumps, loads

__all__ = ["CaseEvidence", "find_source_lines", "read_evidence"]

_QUOTED_LINE: Final = re.compile(r"\bat ([^\s:,]+):(\d{1,9}),\d+", re.IGNORECASE)
_NAMED_OBJECT: Final = re.compile(
    r"""
        \boutput(?:s|_changes)\.([A-Za-z_][A-Za-z0-9_-]*)
      | (?:\b(data|managed)[. ])?\b([a-z][a-z0-9]*_[a-z0-9_]+)[. ]([A-Za-z_][A-Za-z0-9_-]*)
    """,
    re.VERBOSE,
)
"""An output in a document, or an object: `data.null_data.a`, or `managed terraform_data a` as in states."""

_STORY: Final = "story"
"""The place of findings about the end of a story."""

_MOST_BLOCKS: Final = 8
_SEARCHED: Final = 20_000
"""Number of characters that are searched."""

SourceLine = tuple[str, int]
"""The name of a file of the case, and a line number."""


@dataclass(frozen=True)
class CaseEvidence:
    """The evidence of a result. It has no slots because it has a cached property."""

    files: Mapping[str, str]
    observations: Mapping[str, Mapping[str, Mapping[str, Tree]]]
    graphs: Mapping[str, Mapping[str, str]]

    @cached_property
    def places(self) -> tuple[str, ...]:
        """All places of all engines, in the order of the case."""
        return tuple(dict.fromkeys(place for steps in self.observations.values() for place in steps))

    def at(self, name: str, place: str) -> Mapping[str, Tree]:
        return self.observations.get(name, {}).get(place, {})


def read_evidence(result: CaseResult) -> CaseEvidence:
    """Parse the evidence. It may come from an untrusted source: malformed parts are ignored."""
    try:
        tree: Any = loads(result.evidence) if result.evidence else {}
    except JsonError:
        tree = {}
    tree = tree if isinstance(tree, dict) else {}
    return CaseEvidence(
        {name: text for name, text in _object(tree.get("files")).items() if isinstance(text, str)},
        {
            name: {place: seen for place, seen in _object(steps).items() if isinstance(seen, dict)}
            for name, steps in _object(tree.get("courses")).items()
        },
        {
            place: {name: text for name, text in _object(texts).items() if isinstance(text, str)}
            for place, texts in _object(tree.get("graphs")).items()
        },
    )


def _object(tree: Any) -> dict[str, Any]:
    return tree if isinstance(tree, dict) else {}


def find_source_lines(findings: Sequence[Finding], evidence: CaseEvidence) -> list[SourceLine]:
    """Return existing lines, each once, those of the first finding first. Empty if nothing names a line."""
    for search in (_quoted_lines, _diagnostic_lines, _failure_lines, _declaration_lines):
        found = dict.fromkeys(line for finding in findings for line in search(finding, evidence))
        existing = [(name, line) for name, line in found if _has_line(evidence.files.get(name), line)]
        if existing:
            return existing
    return []


def _has_line(text: str | None, line: int) -> bool:
    return text is not None and 1 <= line <= text.count("\n") + 1


def _quoted_lines(finding: Finding, evidence: CaseEvidence) -> Iterator[SourceLine]:
    for sentence in finding.explanation:
        for match in _QUOTED_LINE.finditer(sentence):
            yield _file_name(evidence, finding, match[1]), int(match[2])


def _diagnostic_lines(finding: Finding, evidence: CaseEvidence) -> Iterator[SourceLine]:
    """Yield the lines of diagnostics that not all sides have."""
    sides = [_diagnostics(evidence.at(name, finding.place)) for name in (finding.signature.subject, *finding.against)]
    everywhere = set.intersection(*(set(side) for side in sides))
    for side in sides:
        for text, diagnostic in side.items():
            line = _line(diagnostic)
            if text not in everywhere and line is not None:
                yield _file_name(evidence, finding, line[0]), line[1]


def _failure_lines(finding: Finding, evidence: CaseEvidence) -> Iterator[SourceLine]:
    """Yield the lines of the errors that ended a story, if that is what was found."""
    if finding.place != _STORY:
        return
    steps = evidence.observations.get(finding.signature.subject, {})
    failed = next((place for place, step in steps.items() if step.get("ok") is False and place != _STORY), None)
    if failed is None:
        return
    for diagnostic in _diagnostics(steps[failed]).values():
        line = _line(diagnostic)
        if diagnostic.get("severity") == "error" and line is not None:
            yield _configuration_file(steps[failed], line[0]), line[1]


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


def _declaration_lines(finding: Finding, evidence: CaseEvidence) -> Iterator[SourceLine]:
    """Yield the lines of blocks that the finding names, in the configuration of its step only."""
    for header in _headers(finding)[:_MOST_BLOCKS]:
        words = r"\s+".join(rf'"?{re.escape(word)}"?' for word in header)
        block = re.compile(rf"^[ \t]*{words}\s*\{{", re.MULTILINE)
        for file, content in _configuration_files(evidence, finding):
            for match in block.finditer(content):
                yield file, content.count("\n", 0, match.start()) + 1


def _headers(finding: Finding) -> list[tuple[str, ...]]:
    """Return the headers of blocks that the finding names, in order; those in its field precede those in its texts."""
    text = " ".join((finding.field, finding.expected, finding.got, *finding.explanation))[:_SEARCHED]
    found: list[tuple[str, ...]] = []
    for match in _NAMED_OBJECT.finditer(text):
        output, mode, kind, name = match.groups()
        found.append(("output", output) if output else ("data" if mode == "data" else "resource", kind, name))
    return list(dict.fromkeys(found))


def _configuration_files(evidence: CaseEvidence, finding: Finding) -> Iterable[tuple[str, str]]:
    beginning = _file_name(evidence, finding, "")
    return [each for each in evidence.files.items() if beginning == "." or each[0].startswith(f"{beginning}/")]


def _file_name(evidence: CaseEvidence, finding: Finding, name: str) -> str:
    """Return the name of a file as the evidence has it. Findings name files relative to the configuration of the
    step."""
    return _configuration_file(evidence.at(finding.signature.subject, finding.place), name)


def _configuration_file(step: Mapping[str, Tree], name: str) -> str:
    config = step.get("config")
    return posixpath.normpath(posixpath.join(config if isinstance(config, str) else "", name))
