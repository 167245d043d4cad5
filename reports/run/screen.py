"""One case on one screen: what differs worst, since which step, why, and how to reproduce it.

The worst finding of each engine is shown completely, and all others only by their number: a case may have hundreds.
Long values are cut around the first character that differs, because readers do not compare two complete states.
"""

from __future__ import annotations

import json
import textwrap
from collections.abc import Sequence
from itertools import takewhile
from typing import Final

from harness.findings.case_causes import assign_causes
from harness.findings.causes import Cause
from harness.findings.finding import Finding, Standing, leading
from harness.findings.reproduction import reproduction
from harness.findings.result import CaseResult
from harness.findings.signature import Ruling
from harness.findings.spoken_place import spoken_place
from reports.run.crash import crash_of
from reports.run.value_text import value_text
from reports.visible import shortened, visible, visible_line

__all__ = ["case_screen", "describe_further", "finding_screen", "reproduction_line"]

WIDTH: Final = 120
_LABEL: Final = 11
_LONGEST_VALUE: Final = 400
_BEFORE: Final = 80
"""Number of characters shown before the first difference."""

_CRASH_LINES: Final = 6
_MOST_SENTENCES: Final = 8


def case_screen(result: CaseResult, causes: Sequence[Cause] = (), shown: Sequence[Finding] = ()) -> str:
    """Render a case with findings. `causes` are those of the case, if they are known. `shown` are the findings to show,
    instead of the worst of each engine; documented ones are among the worst only if there are no others."""
    findings = result.open_findings or result.findings
    shown = shown or leading(findings)
    is_documented = result.ruling is Ruling.EQUAL and result.findings
    lines = [f"{visible_line(result.identifier)}: {'differs as documented' if is_documented else result.ruling}"]
    if result.description:
        lines += _labelled("", visible_line(shortened(result.description, _LONGEST_VALUE)))
    for finding in shown:
        lines += ["", *finding_screen(result, finding)]
    further = describe_further(result, causes, shown)
    lines += ["", *_labelled("further", further)] if further else []
    lines += [f"{'pretended':{_LABEL}}{visible_line(shortened(command, WIDTH))}" for command in result.faked]
    return "\n".join([*lines, "", f"{'again':{_LABEL}}{reproduction_line(result)}"])


def describe_further(result: CaseResult, causes: Sequence[Cause], shown: Sequence[Finding]) -> str:
    """Return how much more was found in the case: "14 findings (9 consequences, 2 documented), 3 further causes". Empty
    if all findings are shown."""
    assigned = list(zip(result.findings, assign_causes(result, causes), strict=True))
    hidden = [(found, cause) for found, cause in assigned if found not in shown]
    if not hidden:
        return ""
    following = sum(found.standing is Standing.FOLLOWS for found, _ in hidden)
    documented = sum(bool(found.known) for found, _ in hidden)
    remarks = [_count(following, "consequence")] if following else []
    remarks += [f"{documented:,} documented"] if documented else []
    seen = {cause.identifier for found, cause in assigned if cause is not None and found in shown}
    others = {cause.identifier for _, cause in hidden if cause is not None} - seen
    listed = f" ({', '.join(remarks)})" if remarks else ""
    text = f"{_count(len(hidden), 'finding')}{listed}"
    return f"{text}, {_count(len(others), 'further cause')}" if others else text


def _count(count: int, noun: str) -> str:
    return f"1 {noun}" if count == 1 else f"{count:,} {noun}s"


def reproduction_line(result: CaseResult) -> str:
    """Return the command that reproduces the result. It can be copied, unless a path has invisible characters."""
    return visible_line(reproduction(result))


def finding_screen(result: CaseResult, finding: Finding) -> list[str]:
    signature = finding.signature
    lines = _labelled("what", visible_line(f"{signature} [{signature.digest}]"))
    if signature.ruling is Ruling.INVALID_CASE:
        lines = _labelled("invalid", visible_line(finding.got))
        lines += _labelled("where", visible_line(finding.field)) if finding.field else []
    elif signature.ruling.is_breakdown:
        lines += _breakdown_lines(finding)
    else:
        expected, got = _excerpts(_value(finding, finding.expected), _value(finding, finding.got))
        times = f" (in {finding.count} places)" if finding.count > 1 else ""
        lines += _labelled("where", f"{visible_line(finding.field)}{times}")
        lines += _labelled("expected", f"{visible_line(expected)}  ({visible_line(' and '.join(finding.against))})")
        lines += _labelled("got", f"{visible_line(got)}  ({visible_line(signature.subject)})")
        lines += _labelled("since", visible_line(_describe_since(result, finding)))
    for number, sentence in enumerate(finding.explanation[:_MOST_SENTENCES]):
        lines += _labelled("why" if number == 0 else "", visible_line(shortened(sentence, _LONGEST_VALUE)))
    if finding.known:
        lines += _labelled("documented", visible_line(finding.known))
    return lines


def _value(finding: Finding, text: str) -> str:
    """Return a value in one line. Of a diagnostic these are its words; the explanation says where it is."""
    is_diagnostic = finding.signature.shape.startswith(("diagnostics", "init.diagnostics")) and text.startswith("{")
    return value_text(text).replace("\n", " ") if is_diagnostic else text


def _breakdown_lines(finding: Finding) -> list[str]:
    """Return what an engine raised, and where. A hang or an engine in Python has further lines, of which the last ones
    are shown."""
    crash = crash_of(finding)
    lines: list[str] = []
    if crash is not None:
        lines += _labelled("raised", visible_line(shortened(crash.text, _LONGEST_VALUE)))
        lines += _labelled("in", visible_line(crash.function)) if crash.function else []
    trace = visible(finding.got if crash is None else crash.trace).strip().splitlines()
    lines += [f"{'':{_LABEL}}{shortened(line, WIDTH - _LABEL)}" for line in trace[-_CRASH_LINES:]]
    return lines + (_labelled("with", visible_line(finding.place)) if finding.place else [])


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
    """Describe the place of a finding, and what was equal before it."""
    before, place = _places_before(result, finding), spoken_place(finding.place)
    if not before:
        return f"{place}, the first thing that was done" if before is not None else place
    subject = finding.signature.subject
    differing = {other.place for other in result.findings if other.signature.subject == subject}
    earlier = [place for place in before if place in differing]
    if earlier:
        return f"{place}; other differences before, in {_listed_places(earlier)}"
    return f"{place}; all was equal before, in {_listed_places(before)}"


def _listed_places(places: Sequence[str]) -> str:
    return ", ".join(dict.fromkeys(map(spoken_place, places)))


def _places_before(result: CaseResult, finding: Finding) -> list[str] | None:
    """Return the places before that of the finding, or None if the evidence does not contain them."""
    try:
        observations = json.loads(result.evidence)["courses"]
        places = list(observations[finding.signature.subject])
        return places[: places.index(finding.place)]
    except (ValueError, KeyError, TypeError):
        return None
