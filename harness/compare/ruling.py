"""The outcome of a comparison, in one word."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from shared_nodes.values.json import Tree

__all__ = ["Ruling", "ruling_between"]


class Ruling(StrEnum):
    """The values are published: they are in the JSON of runs, in journals and in `known.yaml`."""

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
    """The case needs something that the baseline cannot have. Neither right nor wrong."""

    INVALID_CASE = "invalid-case"
    """The case cannot be read. This says nothing about any engine."""

    @property
    def is_breakdown(self) -> bool:
        """Whether an engine, or its process, came to no end, so that there is nothing to compare."""
        return self is Ruling.CRASH or self.is_timeout_or_memory

    @property
    def is_timeout_or_memory(self) -> bool:
        return self in (Ruling.HANG, Ruling.OVER_BUDGET)

    @property
    def is_variation(self) -> bool:
        """Whether an engine differs from itself."""
        return self in (Ruling.FLAKY, Ruling.NOISE)

    @property
    def description(self) -> str:
        """The meaning of the ruling, as reports print it."""
        return _DESCRIPTIONS[self]


_DESCRIPTIONS: Final[Mapping[Ruling, str]] = {
    Ruling.EQUAL: "nothing was found, or nothing that is not documented",
    Ruling.DIFFERS: "both did something, and not the same",
    Ruling.ONLY_BASELINE_FAILS: "the baseline failed where the other did not",
    Ruling.ONLY_CANDIDATE_FAILS: "a candidate failed where the baseline did not",
    Ruling.CRASH: "an engine crashed",
    Ruling.HANG: "an engine had not ended within the time limit (--timeout)",
    Ruling.OVER_BUDGET: "an engine took too much memory",
    Ruling.FLAKY: "a candidate differs from itself",
    Ruling.NOISE: "the baseline differs from itself",
    Ruling.NOT_RUN: "the baseline could not run it",
    Ruling.INVALID_CASE: "it cannot be read, so nothing was run",
}


def ruling_between(expected: Mapping[str, Tree], got: Mapping[str, Tree]) -> Ruling:
    """Return the ruling on two different observations of one step. `expected` is of the baseline, or a recording."""
    if "crash" in got and "crash" not in expected:
        return Ruling.CRASH
    succeeded = expected.get("ok"), got.get("ok")
    if succeeded == (True, False):
        return Ruling.ONLY_CANDIDATE_FAILS
    if succeeded == (False, True):
        return Ruling.ONLY_BASELINE_FAILS
    return Ruling.DIFFERS
