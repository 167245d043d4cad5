"""Providers whose schemas depend on the configuration in which they are used, or on what is installed. They are
imported only then."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import cache, partial
from typing import TYPE_CHECKING, Final

from harness.engines.providers import ProviderContext, Providers, ResolvedProvider
from shared_nodes.addresses.provider import ProviderSource
from shared_nodes.config.tree import ConfigTree
from shared_nodes.flavour import Flavour
from shared_nodes.lang.diagnostics import error
from shared_nodes.pattern import pattern
from shared_nodes.world import World

if TYPE_CHECKING:
    from harness.plugins.driving.locate import LocatedPlugin
    from harness.simulation.permissive.permissive_files import PermissiveFiles

__all__ = [
    "PERMISSIBLE",
    "PERMIT_ALL",
    "is_permissible",
    "with_coremock",
    "with_permissive",
    "with_plugins",
    "with_utilities",
]

_REGISTRIES: Final = ("registry.terraform.io", "registry.opentofu.org")


def _sources(*names: str) -> frozenset[ProviderSource]:
    return frozenset(ProviderSource(host, "hashicorp", name) for host in _REGISTRIES for name in names)


_COREMOCK: Final = _sources("tfcoremock")
_UTILITIES: Final = _sources("local", "null", "random")

_SOURCE: Final = pattern(r"(?:[\w.:-]+/)?[\w-]+/[\w-]+")

PERMIT_ALL: Final = "all"
PERMISSIBLE: Final = f"a provider as in required_providers, such as hashicorp/aws, or {PERMIT_ALL}"


def with_coremock(providers: Providers) -> Providers:
    """Add tfcoremock. It reads types from a file next to the configuration, and has the release that this asks for."""
    return providers.announcing(_COREMOCK.__contains__, _resolve_coremock)


def _resolve_coremock(source: ProviderSource, context: ProviderContext) -> ResolvedProvider:
    from harness.simulation.tfcoremock.dynamic import dynamic_definitions
    from harness.simulation.tfcoremock.provider import CoreMockProvider, coremock_schema
    from harness.simulation.tfcoremock.release import release_for

    definitions, problems = dynamic_definitions(context.world)
    release = release_for(_constraints(source, context.config))
    schema = coremock_schema(definitions, release)
    return ResolvedProvider(
        lambda world, _flavour: CoreMockProvider(world, definitions, release, schema), schema, tuple(problems)
    )


def with_utilities(providers: Providers) -> Providers:
    """Add the models of local, null and random, each in the release that the configuration asks for."""
    return providers.announcing(_UTILITIES.__contains__, _resolve_utility)


def _resolve_utility(source: ProviderSource, context: ProviderContext) -> ResolvedProvider:
    from harness.simulation.utilities.offers import offer_of
    from harness.simulation.utilities.provider import UtilityProvider

    offer = offer_of(source.type, _constraints(source, context.config))
    schema = offer.schema()
    return ResolvedProvider(lambda world, _flavour: UtilityProvider(world, offer, schema), schema)


def _constraints(source: ProviderSource, config: ConfigTree | None) -> list[str]:
    found: list[str] = []
    for node in () if config is None else config.walk():
        module = node.module
        found += [one.constraints for one in module.required_providers.values() if one.source == source]
        found += [block.version for key, block in module.providers.items() if module.source_for(key[0]) == source]
    return [text for text in found if text]


def with_plugins(providers: Providers, world: World, flavour: Flavour) -> Providers:
    """Add the real plugins that are installed for the World's working directory. A plugin is a program, so this is only
    for a directory whose programs the user allows to be run, and needs the extra."""
    from harness.plugins.driving.locate import locate_plugin

    locate = cache(lambda source, constraints: locate_plugin(source, constraints, world, flavour))
    announcing = providers.announcing(
        lambda source: locate(source, ()) is not None,
        lambda source, context: _resolve_plugin(
            source, context, locate(source, tuple(_constraints(source, context.config)))
        ),
    )
    return replace(announcing, may_be_plugins=True)


def _resolve_plugin(
    source: ProviderSource, context: ProviderContext, located: LocatedPlugin | None
) -> ResolvedProvider:
    from harness.plugins.driving.resolve import resolve_plugin

    if located is None:
        detail = f"No installed package of provider {source} meets the version constraints of the configuration."
        located = error("Failed to query available provider packages", detail)
    resolved = resolve_plugin(source, located, context.world, context.flavour)
    return ResolvedProvider(
        resolved.make, resolved.schema, resolved.problems, version=resolved.version, protocol=resolved.protocol
    )


def with_permissive(providers: Providers, sources: Iterable[str], files: PermissiveFiles | None = None) -> Providers:
    """Add the permissive provider in place of these sources: `hashicorp/aws` of any host, `example.com/team/cloud`, or
    all that are not available. They must be named, since a provider that refuses nothing must never be mistaken for the
    real one. Every other provider takes precedence. `files` say more about them than the configuration does."""
    wanted = frozenset(source.lower() for source in sources)
    if not wanted:
        return providers
    return providers.announcing(lambda source: _is_permitted(source, wanted), partial(_resolve_permissive, files))


def is_permissible(source: str) -> bool:
    """Return whether the text could ever name a provider."""
    return source == PERMIT_ALL or _SOURCE.fullmatch(source) is not None


def _is_permitted(source: ProviderSource, wanted: frozenset[str]) -> bool:
    return not wanted.isdisjoint((PERMIT_ALL, str(source), f"{source.namespace}/{source.type}"))


def _resolve_permissive(
    files: PermissiveFiles | None, source: ProviderSource, context: ProviderContext
) -> ResolvedProvider:
    from harness.simulation.permissive.derived import derive
    from harness.simulation.permissive.permissive_files import NO_FILES
    from harness.simulation.permissive.provider import PermissiveProvider

    known = files or NO_FILES
    derived = derive(source, context.config, context.state, known.schema_of(source))
    values = known.known_values
    return ResolvedProvider(lambda world, _flavour: PermissiveProvider(world, derived, values), derived.schema)
