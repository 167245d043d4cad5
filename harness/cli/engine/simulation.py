"""`--case FILE --step N --cloud FILE`: the simulated cloud of one step of a case, where one is asked for.

Nothing of the simulated cloud is imported before that.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from harness.cli.support.options import Asked

if TYPE_CHECKING:
    from harness.simulation.simcloud.simulation import Simulation

__all__ = ["permitted_by_case", "simulated"]


@contextmanager
def simulated(asked: Asked, *, planned: bool = False) -> Iterator[Simulation | None]:
    """None where nothing of it was asked for. `planned`: a saved plan is applied, so that the step has begun already
    and its faults go on counting calls where planning left them."""
    if asked.case is None and asked.cloud is None:
        yield None
        return
    from harness.cli.engine.cloud_file import simulated_step

    with simulated_step(asked, planned=planned) as simulation:
        yield simulation


def permitted_by_case(asked: Asked) -> tuple[str, ...]:
    """Providers that another stands in for because the case says so, as `--permissive` would."""
    if asked.case is None:
        return ()
    from harness.cli.engine.cloud_file import case_of

    return case_of(asked.case).permissive
