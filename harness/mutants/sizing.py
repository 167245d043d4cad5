"""How small a case that shows a mutant can be made: what somebody who looks for the mistake would have to read."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Final

from harness.compare.ruling import Ruling
from harness.engines.registry import DEFAULT_ENGINES
from harness.findings.signature import Signature
from harness.mutants.trial import Trial
from harness.reduce.predicate import NothingToReduceError
from harness.reduce.reduction import ReducedCase, reduce_case, reduce_story
from harness.reduce.search import Limits

__all__ = ["sized"]

_LATE: Final = (Ruling.HANG, Ruling.OVER_BUDGET)
_LAW: Final = "law"
_FEW: Final = 20
"""Trials, where each of them lasts until time runs out."""


def sized(trial: Trial, budget: int) -> Trial:
    """With the size of what is left of its case after so many trials. A law that is broken stays as it was told, since
    it takes the law to show it: such a trial has no size."""
    signature = trial.signature
    if signature is None or signature.operation == _LAW:
        return trial
    shrunk = _shrunk(trial, signature, Limits(min(budget, _FEW) if signature.ruling in _LATE else budget))
    return trial if shrunk is None else replace(trial, blocks=shrunk.blocks, lines=shrunk.lines)


def _shrunk(trial: Trial, signature: Signature, limits: Limits) -> ReducedCase | None:
    """By its signature. A case may show another one without its recording, and a story where it is run in several ways
    at once: then whatever it shows first is kept."""
    for digest in (signature.digest, ""):
        try:
            if trial.task is not None:
                return reduce_story(trial.task, digest, limits)
            return reduce_case(Path(trial.found_by), DEFAULT_ENGINES, digest, trial.mutant, limits=limits)
        except NothingToReduceError:
            continue
    return None
