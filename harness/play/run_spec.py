"""Everything but the unit itself that decides about its result: the engines, the schedules, the limits.

A `RunSpec` is plain data. It is sent to workers and recorded in journals.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from harness.play.schedule import Schedule
from shared_nodes.flavour import TERRAFORM_1_11

__all__ = ["DEFAULT_TIMEOUT_S", "RunSpec"]

DEFAULT_TIMEOUT_S: Final = 60
"""No recorded case takes a second; one that takes this long hangs."""


@dataclass(frozen=True, slots=True)
class RunSpec:
    engines: tuple[str, ...]
    ways: tuple[Schedule, ...] = (Schedule(),)
    flavour: str = TERRAFORM_1_11.name
    """Of expressions; cases name their own."""

    trusted: tuple[Path, ...] = ()
    """Directories whose cases may run commands and real binaries: `harness.configuration.trusted_directories`."""

    changes: frozenset[str] = frozenset()
    """Intended changes, made by every engine that knows them."""

    again: tuple[Schedule, ...] = ()
    """Ways in which the baseline runs as well: what differs there is noise."""

    timeout_s: float = DEFAULT_TIMEOUT_S
    """Of one run of a case: by one engine, in one way."""

    permissive: tuple[str, ...] = ()
    """Providers that another stands in for, in every case: as `--permissive` names them."""

    mutant: str = ""
    """The mistake that is put into an engine: an identifier of `harness.mutants.catalogue`."""
