"""Laws that are tried on generated configurations."""

from __future__ import annotations

from harness.generate.campaign import CampaignOptions, StoryTask
from harness.generate.laws import LAWS, make_law_trial
from harness.generate.profiles import PROFILES

_OPTIONS = CampaignOptions(seed=9, profile="small", schedules=1)


def test_every_law_can_be_tried_on_what_the_generator_makes() -> None:
    laws = set()
    for index in range(80):
        task = StoryTask(_OPTIONS, index)
        laws.add(make_law_trial(task.new_context("law"), PROFILES["small"], task.size, task.name).law)
    assert len(laws) == len(LAWS)
