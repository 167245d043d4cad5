"""What functions may depend on besides their arguments."""

from __future__ import annotations

from shared_nodes.flavour import TERRAFORM_1_11, Flavour
from shared_nodes.record import record
from shared_nodes.world import World

__all__ = ["FunctionContext"]


@record
class FunctionContext:
    """The outside world and the flavour.

    `impure_results_known` is false during planning: `timestamp()`, `uuid()` and `bcrypt()` are then unknown, because
    another run would return something else. `plan_time_known` is false before anything is planned: `plantimestamp()` is
    then unknown.
    """

    world: World
    flavour: Flavour = TERRAFORM_1_11
    impure_results_known: bool = True
    plan_time_known: bool = True
