"""One place where an engine differs: from its baseline, from a recording, or from itself.

A difference from both the baseline and the recording is one finding. A step that fails in only one engine is reported
by the diagnostics that differ, since they say why. What follows in the same case after the first finding is usually its
consequence: `leading` findings are the first of each engine.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Final

from harness.compare.observations import Difference
from harness.compare.ruling import Ruling, ruling_between
from harness.compare.verdict import RECORDED, CaseVerdict, Verdict
from harness.findings.signature import Signature
from harness.play.story_runner import END
from shared_nodes.values.json import Tree

__all__ = ["Finding", "findings_of", "leading"]

_FRAME: Final = re.compile(
    r'File "(?:[^"]*/)?((?:shared_nodes|legacy_engine|new_engine|harness)/[^"]*)", line \d+, in (\S+)'
)
_CAUSED: Final = "\nThe above exception was the direct cause of the following exception:"
"""The line that Python prints between an exception and the one that was raised from it."""

_OPERATION: Final = re.compile(r"(?:step \d+|task \S+ #\d+) \((\w[\w-]*)|(validate) ")


@dataclass(frozen=True, slots=True)
class Finding:
    signature: Signature
    against: tuple[str, ...]
    """The name of the baseline, `recorded`, both, or the engine's own name if it differs from itself; `story` if the
    story did not end successfully. Empty for a crash."""

    place: str
    """The place in the case: "step 2 (apply v2)", "task repair #3 (apply v2)"."""

    field: str
    expected: str
    got: str
    is_detail: bool = False
    """Only the prose of a diagnostic differs."""

    explanation: tuple[str, ...] = ()
    """Sentences: what happened, and why."""

    known: str = ""
    """The entry of known.yaml that documents it."""

    schedules: tuple[str, ...] = ()
    """If an engine differs from itself: the schedule of the first run, and the one with this outcome."""


def leading(findings: Iterable[Finding]) -> list[Finding]:
    """Return the first finding of each engine; one that is more than prose, if there is one."""
    firsts: dict[str, Finding] = {}
    for finding in findings:
        found = firsts.get(finding.signature.subject)
        if found is None or (found.is_detail and not finding.is_detail):
            firsts[finding.signature.subject] = finding
    return list(firsts.values())


def findings_of(verdict: CaseVerdict) -> list[Finding]:
    """Return the findings by engine, for each in the order of the case."""
    findings: list[Finding] = []
    for engine, judged in verdict.of.items():
        if judged.ruling.is_breakdown:
            findings.append(_breakdown(engine, judged))
        elif judged.ruling.is_variation:
            schedules = tuple(str(each) for each in (judged.first_schedule, judged.schedule) if each is not None)
            varied = (_finding(engine, engine, place, found, judged.ruling) for place, found in judged.differences)
            findings.extend(replace(found, schedules=schedules) for found in varied)
        else:
            findings.extend(_merged(verdict, engine, judged))
    return findings


def _breakdown(engine: str, judged: Verdict) -> Finding:
    """A crash is identified by the exception and by the innermost function of ours in its traceback. Only the original
    cause counts: two crashes with different causes are two findings."""
    cause = judged.crash.partition(_CAUSED)[0]
    raised = cause.strip().rpartition("\n")[2]
    frames = _FRAME.findall(cause)
    where = " in {}:{}".format(*frames[-1]) if frames else ""
    ruling = judged.ruling
    kind = raised.partition(":")[0] if ruling is Ruling.CRASH else str(ruling)
    place = "" if judged.schedule is None else str(judged.schedule)
    return Finding(Signature(engine, "run", ruling, kind + where, str(ruling)), (), place, "", "an end", judged.crash)


def _merged(verdict: CaseVerdict, engine: str, judged: Verdict) -> list[Finding]:
    """Return the differences from the baseline and from the recording, each once."""
    sides = {RECORDED: judged.differences}
    if engine in verdict.between:
        sides = {verdict.baseline: verdict.between[engine].differences, **sides}
    found: dict[tuple[str, str], Finding] = {}
    for against, differences in sides.items():
        for place, difference in _without_mere_failure(differences):
            is_recorded = place in verdict.observations.get(RECORDED, {})
            is_wrong_by_itself = difference.field == END or (difference.field == "crash" and not is_recorded)
            whose = END if is_wrong_by_itself and against == RECORDED else against
            sides_there = (verdict.observations.get(name, {}).get(place) for name in (against, engine))
            new = _finding(engine, whose, place, difference, _ruling(*sides_there))
            same = found.get((place, difference.shape))
            found[place, difference.shape] = new if same is None else replace(same, against=(*same.against, whose))
    both = (verdict.observations.get(name, {}) for name in (engine, verdict.baseline))
    order = list(dict.fromkeys(place for observations in both for place in observations))
    return sorted(found.values(), key=lambda finding: order.index(finding.place))


def _ruling(expected: Mapping[str, Tree] | None, got: Mapping[str, Tree] | None) -> Ruling:
    """A place that only one side has reached has no outcome of the other, and the expected end of a story is not
    one."""
    if got is not None and "crash" in got and expected is None:
        return Ruling.CRASH
    return Ruling.DIFFERS if expected is None or got is None else ruling_between(expected, got)


def _without_mere_failure(differences: Iterable[tuple[str, Difference]]) -> Iterator[tuple[str, Difference]]:
    """Drop differences in success alone, which the ruling expresses, unless nothing else differs at a place."""
    for _, group in groupby(differences, key=lambda each: each[0]):
        found = list(group)
        yield from [each for each in found if each[1].field != "ok"] or found


def _finding(engine: str, against: str, place: str, difference: Difference, ruling: Ruling) -> Finding:
    match = _OPERATION.match(place)
    operation = (match[1] or match[2]) if match else place
    signature = Signature(engine, operation, ruling, difference.shape, str(difference.kind))
    return Finding(
        signature,
        (against,),
        place,
        difference.field,
        difference.expected,
        difference.got,
        difference.is_detail,
    )
