"""How bad a finding is: the order in which a maintainer wants to read findings."""

from __future__ import annotations

import re
from enum import IntEnum
from typing import Final

from harness.compare.ruling import Ruling
from harness.findings.signature import Signature

__all__ = ["Weight", "weight_of"]


class Weight(IntEnum):
    """Heavier findings have larger numbers. The numbers are published."""

    WORDING = 10
    """The same mistake in other words, or at another place."""

    EVENTS = 20
    """What is printed while working, and remarks in plans: reasons, drift, objects that do not change."""

    DIAGNOSTICS = 30
    """Another warning or error, without effect on success."""

    ORDER = 40
    STATE = 50
    """Other values: planned, stored, or in the cloud."""

    ACTIONS = 60
    """An object is created, changed or destroyed, and with the other engine it is not."""

    FAILURE = 70
    """Only one engine fails."""

    HANG = 80
    CRASH = 90

    @property
    def description(self) -> str:
        return self.name.lower()


_RULINGS: Final = {
    Ruling.CRASH: Weight.CRASH,
    Ruling.HANG: Weight.HANG,
    Ruling.OVER_BUDGET: Weight.HANG,
    Ruling.INVALID_CASE: Weight.FAILURE,
    Ruling.ONLY_BASELINE_FAILS: Weight.FAILURE,
    Ruling.ONLY_CANDIDATE_FAILS: Weight.FAILURE,
}
_ACTIONS: Final = re.compile(r"plan\.(resource_changes\.\*(\.change\.actions.*)?|output_changes\.\*(\.actions.*)?)")
_REMARKS: Final = re.compile(
    r"plan\.(resource_drift|relevant_attributes|checks|errored|complete|applyable|resource_changes\.\*\.action_reason)"
    r".*|state\.check_results.*|state\.resources\.\*\.instances\.\*\.(depends_on|dependencies)(\[.*)?"
)
_VALUES: Final = re.compile(r"(plan|plan_summary|apply_summary|state|provider_data|inventory|story|expect|way|ok)\b.*")
_QUIET: Final = ("no-op", "none", "read")
"""Roles of objects with which nothing is done: their entries in a plan are remarks."""


def weight_of(signature: Signature, *, is_detail: bool = False) -> Weight:
    if signature.ruling in _RULINGS:
        return _RULINGS[signature.ruling]
    shape = signature.shape
    if is_detail:
        return Weight.WORDING
    if signature.kind == "order" or shape.startswith(("constraints[", "effects[", "cycle[")):
        return Weight.ORDER
    if _ACTIONS.fullmatch(shape):
        return Weight.EVENTS if signature.role in _QUIET else Weight.ACTIONS
    if shape.startswith(("diagnostics", "init")):
        return Weight.WORDING if shape.endswith((".range", ".address")) else Weight.DIAGNOSTICS
    if _REMARKS.fullmatch(shape):
        return Weight.EVENTS
    return Weight.STATE if _VALUES.fullmatch(shape) else Weight.EVENTS
