"""The findings of a case: everything in which its engines differ, and which of it follows from which.

`history.py` decides about differences of later steps; this module about those of one step.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Final

from harness.compare.consequences import key_of
from harness.compare.diagnostics import CRASH
from harness.compare.difference import Difference, DifferenceKind
from harness.compare.expectations import EXPECTED
from harness.compare.roles import OTHERWISE
from harness.compare.ruling import Ruling, ruling_between
from harness.compare.verdict import RECORDED, CaseVerdict, Verdict
from harness.findings.crash_identity import identify_exception
from harness.findings.finding import RESYNCHRONISED, Finding, Standing
from harness.findings.history import with_history
from harness.findings.signature import Signature, limited_shape
from harness.observe.json_trees import as_object, as_objects
from harness.play.story_runner import END
from shared_nodes.record import record
from shared_nodes.values.json import Tree

__all__ = ["CASE", "findings_of"]

CASE: Final = "case"
"""The subject of a finding about a case itself, and no engine."""

_OPERATION: Final = re.compile(r"(?:step \d+|task \S+ #\d+) \((\w[\w-]*)|(validate) ")
_FIRST_PART: Final = re.compile(r"[.\[]")
_CRASHES: Final = ("crash[", "init.crash[")
_ERROR: Final = "diagnostics[error: "
_FAILING: Final = {
    Ruling.ONLY_CANDIDATE_FAILS: DifferenceKind.SURPLUS,
    Ruling.ONLY_BASELINE_FAILS: DifferenceKind.MISSING,
}
_TOTALS: Final = ("plan_summary", "apply_summary", "calls", "inventory")
"""What sums up an apply without naming addresses."""
_INTENTION: Final = re.compile(r"plan\.resource_changes\.\*(\.change\.actions.*)?")
_PRESENCE: Final = re.compile(r"state\.resources\.\*(\.instances\.\*)?")
_PROVIDER_DATA: Final = "provider_data"
"""What a provider keeps with an object. Where only one state has the object, only that one has its data."""

_AFTER_APPLYING: Final = frozenset({"apply_summary", "events", "calls", "state", "provider_data", "inventory", "story"})
"""What an engine does after it has failed to apply. The order of effects is not part of that: it was decided before."""

_AFTER_PLANNING: Final = _AFTER_APPLYING | {"plan", "plan_summary", "plan_events", "plan_calls", "order"}


def findings_of(verdict: CaseVerdict) -> list[Finding]:
    """Return the findings by engine, for each in the order of the case."""
    findings: list[Finding] = [_invalid(verdict.invalid)] if verdict.invalid else []
    for engine, judged in verdict.of.items():
        if judged.ruling.is_breakdown:
            findings.append(_breakdown(engine, judged))
        elif judged.ruling.is_variation:
            schedules = tuple(str(each) for each in (judged.first_schedule, judged.schedule) if each is not None)
            varied = (_finding(engine, engine, place, found, judged.ruling) for place, found in judged.differences)
            findings.extend(replace(found, schedules=schedules) for found in varied)
        else:
            findings.extend(each for each in _merged(verdict, engine, judged) if not _is_said(each, findings))
    return findings


def _is_said(finding: Finding, findings: Iterable[Finding]) -> bool:
    """Return whether another engine does not meet an expectation either, in the same way. What a case expects of all
    engines is one problem then, of the case or of the configuration."""
    same = (
        each for each in findings if (each.place, each.field, each.got) == (finding.place, finding.field, finding.got)
    )
    return finding.is_expectation and any(each.against == finding.against for each in same)


_LOCATED: Final = re.compile(r"(?P<place>.+?:\d+): (?P<problem>.*)", re.DOTALL)
_QUOTED: Final = re.compile(r"'[^']*'|\"[^\"]*\"")


def _invalid(message: str) -> Finding:
    """Return the only finding of a case that cannot be read: equal mistakes in several cases have one signature."""
    match = _LOCATED.fullmatch(message)
    place, problem = (match["place"], match["problem"]) if match else ("", message)
    shape = _QUOTED.sub("*", problem if match else problem.rpartition(": ")[2])
    ruling = Ruling.INVALID_CASE
    return Finding(Signature(CASE, "read", ruling, limited_shape(shape), str(ruling)), (), "", place, "", problem)


def _breakdown(engine: str, judged: Verdict) -> Finding:
    ruling = judged.ruling
    shape = limited_shape(identify_exception(judged.crash)) if ruling is Ruling.CRASH else str(ruling)
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
    places = list(dict.fromkeys(place for observations in both for place in observations))
    ordered = sorted(found.values(), key=lambda finding: places.index(finding.place))
    return _with_resynchronised(verdict, engine, ordered)


def _with_resynchronised(verdict: CaseVerdict, engine: str, findings: Sequence[Finding]) -> list[Finding]:
    """Add what the runs from the baseline's state have shown."""
    between = verdict.between.get(engine)
    if between is None:
        return list(findings)
    again = verdict.resynchronised.get(engine, {})
    found = with_history(findings, frozenset(again), between.consequences)
    hidden = {key_of(place, difference) for place, difference in between.resynchronised_only}
    expected = verdict.observations.get(verdict.baseline, {})
    for place, group in groupby(between.resynchronised, key=lambda each: each[0]):
        step = _Step(engine, verdict.baseline, f"{place}{RESYNCHRONISED}", expected.get(place), again.get(place))
        shown = step.findings([difference for _, difference in group])
        found.extend(each for each in shown if key_of(place, each.signature) in hidden)
    return found


