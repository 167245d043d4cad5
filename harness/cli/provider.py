"""`diffharness provider serve`: offer simulated providers to any terraform or tofu, until interrupted."""

from __future__ import annotations

import shlex
import signal
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click
import trio

from harness.case.steps import Step
from harness.engines.dynamic_providers import PERMISSIBLE, is_permissible
from harness.play.served_providers import makers_for, makers_of
from harness.play.step_context import EngineSpec, StepContext
from harness.plugins.extra import EXTRA, has_extra
from harness.simulation.simcloud.sim import SIM
from harness.simulation.simcloud.simcloud import SIMCLOUD
from harness.simulation.simcloud.simulation import Simulation
from harness.simulation.simcloud.time import VirtualTime
from shared_nodes.flavour import FLAVOURS
from shared_nodes.world import World

if TYPE_CHECKING:
    from harness.plugins.serving.background import Makers

__all__ = ["provider"]

_NAMES: Final = {"sim": SIM, "simcloud": SIMCLOUD}
_QUIET_S: Final = 0.1


@click.group()
def provider() -> None:
    """Offer simulated providers to real binaries."""


@provider.command()
@click.argument("names", metavar="[sim] [simcloud]", nargs=-1, type=click.Choice(list(_NAMES)))
@click.option(
    "--for",
    "directory",
    metavar="DIR",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Serve what the configuration in this directory needs, as far as there is a model of it.",
)
@click.option("--permissive", metavar="SOURCE", multiple=True, help=f"Stand in for a provider: {PERMISSIBLE}.")
@click.option("--flavour", type=click.Choice(list(FLAVOURS)), default="terraform-1.11", show_default=True)
def serve(names: tuple[str, ...], directory: Path | None, permissive: tuple[str, ...], flavour: str) -> None:
    """Serve providers, and print the variable that makes a binary use them. Interrupt to end."""
    if not has_extra():
        raise click.ClickException(f"serving needs the extra: install {EXTRA}")
    if not names and directory is None:
        raise click.UsageError("name a provider, or a directory with --for")
    if wrong := [source for source in permissive if not is_permissible(source)]:
        raise click.UsageError(f"--permissive {wrong[0]}: must be {PERMISSIBLE}")
    makers = _makers(names, directory, permissive, flavour)
    if not makers:
        raise click.ClickException(f"{directory} needs no provider that could be served")
    with tempfile.TemporaryDirectory(prefix="diffharness-serve-") as place:
        trio.run(_serve, makers, Path(place))


def _makers(names: tuple[str, ...], directory: Path | None, permissive: tuple[str, ...], flavour: str) -> Makers:
    """Return how to make the providers. All share one cloud, which is empty at first and lasts as long as this."""
    world = World.real(directory or Path.cwd())
    spec = EngineSpec("", flavour, permissive=permissive)
    context = StepContext(spec, world, Simulation(time=VirtualTime(quiet_s=_QUIET_S)))
    needed = {} if directory is None else makers_for(context, Step("plan", ""), None)
    return {**needed, **makers_of(context, [_NAMES[name] for name in names])}


async def _serve(makers: Makers, place: Path) -> None:
    from harness.plugins.serving.background import serve_until_cancelled

    async with trio.open_nursery() as nursery:
        nursery.start_soon(_cancel_on_signal, nursery.cancel_scope)
        await serve_until_cancelled(makers, place, _announce, _report)


async def _cancel_on_signal(scope: trio.CancelScope) -> None:
    with trio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
        async for _ in signals:
            scope.cancel()


def _announce(variables: Mapping[str, str]) -> None:
    for name, value in variables.items():
        click.echo(f"export {name}={shlex.quote(value)}")


def _report(problem: Exception) -> None:
    click.echo(f"a call failed: {type(problem).__name__}: {problem}", err=True)
