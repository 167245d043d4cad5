"""The causes of a run, for the terminal: all of them as a table, or one on a screen of its own."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from rich.table import Table
from rich.text import Text

from harness.findings.causes import Cause
from harness.findings.result import CaseResult
from harness.findings.run import Run
from harness.findings.signature import Signature
from reports.run.screen import finding_screen, reproduction_line
from reports.visible import shortened, visible_line

__all__ = ["cause_screen", "cause_table"]

_MOST_SIGNATURES: Final = 20
_MOST_CASES: Final = 20
_LONGEST: Final = 200


def cause_table(causes: Iterable[Cause]) -> Table:
    """Return a row for each cause. A documented one is named after its entry."""
    table = Table(box=None, pad_edge=False)
    table.add_column("cause", no_wrap=True)
    table.add_column("weight")
    table.add_column("cases", justify="right")
    table.add_column("class")
    table.add_column("known")
    table.add_column("what is wrong", overflow="fold")
    for cause in causes:
        known = "known" if cause.known else "new"
        cells = (
            cause.identifier,
            cause.weight.description,
            f"{len(cause.cases):,}",
            cause.category,
            known,
            cause.title,
        )
        table.add_row(*(Text(visible_line(cell)) for cell in cells))
    return table


def cause_screen(run: Run, cause: Cause) -> str:
    """Return everything about a cause: its signatures, what follows from it, its cases, and one finding in full."""
    results = {result.identifier: result for result in run.results}
    cases = sorted((results[name] for name in cause.cases), key=_size)
    known = f", known: {cause.category}" if cause.known else ", not documented"
    lines = [
        visible_line(f"{cause.identifier}: {cause.title}"),
        f"{cause.weight.description}, {_count(len(cause.cases), 'case')}{known}",
        *_list("signatures", _texts(cause.signatures), _MOST_SIGNATURES),
        *_list("consequences", _texts(cause.consequences), _MOST_SIGNATURES),
        *_list("features of its cases alone", cause.features, len(cause.features)),
        *_list("cases, smallest first", [case.identifier for case in cases], _MOST_CASES),
    ]
    smallest = results[cause.smallest]
    example = [f"in {visible_line(cause.smallest)}:", *finding_screen(smallest, cause.example)]
    return "\n".join([*lines, "", *example, "", f"again      {reproduction_line(smallest)}"])


def _size(result: CaseResult) -> tuple[int, str]:
    return len(result.evidence), result.identifier


def _texts(signatures: Iterable[Signature]) -> list[str]:
    return [str(signature) for signature in signatures]


def _list(heading: str, texts: Sequence[str], most: int) -> list[str]:
    if not texts:
        return []
    shown = [f"  {visible_line(shortened(text, _LONGEST))}" for text in texts[:most]]
    more = [f"  and {len(texts) - most} more"] if len(texts) > most else []
    return ["", f"{heading}:", *shown, *more]


def _count(number: int, noun: str) -> str:
    return f"1 {noun}" if number == 1 else f"{number:,} {noun}s"
