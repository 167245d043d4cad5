"""Progress bars, on a terminal; nothing otherwise. For one or two cases there are none.

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

__all__ = ["show_progress", "show_recording"]

_FEW: Final = 2
_RECORDING: Final = "recording what the engines execute, to find causes; Ctrl+C leaves it out"


@contextmanager
def show_progress(total: int, done: int) -> Iterator[Callable[[CaseResult], None]]:
    """Show the verdicts so far. Yield the function to call with each result."""
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


@contextmanager
def show_recording() -> Iterator[Callable[[int, int], None]]:
    """Show how many cases are recorded after a run. Yield the function to call with their number, and that of all. It
    can take as long as the run did, and may be left out, which users need to know."""
    console = Console(stderr=True)
    columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), TextColumn("{task.description}"))
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task(_RECORDING, visible=False)

        def show_case(done: int, total: int) -> None:
            progress.update(task, completed=done, total=total, visible=True)

        yield show_case
