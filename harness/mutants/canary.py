"""The mutant that every campaign must find. One that does not find it would find nothing, whatever its figures say.

It is gross: the new engine plans no managed object at all. So any story with a resource in it shows it, as long as
stories are made, run through both engines, and compared.
"""

from __future__ import annotations

from typing import Final

from harness.fuzz.campaign import Task, Terms, carry_out
from harness.mutants.mutant import Mutant, applied
from harness.mutants.patches import answers_later

__all__ = ["CANARY", "is_blind"]

CANARY: Final = Mutant(
    "X00",
    "Nothing is planned.",
    "shared_nodes.nodes.managed_plan:plan_managed",
    answers_later(list),
    "plan",
    "plan",
    (),
)

_STORIES: Final = 8
"""Enough for one that has a resource and is not wrong on purpose."""


def is_blind(terms: Terms) -> bool:
    """Whether the first stories of a campaign do not find the canary. Only who runs the engine it sits in can."""
    if CANARY.engine not in terms.engines or len(terms.engines) < 2:
        return False
    with applied(CANARY):
        return not any(carry_out(Task(terms, index)).result.open_findings for index in range(_STORIES))
