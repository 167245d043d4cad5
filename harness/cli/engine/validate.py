"""`diffharness engine ENGINE validate`: check a configuration without a state."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from harness.cli.engine.group import is_binary
from harness.cli.engine.options import InputCommand, OperationOptions, input_options, json_option, simulation_options
from harness.cli.engine.reporter import Reporter
from harness.cli.engine.session import open_session
from harness.cli.engine.simulation import open_simulation
from harness.cli.support.options import (
    allow_plugins_option,
    change_option,
    flavour_option,
    permissive_file_options,
    permissive_option,
)

__all__ = ["validate_command"]


@click.command("validate", cls=InputCommand)
@click.argument("directory", metavar="DIR", type=click.Path(exists=True, file_okay=False, path_type=Path))
@input_options
@change_option
@flavour_option
@json_option
@permissive_option
@permissive_file_options[0]
@permissive_file_options[1]
@allow_plugins_option
@simulation_options
@click.pass_context
def validate_command(context: click.Context, /, directory: Path, **values: Any) -> None:
    """Check the configuration in DIR without a state. Values of variables count only where they are evaluated
    statically."""
    options = OperationOptions.from_click(values)
    if is_binary(context.obj):
        from harness.cli.engine.external import external_validate

        context.exit(external_validate(context.obj, directory, options))
    reporter = Reporter(options.as_json)
    with open_simulation(options) as simulation:
        session = open_session(directory, context.obj, options, simulation)
        reporter.report_problems(session.run(options.seed, session.validate, options.engine_options))
    if reporter.ok:
        caveat = ", but there were some validation warnings" if reporter.diagnostics else ""
        reporter.say(f"Success! The configuration is valid{caveat}.")
    context.exit(reporter.finish())
