"""What a run says about configurations without a `case.yaml`, in lines of text: modules that are not here, and values
that were chosen."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from harness.findings.missing_modules import cases_by_source
from harness.findings.run import Run
from reports.visible import visible_line

__all__ = ["chosen_value_lines", "missing_module_lines"]

_MOST: Final = 20


def missing_module_lines(run: Run) -> Iterator[str]:
    """Return how many cases need modules that are not here, which modules these are, and what to do."""
    sources = cases_by_source(run.results)
    affected = [result for result in run.results if result.missing_modules]
    if not affected:
        return
    count = "1 case needs modules that are" if len(affected) == 1 else f"{len(affected):,} cases need modules that are"
    yield f"{count} not here, and could not be run:"
    for source, cases in list(sources.items())[:_MOST]:
        yield f"  {_count(len(cases)):>9}  {visible_line(f'{source} ({cases[0]})')}"
    if len(sources) > _MOST:
        yield f"  and {len(sources) - _MOST:,} more sources"
    reason = next(iter(affected[0].not_run.values()), "")
    yield visible_line(reason if len(affected) == 1 else f"For example: {reason}")


def chosen_value_lines(run: Run) -> Iterator[str]:
    """Return the values that were chosen for one case. Those of several are in the other reports."""
    chosen = [result for result in run.results if result.chosen_values]
    if not chosen:
        return
    if len(chosen) > 1:
        total = sum(len(result.chosen_values) for result in chosen)
        yield f"Values were chosen for {total:,} variables, in {_count(len(chosen))}: see --json, or the report."
        return
    case = f" of {chosen[0].identifier}" if len(run.results) > 1 else ""
    yield visible_line(f"Values were chosen for required variables{case}:")
    for name, text in chosen[0].chosen_values.items():
        yield visible_line(f"  {name} = {text}")


def _count(count: int) -> str:
    return "1 case" if count == 1 else f"{count:,} cases"
