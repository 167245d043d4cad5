"""Everything but the unit itself that decides about its result: the engines, the schedules, the limits.

A `RunSpec` is plain data. It is sent to workers and recorded in journals.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from harness.case.prelude import Prelude
from harness.engine_settings import NO_SETTINGS, EngineSettings
from harness.play.schedule import Schedule

__all__ = ["DEFAULT_TIMEOUT_S", "RunSpec"]

DEFAULT_TIMEOUT_S: Final = 60
"""No recorded case takes a second; one that takes this long hangs."""


@dataclass(frozen=True, slots=True)
class RunSpec:
    engines: tuple[str, ...]
    """The first is the baseline."""

    schedules: tuple[Schedule, ...] = (Schedule(),)
    flavour: str = ""
    """The product that all units are run as. By default each is run as the products that it is about."""

    against: str = ""
    """The product whose recordings outcomes are compared with. By default that is the product that is followed."""

    trusted: tuple[Path, ...] = ()
    """Directories whose cases may run commands and real binaries: `harness.configuration.trusted_directories`."""

    changes: frozenset[str] = frozenset()
    """Intended changes, adopted by each engine that supports them."""

    baseline_schedules: tuple[Schedule, ...] = ()
    """Further schedules, for the baseline alone: what differs there is noise."""

    timeout_s: float = DEFAULT_TIMEOUT_S
    """Limit of one run of a case: by one engine, in one schedule."""

    permissive: tuple[str, ...] = ()
    """Providers that are replaced by the permissive one in every case, as `--permissive` names them."""

    mutant: str = ""
    """The mutant that is active in an engine: an identifier of the catalogue in `harness.mutants`."""

    prelude: Prelude | None = None
    """The file that is added to modules which declare no providers."""

    repeat: int = 1
    """How often a binary runs each case in each schedule. An engine in process has seeds for that."""

    engine_settings: Mapping[str, EngineSettings] = field(default_factory=dict)
    """What the project sets for single engines, by name."""

    def settings_of(self, engine: str) -> EngineSettings:
        return self.engine_settings.get(engine, NO_SETTINGS)

    def timeout_of(self, engine: str) -> float:
        """Return the limit of one run by this engine."""
        own = self.settings_of(engine).timeout_s
        return self.timeout_s if own is None else own
