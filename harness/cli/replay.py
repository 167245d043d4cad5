"""`diffharness replay`: run one case again and keep everything it produces."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from harness.case.case import CaseError
from harness.case.steps import Step
from harness.cli.support.case_options import CaseOptions, case_options, mark_known, select_case
from harness.cli.support.given_options import InputCommand
from harness.cli.support.unreadable_case import UnreadableCaseError
from harness.execute.replay import replay as replay_case
from harness.findings.run import Run
from harness.play.artifacts import ArtifactWriter
from reports.run.screen import case_screen
from reports.visible import visible_line
from shared_nodes.values.json import Tree

__all__ = ["replay"]


@click.command(cls=InputCommand)
@click.argument("case", metavar="CASE|RUN:CASE")
@case_options
@click.option("--step", "until", type=click.IntRange(min=1), help="Stop after this step, counted from 1.")
@click.option(
    "--keep",
    type=click.Path(file_okay=False, path_type=Path),
    help="Directory for plans, states, graphs and observations.  [default: replay-CASE in the current directory]",
)
@click.pass_context
def replay(context: click.Context, /, case: str, *, until: int | None, keep: Path | None, **values: Any) -> None:
    """Run one CASE again with the settings of a run, and keep what each step produces. Unlike reports, the kept files
    are not masked: they contain every secret of the case."""
    selected = select_case(case, CaseOptions.from_click(values))
    directory = keep or Path(f"replay-{selected.directory.name}")
    if directory.exists() and any(directory.iterdir()):
        raise click.UsageError(f"{directory} already exists and is not empty: choose another --keep")
    click.echo(f"{', '.join(selected.settings.engines)} with {selected.settings.schedules[0]}", err=True)
    try:
        replayed = replay_case(selected.directory, selected.settings, ArtifactWriter(directory, _print_step), until)
    except CaseError as problem:
        raise UnreadableCaseError(str(problem)) from problem
    except OSError as problem:
        raise click.ClickException(f"cannot keep anything in {directory}: {problem.strerror or problem}") from problem
    result = mark_known(replayed.result, selected.settings)
    click.echo(f"\n{case_screen(result) if result.findings else f'{visible_line(result.identifier)}: {result.ruling}'}")
    click.echo(f"\nkept       {directory}")
    context.exit(Run({}, selected.settings.engines, (result,), planned=1).exit_status)


def _print_step(engine: str, step: Step, observation: Mapping[str, Tree]) -> None:
    """Print one line per step, and one per event and diagnostic in it."""
    outcome = "succeeded" if observation.get("ok") else "failed"
    click.echo(visible_line(f"{engine}: {step.operation} {step.config}: {outcome}"))
    events = observation.get("events") or observation.get("plan_events")
    for event in events if isinstance(events, list) else ():
        words = [str(word) for word in event if word is not None] if isinstance(event, list) else [str(event)]
        click.echo(visible_line(f"  {' '.join(words)}"))
    diagnostics = observation.get("diagnostics")
    for problem in diagnostics if isinstance(diagnostics, list) else ():
        if isinstance(problem, dict):
            click.echo(visible_line(f"  {problem.get('severity')}: {problem.get('summary')} ({problem.get('phase')})"))
