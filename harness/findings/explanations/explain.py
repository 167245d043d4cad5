"""Explains findings in sentences: up to where both sides agreed, what each did then, and why, where that is known.

Nothing here is a guess. A sentence with "because" names something in the case or in the observations: the reference at
file and line, the dependency recorded in a state, the planned action. If there is no such thing, no cause is given. The
same case gives the same sentences.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from typing import Final

from harness.case.case import Case
from harness.case.configuration_files import files_of
from harness.compare.effect_order import FIELD as ORDER
from harness.compare.expectations import EXPECTED
from harness.compare.ruling import Ruling
from harness.compare.verdict import RECORDED, CaseVerdict
from harness.findings.explanations.context import FindingContext, Observation, Side, capital, short
from harness.findings.explanations.diagnostics import explain_diagnostics
from harness.findings.explanations.events import explain_events, explain_recorded_order
from harness.findings.explanations.order import explain_order
from harness.findings.explanations.values import explain_values
from harness.findings.finding import RESYNCHRONISED, Finding
from harness.findings.spoken_place import spoken_place
from harness.findings.spoken_signature import spoken_document
from harness.play.story_runner import END
from shared_nodes.config.loading import load_configuration
from shared_nodes.config.tree import ConfigTree
from shared_nodes.flavour import FLAVOURS
from shared_nodes.values.json import JsonError, loads

__all__ = ["explain"]

_NAMES: Final = {RECORDED: "the recording"}
_PHASE: Final = re.compile(r" \(while it ran (\w+)\)$")
_LoadConfiguration = Callable[[str], ConfigTree | None]


def explain(case: Case | None, verdict: CaseVerdict, findings: Iterable[Finding]) -> list[Finding]:
    """Return the findings, each with its explanation. `case` is None where it could not be read."""
    findings = list(findings)
    load = cache(partial(_load, case))
    explained = ((found, _explain_one(case, verdict, findings, found, load)) for found in findings)
    return [replace(found, explanation=tuple(dict.fromkeys(sentences))) for found, sentences in explained]


def _explain_one(
    case: Case | None, verdict: CaseVerdict, findings: Sequence[Finding], finding: Finding, load: _LoadConfiguration
) -> Iterator[str]:
    ruling, subject = finding.signature.ruling, finding.signature.subject
    if ruling is Ruling.INVALID_CASE:
        return
    if ruling.is_breakdown:
        yield from _broken(verdict, finding)
        return
    if ruling.is_variation:
        yield from _varying(verdict, finding)
        return
    against = finding.against[0]
    if against == END:
        yield f"The story did not end well with {subject}. Whether engines differ is another question."
        return
    if against == EXPECTED:
        yield f"The case expects this of every engine; {subject} did something else."
        return
    is_hidden = finding.place.endswith(RESYNCHRONISED)
    finding = replace(finding, place=finding.place.removesuffix(RESYNCHRONISED))
    ours, theirs = verdict.observations.get(subject, {}), verdict.observations.get(against, {})
    seen = verdict.resynchronised.get(subject, {}) if is_hidden else ours
    expected = Side(_NAMES.get(against, against), theirs.get(finding.place, {}))
    got = Side(subject, seen.get(finding.place, {}))
    same = [other for other in findings if other.signature.subject == subject and other is not finding]
    if is_hidden:
        yield f"This shows only where {subject} begins in the state of {expected.name}: its own history hides it."
    else:
        yield from _since(expected.name, got.name, list(ours), finding, same)
    here = [other for other in same if other.place == finding.place]
    name = got.observation.get("config")
    context = FindingContext(
        finding,
        expected,
        got,
        here,
        _state_before(case, ours, finding.place),
        lambda: load(name) if isinstance(name, str) else None,
    )
    yield from _EXPLAIN.get(_topic(finding), explain_values)(context)


def _topic(finding: Finding) -> str:
    whole, _, part = finding.field.partition(".")
    return finding.field if part == "order" and whole.endswith("events") else whole


# Since when


def _since(
    expected: str, got: str, places: Sequence[str], finding: Finding, others: Sequence[Finding]
) -> Iterator[str]:
    position = places.index(finding.place) if finding.place in places else len(places)
    earlier = [other for other in others if other.place in places[:position]]
    if earlier:
        yield (
            f"This is not where {got} first differed: that was in {spoken_place(earlier[0].place)}, in "
            f"{spoken_document(earlier[0].field)}. What follows may be a consequence."
        )
    elif position == 0:
        yield f"{capital(expected)} and {got} part in {spoken_place(finding.place)}, the first thing the case does."
    else:
        yield f"{capital(expected)} and {got} agreed on everything up to {spoken_place(places[position - 1])}."


# Engines that came to no end, or to several


def _broken(verdict: CaseVerdict, finding: Finding) -> Iterator[str]:
    subject = finding.signature.subject
    lines = finding.got.strip().splitlines() or [""]
    what = {Ruling.HANG: "was ended by the time limit", Ruling.OVER_BUDGET: "used more memory than it may"}
    is_program = finding.field == "crash"
    did = what.get(finding.signature.ruling, "crashed" if is_program else "raised an exception")
    if is_program:
        phase = _PHASE.search(lines[-1])
        yield f"{subject} {did} in {spoken_place(finding.place)}{f', while it ran {phase[1]}' if phase else ''}."
    else:
        way = f" ({finding.place})" if finding.place else ""
        yield f"{subject} {did}{way}: {short(lines[-1])}"
    _, separator, where = finding.signature.shape.rpartition(" in ")
    if separator and not is_program:
        yield f"The innermost function of the engine on the way there is {where.removesuffix(']')}."
    ended = [name for name, one in verdict.of.items() if name != subject and one.runs and not one.ruling.is_breakdown]
    if ended:
        yield f"{_listing(ended)} came to an end with the same case."


def _varying(verdict: CaseVerdict, finding: Finding) -> Iterator[str]:
    subject = finding.signature.subject
    schedule = verdict.of[subject].schedule
    place = spoken_place(finding.place)
    yield f"{subject} differs from itself: run again with {schedule}, it came to another outcome in {place}."
    yield f"First, {finding.field} had {short(finding.expected)}; then {short(finding.got)}."
    if finding.signature.ruling is Ruling.NOISE:
        yield f"{subject} is the baseline: what it did here says nothing about any other engine."


_EXPLAIN: Final[Mapping[str, Callable[[FindingContext], Iterator[str]]]] = {
    "diagnostics": explain_diagnostics,
    "plan_events": explain_events,
    "events": explain_events,
    "plan_calls": explain_events,
    "calls": explain_events,
    "plan_events.order": explain_recorded_order,
    "events.order": explain_recorded_order,
    ORDER: explain_order,
}


# Where the reasons are


def _state_before(case: Case | None, observations: Mapping[str, Observation], place: str) -> Observation:
    """Return the state before a place: that of the last step before it, or the prior state of the case."""
    found = _given_state(case)
    for name, observation in observations.items():
        if name == place:
            break
        state = observation.get("state")
        found = state if isinstance(state, dict) else found
    return found


def _given_state(case: Case | None) -> Observation:
    if case is None or case.prior_state is None:
        return {}
    try:
        state = loads((case.directory / case.prior_state).read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, JsonError):
        return {}
    return state if isinstance(state, dict) else {}


def _load(case: Case | None, name: str) -> ConfigTree | None:
    """Load a configuration for its references. No provider is needed to find them."""
    if case is None:
        return None
    return load_configuration(files_of(case, name), FLAVOURS[case.flavour], lambda _source: True)[0]


def _listing(names: Sequence[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else names[0]
