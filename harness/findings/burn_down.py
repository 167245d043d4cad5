"""How far the documented causes are worked off: known and present, known and gone, new."""

from __future__ import annotations

from harness.findings.known_divergences import DivergenceClass
from harness.findings.run import Run
from shared_nodes.record import record

__all__ = ["BurnDown", "ClassCount", "burn_down"]


@record
class ClassCount:
    category: str
    """The class of the entries: bug, change, missing, obsolete or wording."""

    entries: int
    """All entries, including those whose case was not run."""

    present: int
    gone: int
    """Entries whose case was run and that no case shows any more: they are to be taken out."""

    cases: int


@record
class BurnDown:
    classes: tuple[ClassCount, ...]
    """Classes that have entries."""

    new: int
    """Causes that are not documented."""

    new_cases: int

    @property
    def is_empty(self) -> bool:
        """Whether nothing documented shows in this run or has gone from it."""
        return not any(each.present or each.gone for each in self.classes)


def burn_down(run: Run) -> BurnDown:
    stale = {each.entry for each in run.stale}
    classes = []
    for category in DivergenceClass:
        entries = {entry for entry, found in run.classes.items() if found == category}
        present = {entry for entry in entries if entry in run.documented}
        cases = {result.identifier for result in run.results for found in result.findings if found.known in present}
        if entries:
            gone = len((entries & stale) - present)
            classes.append(ClassCount(str(category), len(entries), len(present), gone, len(cases)))
    new = [cause for cause in run.causes if not cause.known]
    return BurnDown(tuple(classes), len(new), len({case for cause in new for case in cause.cases}))
