"""Campaigns: the same results for the same seed, and findings saved as cases."""

from __future__ import annotations

from pathlib import Path

import pytest

import harness.generate.campaign as campaigns
from harness.case.case import read_case
from harness.compare.ruling import Ruling
from harness.findings.finding import Finding
from harness.findings.signature import Signature
from harness.generate.campaign import CampaignOptions, StoryTask, run_campaign, save_stories, story_of_task

_OPTIONS = CampaignOptions(seed=9, profile="small", schedules=1)


def test_a_campaign_by_the_clock_begins_like_one_by_number() -> None:
    by_number = run_campaign(_OPTIONS, examples=2, minutes=None)
    by_clock = run_campaign(_OPTIONS, examples=None, minutes=0.0001)
    assert [result.stable for result in by_clock.results] == [result.stable for result in by_number.results[:1]]


def test_what_is_found_is_saved_once_as_a_case_that_can_be_read(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    signature = Signature("new", "plan", Ruling.DIFFERS, "plan.resource_changes", "value")
    monkeypatch.setattr(campaigns, "findings_of", lambda _verdict: [Finding(signature, ("legacy",), "", "", "", "")])
    campaign = run_campaign(_OPTIONS, examples=2, minutes=None)
    causes = campaign.make_run({}).causes
    (place,) = save_stories(campaign, causes, tmp_path)
    assert place.name == f"found-{signature.digest}"
    shortest = min((story_of_task(StoryTask(_OPTIONS, index)) for index in range(2)), key=lambda story: len(story.text))
    assert read_case(place).steps == shortest.steps
    assert save_stories(campaign, causes, tmp_path) == []


def test_a_cause_with_many_findings_is_saved_once_for_the_heaviest(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    shapes = ("state.outputs.*", "plan.resource_changes.*.change.actions", "plan_summary")
    found = [Signature("new", "plan", Ruling.DIFFERS, shape, "value", "create") for shape in shapes]
    monkeypatch.setattr(
        campaigns, "findings_of", lambda _verdict: [Finding(each, ("legacy",), "", "", "", "") for each in found]
    )
    campaign = run_campaign(_OPTIONS, examples=2, minutes=None)
    (place,) = save_stories(campaign, campaign.make_run({}).causes, tmp_path)
    assert place.name == f"found-{found[1].digest}"
