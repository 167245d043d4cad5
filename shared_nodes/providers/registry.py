"""The type of provider factories, and diagnostics for providers that are not available."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from shared_nodes.addresses.provider import ProviderSource
from shared_nodes.flavour import TERRAFORM_1_11, Flavour
from shared_nodes.lang.diagnostics import Diagnostic, error
from shared_nodes.providers.contract import Provider

__all__ = ["ProviderFactory", "missing_providers"]

ProviderFactory = Callable[[ProviderSource], Provider | None]


def missing_providers(
    by_configuration: Iterable[ProviderSource],
    by_state: Iterable[ProviderSource],
    is_available: Callable[[ProviderSource], bool],
    flavour: Flavour = TERRAFORM_1_11,
) -> list[Diagnostic]:
    """Report missing providers, before anything is evaluated. One that both the configuration and the state require is
    reported for the configuration."""
    wanted = {str(source): (source, "state") for source in by_state}
    wanted |= {str(source): (source, "configuration") for source in by_configuration}
    return [
        error(
            "Missing required provider",
            f"This {origin} requires provider {name}, but that provider isn't available. You may be able to install it "
            f"automatically by running:\n  {flavour.command} init",
        )
        for name, (source, origin) in sorted(wanted.items())
        if not is_available(source)
    ]
