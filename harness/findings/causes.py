"""Causes: the few things that are wrong behind the many cases that differ.

A case has many findings, and one cause shows in many cases, in each as several findings. Findings are put together in
two ways. Those that an entry of `known.yaml` documents are the cause that the entry describes. Among all others, a
signature that hardly ever shows without another one, and far more often together with it than by chance, belongs to
the cause of the other one. Each signature belongs to one other at most: a case in which two causes show together does
not make them one. Signatures for which there are too few places to say so are compared by their cases
(`cause_groups.py`).

Of engines that run in process it is known at which shared functions they part in each case, and which lines of source
the case executes. That says much more, so findings of these are put together by places and lines instead
(`cause_lines.py`), and there a signature may belong to several causes.

Without lines, two crashes, or two errors that say different things, are never put together, and neither is added to
something that shows more often than it: to split a cause in two costs a maintainer a minute, to merge two hides one of
them.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from harness.compare.difference import DifferenceKind
from harness.findings.cause_groups import Group, join_groups
from harness.findings.cause_lines import Item, LineCause, group_by_lines
from harness.findings.cause_title import title_of
from harness.findings.executed_lines import ExecutedLines
from harness.findings.finding import Finding, Standing
from harness.findings.result import CaseResult
from harness.findings.signature import Ruling, Signature
from harness.findings.weight import Weight
from shared_nodes.record import record

__all__ = ["Cause", "find_causes"]

_SAME: Final = 0.9
"""The part of all places of two signatures at which both show, if they always come together."""

_SHARED: Final = 0.7
"""The part of the places of a signature at which the other one must show as well."""

_LIFT: Final = 3.0
"""How many times as often two signatures must show together as they would by chance."""

_ERROR: Final = re.compile(r"(init\.)?diagnostics\[error.*\]")
_PREDICTS: Final = 0.9
_LISTED_FEATURES: Final = 3
_FEWEST_CASES: Final = 2


@record
class Cause:
    identifier: str
    """The entry of known.yaml, or a short digest of its signatures that is the same on every machine."""

    title: str
    category: str
    """The class of the entry: bug, change, missing, obsolete or wording. Empty for a cause that is not documented."""

    known: str
    """The entry of known.yaml; empty for a new cause."""

    weight: Weight
    cases: tuple[str, ...]
    """The cases in which it shows, sorted."""

    smallest: str
    """The case to open first: the smallest of those in which it shows at its worst, as it does most often."""

    example: Finding
    """Its heaviest finding in that case, the first of several."""

    signatures: tuple[Signature, ...]
    """Heaviest first, then most frequent."""

    consequences: tuple[Signature, ...] = ()
    """Signatures that only ever show as a consequence of it."""

    features: tuple[str, ...] = ()
    """If that is known, the shared function where engines part, as `parts at FUNCTION (FILE:NUMBER)`, or the lines that
    all its cases execute and fewest others do, as `runs FILE:NUMBER`; then features and tags that nearly all its cases
    have and nearly no other."""


_Place = tuple[str, str]
"""The identifier of a case, and a place in it."""


_Found = list[tuple[CaseResult, Finding]]
"""Findings with one signature, or of one entry or cause, each with its case."""

_Key = tuple[str, str, str, str, str]
"""The identity of a signature."""


def find_causes(
    results: Sequence[CaseResult],
    classes: Mapping[str, str] | None = None,
    titles: Mapping[str, str] | None = None,
    lines: ExecutedLines | None = None,
) -> tuple[Cause, ...]:
    """Return the causes of all findings, heaviest first, and among equally heavy ones new ones first. `classes` and
    `titles` are those of the entries of known.yaml; `lines` are those of the engines of which they are known."""
    documented: dict[str, _Found] = defaultdict(list)
    undocumented: dict[_Key, _Found] = defaultdict(list)
    for result in results:
        for finding in result.findings:
            if finding.known:
                documented[finding.known].append((result, finding))
            else:
                undocumented[finding.signature.identity].append((result, finding))
    features = _FeatureTable.of(results)
    known = [
        _make_cause(found, features, known=name, category=(classes or {}).get(name, ""), title=(titles or {}).get(name))
        for name, found in documented.items()
    ]
    used = _FeatureTable.of(replace(result, tags=()) for result in results)
    traced = {key for key in undocumented if lines is not None and key[0] in lines.engines}
    others = {key: found for key, found in undocumented.items() if key not in traced}
    new = [_make_cause(found, features) for found in _cluster(others, used, len(results))]
    if lines is not None:
        groups = {key: undocumented[key] for key in traced}
        new += [_make_cause(found, features, where=where) for found, where in _cluster_by_lines(groups, lines)]
    return tuple(sorted([*known, *_with_names_of_their_own(new)], key=_rank))


def _rank(cause: Cause) -> tuple[int, bool, int, str]:
    return -cause.weight, bool(cause.known), -len(cause.cases), cause.identifier


# Putting signatures together


@record
class _Occurrence:
    """Where a signature shows by itself."""

    key: _Key
    found: _Found
    places: frozenset[_Place]
    cases: frozenset[str]

    @staticmethod
    def of(key: _Key, found: _Found) -> _Occurrence:
        places = frozenset((result.identifier, finding.place) for result, finding in found)
        return _Occurrence(key, found, places, frozenset(case for case, _ in places))

    @property
    def order(self) -> tuple[int, _Key]:
        """More frequent signatures come first; among equally frequent ones there is a fixed order, so that no two can
        be each other's parent."""
        return -len(self.places), self.key


