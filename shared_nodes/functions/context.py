"""What a function may depend on besides its arguments."""

from __future__ import annotations

from dataclasses import dataclass

from shared_nodes.flavour import TERRAFORM_1_11, Flavour
from shared_nodes.world import World

__all__ = ["FunctionContext"]


@dataclass(frozen=True, slots=True)
class FunctionContext:
    """`impure_results_known` is false while planning: `timestamp()`, `uuid()` and `bcrypt()` are unknown then, because
    another run would answer otherwise."""

    world: World
    flavour: Flavour = TERRAFORM_1_11
    impure_results_known: bool = True
