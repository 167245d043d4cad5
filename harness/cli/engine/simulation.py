"""`--case FILE --step N --cloud FILE`: the simulated cloud of one step of a case.

The simulated cloud is imported only if one of these options is given.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from harness.cli.engine.options import OperationOptions

if TYPE_CHECKING:
    from harness.simulation.simcloud.simulation import Simulation

__all__ = ["open_simulation", "permissive_of_case"]


@contextmanager
def open_simulation(options: OperationOptions, *, planned: bool = False) -> Iterator[Simulation | None]:
    """Yield the simulation, or None without these options. `planned`: a saved plan is applied, so the step has already
    begun, and its faults continue counting calls where planning stopped."""
    if options.case is None and options.cloud is None:
        yield None
        return
    from harness.cli.engine.cloud_file import simulated_step

    with simulated_step(options, planned=planned) as simulation:
        yield simulation


def permissive_of_case(options: OperationOptions) -> tuple[str, ...]:
    """Return the providers that the case mocks, as `--permissive` would."""
    if options.case is None:
        return ()
    from harness.cli.engine.cloud_file import read_case_file

    return read_case_file(options.case).permissive
