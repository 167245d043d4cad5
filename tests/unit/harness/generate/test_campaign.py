"""Campaigns: the same for the same seed, what is found becomes a case, and what is fertile is tried more."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import harness.generate.campaign as campaigns
from harness.case.case import read_case
from harness.cli.fuzz import fuzz
from harness.compare.ruling import Ruling
from harness.findings.finding import Finding
from harness.findings.signature import Signature
from harness.generate.campaign import CampaignOptions, StoryTask, run_campaign, save_stories, story_of_task
from harness.generate.feedback import Coverage, find_behaviours
from harness.generate.laws import LAWS, make_law_trial
from harness.generate.profiles import PROFILES
from harness.generate.story_execution import schedules_for
from harness.play.case_runner import Observations
from harness.simulation.simcloud.faults import Fault, Kind, Verb
from shared_nodes.values.json import Tree

_TERMS = CampaignOptions(seed=9, profile="small", schedules=1)


def test_a_campaign_by_the_clock_begins_like_one_by_number() -> None:
    by_number = run_campaign(_TERMS, examples=2, minutes=None)
    by_clock = run_campaign(_TERMS, examples=None, minutes=0.0001)
    assert [result.stable for result in by_clock.results] == [result.stable for result in by_number.results[:1]]


def test_where_a_process_is_killed_as_much_as_ever_goes_on_at_a_time() -> None:
    """It is killed when nothing else can go on, so that what is done by then must not depend on how much may."""
    story = replace(story_of_task(StoryTask(_TERMS, 0)), faults=())
    fault = Fault(None, "r1", Kind.STUCK, Verb.CREATE, type_name="simcloud_updated")
    assert {way.parallelism for way in schedules_for(0, 3, story)} == {10, 2, 1}
    assert {way.parallelism for way in schedules_for(0, 3, replace(story, kills={0: fault}))} == {10}


def test_what_is_found_is_saved_once_as_a_case_that_can_be_read(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    signature = Signature("new", "plan", Ruling.DIFFERS, "plan.resource_changes", "value")
    monkeypatch.setattr(campaigns, "findings_of", lambda _verdict: [Finding(signature, ("legacy",), "", "", "", "")])
    campaign = run_campaign(_TERMS, examples=2, minutes=None)
    groups = campaign.run({}).groups
    (place,) = save_stories(campaign, groups, tmp_path)
    assert place.name == f"found-{signature.digest}"
    shortest = min((story_of_task(StoryTask(_TERMS, index)) for index in range(2)), key=lambda story: len(story.text))
    assert read_case(place).steps == shortest.steps
    assert save_stories(campaign, groups, tmp_path) == []


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
    course: Observations = {
        "step 1": {
            "diagnostics": [{"phase": "plan", "severity": "error", "summary": 'Missing "x" in r17'}],
            "plan": {"resource_changes": [change, dependent]},
            "state": {"resources": [{"type": "terraform_data", "name": "b", "instances": [instance]}]},
        }
    }
    shown = find_behaviours(course)
    assert "diagnostic: plan error Missing * in *" in shown
    assert "pair: create <- update" in shown


def test_every_law_can_be_tried_on_what_the_generator_makes() -> None:
    laws = set()
    for index in range(80):
        task = StoryTask(_TERMS, index)
        laws.add(make_law_trial(task.new_context("law"), PROFILES["small"], task.size, task.name).law)
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
    assert document["canary"] == "found"
    assert 0 <= document["valid_share"] <= 1
    assert document["stories_per_second"] > 0
    assert document["seed"] == 0
    assert isinstance(document["commit"], str)
    assert not (tmp_path / "saved").exists()


_VARYING = ("seconds", "stories_per_second")
_FUZZ = "import sys; from harness.cli.fuzz import fuzz; sys.exit(fuzz())"


def _campaign_elsewhere(directory: Path, *, jobs: int, hash_seed: int) -> tuple[dict[str, Any], dict[str, bytes]]:
    """In a process of its own, in which sets are iterated in another order: what it wrote, and the files it saved."""
    directory.mkdir()
    arguments = ["--examples", "6", "--profile", "small", "--schedules", "1", "--seed", "4", "--mutant", "M01"]
    options = ["--jobs", str(jobs), "--no-shrink", "--save", str(directory / "saved"), "--json", "found.json"]
    environment = {**os.environ, "PYTHONHASHSEED": str(hash_seed)}
    command = [sys.executable, "-c", _FUZZ, *arguments, *options]
    told = subprocess.run(command, cwd=directory, env=environment, capture_output=True, text=True, check=False)
    assert told.returncode == 1, told.stderr
    document = json.loads((directory / "found.json").read_text())
    files = {path.relative_to(directory).as_posix(): path for path in (directory / "saved").rglob("*")}
    return document, {name: path.read_bytes() for name, path in sorted(files.items()) if path.is_file()}


def test_a_seed_decides_about_everything_that_is_written_whatever_the_processes_and_the_order_of_sets(
    tmp_path: Path,
) -> None:
    one, saved = _campaign_elsewhere(tmp_path / "one", jobs=1, hash_seed=1)
    two, saved_too = _campaign_elsewhere(tmp_path / "two", jobs=2, hash_seed=2)
    assert one["signatures"]
    assert {**one, **dict.fromkeys(_VARYING)} == {**two, **dict.fromkeys(_VARYING)}
    assert saved == saved_too
    assert saved


def test_what_is_documented_is_counted_by_class_and_is_no_failure(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    signature = Signature("new", "plan", Ruling.DIFFERS, "plan.resource_changes", "value")
    monkeypatch.setattr(campaigns, "findings_of", lambda _verdict: [Finding(signature, ("legacy",), "", "", "", "")])
    (tmp_path / "case").mkdir()
    known = tmp_path / "known.yaml"
    known.write_text(
        "- {id: odd, class: bug, reason: to be repaired, link: none, case: case, match: {shape: plan.resource_changes}}"
    )
    arguments = ["--examples", "2", "--profile", "small", "--schedules", "1", "--json", str(tmp_path / "found.json")]
    documented = CliRunner().invoke(fuzz, [*arguments, "--known", str(known), "--save", str(tmp_path / "saved")])
    assert "known: bug in 2 stories" in documented.output
    assert "0 signatures in 0 stories" in documented.output
    assert json.loads((tmp_path / "found.json").read_text())["known"] == {"bug": 2}
    assert not (tmp_path / "saved").exists()
    assert documented.exit_code == 0
    assert CliRunner().invoke(fuzz, arguments).exit_code == 1


def test_a_list_of_known_divergences_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    known = tmp_path / "known.yaml"
    known.write_text("id: odd")
    result = CliRunner().invoke(fuzz, ["--examples", "1", "--known", str(known)])
    assert result.exit_code == 1
    assert f"{known}:1: must be a list of entries" in result.output


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
