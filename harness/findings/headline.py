"""The verdict on a run in one sentence that is true: what the candidates made of how many cases.

Like the table of features it counts documented findings as well. A reader who wants to know what can be ignored finds
that in the causes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Final

from harness.findings.feature_outcomes import Outcome, outcome_of
from harness.findings.finding import Finding
from harness.findings.result import HARNESS, CaseResult
from harness.findings.run import Run
from harness.findings.signature import Ruling

__all__ = ["headline"]

_CLAUSES: Final = {
    Outcome.CRASH: "crashes in {}",
    Outcome.ERROR: "fails in {}",
    Outcome.IGNORED: "leaves something out in {}",
    Outcome.WRONG: "does something else in {}",
}


def headline(run: Run) -> str:
    """Return the sentence, without a full stop."""
    if not run.results:
        return "Nothing was run"
    if run.is_idle:
        which = "cannot run the only case" if len(run.results) == 1 else f"can run none of {_count(len(run.results))}"
        return f"{_name(run.baseline)} {which}, so nothing was compared"
    if len(run.engines) == 1:
        return _alone(run)
    sentences = [_describe(run, candidate) for candidate in run.candidates]
    for clause, breaks in _TROUBLES.items():
        troubled = sum(any(breaks(run, finding) for finding in result.open_findings) for result in run.results)
        if troubled:
            sentences.append(clause.format(baseline=_name(run.baseline), cases=_count(troubled)))
    return "; ".join(sentences)


def _alone(run: Run) -> str:
    name, differing = _name(run.engines[0]), sum(bool(result.open_findings) for result in run.results)
    if not differing:
        return f"{name} does what was recorded"
    return f"{name} does something else than was recorded, or breaks, in {differing:,} of {_count(len(run.results))}"


def _describe(run: Run, candidate: str) -> str:
    ended = [result for result in run.results if not _is_unended(result, candidate)]
    outcomes = Counter(outcome_of(result, [candidate]) for result in ended)
    compared = outcomes.total() - outcomes[None]
    clauses = list(_clauses(outcomes, compared))
    if not compared:
        return f"{_name(candidate)} could not be compared with {_name(run.baseline)} in any case"
    if not clauses:
        alike = f"{_name(candidate)} behaves like {_name(run.baseline)} in {_all(compared)}"
        remarks = sum(_has_remarks(result, candidate) for result in run.results)
        return f"{alike}, but for events or wording in {remarks:,}" if remarks else alike
    text = f"{', '.join(clauses[:-1])} and {clauses[-1]}" if len(clauses) > 1 else clauses[0]
    documented = ", all of it documented" if run.exit_status == 0 else ""
    return f"{_name(candidate)} {text}{documented}"


def _has_remarks(result: CaseResult, candidate: str) -> bool:
    """Return whether anything is said about the candidate in a case that came out the same."""
    about = (finding for finding in result.findings if finding.signature.subject == candidate)
    own = any(not finding.is_expectation for finding in about)
    return own and outcome_of(result, [candidate]) is Outcome.SAME


def _clauses(outcomes: Counter[Outcome | None], compared: int) -> Iterator[str]:
    """Yield what is wrong, the worst first. The first clause says of how many cases."""
    total = f" of {_count(compared)}"
    for outcome, clause in _CLAUSES.items():
        if outcomes[outcome]:
            yield clause.format(f"{outcomes[outcome]:,}") + total
            total = ""


def _is_harness(_run: Run, finding: Finding) -> bool:
    return finding.signature.subject == HARNESS and finding.signature.ruling is not Ruling.OVER_BUDGET


def _is_baseline(run: Run, finding: Finding) -> bool:
    """Return whether an engine that is no candidate crashes, or differs from itself."""
    ruling = finding.signature.ruling
    is_broken = ruling is Ruling.CRASH or ruling.is_variation
    return is_broken and finding.signature.subject not in (*run.candidates, HARNESS)


def _is_late(_run: Run, finding: Finding) -> bool:
    return finding.signature.ruling is Ruling.HANG


def _is_large(_run: Run, finding: Finding) -> bool:
    return finding.signature.ruling is Ruling.OVER_BUDGET


def _is_unended(result: CaseResult, candidate: str) -> bool:
    """Return whether a limit of time or memory ended the candidate: that is not yet something that it does."""
    findings = (finding for finding in result.open_findings if finding.signature.subject == candidate)
    return any(finding.signature.ruling.is_timeout_or_memory for finding in findings)


def _is_invalid(_run: Run, finding: Finding) -> bool:
    return finding.signature.ruling is Ruling.INVALID_CASE


def _is_expectation(_run: Run, finding: Finding) -> bool:
    return finding.is_expectation


_TROUBLES: Final[dict[str, Callable[[Run, Finding], bool]]] = {
    "{baseline} itself breaks or varies in {cases}": _is_baseline,
    "the harness broke in {cases}": _is_harness,
    "the time limit was not enough for {cases}": _is_late,
    "the memory limit was not enough for {cases}": _is_large,
    "{cases} cannot be read": _is_invalid,
    "what a case expects is not met in {cases}": _is_expectation,
}


def _name(engine: str) -> str:
    return engine.removeprefix("recorded:")


def _count(count: int) -> str:
    return "1 case" if count == 1 else f"{count:,} cases"


def _all(count: int) -> str:
    return "the only case" if count == 1 else f"all {_count(count)}"
