"""`diffharness fuzz`: output, files, exit codes, and reproducible results."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import harness.generate.campaign as campaigns
from harness.cli.fuzz import fuzz
from harness.compare.ruling import Ruling
from harness.findings.finding import Finding
from harness.findings.signature import Signature
from harness.generate.campaign import CampaignOptions, StoryTask, story_of_task
from harness.generate.profiles import PROFILES, profile_for
from tests.fake_binary import write_program


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
    assert json.loads(file.with_suffix(".times.json").read_text())["stories_per_second"] > 0
    assert document["seed"] == 0
    assert isinstance(document["commit"], str)
    assert not (tmp_path / "saved").exists()


_FUZZ = "import sys; from harness.cli.fuzz import fuzz; sys.exit(fuzz())"


def _run_in_process(directory: Path, *, jobs: int, hash_seed: int) -> tuple[bytes, dict[str, bytes]]:
    """Run a campaign in a process with its own hash seed, which changes the order of sets. Return JSON and files."""
    directory.mkdir()
    arguments = ["--examples", "6", "--profile", "small", "--schedules", "1", "--seed", "4", "--mutant", "M01"]
    options = ["--jobs", str(jobs), "--no-shrink", "--save", str(directory / "saved"), "--json", "found.json"]
    environment = {**os.environ, "PYTHONHASHSEED": str(hash_seed)}
    command = [sys.executable, "-c", _FUZZ, *arguments, *options]
    completed = subprocess.run(command, cwd=directory, env=environment, capture_output=True, text=True, check=False)
    assert completed.returncode == 1, completed.stderr
    document = (directory / "found.json").read_bytes()
    files = {path.relative_to(directory).as_posix(): path for path in (directory / "saved").rglob("*")}
    return document, {name: path.read_bytes() for name, path in sorted(files.items()) if path.is_file()}


def test_a_seed_decides_about_everything_that_is_written_whatever_the_processes_and_the_order_of_sets(
    tmp_path: Path,
) -> None:
    one, saved = _run_in_process(tmp_path / "one", jobs=1, hash_seed=1)
    two, saved_too = _run_in_process(tmp_path / "two", jobs=2, hash_seed=2)
    assert json.loads(one)["signatures"]
    assert one == two
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
    assert "0 causes in 0 stories" in documented.output
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


# Interrupts


def interrupt(*_: object, **__: object) -> None:
    raise KeyboardInterrupt


def test_an_interrupted_campaign_leaves_what_it_has_found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    learn = campaigns.Campaign.learn

    def learn_some(campaign: campaigns.Campaign, outcome: campaigns.StoryOutcome) -> None:
        learn(campaign, outcome)
        if len(campaign.results) == 3:
            raise KeyboardInterrupt

    monkeypatch.setattr(campaigns.Campaign, "learn", learn_some)
    monkeypatch.setattr("harness.reduce.saving._reduce_cause", None)
    document, saved = run_mutant(tmp_path)
    assert document["stories"] == 3
    assert document["interrupted"] is True
    assert {f"found-{each['digest']}" for each in document["signatures"]} >= saved
    assert saved


def test_an_interrupt_while_cases_are_reduced_loses_none(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("harness.reduce.saving._reduce_cause", interrupt)
    document, saved = run_mutant(tmp_path)
    assert document["stories"] == 6
    assert saved
    assert all((tmp_path / "saved" / name / "case.yaml").is_file() for name in saved)


def run_mutant(directory: Path) -> tuple[dict[str, Any], set[str]]:
    """Run a campaign that is interrupted. Return the JSON, and the names of the saved cases."""
    arguments = ["--examples", "6", "--profile", "small", "--schedules", "1", "--seed", "4", "--mutant", "M01"]
    file = directory / "found.json"
    result = CliRunner().invoke(fuzz, [*arguments, "--save", str(directory / "saved"), "--json", str(file)])
    assert result.exit_code != 0
    return json.loads(file.read_text()), {place.name for place in (directory / "saved").iterdir()}


# Binaries

PROGRAM = """
import json, os, sys
if sys.argv[1] == "version":
    print("OpenTofu v1.12.6")
elif sys.argv[1] == "validate":
    print(json.dumps({"valid": True, "diagnostics": []}))
elif sys.argv[1] == "plan":
    found = {"severity": "warning", "summary": "New", "detail": ""}
    if NEW:
        print(json.dumps({"type": "diagnostic", "diagnostic": found}))
"""


@pytest.fixture
def binaries(tmp_path: Path) -> str:
    programs = {tmp_path / "old" / "tofu": False, tmp_path / "new" / "tofu": True}
    return ",".join(write_program(each, f"NEW = {is_new}\n{PROGRAM}") for each, is_new in programs.items())


def test_binaries_run_the_stories_of_a_profile_and_what_is_not_observed_is_explained(
    binaries: str, tmp_path: Path
) -> None:
    arguments = ["--examples", "2", "--profile", "opentofu", "--schedules", "1", "--engines", binaries]
    options = ["--no-shrink", "--save", str(tmp_path / "saved"), "--json", str(tmp_path / "found.json")]
    result = CliRunner().invoke(fuzz, [*arguments, *options])
    assert result.exit_code == 1, result.output
    words = " ".join(result.output.split())
    assert f"canary: not tried: {binaries.partition(',')[2]} is a real program, which cannot be broken" in words
    assert "no edges:" in words
    document = json.loads((tmp_path / "found.json").read_text())
    assert any("warning: New" in each["signature"] for each in document["signatures"])
    assert list((tmp_path / "saved").iterdir())


@pytest.mark.parametrize("name", ["default", "opentofu", "small"])
def test_a_profile_covers_the_features_of_the_product_of_a_binary(binaries: str, name: str) -> None:
    engines = tuple(binaries.split(","))
    stories = [story_of_task(StoryTask(CampaignOptions(0, name, engines), index)) for index in range(60)]
    assert not [story for story in stories if "diffharness/sim" in story.text]
    assert {story.flavour for story in stories} == {"opentofu-1.12"}
    assert {feature for story in stories for feature in story.features if feature.startswith("opentofu: ")}


def test_a_profile_is_what_it_was_without_a_binary() -> None:
    assert profile_for("opentofu", ("legacy", "new")) is PROFILES["opentofu"]
    assert profile_for("tofu", ("legacy",)) is PROFILES["tofu"]