def _cluster(groups: Mapping[_Key, _Found], features: _FeatureTable, count: int) -> list[_Found]:
    """Return the findings of each cause. Findings that follow from others count only where the same signature also
    shows by itself; those that never do are added to the causes they follow from."""
    own = [_Occurrence.of(key, found) for key, group in groups.items() if (found := _own(group))]
    parents = {each.key: _parent(each, own, count) for each in own}
    families: dict[_Key, list[_Occurrence]] = defaultdict(list)
    for each in own:
        families[_root(each.key, parents)].append(each)
    joined = join_groups([_group(root, family) for root, family in families.items()], features.cases, count)
    clusters = [[found for each in group.members for found in each.found] for group in joined]
    consequences = [each for key, group in groups.items() for each in group if key not in parents or _follows(each[1])]
    _add_consequences(clusters, consequences)
    return clusters


def _cluster_by_lines(groups: Mapping[_Key, _Found], lines: ExecutedLines) -> list[tuple[_Found, tuple[str, ...]]]:
    """Return the findings of each cause, and its place or lines in words. What a case shows of a cause is every finding
    of a kind that the cause explains, so a finding can belong to several. A mistake of the baseline shows in what is
    found of the other engine as well: so findings of both are put together."""
    own = {key: found for key, group in groups.items() if (found := _own(group))}
    shown: dict[str, set[Item]] = defaultdict(set)
    for key, found in own.items():
        for result, _ in found:
            shown[result.identifier].add(_item(key))
    clusters: list[tuple[_Found, tuple[str, ...]]] = []
    for cause in group_by_lines({case: frozenset(items) for case, items in shown.items()}, lines):
        explained = (found for key, found in sorted(own.items()) if _item(key) in cause.items)
        of_cause = [each for found in explained for each in found if each[0].identifier in cause.cases]
        clusters.append((of_cause, _describe_where(cause)))
    consequences = [each for key, group in groups.items() for each in group if key not in own or _follows(each[1])]
    _add_consequences([found for found, _ in clusters], consequences)
    return clusters


def _describe_where(cause: LineCause) -> tuple[str, ...]:
    return (f"parts at {cause.place}",) if cause.place else tuple(f"runs {line}" for line in cause.lines)


def _item(key: _Key) -> Item:
    subject, _, shape, kind, _ = key
    return Item(shape, kind, subject)


def _group(root: _Key, family: Sequence[_Occurrence]) -> Group[_Occurrence]:
    """Return a group whose texts are those of crashes and of errors that the engine itself reports. The text of an
    error that it does not report says what the baseline checks, and not what is wrong with the engine: one missing part
    leaves many different mistakes of users undetected."""
    texts = (_exclusive_text(each.key) for each in family if each.key[3] != DifferenceKind.MISSING)
    cases = frozenset[str]().union(*(each.cases for each in family))
    weight = max(finding.weight for each in family for _, finding in each.found)
    return Group(str(root), root[0], cases, frozenset(filter(None, texts)), tuple(family), weight)


def _follows(finding: Finding) -> bool:
    return finding.standing is Standing.FOLLOWS


def _own(group: _Found) -> _Found:
    """Return what a signature shows by itself. Where it does so anywhere, it counts as well at places where it might
    also follow from an earlier difference."""
    if all(finding.standing is not Standing.OWN for _, finding in group):
        return []
    return [each for each in group if not _follows(each[1])]


def _parent(one: _Occurrence, own: Iterable[_Occurrence], count: int) -> _Key | None:
    """Return the signature to whose cause this one belongs: the one it shares most places with, among those that show
    at least as often."""
    candidates = [
        (len(one.places & other.places) / len(one.places | other.places), len(other.places), other.key)
        for other in own
        if other.order < one.order and _may_join(one.key, other.key) and _belongs(one, other, count)
    ]
    return max(candidates)[2] if candidates else None


def _belongs(one: _Occurrence, other: _Occurrence, count: int) -> bool:
    """Return whether a signature hardly ever shows without another one, and not by chance: either the other one hardly
    ever shows without it, or they show together far more often than two unrelated ones would."""
    shared = len(one.places & other.places)
    if shared >= _SAME * len(one.places | other.places):
        return True
    if _exclusive_text(one.key) is not None:
        return False
    together = len(one.cases & other.cases) * count / (len(one.cases) * len(other.cases))
    return shared >= _SHARED * len(one.places) and together >= _LIFT


