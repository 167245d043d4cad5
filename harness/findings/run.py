"""All results of a run, counted and grouped, as every report needs them.

Each case counts once, under its ruling, which is its worst. It belongs to as many groups as it has signatures, and to
as many causes as show in it. Reports count nothing themselves.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from harness.compare.ruling import Ruling
from harness.findings.causes import Cause, find_causes
from harness.findings.executed_lines import ExecutedLines
from harness.findings.finding import Finding, Standing
from harness.findings.result import CaseResult
from harness.findings.signature import Signature
from shared_nodes.record import record

__all__ = ["Group", "Run", "Stale"]


@record
class Group:
    """Cases with the same signature. `smallest` is the one to open."""

    signature: Signature
    cases: tuple[CaseResult, ...]
    known: str = ""
    """The entry of known.yaml that documents it; empty for a new finding."""

    @property
    def smallest(self) -> CaseResult:
        return min(self.cases, key=lambda case: (len(case.evidence), case.identifier))

    @property
    def example(self) -> Finding:
        return next(found for found in self.smallest.findings if found.signature == self.signature)


def _is_idle(result: CaseResult) -> bool:
    has_run = any(engine not in result.not_run for engine in result.engines)
    return result.ruling is Ruling.NOT_RUN and not (result.is_recorded and has_run)


def _rank(group: Group) -> tuple[bool, int, int, Signature]:
    return bool(group.known), -group.example.weight, -len(group.cases), group.signature


@record
class Stale:
    """An entry of known.yaml that matches nothing any more, or is wrong. It fails the run."""

    entry: str
    place: str
    """file:line."""

    problem: str


@dataclass(frozen=True)
class Run:
    """Not slotted, so that counts are cached."""

    header: Mapping[str, str]
    """The circumstances of the run: command, engines, seed, ways, flavour, version of diffharness, commit, jobs,
    started, elapsed. It is only printed."""

    engines: tuple[str, ...]
    results: tuple[CaseResult, ...]
    """Sorted by identifier."""

    stale: tuple[Stale, ...] = ()
    classes: Mapping[str, str] = field(default_factory=dict)
    """The classes of the entries of known.yaml: bug, change, missing, obsolete or wording."""

    planned: int = 0
    """How many cases were planned: more than there are results if the run was stopped."""

    titles: Mapping[str, str] = field(default_factory=dict)
    """The titles of the entries of known.yaml."""

    lines: ExecutedLines | None = None
    """What engines in process executed, if that was recorded."""

    expects_success: bool = False
    """Whether a case that the baseline cannot run fails the run."""

    @property
    def baseline(self) -> str:
        return self.engines[0]

    @property
    def candidates(self) -> tuple[str, ...]:
        """The engines that are compared: all but the baseline, or the only one, which is compared with recordings."""
        return self.engines[1:] or self.engines

    @property
    def is_complete(self) -> bool:
        return len(self.results) >= self.planned

    @cached_property
    def rulings(self) -> Mapping[Ruling, int]:
        """The number of cases by ruling. Documented findings do not count."""
        return Counter(result.ruling for result in self.results)

    @cached_property
    def by_flavour(self) -> Mapping[str, tuple[CaseResult, ...]]:
        """The results by the product that engines followed, in the order of names."""
        flavours = sorted({result.flavour for result in self.results})
        return {flavour: tuple(each for each in self.results if each.flavour == flavour) for flavour in flavours}

    @cached_property
    def by_repository(self) -> Mapping[str, tuple[CaseResult, ...]]:
        """The results by the repository that the cases are from, in the order of names; empty if there was no list of
        repositories."""
        names = sorted({result.repository for result in self.results} - {""})
        return {name: tuple(each for each in self.results if each.repository == name) for name in names}

    @cached_property
    def groups(self) -> tuple[Group, ...]:
        """Groups of all findings but consequences: new ones first, then the heaviest, then the largest. A case is in as
        many groups as it has signatures."""
        cases: dict[tuple[str, Signature], dict[str, CaseResult]] = defaultdict(dict)
        for result in self.results:
            for finding in result.findings:
                if finding.standing is not Standing.FOLLOWS:
                    cases[finding.known, finding.signature][result.identifier] = result
        groups = [Group(signature, tuple(found.values()), known) for (known, signature), found in cases.items()]
        return tuple(sorted(groups, key=_rank))

    @cached_property
    def causes(self) -> tuple[Cause, ...]:
        """What is wrong, heaviest first: what a maintainer reads first."""
        return find_causes(self.results, self.classes, self.titles, self.lines)

    @cached_property
    def documented(self) -> Mapping[str, int]:
        """How many cases each entry of known.yaml explains."""
        entries = Counter(name for result in self.results for name in {found.known for found in result.findings})
        return {entry: count for entry, count in sorted(entries.items()) if entry}

    @property
    def is_idle(self) -> bool:
        """Whether nothing was compared: the baseline can run none of the cases, and no other engine has a recording to
        be compared with."""
        return bool(self.results) and all(map(_is_idle, self.results))

    @property
    def exit_status(self) -> int:
        """0 equal or documented, 1 different, 2 a case cannot be read or none could be run, 3 an engine or the harness
        broke."""
        if any(ruling.is_breakdown for ruling, count in self.rulings.items() if count):
            return 3
        if self.rulings.get(Ruling.INVALID_CASE) or self.is_idle:
            return 2
        passing = (Ruling.EQUAL,) if self.expects_success else (Ruling.EQUAL, Ruling.NOT_RUN)
        wrong = any(ruling not in passing for ruling in self.rulings)
        details = any(finding.is_detail for result in self.results for finding in result.open_findings)
        return 1 if wrong or details or self.stale or not self.is_complete else 0
