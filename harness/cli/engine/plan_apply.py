"""`diffharness engine ENGINE plan|apply|destroy`: the operations as terraform offers them."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import click

from harness.cli.engine.engine_operation import open_operation
from harness.cli.engine.group import is_binary
from harness.cli.engine.options import InputCommand, OperationOptions, operation_options

__all__ = ["apply_command", "destroy_command", "plan_command"]

_DIRECTORY: Final = click.Path(exists=True, file_okay=False, path_type=Path)
_FILE: Final = click.Path(dir_okay=False, path_type=Path)


@click.command("plan", cls=InputCommand)
@click.argument("directory", metavar="DIR", type=_DIRECTORY)
@click.option("--out", type=_FILE, help="Save the plan to this file.")
@operation_options()
@click.pass_context
def plan_command(context: click.Context, /, directory: Path, out: Path | None, **values: Any) -> None:
    """Show what would change, without changing anything."""
    if is_binary(context.obj):
        from harness.cli.engine.external import external_plan

        context.exit(external_plan(context.obj, directory, OperationOptions.from_click(values), out))
    with open_operation(directory, context.obj, OperationOptions.from_click(values)) as operation:
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
    """Plan and apply the configuration in DIR, or apply a saved PLAN."""
    options = OperationOptions.from_click(values)
    if is_binary(context.obj):
        from harness.cli.engine.external import external_apply

        context.exit(external_apply(context.obj, place, options))
    with open_operation(place, context.obj, options, to_apply=True) as operation:
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
    """Destroy everything in the state."""
    options = OperationOptions.from_click(values | {"destroy": True})
    if is_binary(context.obj):
        from harness.cli.engine.external import external_apply

        context.exit(external_apply(context.obj, directory, options))
    with open_operation(directory, context.obj, options, to_apply=True) as operation:
        plan = operation.plan(to_apply=True)
        if plan is not None:
            operation.apply(plan, command="destroy")
        status = operation.finish()
    context.exit(status)
