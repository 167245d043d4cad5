"""`diffharness engine ENGINE validate`: a configuration by itself, before there is anything to plan."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from harness.cli.engine.group import is_binary
from harness.cli.engine.reporter import Reporter
from harness.cli.engine.session import session_in
from harness.cli.engine.simulation import simulated
from harness.cli.support.options import (
    Asked,
    change_option,
    flavour_option,
    json_option,
    permissive_option,
    simulation_options,
)
from harness.engines.scheduling import run_deterministically

__all__ = ["validate_command"]


@click.command("validate")
@click.argument("directory", metavar="DIR", type=click.Path(exists=True, file_okay=False, path_type=Path))
@change_option
@flavour_option
@json_option
@permissive_option
@simulation_options
@click.pass_context
def validate_command(context: click.Context, /, directory: Path, **values: Any) -> None:
    """Check the configuration in DIR, without looking at state or variables."""
    asked = Asked.of(values)
    if is_binary(context.obj):
        from harness.cli.engine.external import external_validate

        context.exit(external_validate(context.obj, directory, asked))
    reporter = Reporter(asked.as_json)
    with simulated(asked) as simulation:
        session = session_in(directory, context.obj, asked, simulation)
        reporter.problems(run_deterministically(asked.seed, session.validate, asked.engine_options))
    if reporter.ok:
        caveat = ", but there were some validation warnings" if reporter.diagnostics else ""
        reporter.say(f"Success! The configuration is valid{caveat}.")
    context.exit(reporter.finish())