def _may_join(one: _Key, other: _Key) -> bool:
    if one[0] != other[0]:
        return False
    texts = _exclusive_text(one), _exclusive_text(other)
    return None in texts or texts[0] == texts[1]


def _exclusive_text(key: _Key) -> str | None:
    """Return what makes a crash or an error different from every other one; None for anything else."""
    _, ruling, shape, _, _ = key
    if Ruling(ruling).is_breakdown:
        return shape
    return shape if _ERROR.fullmatch(shape) else None


def _root(key: _Key, parents: Mapping[_Key, _Key | None]) -> _Key:
    while (parent := parents[key]) is not None:
        key = parent
    return key


def _add_consequences(clusters: Iterable[_Found], consequences: Iterable[tuple[CaseResult, Finding]]) -> None:
    """Add each consequence to the causes that have a finding of the same case from which it follows."""
    reasons: dict[tuple[str, str], dict[int, _Found]] = defaultdict(dict)
    for cluster in clusters:
        for result, finding in cluster:
            reasons[result.identifier, finding.signature.digest][id(cluster)] = cluster
    for result, finding in consequences:
        found: dict[int, _Found] = {}
        for digest in finding.follows:
            found |= reasons.get((result.identifier, digest), {})
        for cluster in found.values():
            cluster.append((result, finding))


# Describing causes


@record
class _FeatureTable:
    """The cases that have each feature or tag."""

    cases: Mapping[str, frozenset[str]]

    @staticmethod
    def of(results: Iterable[CaseResult]) -> _FeatureTable:
        found: dict[str, set[str]] = defaultdict(set)
        for result in results:
            for feature in (*result.features, *result.tags):
                found[feature].add(result.identifier)
        return _FeatureTable({name: frozenset(cases) for name, cases in found.items()})

    def predictors(self, cases: frozenset[str]) -> tuple[str, ...]:
        """Return the features that nearly all of these cases have and nearly no other case has, best first. A single
        case predicts nothing."""
        scored = []
        if len(cases) < _FEWEST_CASES:
            return ()
        for name, having in self.cases.items():
            both = len(cases & having)
            if both >= _PREDICTS * len(cases) and both >= _PREDICTS * len(having):
                scored.append((-both / len(cases | having), name))
        return tuple(name for _, name in sorted(scored)[:_LISTED_FEATURES])


def _make_cause(
    group: _Found,
    features: _FeatureTable,
    *,
    known: str = "",
    category: str = "",
    title: str | None = None,
    where: Iterable[str] = (),
) -> Cause:
    own = [each for each in group if (not each[1].inherits if known else not _follows(each[1]))] or group
    cases = frozenset(result.identifier for result, _ in own)
    signatures = _ranked(own)
    smallest, example = _find_example(own)
    predictors = features.predictors(cases)
    return Cause(
        known or _digest(signatures),
        title or title_of(example, predictors),
        category,
        known,
        max(finding.weight for _, finding in own),
        tuple(sorted(cases)),
        smallest.identifier,
        example,
        signatures,
        tuple(signature for signature in _ranked(group) if signature not in signatures),
        (*where, *predictors),
    )


def _find_example(found: _Found) -> tuple[CaseResult, Finding]:
    """Return the case that shows the cause best, and its first finding that does. A finding that may be the consequence
    of something else says least; a cause that crashes is not understood from a case in which only a message is worded
    differently, nor one that shows in fifty cases from what is special to one of them."""
    counts = Counter(
        signature for signature, _ in {(finding.signature, result.identifier) for result, finding in found}
    )
    heaviest = {result.identifier: max(each.weight for each in result.findings) for result, _ in found}

    def rank(each: tuple[CaseResult, Finding]) -> tuple[bool, int, int, int, int, str]:
        result, finding = each
        how = finding.standing is not Standing.OWN, -finding.weight, -counts[finding.signature]
        return *how, heaviest[result.identifier], len(result.evidence), result.identifier

    best = min(map(rank, found))
    shown = [each for each in found if rank(each) == best]
    return min(shown, key=lambda each: each[0].findings.index(each[1]))


def _with_names_of_their_own(causes: Iterable[Cause]) -> list[Cause]:
    """Rename causes whose heaviest signature is that of another one with more cases."""
    named: dict[str, Cause] = {}
    for cause in sorted(causes, key=_rank):
        name = cause.identifier
        while name in named:
            name = _short_digest(f"{name} {cause.cases}")
        named[name] = replace(cause, identifier=name)
    return list(named.values())


def _ranked(findings: _Found) -> tuple[Signature, ...]:
    counts = Counter(finding.signature for _, finding in findings)
    weights = {finding.signature: finding.weight for _, finding in findings}
    return tuple(sorted(counts, key=lambda signature: (-weights[signature], -counts[signature], signature)))


def _digest(signatures: Iterable[Signature]) -> str:
    """The digest of the heaviest signature: further ones come and go with the cases that are run."""
    return _short_digest(str(next(iter(signatures)).identity))


def _short_digest(text: str) -> str:
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()[:10]
