"""The mutant that every campaign must detect: a campaign that misses it would detect nothing, whatever its figures say.

It is a gross mistake: the last engine of the campaign plans no managed object at all. So every story with a resource
shows it, as long as stories are generated, run through both engines, and compared.
"""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum
from typing import Final

from harness.engines.external import is_external
from harness.generate.campaign import CampaignOptions, StoryTask, run_task
from harness.mutants.activation import apply_mutant
from harness.mutants.catalogue.mutant import Mutant

__all__ = ["CANARY", "CanaryOutcome", "reason_not_to_try", "try_canary"]

CANARY: Final = Mutant(
    "X00",
    "Nothing is planned.",
    "shared_nodes.nodes.resource.plan",
    """
    +return []
     problems = self_references(request, schema.block)
    """,
    phase="plan",
    field="plan",
    areas=(),
)

_STORIES: Final = 8
"""Enough stories that one has a resource and no deliberate mistake."""


class CanaryOutcome(StrEnum):
    FOUND = "found"
    MISSED = "missed"
    NOT_TRIED = "not tried"
    """There is no second engine, or the engine that is compared is a binary, or it has a mutant already."""


def reason_not_to_try(options: CampaignOptions) -> str:
    """Return why a campaign has no canary; empty if it has one."""
    if len(options.engines) < 2:
        return "there is no second engine that could be broken"
    if is_external(options.engines[-1]):
        return f"{options.engines[-1]} is a real program, which cannot be broken on purpose"
    return f"the engines have the mutant {options.mutant} already" if options.mutant else ""


def try_canary(options: CampaignOptions) -> CanaryOutcome:
    """Run the first stories of a campaign with the canary."""
    engine = options.engines[-1]
    if reason_not_to_try(options):
        return CanaryOutcome.NOT_TRIED
    with apply_mutant(replace(CANARY, engine=engine)):
        found = any(run_task(StoryTask(options, index)).result.open_findings for index in range(_STORIES))
    return CanaryOutcome.FOUND if found else CanaryOutcome.MISSED
