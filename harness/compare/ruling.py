"""How two outcomes of one step stand to each other."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from shared_nodes.values.json import Tree

__all__ = ["Ruling", "ruling_between"]


class Ruling(StrEnum):
    EQUAL = "equal"
    DIFFERS = "differs"
    ONLY_BASELINE_FAILS = "only-baseline-fails"
    ONLY_CANDIDATE_FAILS = "only-candidate-fails"
    CRASH = "crash"
    HANG = "hang"
    OVER_BUDGET = "over-budget"
    FLAKY = "flaky"
    """The candidate, run twice, differs from itself: a race, or something lost between planning and applying."""

    NOISE = "noise"
    """The baseline, run twice, differs from itself. What it did there says nothing about the candidate."""

    NOT_RUN = "not-run"


def ruling_between(expected: Mapping[str, Tree], got: Mapping[str, Tree]) -> Ruling:
    """Of two observations of one step that are known to differ. `expected` is the baseline's, or a recording's."""
    succeeded = expected.get("ok"), got.get("ok")
    if succeeded == (True, False):
        return Ruling.ONLY_CANDIDATE_FAILS
    if succeeded == (False, True):
        return Ruling.ONLY_BASELINE_FAILS
    return Ruling.DIFFERS
