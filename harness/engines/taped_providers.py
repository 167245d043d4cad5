"""Providers on tapes: replayed from the tapes of a case, or recorded."""

from __future__ import annotations

from collections.abc import MutableMapping, Sequence
from dataclasses import replace
from typing import Final

from harness.engines.providers import ProviderContext, Providers, ResolvedProvider
from harness.plugins.tapes.recording_provider import TapeRecorder
from harness.plugins.tapes.replayed_provider import ReplayedProvider
from harness.plugins.tapes.tape import Tape
from shared_nodes.addresses.provider import ProviderSource
from shared_nodes.flavour import Flavour
from shared_nodes.providers.contract import Provider
from shared_nodes.world import World

__all__ = ["with_recording", "with_tapes"]

_REGISTRIES: Final = frozenset({"registry.terraform.io", "registry.opentofu.org"})
"""A configuration that names no registry means one of these, depending on the product."""


def with_tapes(providers: Providers, tapes: Sequence[Tape], replayed: MutableMapping[str, int]) -> Providers:
    """Add the providers of these tapes. `replayed` counts requests that have several answers, for all instances of a
    run."""

    def resolve(source: ProviderSource, _context: ProviderContext) -> ResolvedProvider:
        tape = _tape_of(source, tapes)
        assert tape is not None, "only what is offered is resolved"
        return ResolvedProvider(
            lambda _world, _flavour: ReplayedProvider(tape, replayed),
            tape.schema,
            version=tape.version,
            protocol=tape.protocol,
        )

    return providers.announcing(lambda source: _tape_of(source, tapes) is not None, resolve) if tapes else providers


def _tape_of(source: ProviderSource, tapes: Sequence[Tape]) -> Tape | None:
    """Return the tape of a provider. That of the same provider in the registry of another product will do."""
    exact = next((tape for tape in tapes if tape.source == source), None)
    if exact is not None or source.host not in _REGISTRIES:
        return exact
    others = [replace(source, host=host) for host in sorted(_REGISTRIES)]
    return next((tape for tape in tapes if tape.source in others), None)


def with_recording(providers: Providers, recorder: TapeRecorder) -> Providers:
    """Return the same providers, and record all that are announced: real plugins, and models of them. Those of the
    simulated cloud need no tape."""

    def recorded(source: ProviderSource, resolved: ResolvedProvider) -> ResolvedProvider:
        def make(world: World, flavour: Flavour) -> Provider:
            instance = resolved.make(world, flavour)
            return recorder.record(source, instance, resolved.version, resolved.protocol)

        return replace(resolved, make=make)

    return providers.changing_announced(recorded)
