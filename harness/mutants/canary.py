"""The mutant that every campaign must find. One that does not find it would find nothing, whatever its figures say.

It is gross: the last engine of the campaign plans no managed object at all. So any story with a resource in it shows
it, as long as stories are made, run through both engines, and compared.
"""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum
from typing import Final

from harness.engines.external import is_external
from harness.generate.campaign import CampaignOptions, StoryTask, run_task
from harness.mutants.mutant import Mutant, applied
from harness.mutants.patches import answers_later

__all__ = ["CANARY", "Sight", "sight_of"]

CANARY: Final = Mutant(
    "X00",
    "Nothing is planned.",
    "shared_nodes.nodes.resource.plan:plan_managed",
    answers_later(list),
    "plan",
    "plan",
    (),
)

_STORIES: Final = 8
"""Enough for one that has a resource and is not wrong on purpose."""


class Sight(StrEnum):
    SEES = "found"
    BLIND = "missed"
    UNTRIED = "not tried"
    """There is nobody to compare with, or the engine that is compared is a binary, or broken already."""


def sight_of(options: CampaignOptions) -> Sight:
    """Whether the first stories of a campaign find the canary."""
    engine = options.engines[-1]
    if len(options.engines) < 2 or is_external(engine) or options.mutant:
        return Sight.UNTRIED
    with applied(replace(CANARY, engine=engine)):
        found = any(run_task(StoryTask(options, index)).result.open_findings for index in range(_STORIES))
    return Sight.SEES if found else Sight.BLIND
