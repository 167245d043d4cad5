"""`diffharness shrink`: reduce a case to the smallest one that still shows the same difference."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import click
from rich.console import Console

from harness.case.case import CaseError
from harness.cli.support.case_options import CaseOptions, SelectedCase, case_options, select_case
from harness.cli.support.given_options import InputCommand
from harness.cli.support.options import mutant_option
from harness.cli.support.unreadable_case import UnreadableCaseError
from harness.reduce.predicate import NothingToReduceError
from harness.reduce.reduction import ReducedCase, reduce_case
from harness.reduce.saving import readme_line, save_specimen
from harness.reduce.search import DEFAULT_LIMITS, Limits
from harness.reduce.specimens.specimen import Specimen
from reports.visible import visible_line
from shared_nodes.values.json import JsonNumber, Tree, dumps

__all__ = ["shrink"]

_OUT: Final = Path("shrunk")
_ALSO: Final = "also"
_MINUTES: Final = 10.0


@click.command(cls=InputCommand)
@click.argument("case", metavar="CASE|RUN:CASE")
@case_options
@mutant_option
@click.option("--signature", metavar="DIGEST", default="", help="Finding to preserve.  [default: the worst]")
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    default=_OUT,
    show_default=True,
    help="Directory for the reduced case, which is named after the signature.",
)
@click.option(
    "--budget",
    type=click.IntRange(min=1),
    default=DEFAULT_LIMITS.trials,
    show_default=True,
    help="Trials at most.",
)
@click.option(
    "--minutes",
    type=click.FloatRange(min=0, min_open=True),
    default=_MINUTES,
    show_default=True,
    help="Maximum duration.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the outcome as JSON.")
def shrink(
    case: str, *, mutant: str, signature: str, out: Path, budget: int, minutes: float, as_json: bool, **values: Any
) -> None:
    """Reduce a CASE in which engines differ, crash or vary, preserving its worst finding.

    Steps, versions, modules, blocks, arguments and values are removed or made shorter as long as the finding stays.
    Commands of the configuration are not run. Cases with other findings that appear meanwhile are written to
    OUT/also."""
    selected = select_case(case, CaseOptions.from_click(values), with_recorded=False)
    try:
        found = _reduce(selected, signature, mutant, Limits(budget, minutes))
        place, is_new = save_specimen(found.specimen, found.signature, out, found.history)
        others = [(one, *save_specimen(each, one, out / _ALSO)) for one, each in found.others.items()]
    except CaseError as problem:
        raise UnreadableCaseError(str(problem)) from problem
    except NothingToReduceError as problem:
        raise click.ClickException(str(problem)) from problem
    except OSError as problem:
        raise click.ClickException(f"cannot write to {out}: {problem.strerror}") from problem
    if as_json:
        click.echo(
            dumps(_reduction_to_json(found, place, is_new, [each[1] for each in others]), escape_html=False, indent=2)
        )
        return
    click.echo(visible_line(f"{found.signature.digest} {found.signature}"))
    ended = "nothing helps any more" if found.is_complete else "the budget was spent; more may help"
    click.echo(f"{found.blocks} blocks, {found.lines} lines after {found.trials} trials: {ended}")
    click.echo(f"written {place}" if is_new else f"{place} shows the same and is no larger: nothing written")
    for one, where, _ in others:
        click.echo(visible_line(f"also shown on the way: {one.digest} {one}: {where}"))
    click.echo(f"for a README: {visible_line(readme_line(found, place))}")


def _reduce(selected: SelectedCase, signature: str, mutant: str, limits: Limits) -> ReducedCase:
    console = Console(stderr=True)
    settings = selected.settings
    with console.status("looking") as status:

        def watch(trials: int, best: Specimen) -> None:
            if console.is_terminal:
                status.update(f"{trials} trials, {best.rank[0]} characters left")

        return reduce_case(
            selected.directory,
            settings.engines,
            signature,
            mutant,
            flavour=settings.flavour,
            schedules=settings.schedules,
            changes=settings.changes,
            prelude=settings.prelude,
            limits=limits,
            on_trial=watch,
        )


def _reduction_to_json(found: ReducedCase, place: Path, is_new: bool, others: list[Path]) -> Tree:
    also: list[Tree] = [
        {"digest": one.digest, "signature": str(one), "directory": where.as_posix()}
        for one, where in zip(found.others, others, strict=True)
    ]
    return {
        "digest": found.signature.digest,
        "signature": str(found.signature),
        "directory": place.as_posix(),
        "written": is_new,
        "blocks": JsonNumber(str(found.blocks)),
        "lines": JsonNumber(str(found.lines)),
        "trials": JsonNumber(str(found.trials)),
        "complete": found.is_complete,
        "also": also,
    }
