"""The available providers: how each is made, and its schema.

A `Providers` is a value. Another provider is registered by making a larger one, `providers.including(source, make,
schema)`, and passing that to an `EngineSession`, which uses it to load, plan, apply, show and save.

The schema of some providers depends on the configuration. Such a provider is announced with
`announcing(offers, resolve_provider)`, and `resolve(context)` returns providers whose schemas are all known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from shared_nodes.addresses.provider import BUILTIN, ProviderSource
from shared_nodes.config.requirements import required_sources
from shared_nodes.config.tree import ConfigTree
from shared_nodes.flavour import Flavour
from shared_nodes.lang.diagnostics import Diagnostic, error
from shared_nodes.providers.builtin import BUILTIN_SCHEMA, BuiltinProvider
from shared_nodes.providers.contract import Provider
from shared_nodes.providers.registry import ProviderFactory
from shared_nodes.providers.schema import ProviderSchema
from shared_nodes.record import record
from shared_nodes.state.file import Schemas
from shared_nodes.state.model import State
from shared_nodes.world import World

__all__ = ["BUILTIN_PROVIDERS", "SCHEMAS", "ProviderContext", "ProviderMaker", "Providers", "ResolvedProvider"]

ProviderMaker = Callable[[World, Flavour], Provider]
"""Makes a new instance, not yet configured."""


@record
class _Known:
    make: ProviderMaker
    schema: ProviderSchema


@record
class ProviderContext:
    """What the schema of a provider may depend on. Without a configuration there is only a state."""

    config: ConfigTree | None
    state: State
    world: World
    flavour: Flavour


@record
class ResolvedProvider:
    """A provider with its schema. If `problems` contain errors, it cannot be used."""

    make: ProviderMaker
    schema: ProviderSchema
    problems: Sequence[Diagnostic] = ()
    version: str = ""
    """The version of a real plugin; empty if it is not known."""

    protocol: int = 6
    """The version of the plugin protocol that a real plugin speaks."""


@record
class _Announced:
    offers: Callable[[ProviderSource], bool]
    resolve_provider: Callable[[ProviderSource, ProviderContext], ResolvedProvider]


@record
class Providers:
    known: Mapping[ProviderSource, _Known]
    between: Callable[[ProviderFactory], ProviderFactory] = lambda factory: factory
    announced: tuple[_Announced, ...] = ()
    may_be_plugins: bool = False
    """Whether calls may go to other processes, which only an event loop of trio can wait for."""

    advice: str = ""
    """What else could make a missing provider available. It ends the message about it."""

    def including(self, source: ProviderSource, make: ProviderMaker, schema: ProviderSchema) -> Providers:
        return replace(self, known={**self.known, source: _Known(make, schema)})

    def announcing(
        self,
        offers: Callable[[ProviderSource], bool],
        resolve_provider: Callable[[ProviderSource, ProviderContext], ResolvedProvider],
    ) -> Providers:
        """Add a provider whose schema is not known yet. Of several that offer the same source, the first announced is
        used; a known provider precedes all of them."""
        return replace(self, announced=(*self.announced, _Announced(offers, resolve_provider)))

    def changing_announced(self, change: Callable[[ProviderSource, ResolvedProvider], ResolvedProvider]) -> Providers:
        """Return the same providers, with a change to those that have been announced so far."""

        def changed(one: _Announced) -> _Announced:
            return replace(
                one, resolve_provider=lambda source, context: change(source, one.resolve_provider(source, context))
            )

        return replace(self, announced=tuple(map(changed, self.announced)))

    def resolve(self, context: ProviderContext) -> tuple[Providers, list[Diagnostic]]:
        """Return providers with known schemas: of those announced, the ones that the configuration or the state
        needs."""
        known, problems = dict(self.known), list[Diagnostic]()
        for source in sorted(_sources(context), key=str):
            announced = self._announced(source)
            if announced is not None:
                resolved = announced.resolve_provider(source, context)
                known[source] = _Known(resolved.make, resolved.schema)
                problems.extend(resolved.problems)
        return replace(self, known=known, announced=()), problems

    def is_announced(self, source: ProviderSource) -> bool:
        return self._announced(source) is not None

    def _announced(self, source: ProviderSource) -> _Announced | None:
        if source in self.known or _is_built_in(source):
            return None
        return next((one for one in self.announced if one.offers(source)), None)

    def through(self, between: Callable[[ProviderFactory], ProviderFactory]) -> Providers:
        """Return the same providers behind a wrapper that sees, or changes, every call."""
        inner = self.between
        return replace(self, between=lambda factory: between(inner(factory)))

    @property
    def schemas(self) -> Schemas:
        return {source: known.schema for source, known in self.known.items()}

    def has(self, source: ProviderSource) -> bool:
        return source in self.known or self.is_announced(source)

    def factory(self, world: World, flavour: Flavour) -> ProviderFactory:
        """Return a factory. Each call returns a new instance, or None for an unavailable provider."""

        def make(source: ProviderSource) -> Provider | None:
            known = self.known.get(source)
            return None if known is None else known.make(world, flavour)

        return self.between(make)

    def unselected(self, sources: Iterable[ProviderSource], flavour: Flavour) -> list[Diagnostic]:
        """Report missing providers as planning does: before anything else, and as missing from the lock file. Builtin
        providers are never in a lock file."""
        missing = sorted(str(source) for source in sources if not self.has(source) and not _is_built_in(source))
        if not missing:
            return []
        lines = "".join(
            f"\n  - provider {name}: required by this configuration but no version is selected" for name in missing
        )
        detail = (
            "The following dependency selections recorded in the lock file are inconsistent with the current "
            f"configuration:{lines}\n\nTo make the initial dependency selections that will initialize the dependency "
            f"lock file, run:\n  {flavour.command} init"
        )
        if self.advice:
            detail = f"{detail}\n\n{self.advice}"
        return [error("Inconsistent dependency lock file", detail)]


def _sources(context: ProviderContext) -> set[ProviderSource]:
    by_state = {resource.provider.source for resource in context.state.resources.values()}
    return by_state if context.config is None else by_state | required_sources(context.config)


def _is_built_in(source: ProviderSource) -> bool:
    return (source.host, source.namespace) == (BUILTIN.host, BUILTIN.namespace)


BUILTIN_PROVIDERS: Final = Providers({BUILTIN: _Known(BuiltinProvider, BUILTIN_SCHEMA)})
SCHEMAS: Final[Schemas] = BUILTIN_PROVIDERS.schemas
"""Schemas of the builtin providers."""
