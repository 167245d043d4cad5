"""The providers by name."""

from __future__ import annotations

from collections.abc import Iterable

from harness.simulation.utilities.provider import Offer

__all__ = ["offer_of"]


def offer_of(name: str, constraints: Iterable[str]) -> Offer:
    """Return what a provider offers in the newest release that the constraints allow. Only the types of this provider
    are imported."""
    match name:
        case "local":
            from harness.simulation.utilities.local_types import local_offer

            return local_offer(constraints)
        case "random":
            from harness.simulation.utilities.random_types import random_offer

            return random_offer(constraints)
    from harness.simulation.utilities.null_types import NULL_OFFER

    return NULL_OFFER
