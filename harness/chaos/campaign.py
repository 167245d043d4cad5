"""Tries faults for a given time: one trial of every target in turn, each with a chance of its own.

Which faults happen depends on the seed alone. When they happen to a command also depends on the machine, so that two
campaigns are alike, but not equal.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Collection
from functools import partial
from pathlib import Path
from random import Random
from typing import Final

from harness.chaos.applies import damage_journals, fill_disks, kill_applies, signal_applies
from harness.chaos.runs import Fuzzing, Runs
from harness.chaos.trial import Target, Totals, Trial

__all__ = ["CAMPAIGNS", "COMMANDS", "run_campaigns"]

CAMPAIGNS: Final = ("kill", "signal", "disk", "damage")
COMMANDS: Final = ("apply", "run", "fuzz")
_ENGINES: Final = ("legacy", "new")


def run_campaigns(
    campaigns: Collection[str],
    commands: Collection[str],
    seconds: float,
    seed: int,
    *,
    corpus: Path | None = None,
    on_trial: Callable[[Target, Trial], None] = lambda _target, _trial: None,
) -> dict[Target, Totals]:
    """Try faults until the time is over, but every target at least once."""
    with tempfile.TemporaryDirectory(prefix="diffharness-chaos-") as home:
        targets = [
            target
            for target in _targets(Path(home), corpus)
            if target.campaign in campaigns and target.command.split()[0] in commands
        ]
        totals = {target: Totals() for target in targets}
        deadline = time.monotonic() + seconds
        number = 0
        while number < len(targets) or time.monotonic() < deadline:
            target = targets[number % len(targets)]
            trial = _try(target, Random(f"{seed} {number}"), Path(home) / f"trial{number}")
            totals[target].add(trial)
            on_trial(target, trial)
            number += 1
        return totals


def _try(target: Target, random: Random, scratch: Path) -> Trial:
    """Try one target. A directory of a trial that failed is not kept: the seed leads there again."""
    scratch.mkdir()
    with tempfile.TemporaryDirectory(dir=scratch) as place:
        return target.attempt(random, Path(place))


def _targets(home: Path, corpus: Path | None) -> list[Target]:
    runs, fuzzing = Runs(home, corpus), Fuzzing(home)
    applies = {"kill": kill_applies, "signal": signal_applies, "disk": fill_disks, "damage": damage_journals}
    return [
        *(
            Target(campaign, f"apply {engine}", partial(attempt, engine))
            for campaign, attempt in applies.items()
            for engine in _ENGINES
        ),
        Target("kill", "run", runs.kill),
        Target("signal", "run", runs.interrupt),
        Target("disk", "run", runs.fill_disk),
        Target("damage", "run", runs.damage),
        Target("kill", "fuzz", fuzzing.kill),
        Target("signal", "fuzz", fuzzing.interrupt),
    ]
