"""Measures how small a case that shows a mutant can be made: how much one has to read to find the mistake."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Final

from harness.engines.registry import DEFAULT_ENGINES
from harness.findings.signature import Signature
from harness.reduce.predicate import NothingToReduceError
from harness.reduce.reduction import ReducedCase, reduce_case, reduce_story
from harness.reduce.search import Limits
from harness.trials.trial import MutantTrial

__all__ = ["with_shrunk_size"]

_LAW: Final = "law"
_FEW_ATTEMPTS: Final = 20
"""Number of attempts if each of them lasts until the timeout."""


def with_shrunk_size(trial: MutantTrial, budget: int) -> MutantTrial:
    """Reduce the case with this many attempts, and add its size to the trial. A broken law is not reduced, since only
    the law itself shows it: such a trial has no size."""
    signature = trial.signature
    if signature is None or signature.operation == _LAW:
        return trial
    reduced = _reduce(
        trial, signature, Limits(min(budget, _FEW_ATTEMPTS) if signature.ruling.is_timeout_or_memory else budget)
    )
    return trial if reduced is None else replace(trial, blocks=reduced.blocks, lines=reduced.lines)


def _reduce(trial: MutantTrial, signature: Signature, limits: Limits) -> ReducedCase | None:
    """Reduce the case or story, keeping the signature of the trial. A case without its recording, or a story under
    several schedules at once, may show another signature: then the first one it shows is kept."""
    for digest in (signature.digest, ""):
        try:
            if trial.task is not None:
                return reduce_story(trial.task, digest, limits)
            return reduce_case(Path(trial.found_by), DEFAULT_ENGINES, digest, trial.mutant, limits=limits)
        except NothingToReduceError:
            continue
    return None
