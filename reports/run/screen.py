"""One case on one screen: what differs, since when, why, and how to see it again.

What came first is told whole, and what is usually its consequence only by its place. Long values are cut around the
first character in which they differ: whole states one after the other are what nobody reads.
"""

from __future__ import annotations

import json
import textwrap
from itertools import takewhile
from typing import Final

from harness.compare.ruling import Ruling
from harness.findings.finding import Finding, leading
from harness.findings.reproduction import reproduction
from harness.findings.result import CaseResult
from reports.visible import shortened, visible, visible_line

__all__ = ["case_screen", "finding_screen", "reproduction_line"]

WIDTH: Final = 120
_LABEL: Final = 11
_LONGEST_VALUE: Final = 400
_BEFORE: Final = 80
"""Characters shown before the first difference."""

_CRASH_LINES: Final = 6
_MOST_SENTENCES: Final = 8
_MOST_OTHERS: Final = 4
_BROKEN: Final = (Ruling.CRASH, Ruling.HANG, Ruling.OVER_BUDGET)


def case_screen(result: CaseResult) -> str:
    """Of a case with findings. Those somebody has documented are told only if there are no others."""
    findings = result.open_findings or result.findings
    first = leading(findings)
    lines = [f"{visible_line(result.identifier)}: {result.ruling}"]
    if result.description:
        lines += _wrapped("", visible_line(shortened(result.description, _LONGEST_VALUE)))
    for finding in first:
        lines += ["", *finding_screen(result, finding)]
    others = [finding for finding in findings if finding not in first]
    if others:
        places = dict.fromkeys(f"{finding.place}: {finding.field}" for finding in others)
        more = f", and {len(places) - _MOST_OTHERS} more" if len(places) > _MOST_OTHERS else ""
        lines += ["", *_wrapped("then also", visible_line("; ".join([*places][:_MOST_OTHERS])) + more)]
    lines += [f"{'pretended':{_LABEL}}{visible_line(shortened(command, WIDTH))}" for command in result.faked]
    return "\n".join([*lines, "", f"{'again':{_LABEL}}{reproduction_line(result)}"])


def reproduction_line(result: CaseResult) -> str:
    """The command, as it can be shown. It can be run as shown, unless a path has characters nobody can see."""
    return visible_line(reproduction(result))


def finding_screen(result: CaseResult, finding: Finding) -> list[str]:
    signature = finding.signature
    lines = _wrapped("what", visible_line(f"{signature} [{signature.digest}]"))
    if signature.ruling in _BROKEN:
        trace = visible(finding.got).strip().splitlines()
        lines += [f"{'':{_LABEL}}{shortened(line, WIDTH - _LABEL)}" for line in trace[-_CRASH_LINES:]]
        lines += _wrapped("with", visible_line(finding.place)) if finding.place else []
    else:
        expected, got = _excerpts(finding.expected, finding.got)
        lines += _wrapped("where", visible_line(finding.field))
        lines += _wrapped("expected", f"{visible_line(expected)}  ({visible_line(' and '.join(finding.against))})")
        lines += _wrapped("got", f"{visible_line(got)}  ({visible_line(signature.subject)})")
        lines += _wrapped("since", visible_line(_since(result, finding)))
    for number, sentence in enumerate(finding.explanation[:_MOST_SENTENCES]):
        lines += _wrapped("why" if number == 0 else "", visible_line(shortened(sentence, _LONGEST_VALUE)))
    if finding.known:
        lines += _wrapped("documented", visible_line(finding.known))
    return lines


def _wrapped(label: str, text: str) -> list[str]:
    lines = textwrap.wrap(text, WIDTH - _LABEL, break_on_hyphens=False, replace_whitespace=False) or [""]
    return [f"{label if number == 0 else '':{_LABEL}}{line}" for number, line in enumerate(lines)]


def _excerpts(expected: str, got: str) -> tuple[str, str]:
    start = 0
    if max(len(expected), len(got)) > _LONGEST_VALUE:
        common = takewhile(lambda pair: pair[0] == pair[1], zip(expected, got, strict=False))
        start = max(sum(1 for _ in common) - _BEFORE, 0)
    lead = "... " if start else ""
    return lead + shortened(expected[start:], _LONGEST_VALUE), lead + shortened(got[start:], _LONGEST_VALUE)


def _since(result: CaseResult, finding: Finding) -> str:
    """The first place that differs, and what was the same before it."""
    before = _places_before(result, finding)
    if not before:
        return f"{finding.place}, the first thing that was done" if before is not None else finding.place
    return f"{finding.place}; all was equal before, in {', '.join(before)}"


def _places_before(result: CaseResult, finding: Finding) -> list[str] | None:
    """None where the evidence does not tell."""
    try:
        courses = json.loads(result.evidence)["courses"]
        places = list(courses[finding.signature.subject])
        return places[: places.index(finding.place)]
    except (ValueError, KeyError, TypeError):
        return None
