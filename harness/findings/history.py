"""Which findings of later steps follow from earlier ones.

Where a step was also run from the baseline's state, that is known. Elsewhere, as for recordings, an object that the
engines have left in different states is followed through the case: what differs about it later may follow from that.

Which way a story goes, and how it ends, is decided by the results of its tasks alone. So a difference in that follows
from what differed before.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Final

from harness.compare.consequences import DifferenceKey, key_of
from harness.findings.finding import Finding, Standing
from harness.play.story_runner import END

__all__ = ["with_history"]

_DigestsByObject = dict[str, tuple[str, ...]]
"""For each object that the engines have left in different states, the digests of the signatures that are the reason."""

_EVERYTHING: Final = ""
"""Stands for all objects: one side has no state at all."""

_COSMETIC: Final = re.compile(
    r"state\.resources\.\*(\.provider|\.instances\.\*\.(create_before_destroy|dependencies|depends_on|"
    r"sensitive_attributes).*)"
)
"""What a state holds beside the objects themselves. No later step treats an object differently because of it, but for
the order of effects."""

_WITHOUT_OBJECTS: Final = re.compile(
    r"plan\.(output_changes|relevant_attributes|checks).*|state\.(outputs|check_results).*|(plan|apply)_summary.*"
    r"|(plan_)?calls.*|inventory.*|provider_data.*"
)
"""Differences that name no object, but sum up what happened to all of them."""


_COURSE: Final = re.compile(r"way|story\.(ended_by|executions|problem)\b.*")
"""Differences in the places that a story comes to, and in its end."""


def with_history(
    findings: Sequence[Finding], resynchronised: Collection[str], consequences: Collection[DifferenceKey]
) -> list[Finding]:
    """Return the findings of one engine, in the order of the case, with their standing.

    `resynchronised` are the places that were run from the baseline's state as well, `consequences` the differences that
    were gone then.
    """
    apart: _DigestsByObject = {}
    result: list[Finding] = []
    for place, group in groupby(findings, key=lambda finding: finding.place):
        here = list(group)
        if place in resynchronised:
            here = [_as_observed(each, apart, consequences) for each in here]
        elif apart:
            here = [_as_suspected(each, apart) for each in here]
        result += here
        if any(each.field.startswith("state") for each in here) or _applies(place):
            apart = _left_apart(here, apart)
    return _with_courses(result)


def _with_courses(findings: Iterable[Finding]) -> list[Finding]:
    """Return the findings with the reasons why a story went another way, or ended in another one: the differences at
    the last place before where there are any."""
    result: list[Finding] = []
    place = ""
    reasons: tuple[str, ...] = ()
    for finding in findings:
        if _is_course(finding):
            follows = reasons and finding.standing is Standing.OWN
            result.append(replace(finding, standing=Standing.FOLLOWS, follows=reasons) if follows else finding)
            continue
        result.append(finding)
        if finding.standing is Standing.OWN and finding.place != END:
            before = reasons if finding.place == place else ()
            place, reasons = finding.place, tuple(dict.fromkeys((*before, finding.signature.digest)))
    return result


def _is_course(finding: Finding) -> bool:
    shape = finding.signature.shape
    return _COURSE.fullmatch(shape) is not None or (finding.place == END and shape == "ok")


def _applies(place: str) -> bool:
    return re.match(r".*\((apply|destroy)\b", place) is not None


def _as_observed(finding: Finding, apart: _DigestsByObject, consequences: Collection[DifferenceKey]) -> Finding:
    if finding.standing is not Standing.OWN:
        return finding
    signature = finding.signature
    if key_of(finding.place, signature) not in consequences:
        return finding
    return replace(finding, standing=Standing.FOLLOWS, follows=_reasons(finding, apart) or _all_reasons(apart))


def _as_suspected(finding: Finding, apart: _DigestsByObject) -> Finding:
    if finding.standing is not Standing.OWN:
        return finding
    reasons = _reasons(finding, apart)
    return replace(finding, standing=Standing.MAY_FOLLOW, follows=reasons) if reasons else finding


def _reasons(finding: Finding, apart: _DigestsByObject) -> tuple[str, ...]:
    """Return the reasons why the objects of a finding were left in different states; nothing if one of them was not."""
    if _EVERYTHING in apart or (not finding.objects and _WITHOUT_OBJECTS.fullmatch(finding.signature.shape)):
        return _all_reasons(apart)
    if not finding.objects or not all(address in apart for address in finding.objects):
        return ()
    return tuple(dict.fromkeys(digest for address in finding.objects for digest in apart[address]))


def _all_reasons(apart: _DigestsByObject) -> tuple[str, ...]:
    return tuple(dict.fromkeys(digest for digests in apart.values() for digest in digests))


def _left_apart(here: Sequence[Finding], before: _DigestsByObject) -> _DigestsByObject:
    """Return the objects that differ in the states after a step, each with the reasons: those of before, if it differed
    already, and otherwise what happened in this step."""
    found: _DigestsByObject = {}
    for finding in here:
        shape = finding.signature.shape
        if not shape.startswith("state") or shape.startswith(("state.outputs", "state.check_results")):
            continue
        if _COSMETIC.fullmatch(shape):
            continue
        reasons = finding.follows or (finding.signature.digest,)
        for address in finding.objects or (_EVERYTHING,):
            found[address] = tuple(dict.fromkeys((*found.get(address, ()), *before.get(address, reasons))))
    return found
