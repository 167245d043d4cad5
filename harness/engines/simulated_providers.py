"""Providers that work in a simulated cloud, in addition to the builtin ones."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from harness.engines.providers import BUILTIN_PROVIDERS, SCHEMAS, Providers
from harness.simulation.simcloud.faulty import FaultyProvider
from harness.simulation.simcloud.recorded import RecordedProvider
from harness.simulation.simcloud.sim import SIM, SimProvider
from harness.simulation.simcloud.simcloud import SIMCLOUD, SIMCLOUD_SCHEMA, SimcloudProvider
from harness.simulation.simcloud.simulation import Simulation
from harness.simulation.simcloud.thing import SIM_SCHEMA
from shared_nodes.addresses.provider import ProviderSource
from shared_nodes.providers.contract import Provider
from shared_nodes.providers.registry import ProviderFactory
from shared_nodes.state.file import Schemas
from shared_nodes.world import World

__all__ = ["KNOWN_SCHEMAS", "simulated_providers"]

_SIMULATED: Final = frozenset({SIM, SIMCLOUD})

KNOWN_SCHEMAS: Final[Schemas] = {**SCHEMAS, SIM: SIM_SCHEMA, SIMCLOUD: SIMCLOUD_SCHEMA}
"""Schemas of all our providers: enough to show their objects."""

Between = Callable[[ProviderFactory], ProviderFactory]


def simulated_providers(simulation: Simulation, between: Between = lambda factory: factory) -> Providers:
    """Return the providers of a simulation. `between` wraps them inside of the recording, so that its effect on a call
    is recorded."""
    providers = BUILTIN_PROVIDERS.including(SIM, lambda _world, _flavour: _sim(simulation), SIM_SCHEMA)
    providers = providers.including(SIMCLOUD, lambda world, _flavour: _simcloud(simulation, world), SIMCLOUD_SCHEMA)
    return providers.through(between).through(lambda factory: _recorded(factory, simulation))


def _sim(simulation: Simulation) -> Provider:
    return FaultyProvider(SimProvider(simulation), SIM.type, simulation, implements_answers=True)


def _simcloud(simulation: Simulation, world: World) -> Provider:
    return FaultyProvider(SimcloudProvider(simulation, world), SIMCLOUD.type, simulation, implements_answers=False)


def _recorded(factory: ProviderFactory, simulation: Simulation) -> ProviderFactory:
    def make(source: ProviderSource) -> Provider | None:
        provider = factory(source)
        if provider is None or source not in _SIMULATED:
            return provider
        return RecordedProvider(provider, source.type, simulation)

    return make
