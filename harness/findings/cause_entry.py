"""The entry of known.yaml that documents a cause: exactly its findings, and nothing else of any case.

Its matchers are the signatures that the cause has by itself. What follows from them is documented with them, so
consequences need no matcher; one that follows from another cause as well stays open until that one is documented, too.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import field
from pathlib import Path
from typing import Any, Final

import yaml

from harness.findings.causes import Cause
from harness.findings.finding import Finding, Standing
from harness.findings.judging import judge_again
from harness.findings.known_divergences import KnownDivergences, KnownError, escape, parse_known
from harness.findings.run import Run
from harness.findings.signature import Signature
from shared_nodes.record import record

__all__ = ["DocumentedCause", "Examination", "KnownList", "document_cause"]

_WIDTH: Final = 110
_LONG: Final = 100
"""The length from which a sentence gets lines of its own."""

_Matcher = dict[str, Any]
_Place = tuple[str, int]
"""The identifier of a case, and the number of a finding in it."""


@record
class Examination:
    """What a maintainer says about a cause: the parts of an entry that cannot be read off a run."""

    name: str
    category: str
    reason: str
    case: str
    """The path of a case that shows it, from the file of the list."""

    title: str = ""
    link: str = ""
    changes: tuple[str, ...] = ()


@record
class DocumentedCause:
    text: str
    """The whole list with the new entry, as it is to be written."""

    entry: str
    """The new entry."""

    run: Run
    """The run as the new list judges it."""

    places: frozenset[_Place]
    """The findings that the entry takes away."""

    @property
    def cases(self) -> frozenset[str]:
        return frozenset(case for case, _ in self.places)


@record
class KnownList:
    """A list of documented divergences that is to get one entry more."""

    file: Path
    text: str = ""
    """Its content."""

    others: KnownDivergences = field(default_factory=KnownDivergences)
    """Entries of other lists that hold as well."""

    def require_new(self, name: str) -> None:
        if name in {entry.identifier for entry in (*self.others.entries, *parse_known(self.text, self.file).entries)}:
            raise KnownError(f"{self.file}: id: {name} is there already: choose another name")

    def with_entry(self, run: Run, examination: Examination, matchers: Sequence[_Matcher]) -> DocumentedCause:
        entry = _entry_text(examination, matchers)
        head = self.text.rstrip("\n")
        text = f"{head}\n\n{entry}" if head else entry
        judged = judge_again(run, self.others | parse_known(text, self.file))
        taken = {
            (result.identifier, number)
            for result in judged.results
            for number, finding in enumerate(result.findings)
            if finding.known == examination.name
        }
        return DocumentedCause(text, entry, judged, frozenset(taken))


def document_cause(run: Run, cause: Cause, examination: Examination, target: KnownList) -> DocumentedCause:
    """Return the list with an entry for a cause of the run added at its end.

    The entry is tried on the run. KnownError is raised if the list cannot be used as written, and if the entry would
    take away findings of another cause as well.
    """
    target.require_new(examination.name)
    own = _own_identities(run, cause)
    matchers = _matchers(signature for signature in cause.signatures if signature.identity in own)
    exact = target.with_entry(run, examination, _by_itself(matchers))
    if _strays(run, cause, own, exact):
        matchers = [{**each, "case": _one_or_all(map(escape, cause.cases))} for each in matchers]
        exact = target.with_entry(run, examination, _by_itself(matchers))
    strays = _strays(run, cause, own, exact)
    if strays:
        raise KnownError(
            f"{target.file}: an entry for {cause.identifier} would also take {len(strays)} findings of other causes, "
            f"in {min(case for case, _ in strays)} for example: judge the run by all lists that hold, with --known"
        )
    short = target.with_entry(run, examination, matchers)
    return short if short.places == exact.places else exact


def _own_identities(run: Run, cause: Cause) -> frozenset[tuple[str, ...]]:
    """Return what identifies the findings that the cause has by itself. A signature that shows nowhere by itself may
    follow from several causes."""
    own = {
        finding.signature.identity
        for result in run.results
        for finding in result.findings
        if not finding.known and finding.standing is Standing.OWN
    }
    return frozenset(signature.identity for signature in cause.signatures) & own


def _strays(run: Run, cause: Cause, own: Collection[tuple[str, ...]], documented: DocumentedCause) -> list[_Place]:
    """Return findings that the entry takes away although they are not of its cause. In a case that does not show the
    cause, even a finding with one of its signatures is of another one."""
    findings = {
        (result.identifier, number): finding for result in run.results for number, finding in enumerate(result.findings)
    }
    cases = frozenset(cause.cases)
    return [
        place for place in documented.places if not _is_of(findings[place], own if place[0] in cases else frozenset())
    ]


def _is_of(finding: Finding, own: Collection[tuple[str, ...]]) -> bool:
    """Return whether a finding that an entry takes away belongs to its cause, or only follows from it. One that was
    documented merely because it may follow from something else may be taken as well: now an entry describes it."""
    if finding.known and not finding.inherits:
        return False
    return finding.signature.identity in own or finding.standing is not Standing.OWN


# Matchers


def _by_itself(matchers: Iterable[_Matcher]) -> list[_Matcher]:
    """Return matchers that leave alone what follows from something: where that is documented, it is so by itself."""
    return [{**each, "standing": [str(Standing.OWN), str(Standing.MAY_FOLLOW)]} for each in matchers]


def _matchers(signatures: Iterable[Signature]) -> list[_Matcher]:
    """Return matchers that fit these signatures, of any operation, and no others. Shapes that have all else in common
    share one, and so do roles with the same shapes."""
    shapes: dict[tuple[str, str, str, str], list[str]] = defaultdict(list)
    for signature in signatures:
        subject, ruling, shape, kind, role = signature.identity
        shapes[subject, ruling, kind, role].append(shape)
    roles: dict[tuple[str, str, tuple[str, ...], str], list[str]] = defaultdict(list)
    for (subject, ruling, kind, role), found in shapes.items():
        roles[subject, ruling, tuple(sorted(set(found))), kind].append(role)
    return [
        {
            "subject": escape(subject),
            "ruling": ruling,
            "shape": _one_or_all(map(escape, found)),
            "kind": escape(kind),
            "role": _one_or_all(map(escape, some)),
        }
        for (subject, ruling, found, kind), some in roles.items()
    ]


def _one_or_all(texts: Iterable[str]) -> str | list[str]:
    found = list(texts)
    return found[0] if len(found) == 1 else found


# Writing


class _Dumper(yaml.SafeDumper):
    """Writes lists indented, and long sentences folded."""

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:  # noqa: ARG002 - as it is called
        super().increase_indent(flow, indentless=False)


class _Sentence(str):
    """A text of a person."""


def _represent_sentence(dumper: yaml.SafeDumper, sentence: _Sentence) -> yaml.ScalarNode:
    style = ">" if len(sentence) > _LONG and sentence.isprintable() else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", str(sentence), style)


_Dumper.add_representer(_Sentence, _represent_sentence)


def _entry_text(examination: Examination, matchers: Sequence[_Matcher]) -> str:
    tree = {
        "id": examination.name,
        "class": examination.category,
        "title": _Sentence(examination.title),
        "reason": _Sentence(examination.reason),
        "link": examination.link,
        "case": examination.case,
        "changes": list(examination.changes),
        "match": matchers[0] if len(matchers) == 1 else list(matchers),
    }
    given = {key: value for key, value in tree.items() if value}
    return yaml.dump([given], Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=_WIDTH)
