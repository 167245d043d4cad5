"""Everything but the unit itself that decides about its result: the engines, the schedules, the limits.

A `RunSpec` is plain data. It is sent to workers and recorded in journals.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import field
from pathlib import Path
from typing import Final

from harness.case.given import GivenInputs
from harness.case.prelude import Prelude
from harness.engine_settings import NO_SETTINGS, EngineSettings
from harness.play.schedule import Schedule
from harness.simulation.permissive.permissive_files import NO_FILES, PermissiveFiles
from shared_nodes.record import record

__all__ = ["DEFAULT_TIMEOUT_S", "RunSpec"]

DEFAULT_TIMEOUT_S: Final = 60
"""No recorded case takes a second; one that takes this long hangs."""

_SAMPLED_ONE_OF: Final = 8


@record
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
    """Further schedules, for the baseline alone: what differs there is noise. They are run where engines differ, and
    for a sample of all cases."""

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

    expect_success: bool = False
    """Whether a configuration without a story of its own must be valid, and applicable without an error. By default
    engines only have to agree about it."""

    given: tuple[Path, ...] = ()
    """The paths that are run, and directories of `--include`: modules of a configuration without `case.yaml` may be in
    these, and nowhere else."""

    modules: Mapping[str, str] = field(default_factory=dict)
    """Absolute directories that stand in for sources of modules of such a configuration."""

    values: tuple[tuple[str, str], ...] = ()
    """Values of variables of such a configuration, each with its kind (`harness/case/given.py`)."""

    generates_values: bool = False
    """Whether values are chosen for required variables that have none."""

    permissive_files: PermissiveFiles = NO_FILES
    """What is known about providers that are replaced, beyond the configuration."""

    @property
    def inputs(self) -> GivenInputs:
        """What configurations without `case.yaml` get."""
        return GivenInputs(self.given, self.modules, self.values, self.generates_values)

    def is_sampled(self, case: Path) -> bool:
        """Return whether a case is in the sample: every eighth is, and others with another seed. Cases are identified
        by the last two parts of their path, so that the sample is the same on every machine."""
        name = "/".join([str(self.schedules[0].seed), *case.parts[-2:]])
        digest = hashlib.blake2b(name.encode("utf-8", "surrogateescape"), digest_size=8).digest()
        return int.from_bytes(digest) % _SAMPLED_ONE_OF == 0

    def settings_of(self, engine: str) -> EngineSettings:
        return self.engine_settings.get(engine, NO_SETTINGS)

    def timeout_of(self, engine: str) -> float:
        """Return the limit of one run by this engine."""
        own = self.settings_of(engine).timeout_s
        return self.timeout_s if own is None else own
