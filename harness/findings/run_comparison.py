"""Compares two runs, an earlier and a later one: what is new, what is gone, and what has another class.

Findings are compared by signature, not by case: a corpus grows, and a bug that shows in ten more cases is not a new
bug. A finding is gone only if a case that showed it was run again. Causes are compared by identifier; one that has only
got another identifier, because it was documented since or its heaviest finding is gone, is neither new nor gone.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from harness.findings.causes import Cause
from harness.findings.result import CaseResult
from harness.findings.run import Group, Run
from harness.findings.signature import Signature
from shared_nodes.record import record

__all__ = ["NEW", "Comparison", "compare_runs", "is_same_cause"]

NEW = "undocumented"
"""The class of findings without an entry in known.yaml."""


@record
class Comparison:
    new: tuple[Group, ...]
    gone: tuple[Group, ...]
    changed: tuple[tuple[Group, str, str], ...]
    """Findings with another class, with the class before and now: documented meanwhile, or no longer, or
    differently."""

    worse: tuple[str, ...]
    """Cases that had no open finding before."""

    better: tuple[str, ...]
    added: tuple[str, ...]
    """Cases that only the later run has."""

    missing: tuple[str, ...]
    new_causes: tuple[Cause, ...] = ()
    gone_causes: tuple[Cause, ...] = ()

    @property
    def is_empty(self) -> bool:
        causes = (self.new_causes, self.gone_causes)
        return not any((self.new, self.gone, self.changed, self.worse, self.better, self.added, self.missing, *causes))


def compare_runs(before: Run, now: Run) -> Comparison:
    then, groups = _by_signature(before), _by_signature(now)
    old, cases = _by_case(before), _by_case(now)
    shared = old.keys() & cases.keys()
    gone = [group for signature, group in then.items() if signature not in groups and _was_run(group, cases)]
    changed = [
        (groups[signature], old_class, new_class)
        for signature in then.keys() & groups.keys()
        if (old_class := _class(before, then[signature])) != (new_class := _class(now, groups[signature]))
    ]
    return Comparison(
        new=tuple(group for signature, group in groups.items() if signature not in then),
        gone=tuple(gone),
        changed=tuple(sorted(changed, key=lambda each: each[0].signature)),
        worse=tuple(sorted(name for name in shared if not old[name].open_findings and cases[name].open_findings)),
        better=tuple(sorted(name for name in shared if old[name].open_findings and not cases[name].open_findings)),
        added=tuple(sorted(cases.keys() - old.keys())),
        missing=tuple(sorted(old.keys() - cases.keys())),
        new_causes=_without_counterpart(now.causes, before.causes),
        gone_causes=tuple(
            each for each in _without_counterpart(before.causes, now.causes) if _was_run_again(each, cases)
        ),
    )


def _without_counterpart(causes: Collection[Cause], others: Collection[Cause]) -> tuple[Cause, ...]:
    """Return the causes that are not among the others. Only another one that has lost its own identifier can be the
    same cause under a new name."""
    names, known = ({cause.identifier for cause in those} for those in (causes, others))
    renamed = [other for other in others if other.identifier not in names]
    return tuple(
        cause
        for cause in causes
        if cause.identifier not in known and not any(is_same_cause(cause, other) for other in renamed)
    )


def is_same_cause(one: Cause, other: Cause) -> bool:
    return one.signatures[0] in other.signatures or other.signatures[0] in one.signatures


def _by_signature(run: Run) -> dict[Signature, Group]:
    """A signature may be documented in some cases and not in others: the open group counts."""
    found: dict[Signature, Group] = {}
    for group in run.groups:
        found.setdefault(group.signature, group)
    return found


def _by_case(run: Run) -> dict[str, CaseResult]:
    return {result.identifier: result for result in run.results}


def _was_run(group: Group, cases: Mapping[str, CaseResult]) -> bool:
    return any(case.identifier in cases for case in group.cases)


def _was_run_again(cause: Cause, cases: Mapping[str, CaseResult]) -> bool:
    return not cases.keys().isdisjoint(cause.cases)


def _class(run: Run, group: Group) -> str:
    return f"{run.classes.get(group.known, '')} {group.known}".strip() if group.known else NEW
