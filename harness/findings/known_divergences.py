"""`known.yaml`: divergences somebody has looked at, and said why they are there.

A documented divergence does not fail a run, and so each entry has to earn its place: it names a case that shows it, and
where that case is run and shows it no more, the entry itself fails the run. Otherwise a list of excuses only grows, and
one that is too wide hides the next bug.

    - id: C01-other-wording
      class: change              # bug, change, missing, or obsolete
      reason: some mistakes are called by other words
      link: docs/intended-changes.md#c01-other-wording
      case: intended-changes/C01    # shows it; relative to this file
      changes: [C01]             # only in runs that have adopted these
      match: {subject: new, shape: "diagnostics*"}

Texts in `match` may have `*` for anything, and may be lists of such texts, of which one has to fit.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from pathlib import Path
from typing import Final

import yaml

from harness.case.unit import Unit, UnitKind
from harness.case.yaml_fields import CaseError, Fields, line_of
from harness.compare.ruling import Ruling
from harness.compare.verdict import RECORDED
from harness.findings.finding import Finding
from harness.findings.result import CaseResult
from harness.findings.run import Stale

__all__ = ["DivergenceClass", "Entry", "KnownDivergences", "KnownError", "Matcher", "read_known"]


class KnownError(Exception):
    """The list cannot be used as written. The message tells file, line and key."""


class DivergenceClass(StrEnum):
    BUG = "bug"
    """Wrong, and to be repaired."""

    CHANGE = "change"
    """On purpose."""

    MISSING = "missing"
    """Not built yet."""

    OBSOLETE = "obsolete"
    """Right in the old engine, and not to be carried over."""


@dataclass(frozen=True, slots=True)
class Matcher:
    """Patterns by what they are held against: a name of `_ASPECTS`. One of each has to fit."""

    patterns: Mapping[str, tuple[re.Pattern[str], ...]]

    def fits(self, aspect: str, texts: Iterable[str]) -> bool:
        patterns = self.patterns.get(aspect)
        return patterns is None or any(pattern.fullmatch(text) for pattern in patterns for text in texts)

    def matches(self, case: str, finding: Finding) -> bool:
        signature = finding.signature
        return (
            self.fits("subject", [signature.subject])
            and self.fits("operation", [signature.operation])
            and self.fits("ruling", [str(signature.ruling)])
            and self.fits("shape", [signature.shape])
            and self.fits("kind", [signature.kind])
            and self.fits("against", finding.against)
            and self.fits("place", [finding.place])
            and self.fits("field", [finding.field])
            and self.fits("case", [case])
        )


_ASPECTS: Final = ("subject", "operation", "ruling", "shape", "kind", "against", "place", "field", "case")


@dataclass(frozen=True, slots=True)
class Entry:
    identifier: str
    category: DivergenceClass
    reason: str
    link: str
    case: str
    """Identifier of the case that shows it."""

    changes: frozenset[str]
    matcher: Matcher
    place: str
    """file:line."""

    def matches(self, result: CaseResult, finding: Finding) -> bool:
        return self.changes <= set(result.changes) and self.matcher.matches(result.identifier, finding)

    def is_due_in(self, result: CaseResult) -> bool:
        """Whether this run of its case had to show it: only then does silence mean anything. The engine must have run,
        and there must have been something to hold it against."""
        if result.identifier != self.case or not self.changes <= set(result.changes) or result.faked:
            return False
        ran = [name for name in result.engines if name not in result.not_run]
        subjects = [name for name in ran if self.matcher.fits("subject", [name])]
        if self._is_about([ruling for ruling in Ruling if ruling.is_breakdown]):
            return bool(subjects)
        if self._is_about([ruling for ruling in Ruling if ruling.is_variation]):
            return any(result.runs.get(subject, 0) > 1 for subject in subjects)
        opponents = ([RECORDED] if result.is_recorded else []) + ran[:1]
        return any(
            opponent != subject and self.matcher.fits("against", [opponent])
            for subject in subjects
            for opponent in opponents
        )

    def _is_about(self, rulings: Collection[Ruling]) -> bool:
        return all(ruling in rulings for ruling in Ruling if self.matcher.fits("ruling", [str(ruling)]))


@dataclass(frozen=True)
class KnownDivergences:
    """Not slotted, so that entries are indexed once."""

    entries: tuple[Entry, ...] = ()

    @cached_property
    def classes(self) -> Mapping[str, str]:
        return {entry.identifier: str(entry.category) for entry in self.entries}

    def documented(self, result: CaseResult) -> CaseResult:
        """The same with each finding under the first entry that matches it."""
        if not result.findings or not self.entries:
            return result
        return replace(result, findings=tuple(self._documented(result, finding) for finding in result.findings))

    def _documented(self, result: CaseResult, finding: Finding) -> Finding:
        name = next((entry.identifier for entry in self.entries if entry.matches(result, finding)), "")
        return replace(finding, known=name)

    def stale(self, results: Iterable[CaseResult]) -> tuple[Stale, ...]:
        """Entries whose case was run and shows them no more. Of cases that were not run nothing is known."""
        results = list(results)
        cases = {result.identifier: result for result in results}
        found: list[Stale] = []
        for entry in self.entries:
            result = cases.get(entry.case)
            if result is None or not entry.is_due_in(result) or _shows(result, entry):
                continue
            others = [other.identifier for other in results if _shows(other, entry)]
            found.append(Stale(entry.identifier, entry.place, _told(entry, others)))
        return tuple(found)


def _shows(result: CaseResult, entry: Entry) -> bool:
    return any(entry.matches(result, finding) for finding in result.findings)


def _told(entry: Entry, others: list[str]) -> str:
    if not others:
        return f"its case {entry.case} does not show it any more: take the entry out"
    number = "one other case does" if len(others) == 1 else f"{len(others)} other cases do"
    return f"its case {entry.case} does not show it any more, but {number}: name {min(others)} instead"


# Reading


def read_known(file: Path) -> KnownDivergences:
    try:
        root = yaml.compose(file.read_text(encoding="utf-8"), Loader=yaml.SafeLoader)
        if root is not None and not isinstance(root, yaml.SequenceNode):
            raise KnownError(f"{file}:{line_of(root)}: must be a list of entries")
        entries = tuple(_entry(file, node, number) for number, node in enumerate(root.value if root else (), 1))
    except CaseError as problem:
        raise KnownError(str(problem)) from problem
    except (OSError, UnicodeDecodeError) as problem:
        raise KnownError(f"{file}: cannot be read: {problem}") from problem
    except yaml.MarkedYAMLError as problem:
        line = problem.problem_mark.line + 1 if problem.problem_mark is not None else 1
        raise KnownError(f"{file}:{line}: not YAML: {problem.problem or problem.context}") from problem
    except yaml.YAMLError as problem:
        raise KnownError(f"{file}: not YAML: {problem}") from problem
    seen: set[str] = set()
    for entry in entries:
        if entry.identifier in seen:
            raise KnownError(f"{entry.place}: id: {entry.identifier} is there already")
        seen.add(entry.identifier)
    return KnownDivergences(entries)


def _entry(file: Path, node: yaml.Node, number: int) -> Entry:
    fields = Fields(file, node, f"entry {number}")
    entry = Entry(
        identifier=fields.take("id", fields.text),
        category=DivergenceClass(fields.take("class", fields.one_of(list(DivergenceClass)))),
        reason=fields.take("reason", fields.text),
        link=fields.take("link", fields.text),
        case=fields.take("case", lambda key, value: _case(file, key, value, fields.text(key, value))),
        changes=frozenset(fields.take("changes", fields.texts, ())),
        matcher=fields.take("match", lambda key, value: _matcher(file, key, value, number)),
        place=f"{file}:{line_of(node)}",
    )
    fields.finish()
    return entry


def _case(file: Path, key: str, node: yaml.Node, text: str) -> str:
    path = file.parent / text
    if path.is_dir():
        return Unit(UnitKind.CASE, path).identifier
    if path.is_file():
        return Unit(UnitKind.EXPRESSIONS, path).identifier
    raise CaseError(f"{file}:{line_of(node)}: {key}: there is no {text} beside this file")


def _matcher(file: Path, key: str, node: yaml.Node, number: int) -> Matcher:
    """`shape` has to be given, even if as `*`: an entry without one would document whatever comes."""
    fields = Fields(file, node, f"{key} of entry {number}")
    patterns = {"shape": fields.take("shape", lambda aspect, value: _patterns(fields, aspect, value))}
    for aspect in _ASPECTS:
        found = fields.take(aspect, lambda aspect, value: _patterns(fields, aspect, value), None)
        if found is not None:
            patterns[aspect] = found
    fields.finish()
    return Matcher(patterns)


def _patterns(fields: Fields, aspect: str, node: yaml.Node) -> tuple[re.Pattern[str], ...]:
    read = fields.texts if isinstance(node, yaml.SequenceNode) else lambda key, value: (fields.text(key, value),)
    texts = read(aspect, node)
    return tuple(re.compile(".*".join(map(re.escape, text.split("*"))), re.DOTALL) for text in texts)
