"""A progress bar with the verdicts so far, on a terminal; nothing otherwise, and for one or two cases.

The bar is drawn by a thread, and a process with threads cannot fork its workers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from harness.compare.ruling import Ruling
from harness.findings.result import CaseResult

__all__ = ["show_progress"]

_FEW: Final = 2


@contextmanager
def show_progress(total: int, done: int) -> Iterator[Callable[[CaseResult], None]]:
    """Yield the function to call with each result."""
    console = Console(stderr=True)
    columns = (
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.description}"),
    )
    counts: Counter[Ruling] = Counter()
    with Progress(
        *columns, console=console, transient=True, disable=not console.is_terminal or total <= _FEW
    ) as progress:
        task = progress.add_task("", total=total, completed=done)

        def show_result(result: CaseResult) -> None:
            counts[result.ruling] += 1
            found = [f"{counts[ruling]} {ruling}" for ruling in Ruling if counts[ruling]]
            progress.update(task, advance=1, description=", ".join(found))

        yield show_result
