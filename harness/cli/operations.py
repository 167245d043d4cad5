"""`diffharness engine ENGINE validate|plan|apply|destroy`: operations as their users know them."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import click

from harness.cli.operation import open_operation, session_in
from harness.cli.options import (
    Asked,
    InputCommand,
    change_option,
    flavour_option,
    json_option,
    operation_options,
    permissive_option,
    simulation_options,
)
from harness.cli.reporter import Reporter
from harness.cli.simulation import simulated
from harness.engines.scheduling import run_deterministically

__all__ = ["OPERATIONS"]

_DIRECTORY: Final = click.Path(exists=True, file_okay=False, path_type=Path)
_FILE: Final = click.Path(dir_okay=False, path_type=Path)


@click.command("validate")
@click.argument("directory", metavar="DIR", type=_DIRECTORY)
@change_option
@flavour_option
@json_option
@permissive_option
@simulation_options
@click.pass_context
def validate_command(context: click.Context, /, directory: Path, **values: Any) -> None:
    """Check the configuration in DIR, without looking at state or variables."""
    asked = Asked.of(values)
    reporter = Reporter(asked.as_json)
    with simulated(asked) as simulation:
        session = session_in(directory, context.obj, asked, simulation)
        reporter.problems(run_deterministically(asked.seed, session.validate, asked.engine_options))
    if reporter.ok:
        caveat = ", but there were some validation warnings" if reporter.diagnostics else ""
        reporter.say(f"Success! The configuration is valid{caveat}.")
    context.exit(reporter.finish())


@click.command("plan", cls=InputCommand)
@click.argument("directory", metavar="DIR", type=_DIRECTORY)
@click.option("--out", type=_FILE, help="Save the plan here, to be applied later.")
@operation_options()
@click.pass_context
def plan_command(context: click.Context, /, directory: Path, out: Path | None, **values: Any) -> None:
    """Show what would change, without changing anything."""
    with open_operation(directory, context.obj, Asked.of(values)) as operation:
        plan = operation.plan()
        if out is not None and plan is not None:
            operation.save(plan, out)
        status = operation.finish()
    context.exit(status)


@click.command("apply", cls=InputCommand)
@click.argument("place", metavar="DIR|PLAN", type=click.Path(exists=True, path_type=Path))
@operation_options()
@click.pass_context
def apply_command(context: click.Context, /, place: Path, **values: Any) -> None:
    """Plan and carry out what is in DIR, or carry out a saved PLAN."""
    asked = Asked.of(values)
    with open_operation(place, context.obj, asked) as operation:
        plan = operation.plan(to_apply=True) if place.is_dir() else operation.saved_plan(place)
        if plan is not None:
            operation.apply(plan)
        status = operation.finish()
    context.exit(status)


@click.command("destroy", cls=InputCommand)
@click.argument("directory", metavar="DIR", type=_DIRECTORY)
@operation_options(choose_mode=False)
@click.pass_context
def destroy_command(context: click.Context, /, directory: Path, **values: Any) -> None:
    """Destroy everything the state knows."""
    with open_operation(directory, context.obj, Asked.of(values | {"destroy": True})) as operation:
        plan = operation.plan(to_apply=True)
        if plan is not None:
            operation.apply(plan, command="destroy")
        status = operation.finish()
    context.exit(status)


OPERATIONS: Final = (validate_command, plan_command, apply_command, destroy_command)
