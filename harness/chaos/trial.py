"""Trials: what came of the faults that one command was given, and the sums of many."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import field
from pathlib import Path
from random import Random

from shared_nodes.record import record

__all__ = ["Target", "Totals", "Trial"]


@record
class Trial:
    """One story of a command: `tried` faults happened to it, and `failures` says in words what was wrong after them."""

    tried: int
    failures: tuple[str, ...] = ()


@record
class Target:
    """A command, and a kind of fault. `attempt` gets a source of chance and a new directory."""

    campaign: str
    command: str
    attempt: Callable[[Random, Path], Trial]


@record(frozen=False)
class Totals:
    trials: int = 0
    tried: int = 0
    failed: int = 0
    """The number of trials after which something was wrong."""

    failures: Counter[str] = field(default_factory=Counter)

    def add(self, trial: Trial) -> None:
        self.trials += 1
        self.tried += trial.tried
        self.failed += bool(trial.failures)
        self.failures.update(trial.failures)
