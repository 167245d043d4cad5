"""The results of a run by repository, and which repositories each cause affects."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from rich.table import Table
from rich.text import Text

from harness.findings.causes import Cause
from harness.findings.run import Run
from harness.findings.signature import Ruling
from reports.visible import visible_line

__all__ = ["REPOSITORY_FACT", "affected_lines", "repositories_document", "repository_table"]

REPOSITORY_FACT = "repository "
"""The beginning of the fact of a run that describes a repository; its name follows."""


def affected(run: Run, cause: Cause) -> Mapping[str, int]:
    """Return the repositories that a cause affects, with the number of cases: those with most cases first."""
    repositories = {result.identifier: result.repository for result in run.results if result.repository}
    counts = Counter(repositories[case] for case in cause.cases if case in repositories)
    return dict(sorted(counts.items(), key=lambda each: (-each[1], each[0])))


def repository_table(run: Run) -> Table | None:
    """Return a table of repositories; None for a run without any."""
    if not run.by_repository:
        return None
    present = [ruling for ruling in Ruling if run.rulings.get(ruling)]
    table = Table(title="Repositories", title_justify="left")
    table.add_column("repository", no_wrap=True)
    for heading in ("cases", *map(str, present)):
        table.add_column(heading, justify="right")
    for name, results in run.by_repository.items():
        counts = Counter(result.ruling for result in results)
        row = (str(len(results)), *(str(counts[ruling]) for ruling in present))
        table.add_row(Text(visible_line(name)), *row)
    return table


def affected_lines(run: Run) -> Iterator[str]:
    """Return one line for each cause that shows in a repository: who is affected."""
    for cause in run.causes:
        if counts := affected(run, cause):
            shown = ", ".join(f"{name} ({count})" for name, count in counts.items())
            yield visible_line(f"  {cause.title}: {shown}")


def repositories_document(run: Run) -> list[dict[str, Any]]:
    return [
        {
            "name": name,
            "source": run.header.get(f"{REPOSITORY_FACT}{name}", ""),
            "cases": len(results),
            "rulings": {str(ruling): count for ruling, count in _count(result.ruling for result in results)},
            "causes": [
                {"id": cause.identifier, "cases": counts[name]}
                for cause in run.causes
                if name in (counts := affected(run, cause))
            ],
        }
        for name, results in run.by_repository.items()
    ]


def _count(rulings: Iterator[Ruling]) -> list[tuple[Ruling, int]]:
    counts = Counter(rulings)
    return [(ruling, counts[ruling]) for ruling in Ruling if counts[ruling]]
