"""`diffharness chaos`: kill, interrupt, fill the disk and damage files, and check that nothing is lost."""

from __future__ import annotations

from pathlib import Path

import click
from rich.console import Console
from rich.table import Table

from harness.chaos.campaign import CAMPAIGNS, COMMANDS, run_campaigns
from harness.chaos.trial import Target, Totals, Trial
from harness.cli.support.interrupts import INTERRUPTED

__all__ = ["chaos"]


@click.command()
@click.option("--minutes", type=click.FloatRange(min=0), default=1, show_default=True, help="Duration.")
@click.option("--seed", type=int, default=0, show_default=True, help="Decides which faults happen.")
@click.option("--campaign", type=click.Choice(CAMPAIGNS), multiple=True, help="Kind of faults.  [default: all]")
@click.option("--command", type=click.Choice(COMMANDS), multiple=True, help="Command they happen to.  [default: all]")
@click.option(
    "--corpus",
    type=click.Path(exists=True, path_type=Path),
    help="Cases for the runs.  [default: eight small ones]",
)
@click.pass_context
def chaos(
    context: click.Context,
    /,
    *,
    minutes: float,
    seed: int,
    campaign: tuple[str, ...],
    command: tuple[str, ...],
    corpus: Path | None,
) -> None:
    """Let faults from outside happen to run, fuzz and engine apply, and check that nothing is lost.

    Processes are killed and interrupted at random moments, disks are full, and journals are damaged. Afterwards every
    object must be known, every provisioner must have run, every run must have its result, and no process may be left.
    """
    totals: dict[Target, Totals] = {}
    try:
        totals = run_campaigns(
            campaign or CAMPAIGNS, command or COMMANDS, minutes * 60, seed, corpus=corpus, on_trial=_report
        )
    except KeyboardInterrupt:
        context.exit(INTERRUPTED)
    _print(totals)
    context.exit(1 if any(total.failed for total in totals.values()) else 0)


def _report(target: Target, trial: Trial) -> None:
    for failure in trial.failures:
        click.echo(f"{target.campaign}, {target.command}: {failure}", err=True)


def _print(totals: dict[Target, Totals]) -> None:
    table = Table("campaign", "command", box=None, pad_edge=False)
    for name in ("trials", "faults", "failed"):
        table.add_column(name, justify="right")
    table.add_column("what failed")
    for target, total in sorted(totals.items(), key=lambda item: (CAMPAIGNS.index(item[0].campaign), item[0].command)):
        what = "; ".join(f"{failure} ({count})" for failure, count in total.failures.most_common())
        numbers = map(str, (total.trials, total.tried, total.failed))
        table.add_row(target.campaign, target.command, *numbers, what)
    Console(highlight=False).print(table)
