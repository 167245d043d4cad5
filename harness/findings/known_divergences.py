"""`known.yaml`: divergences that have been examined, each with its reason.

A documented divergence does not fail a run. So each entry names a case that shows it, and if that case is run and does
not show it any more, the entry itself fails the run. Otherwise a list of excuses only grows, and an entry that is too
wide hides the next bug.

    - id: C01-other-wording
      class: change              # bug, change, missing, obsolete, or wording
      title: other words for some mistakes   # optional: the title of the cause in reports
      reason: some mistakes are called by other words
      link: docs/intended-changes.md#c01-other-wording   # optional
      accept: true               # optional; false: the entry only names a cause, and its cases still differ
      case: intended-changes/C01    # shows it; relative to this file
      changes: [C01]             # only in runs that have adopted these
      match: {subject: new, shape: "diagnostics*"}

Texts in `match` may have `*` for anything and `\\*` for a star, and may be lists of such texts, of which one has to
fit. `match` itself may be a list, of which one has to fit. `beside` and `after` are about other findings of the case,
so that what one mistake brings about is documented with it, wherever it shows. An entry documents exactly the findings
that it matches, and those that follow from documented ones alone.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from itertools import groupby, takewhile
from pathlib import Path
from typing import Final

import yaml

from harness.case.unit import Unit, UnitKind
from harness.case.yaml_fields import CaseError, Fields, compose_bounded, line_of
from harness.compare.ruling import Ruling
from harness.compare.verdict import RECORDED
from harness.findings.finding import Finding
from harness.findings.result import CaseResult
from harness.findings.run import Stale
from harness.findings.signature import Signature
from shared_nodes.record import record
from shared_nodes.world import Files

__all__ = [
    "DivergenceClass",
    "Entry",
    "KnownDivergences",
    "KnownError",
    "Matcher",
    "escape",
    "parse_known",
    "read_known",
]


class KnownError(Exception):
    """The list cannot be used as written. The message names file, line and key."""


class DivergenceClass(StrEnum):
    BUG = "bug"
    """Wrong, and to be repaired."""

    CHANGE = "change"
    """On purpose."""

    MISSING = "missing"
    """Not built yet."""

    OBSOLETE = "obsolete"
    """Right in the old engine, and not to be carried over."""

    WORDING = "wording"
    """The same in other words."""


@record
class Matcher:
    """Patterns by aspect, a name of `_ASPECTS`. One pattern of each aspect has to match."""

    patterns: Mapping[str, tuple[re.Pattern[str], ...]]

    def fits(self, aspect: str, texts: Iterable[str]) -> bool:
        patterns = self.patterns.get(aspect)
        return patterns is None or any(pattern.fullmatch(text) for text in texts for pattern in patterns)

    def matches(self, result: CaseResult, finding: Finding) -> bool:
        return self.fits_signature(finding.signature) and self.fits_circumstances(result, finding)

    def fits_signature(self, signature: Signature) -> bool:
        return (
            self.fits("subject", [signature.subject])
            and self.fits("operation", [signature.operation])
            and self.fits("ruling", [str(signature.ruling)])
            and self.fits("shape", [signature.shape])
            and self.fits("kind", [signature.kind])
            and self.fits("role", [signature.role])
        )

    def fits_circumstances(self, result: CaseResult, finding: Finding) -> bool:
        return (
            self.fits("standing", [str(finding.standing)])
            and self.fits("feature", (*result.features, *result.tags))
            and self.fits("against", finding.against)
            and self.fits("place", [finding.place])
            and self.fits("field", [finding.field])
            and self.fits("expected", [finding.expected])
            and self.fits("got", [finding.got])
            and self.fits("case", [result.identifier])
            and self.fits("beside", _beside(result, finding))
            and self.fits("after", _before(result, finding))
        )


def _beside(result: CaseResult, finding: Finding) -> Iterator[str]:
    """Return what else the same engine does differently at the same place."""
    return (_outline(other) for other in _of_the_same_engine(result, finding) if other.place == finding.place)


def _before(result: CaseResult, finding: Finding) -> Iterator[str]:
    """Return what the same engine does differently at the places before that of the finding."""
    return map(_outline, takewhile(lambda other: other.place != finding.place, _of_the_same_engine(result, finding)))


def _of_the_same_engine(result: CaseResult, finding: Finding) -> Iterator[Finding]:
    return (other for other in result.findings if other.signature.subject == finding.signature.subject)


def _outline(finding: Finding) -> str:
    """Return the shape of a finding with its kind and role, as a report prints them."""
    _, _, shape, kind, role = finding.signature.identity
    return f"{shape} ({kind}, {role})" if role else f"{shape} ({kind})"


_ASPECTS: Final = (
    *("subject", "operation", "ruling", "shape", "kind", "role", "standing"),
    *("feature", "against", "place", "field", "expected", "got", "case", "beside", "after"),
)


_LONGEST: Final = 1_000_000
"""Limit of a list in bytes. Reading that many takes seconds."""

_STARS: Final = {"*": ".*", r"\*": r"\*"}
"""What a star in a pattern means, as a regular expression."""


@record
class Entry:
    identifier: str
    category: DivergenceClass
    reason: str
    link: str
    case: str
    """Identifier of the case that shows it."""

    changes: frozenset[str]
    matchers: tuple[Matcher, ...]
    """One of them has to match."""

    place: str
    """file:line."""

    title: str = ""
    accepts: bool = True
    """Whether its findings count as equal. Otherwise the entry only names a cause, and its cases still differ."""

    def matches(self, result: CaseResult, finding: Finding) -> bool:
        return self.changes <= set(result.changes) and any(each.matches(result, finding) for each in self.matchers)

    def fits_signature(self, signature: Signature) -> bool:
        return any(matcher.fits_signature(signature) for matcher in self.matchers)

    def is_due_in(self, result: CaseResult) -> bool:
        """Return whether this run of the case should have shown it. The engine must have run, and there must have been
        something to compare it with."""
        if not _is_case(result, self.case) or not self.changes <= set(result.changes) or result.faked:
            return False
        return any(_is_due(matcher, result) for matcher in self.matchers)


def _is_case(result: CaseResult, name: str) -> bool:
    """Return whether a result is that of a case. Where another has the same name, results have longer ones."""
    return result.identifier == name or result.identifier.endswith(f"/{name}")


def _is_due(matcher: Matcher, result: CaseResult) -> bool:
    ran = [name for name in result.engines if name not in result.not_run]
    subjects = [name for name in ran if matcher.fits("subject", [name])]
    if _is_about(matcher, [ruling for ruling in Ruling if ruling.is_breakdown]):
        return bool(subjects)
    if _is_about(matcher, [ruling for ruling in Ruling if ruling.is_variation]):
        return any(result.runs.get(subject, 0) > 1 for subject in subjects)
    opponents = ([RECORDED] if result.is_recorded else []) + ran[:1]
    return any(
        opponent != subject and matcher.fits("against", [opponent]) for subject in subjects for opponent in opponents
    )


def _is_about(matcher: Matcher, rulings: Collection[Ruling]) -> bool:
    return all(ruling in rulings for ruling in Ruling if matcher.fits("ruling", [str(ruling)]))


@dataclass(frozen=True)
class KnownDivergences:
    """Not slotted, so that classes are cached."""

    entries: tuple[Entry, ...] = ()

    @cached_property
    def classes(self) -> Mapping[str, str]:
        return {entry.identifier: str(entry.category) for entry in self.entries}

    @cached_property
    def titles(self) -> Mapping[str, str]:
        return {entry.identifier: entry.title or entry.reason for entry in self.entries}

    @cached_property
    def _unaccepted(self) -> frozenset[str]:
        return frozenset(entry.identifier for entry in self.entries if not entry.accepts)

    def __or__(self, other: KnownDivergences) -> KnownDivergences:
        """Return the entries of both lists. Of two entries with one identifier the first counts."""
        names = {entry.identifier for entry in self.entries}
        return KnownDivergences((*self.entries, *(each for each in other.entries if each.identifier not in names)))

    def documented(self, result: CaseResult) -> CaseResult:
        """Return the result with each finding assigned to the first entry that matches it. A finding that only follows
        from documented ones is documented with them."""
        if not result.findings:
            return result
        known: dict[str, str] = {}
        findings = list(result.findings)
        for number in _reasons_first(findings):
            finding = findings[number]
            described = self._entry_of(result, finding)
            name = described or _inherited(finding, known)
            known[finding.signature.digest] = name and known.get(finding.signature.digest, name)
            is_accepted = name not in self._unaccepted
            inherits = bool(name) and not described
            findings[number] = replace(finding, known=name, is_accepted=is_accepted, inherits=inherits)
        return replace(result, findings=tuple(findings))

    def _entry_of(self, result: CaseResult, finding: Finding) -> str:
        """Return the first entry that matches. Few fit a signature, which many findings have: they are found once."""
        candidates = self._fitting.get(finding.signature)
        if candidates is None:
            candidates = tuple(entry for entry in self.entries if entry.fits_signature(finding.signature))
            self._fitting[finding.signature] = candidates
        return next((entry.identifier for entry in candidates if entry.matches(result, finding)), "")

    @cached_property
    def _fitting(self) -> dict[Signature, tuple[Entry, ...]]:
        return {}

    def stale(self, results: Iterable[CaseResult]) -> tuple[Stale, ...]:
        """Return the entries whose case was run and does not show them any more."""
        results = list(results)
        cases = {result.identifier: result for result in results}
        found: list[Stale] = []
        for entry in self.entries:
            result = cases.get(entry.case)
            if result is None or not entry.is_due_in(result) or _shows(result, entry):
                continue
            others = [other.identifier for other in results if _shows(other, entry)]
            found.append(Stale(entry.identifier, entry.place, _describe_stale(entry, others)))
        return tuple(found)


def _reasons_first(findings: Sequence[Finding]) -> Iterator[int]:
    """Return the numbers of the findings in the order of the case, at each place those first that others follow from:
    a document that differs because of an error may be compared before the errors are."""
    reasons = {digest for finding in findings for digest in finding.follows}
    for _, group in groupby(range(len(findings)), key=lambda number: findings[number].place):
        yield from sorted(group, key=lambda number: findings[number].signature.digest not in reasons)


def _inherited(finding: Finding, known: Mapping[str, str]) -> str:
    """Return the entry of the findings that this one follows from, if all of them are documented."""
    names = [known.get(digest, "") for digest in finding.follows]
    return names[0] if names and all(names) else ""


def _shows(result: CaseResult, entry: Entry) -> bool:
    return any(entry.matches(result, finding) for finding in result.findings)


def _describe_stale(entry: Entry, others: list[str]) -> str:
    if not others:
        return f"its case {entry.case} does not show it any more: take the entry out"
    number = "one other case does" if len(others) == 1 else f"{len(others)} other cases do"
    return f"its case {entry.case} does not show it any more, but {number}: name {min(others)} instead"


# Reading


def read_known(file: Path) -> KnownDivergences:
    try:
        text = Files(file.parent).read_bytes(file.name, _LONGEST).decode("utf-8")
    except (OSError, UnicodeDecodeError) as problem:
        raise KnownError(f"{file}: cannot be read: {problem}") from problem
    return parse_known(text, file)


def parse_known(text: str, file: Path) -> KnownDivergences:
    """Return the entries of a text that is, or will be, the content of `file`."""
    try:
        root = compose_bounded(text)
        if root is not None and not isinstance(root, yaml.SequenceNode):
            raise KnownError(f"{file}:{line_of(root)}: must be a list of entries")
        entries = tuple(_entry(file, node, number) for number, node in enumerate(root.value if root else (), 1))
    except CaseError as problem:
        raise KnownError(str(problem)) from problem
    except yaml.MarkedYAMLError as problem:
        line = problem.problem_mark.line + 1 if problem.problem_mark is not None else 1
        raise KnownError(f"{file}:{line}: not YAML: {problem.problem or problem.context}") from problem
    except (yaml.YAMLError, ValueError, OverflowError) as problem:
        # PyYAML passes the number of an escaped character to `chr`, however large it is.
        raise KnownError(f"{file}: not YAML: {problem}") from problem
    except RecursionError as problem:
        raise KnownError(f"{file}: nested too deeply") from problem
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
        link=fields.take("link", fields.text, ""),
        case=fields.take("case", lambda key, value: _case(file, key, value, fields.text(key, value))),
        changes=frozenset(fields.take("changes", fields.texts, ())),
        matchers=fields.take("match", lambda key, value: _matchers(file, key, value, number)),
        place=f"{file}:{line_of(node)}",
        title=fields.take("title", fields.text, ""),
        accepts=fields.take("accept", fields.boolean, True),
    )
    fields.finish()
    return entry


def _case(file: Path, key: str, node: yaml.Node, text: str) -> str:
    """Find the case beside the file, or beside a directory that contains it: reports name cases by the path from where
    a run was started, which is usually the root of the project."""
    for directory in (file.parent, *file.absolute().parent.parents):
        path = directory / text
        if path.is_dir():
            return Unit(UnitKind.CASE, path).identifier
        if path.is_file():
            return Unit(UnitKind.EXPRESSIONS, path).identifier
    raise CaseError(f"{file}:{line_of(node)}: {key}: there is no {text} beside this file, or in a directory above it")


def _matchers(file: Path, key: str, node: yaml.Node, number: int) -> tuple[Matcher, ...]:
    nodes: list[yaml.Node] = node.value if isinstance(node, yaml.SequenceNode) else [node]
    if not nodes:
        raise CaseError(f"{file}:{line_of(node)}: {key}: must not be empty: such an entry would document nothing")
    return tuple(_matcher(file, key, each, number) for each in nodes)


def _matcher(file: Path, key: str, node: yaml.Node, number: int) -> Matcher:
    """`shape` is required, even if it is `*`: an entry without one would document anything."""
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
    return tuple(map(_compile, read(aspect, node)))


def _compile(text: str) -> re.Pattern[str]:
    """Return the pattern of a text in which `*` stands for anything and a backslash before it for a star itself."""
    parts = re.split(r"(\\?\*)", text)
    return re.compile("".join(_STARS.get(part) or re.escape(part) for part in parts), re.DOTALL)


def escape(text: str) -> str:
    """Return the text of a pattern that matches this text and no other."""
    return text.replace("*", r"\*")
