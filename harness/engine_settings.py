"""What a project sets for one engine by its name: its environment, its log level and its time limit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Final

from shared_nodes.record import record

__all__ = ["LOG_LEVELS", "NO_SETTINGS", "EngineSettings"]

LOG_LEVELS: Final = ("trace", "debug", "info", "warn", "error", "off", "json")
"""The values of TF_LOG, which both products understand."""

_LOG: Final = "TF_LOG"


@record
class EngineSettings:
    environment: Mapping[str, str] = field(default_factory=dict)
    """Variables of a binary's environment, in addition to those that every binary has. They win."""

    log: str = ""
    """The level of a binary's log; empty for no log."""

    timeout_s: float | None = None
    """The limit of one run of a case by this engine; None for that of the run."""

    @property
    def variables(self) -> dict[str, str]:
        """The environment that the settings amount to."""
        return {**({_LOG: self.log} if self.log else {}), **self.environment}


NO_SETTINGS: Final = EngineSettings()
