"""`diffharness report`: runs read back from their directories, never run again."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

import click

from harness.cli.publishing import publish, publishing_options
from harness.cli.run_directory import find_run
from harness.cli.trust import configuration_here
from harness.journal import JournalError, read_run
from harness.judging.comparison import Comparison, compare_runs
from harness.judging.run import Group
from reports.visible import visible_line

__all__ = ["report"]

_MOST: Final = 20
"""Lines of each kind."""


@click.command()
@click.argument("runs", metavar="RUN...", nargs=-1, required=True)
@click.option("--against", metavar="RUN", multiple=True, help="An earlier run: tell what is new, and what is gone.")
@publishing_options
@click.pass_context
def report(context: click.Context, /, runs: tuple[str, ...], against: tuple[str, ...], **files: Any) -> None:
    """Report on a RUN again: its directory, its name, or latest. Several are the shards of one. The exit code is that
    of the run."""
    configuration = configuration_here()
    try:
        now = read_run(find_run(configuration, text) for text in runs)
        before = read_run(find_run(configuration, text) for text in against) if against else None
    except JournalError as problem:
        raise click.ClickException(str(problem)) from problem
    publish(now, files, before)
    if before is not None:
        for line in _told(compare_runs(before, now)):
            click.echo(line)
    context.exit(now.exit_status)


def _told(comparison: Comparison) -> list[str]:
    if comparison.is_empty:
        return ["", "Nothing has changed since the earlier run."]
    lines = ["", "Since the earlier run:"]
    lines += _listed("new", map(_group, comparison.new))
    lines += _listed("gone", map(_group, comparison.gone))
    classes = [f"{_group(group)}: was {before}, is {now}" for group, before, now in comparison.changed]
    lines += _listed("another class", classes)
    for name in ("worse", "better", "added", "missing"):
        cases: Sequence[str] = getattr(comparison, name)
        if cases:
            lines.append(f"  {len(cases)} {'case' if len(cases) == 1 else 'cases'} {name}: {_some(cases)}")
    return lines


def _listed(kind: str, texts: Iterable[str]) -> list[str]:
    lines = [f"  {kind}: {text}" for text in texts]
    return lines if len(lines) <= _MOST else [*lines[:_MOST], f"  and {len(lines) - _MOST} more {kind}"]


def _group(group: Group) -> str:
    return visible_line(f"{group.signature} ({len(group.cases)}, such as {group.smallest.identifier})")


def _some(cases: Sequence[str]) -> str:
    return visible_line(", ".join(cases[:5])) + (", ..." if len(cases) > 5 else "")