@record
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
        found = [(each, self._finding(each, _ruling_of(each, between))) for each in differences]
        failures = [new for each, new in found if new.signature.ruling is not Ruling.DIFFERS and each.field != "ok"]
        affected = self._affected(failures)
        intentions = [new for each, new in found if _is_other_intention(each)]
        presences = [new for each, new in found if _PRESENCE.fullmatch(each.shape) and _is_one_sided(each)]
        for each, new in found:
            if each.field == "ok" and failures:
                continue
            part = _FIRST_PART.split(each.field, maxsplit=1)[0]
            reasons = failures if part in affected else _reasons(each, part, intentions)
            reasons = reasons or (presences if part == _PROVIDER_DATA and _is_one_sided(each) else [])
            if reasons and new not in reasons:
                digests = tuple(dict.fromkeys(reason.signature.digest for reason in reasons))
                yield replace(new, standing=Standing.FOLLOWS, follows=digests)
            else:
                yield new

    def _finding(self, difference: Difference, ruling: Ruling) -> Finding:
        if difference.field.startswith(f"{EXPECTED}."):
            return _finding(self.engine, EXPECTED, self.place, difference, Ruling.DIFFERS)
        is_wrong_by_itself = difference.field == END or (self.expected is None and difference.field == CRASH)
        whose = END if is_wrong_by_itself and self.against == RECORDED else self.against
        return _finding(self.engine, whose, self.place, difference, ruling)

    @property
    def _ruling(self) -> Ruling:
        """A place that only one side has reached has no outcome of the other, and the expected end of a story is not
        one."""
        if self.expected is None or self.got is None:
            return Ruling.DIFFERS
        return ruling_between(self.expected, self.got)

    def _affected(self, failures: Sequence[Finding]) -> frozenset[str]:
        """Return the fields that differ because one side failed and so did not do the rest of the step."""
        if not failures or self.expected is None or self.got is None:
            return frozenset()
        phases = {_failing_phase(side) for side in (self.expected, self.got) if not side.get("ok")}
        return _AFTER_PLANNING if "plan" in phases else _AFTER_APPLYING


def _ruling_of(difference: Difference, between: Ruling) -> Ruling:
    """Only what makes one side fail is ruled so; the rest of the step differs in its own right, or follows."""
    if difference.shape.startswith(_CRASHES):
        return Ruling.CRASH
    is_reason = difference.shape.startswith(_ERROR) and difference.kind is _FAILING.get(between)
    return between if is_reason or difference.field == "ok" else Ruling.DIFFERS


def _is_other_intention(difference: Difference) -> bool:
    """Return whether the plans intend different things for an object, and this is the difference that says so."""
    return OTHERWISE in difference.role and _INTENTION.fullmatch(difference.shape) is not None


def _is_one_sided(difference: Difference) -> bool:
    return difference.kind in (DifferenceKind.MISSING, DifferenceKind.SURPLUS)


def _reasons(difference: Difference, part: str, intentions: Iterable[Finding]) -> list[Finding]:
    """Return the other intentions that explain a difference: where plans intend different things for an object, its
    values, events and place in the state differ as well, and so do the totals."""
    return [each for each in intentions if part in _TOTALS or each.signature.role == difference.role]


def _failing_phase(observation: Mapping[str, Tree]) -> str:
    crash = as_object(observation.get("crash"))
    errors = (each for each in as_objects(observation.get("diagnostics")) if each.get("severity") == "error")
    found = crash or next(errors, {})
    return str(found.get("phase"))


def _finding(engine: str, against: str, place: str, difference: Difference, ruling: Ruling) -> Finding:
    match = _OPERATION.match(place)
    operation = (match[1] or match[2]) if match else place
    signature = Signature(
        engine, operation, ruling, limited_shape(difference.shape), str(difference.kind), difference.role
    )
    return Finding(
        signature,
        (against,),
        place,
        difference.field,
        difference.expected,
        difference.got,
        difference.is_detail,
        objects=difference.objects,
        count=difference.count,
    )
