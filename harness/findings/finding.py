"""One thing in which an engine differs: from its baseline, from a recording, or from itself.

A case has as many findings as it has differences: a finding says nothing about the others, and an entry of `known.yaml`
that documents one of them hides no other. A difference from both the baseline and the recording is one finding.

A difference that follows from another one is a *consequence*: what an engine does after it has failed in a step, and
what differs only because the states differed before. Consequences are kept, but no case is judged by them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Final

from harness.compare.difference import Difference, DifferenceKind
from harness.compare.roles import OTHERWISE
from harness.compare.ruling import Ruling, ruling_between
from harness.compare.verdict import RECORDED, CaseVerdict, Verdict
from harness.findings.crash_identity import identify_exception
from harness.findings.signature import Signature
from harness.findings.weight import Weight, weight_of
from harness.observe.json_trees import as_object, as_objects
from harness.play.story_runner import END
from shared_nodes.values.json import Tree

__all__ = ["Finding", "findings_of", "leading"]

_OPERATION: Final = re.compile(r"(?:step \d+|task \S+ #\d+) \((\w[\w-]*)|(validate) ")
_FIRST_PART: Final = re.compile(r"[.\[]")
_CRASHES: Final = ("crash[", "init.crash[")
_ERROR: Final = "diagnostics[error: "
_TOTALS: Final = ("plan_summary", "apply_summary")
_INTENTION: Final = re.compile(r"plan\.resource_changes\.\*(\.change\.actions.*)?")
_AFTER_APPLYING: Final = frozenset(
    {"apply_summary", "events", "calls", "order", "state", "provider_data", "inventory", "story"}
)
_AFTER_PLANNING: Final = _AFTER_APPLYING | {"plan", "plan_summary", "plan_events", "plan_calls"}


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

    count: int = 1
    """How many places of the step differ in this way."""

    is_consequence: bool = False
    """Whether it follows from another finding of the case."""

    @property
    def weight(self) -> Weight:
        return weight_of(self.signature, is_detail=self.is_detail)


def leading(findings: Iterable[Finding]) -> list[Finding]:
    """Return the worst finding of each engine: no consequence, if possible, then the heaviest, then the first."""
    worst: dict[str, Finding] = {}
    for finding in findings:
        found = worst.get(finding.signature.subject)
        if found is None or _badness(finding) > _badness(found):
            worst[finding.signature.subject] = finding
    return list(worst.values())


def _badness(finding: Finding) -> tuple[bool, int]:
    return not finding.is_consequence, finding.weight


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
    ruling = judged.ruling
    shape = identify_exception(judged.crash) if ruling is Ruling.CRASH else str(ruling)
    place = "" if judged.schedule is None else str(judged.schedule)
    return Finding(Signature(engine, "run", ruling, shape, str(ruling)), (), place, "", "an end", judged.crash)


def _merged(verdict: CaseVerdict, engine: str, judged: Verdict) -> list[Finding]:
    """Return the differences from the baseline and from the recording, each once."""
    sides = {RECORDED: judged.differences}
    if engine in verdict.between:
        sides = {verdict.baseline: verdict.between[engine].differences, **sides}
    found: dict[tuple[str, str, str, str], Finding] = {}
    for against, differences in sides.items():
        theirs, ours = (verdict.observations.get(name, {}) for name in (against, engine))
        for place, group in groupby(differences, key=lambda each: each[0]):
            step = _Step(engine, against, place, theirs.get(place), ours.get(place))
            for new in step.findings([difference for _, difference in group]):
                key = (place, new.signature.shape, new.signature.kind, new.signature.role)
                same = found.get(key)
                found[key] = new if same is None else replace(same, against=(*same.against, *new.against))
    both = (verdict.observations.get(name, {}) for name in (engine, verdict.baseline))
    order = list(dict.fromkeys(place for observations in both for place in observations))
    return sorted(found.values(), key=lambda finding: order.index(finding.place))


@dataclass(frozen=True, slots=True)
class _Step:
    """One place of a case, and what both sides did there. None for a side that did not come there."""

    engine: str
    against: str
    place: str
    expected: Mapping[str, Tree] | None
    got: Mapping[str, Tree] | None

    def findings(self, differences: list[Difference]) -> Iterator[Finding]:
        """Return a finding for each difference. A difference in success alone is only reported if no error, crash or
        other difference says the same."""
        between = self._ruling
        rulings = {each: self._ruling_of(each, between) for each in differences}
        is_explained = any(ruling is not Ruling.DIFFERS for each, ruling in rulings.items() if each.field != "ok")
        affected = self._affected(rulings.values())
        intentions_differ = any(map(_is_other_intention, differences))
        for each in differences:
            if each.field == "ok" and is_explained:
                continue
            whose = END if each.field == END and self.against == RECORDED else self.against
            found = _finding(self.engine, whose, self.place, each, rulings[each])
            part = _FIRST_PART.split(each.field, maxsplit=1)[0]
            follows = part in affected or (intentions_differ and _follows_from_intention(each, part))
            yield replace(found, is_consequence=follows)

    @property
    def _ruling(self) -> Ruling:
        """A place that only one side has reached has no outcome of the other, and the expected end of a story is not
        one."""
        if self.expected is None or self.got is None:
            return Ruling.DIFFERS
        return ruling_between(self.expected, self.got)

    @staticmethod
    def _ruling_of(difference: Difference, between: Ruling) -> Ruling:
        """Only what makes one side fail is ruled so; the rest of the step differs in its own right, or follows."""
        if difference.shape.startswith(_CRASHES):
            return Ruling.CRASH
        failing = {
            Ruling.ONLY_CANDIDATE_FAILS: DifferenceKind.SURPLUS,
            Ruling.ONLY_BASELINE_FAILS: DifferenceKind.MISSING,
        }
        is_reason = difference.shape.startswith(_ERROR) and difference.kind is failing.get(between)
        return between if is_reason or difference.field == "ok" else Ruling.DIFFERS

    def _affected(self, rulings: Iterable[Ruling]) -> frozenset[str]:
        """Return the fields that differ because one side failed and so did not do the rest of the step."""
        if all(ruling is Ruling.DIFFERS for ruling in rulings) or self.expected is None or self.got is None:
            return frozenset()
        failed = [side for side in (self.expected, self.got) if not side.get("ok")]
        phases = {_failing_phase(side) for side in failed}
        return _AFTER_PLANNING if "plan" in phases else _AFTER_APPLYING


def _is_other_intention(difference: Difference) -> bool:
    """Return whether the plans intend different things for an object, and this is the difference that says so."""
    return OTHERWISE in difference.role and _INTENTION.fullmatch(difference.shape) is not None


def _follows_from_intention(difference: Difference, part: str) -> bool:
    """Return whether a difference is explained by plans that intend different things for its object: then its values,
    events and place in the state differ as well, and so do the totals."""
    if part in _TOTALS:
        return True
    return OTHERWISE in difference.role and _INTENTION.fullmatch(difference.shape) is None


def _failing_phase(observation: Mapping[str, Tree]) -> str:
    crash = as_object(observation.get("crash"))
    errors = (each for each in as_objects(observation.get("diagnostics")) if each.get("severity") == "error")
    found = crash or next(errors, {})
    return str(found.get("phase"))


def _finding(engine: str, against: str, place: str, difference: Difference, ruling: Ruling) -> Finding:
    match = _OPERATION.match(place)
    operation = (match[1] or match[2]) if match else place
    signature = Signature(engine, operation, ruling, difference.shape, str(difference.kind), difference.role)
    return Finding(
        signature,
        (against,),
        place,
        difference.field,
        difference.expected,
        difference.got,
        difference.is_detail,
        count=difference.count,
    )
