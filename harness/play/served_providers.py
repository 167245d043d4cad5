"""The providers of a run, for a binary: which ones a step needs, and how they are made.

They are those of an engine in process, with the same schemas, in the same cloud and world. The schema of some depends
on the configuration and the state of the step, so both are read here as an engine would read them; if the configuration
cannot be read, a binary gets no further than that either.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from harness.case.case import Step
from harness.engines.providers import ProviderContext, Providers
from harness.observe.observation import STEP_VARIABLES
from harness.play.step_context import StepContext
from harness.plugins.extra import EXTRA
from shared_nodes.addresses.provider import BUILTIN, ProviderSource
from shared_nodes.config.inputs import VarFile, gather_inputs
from shared_nodes.config.loading import load_configuration
from shared_nodes.config.requirements import required_sources
from shared_nodes.config.static_evaluation import StaticInputs
from shared_nodes.config.tree import ConfigTree
from shared_nodes.providers.registry import ProviderFactory
from shared_nodes.state.adoption import adopt_providers
from shared_nodes.state.model import State
from shared_nodes.state.reading import read_state

if TYPE_CHECKING:
    from harness.plugins.serving.background import Makers
    from harness.plugins.serving.calls import OwnerOf, ServedProvider

__all__ = ["NO_EXTRA", "makers_for", "makers_of", "serving"]

NO_EXTRA: Final = f"the case needs a simulated provider; to offer one to a binary, install {EXTRA}"


def makers_for(
    context: StepContext, step: Step, text: str | None, owner_of: OwnerOf = lambda _type_name, _planned: ""
) -> Makers:
    """Return how to make the providers that the configuration in the working directory of the context, or the state,
    needs and that are not built into every binary. `owner_of` finds the addresses of objects."""
    config = _configuration(context, step)
    required = set() if config is None else required_sources(config)
    state = adopt_providers(_state(context, text), required, context.flavour)
    providers, _ = context.providers.resolve(ProviderContext(config, state, context.world, context.flavour))
    needed = required | {resource.provider.source for resource in state.resources.values()}
    served = sorted((source for source in needed if source != BUILTIN and providers.has(source)), key=str)
    return _makers(context, providers, served, owner_of)


def makers_of(context: StepContext, sources: Iterable[ProviderSource]) -> Makers:
    """Return how to make providers whose schemas are known without a configuration."""
    return _makers(context, context.providers, sources, lambda _type_name, _planned: "")


def _makers(context: StepContext, providers: Providers, sources: Iterable[ProviderSource], owner_of: OwnerOf) -> Makers:
    factory = providers.factory(context.world, context.flavour)
    return {source: partial(_make, factory, source, owner_of) for source in sources}


def _make(factory: ProviderFactory, source: ProviderSource, owner_of: OwnerOf) -> ServedProvider:
    from harness.plugins.serving.calls import ServedProvider

    provider = factory(source)
    assert provider is not None, f"{source} is known"
    return ServedProvider(provider, owner_of=owner_of)


def _configuration(context: StepContext, step: Step) -> ConfigTree | None:
    files, flavour = context.world.files, context.flavour
    given = [] if step.variables is None else [VarFile(STEP_VARIABLES, step.variables)]
    gathered, _ = gather_inputs(given, files, context.world.environment)
    inputs = StaticInputs(context.world, gathered.static_values(flavour))
    return load_configuration(files, flavour, lambda _source: True, inputs, context.read)[0]


def _state(context: StepContext, text: str | None) -> State:
    """Return the state. One that cannot be read, or is encrypted, has nothing that the configuration does not name."""
    return State() if text is None else read_state(text, context.flavour)[0]


@contextmanager
def serving(makers: Makers, directory: Path) -> Iterator[dict[str, str]]:
    """Serve providers while a command runs, and return the variables that tell it so. Without any, there are none."""
    if not makers:
        yield {}
        return
    from harness.plugins.serving.background import serve_in_background

    with serve_in_background(makers, directory) as variables:
        yield variables
