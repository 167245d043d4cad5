"""Campaigns: the same for the same seed, what is found becomes a case, and what is fertile is tried more."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

import harness.fuzz.campaign as campaigns
from harness.cli.fuzz import fuzz
from harness.fuzz.campaign import Campaign, Task, Terms, conduct, save_groups, story_of
from harness.fuzz.feedback import Coverage, shown_by
from harness.fuzz.laws import LAWS, make_trial
from harness.fuzz.telling import PROFILES
from harness.judging.finding import Finding
from harness.judging.ruling import Ruling
from harness.judging.signature import Signature
from harness.scenarios.case import read_case
from harness.scenarios.course import Course
from shared_nodes.values.json import Tree

_TERMS = Terms(seed=9, profile="small", schedules=1)


def _stable(campaign: Campaign) -> list[object]:
    return [[result.stable for result in campaign.results], campaign.coverage, campaign.stories]


def test_two_campaigns_of_one_seed_find_and_learn_the_same_in_any_number_of_processes() -> None:
    alone, several = (conduct(_TERMS, examples=5, minutes=None, jobs=jobs) for jobs in (1, 2))
    assert _stable(alone) == _stable(several)
    assert len(alone.results) == 5


def test_a_campaign_by_the_clock_begins_like_one_by_number() -> None:
    by_number = conduct(_TERMS, examples=2, minutes=None)
    by_clock = conduct(_TERMS, examples=None, minutes=0.0001)
    assert [result.stable for result in by_clock.results] == [result.stable for result in by_number.results[:1]]


def test_what_is_found_is_saved_once_as_a_case_that_can_be_read(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    signature = Signature("new", "plan", Ruling.DIFFERS, "plan.resource_changes", "value")
    monkeypatch.setattr(campaigns, "findings_of", lambda _verdict: [Finding(signature, ("legacy",), "", "", "", "")])
    campaign = conduct(_TERMS, examples=2, minutes=None)
    groups = campaign.run({}).groups
    (place,) = save_groups(campaign, groups, tmp_path)
    assert place.name == f"found-{signature.digest}"
    shortest = min((story_of(Task(_TERMS, index)) for index in range(2)), key=lambda story: len(story.text))
    assert read_case(place).steps == shortest.steps
    assert save_groups(campaign, groups, tmp_path) == []


def test_features_that_showed_something_new_are_wanted_more_than_those_that_did_not() -> None:
    coverage = Coverage()
    for number in range(40):
        coverage.learn({"fertile", "usual"}, {f"plan: {number}"})
        coverage.learn({"barren", "usual"}, {"plan: 0"})
    weights = coverage.weights()
    assert weights["fertile"] > weights["usual"] > weights["barren"]


def test_what_a_course_shows_is_told_without_names() -> None:
    change: Tree = {"address": "terraform_data.a", "change": {"actions": ["create"]}}
    dependent: Tree = {"address": "terraform_data.b[0]", "change": {"actions": ["update"]}}
    instance: Tree = {"dependencies": ["terraform_data.a"]}
    course: Course = {
        "step 1": {
            "diagnostics": [{"phase": "plan", "severity": "error", "summary": 'Missing "x" in r17'}],
            "plan": {"resource_changes": [change, dependent]},
            "state": {"resources": [{"type": "terraform_data", "name": "b", "instances": [instance]}]},
        }
    }
    shown = shown_by(course)
    assert "diagnostic: plan error Missing * in *" in shown
    assert "pair: create <- update" in shown


def test_every_law_can_be_tried_on_what_the_generator_makes() -> None:
    laws = set()
    for index in range(80):
        task = Task(_TERMS, index)
        laws.add(make_trial(task.craft("law"), PROFILES["small"], task.size, task.name).law)
    assert len(laws) == len(LAWS)


def test_the_command_writes_what_it_found_and_says_how_much_it_did(tmp_path: Path) -> None:
    file = tmp_path / "found.json"
    arguments = ["--examples", "3", "--profile", "small", "--schedules", "1", "--json", str(file)]
    result = CliRunner().invoke(fuzz, [*arguments, "--save", str(tmp_path / "saved")])
    assert result.exit_code == 0, result.output
    assert "3 stories of" in result.output
    document = json.loads(file.read_text())
    assert document["stories"] == 3
    assert document["signatures"] == []
    assert not (tmp_path / "saved").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--examples", "1", "--minutes", "1"], "not both"),
        (["--engines", "legacy,nobody"], "nobody"),
        (["--profile", "nonsense"], "nonsense"),
    ],
)
def test_wrong_usage_is_told(arguments: list[str], message: str) -> None:
    result = CliRunner().invoke(fuzz, arguments)
    assert result.exit_code == 2
    assert message in result.output
