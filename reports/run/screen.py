"""One case on one screen: what differs, since which step, why, and how to reproduce it.

The first difference is shown completely, and later ones, usually its consequences, only by their place. Long values are
cut around the first character that differs, because readers do not compare two complete states.
"""

from __future__ import annotations

import json
import textwrap
from itertools import takewhile
from typing import Final

from harness.findings.finding import Finding, leading
from harness.findings.reproduction import reproduction
from harness.findings.result import CaseResult
from reports.visible import shortened, visible, visible_line

__all__ = ["case_screen", "finding_screen", "reproduction_line"]

WIDTH: Final = 120
_LABEL: Final = 11
_LONGEST_VALUE: Final = 400
_BEFORE: Final = 80
"""Number of characters shown before the first difference."""

_CRASH_LINES: Final = 6
_MOST_SENTENCES: Final = 8
_MOST_OTHERS: Final = 4


def case_screen(result: CaseResult) -> str:
    """Render a case with findings. Documented findings are shown only if there are no others."""
    findings = result.open_findings or result.findings
    first = leading(findings)
    lines = [f"{visible_line(result.identifier)}: {result.ruling}"]
    if result.description:
        lines += _labelled("", visible_line(shortened(result.description, _LONGEST_VALUE)))
    for finding in first:
        lines += ["", *finding_screen(result, finding)]
    others = [finding for finding in findings if finding not in first]
    if others:
        places = dict.fromkeys(f"{finding.place}: {finding.field}" for finding in others)
        more = f", and {len(places) - _MOST_OTHERS} more" if len(places) > _MOST_OTHERS else ""
        lines += ["", *_labelled("then also", visible_line("; ".join([*places][:_MOST_OTHERS])) + more)]
    lines += [f"{'pretended':{_LABEL}}{visible_line(shortened(command, WIDTH))}" for command in result.faked]
    return "\n".join([*lines, "", f"{'again':{_LABEL}}{reproduction_line(result)}"])


def reproduction_line(result: CaseResult) -> str:
    """Return the command that reproduces the result. It can be copied, unless a path has invisible characters."""
    return visible_line(reproduction(result))


def finding_screen(result: CaseResult, finding: Finding) -> list[str]:
    signature = finding.signature
    lines = _labelled("what", visible_line(f"{signature} [{signature.digest}]"))
    if signature.ruling.is_breakdown:
        trace = visible(finding.got).strip().splitlines()
        lines += [f"{'':{_LABEL}}{shortened(line, WIDTH - _LABEL)}" for line in trace[-_CRASH_LINES:]]
        lines += _labelled("with", visible_line(finding.place)) if finding.place else []
    else:
        expected, got = _excerpts(finding.expected, finding.got)
        lines += _labelled("where", visible_line(finding.field))
        lines += _labelled("expected", f"{visible_line(expected)}  ({visible_line(' and '.join(finding.against))})")
        lines += _labelled("got", f"{visible_line(got)}  ({visible_line(signature.subject)})")
        lines += _labelled("since", visible_line(_describe_since(result, finding)))
    for number, sentence in enumerate(finding.explanation[:_MOST_SENTENCES]):
        lines += _labelled("why" if number == 0 else "", visible_line(shortened(sentence, _LONGEST_VALUE)))
    if finding.known:
        lines += _labelled("documented", visible_line(finding.known))
    return lines


def _labelled(label: str, text: str) -> list[str]:
    lines = textwrap.wrap(text, WIDTH - _LABEL, break_on_hyphens=False, replace_whitespace=False) or [""]
    return [f"{label if number == 0 else '':{_LABEL}}{line}" for number, line in enumerate(lines)]


def _excerpts(expected: str, got: str) -> tuple[str, str]:
    start = 0
    if max(len(expected), len(got)) > _LONGEST_VALUE:
        common = takewhile(lambda pair: pair[0] == pair[1], zip(expected, got, strict=False))
        start = max(sum(1 for _ in common) - _BEFORE, 0)
    lead = "... " if start else ""
    return lead + shortened(expected[start:], _LONGEST_VALUE), lead + shortened(got[start:], _LONGEST_VALUE)


def _describe_since(result: CaseResult, finding: Finding) -> str:
    """Describe the first place that differs, and what was equal before it."""
    before = _places_before(result, finding)
    if not before:
        return f"{finding.place}, the first thing that was done" if before is not None else finding.place
    return f"{finding.place}; all was equal before, in {', '.join(before)}"


def _places_before(result: CaseResult, finding: Finding) -> list[str] | None:
    """Return the places before that of the finding, or None if the evidence does not contain them."""
    try:
        observations = json.loads(result.evidence)["courses"]
        places = list(observations[finding.signature.subject])
        return places[: places.index(finding.place)]
    except (ValueError, KeyError, TypeError):
        return None
