"""`diffharness mutants`, `--mutant`, and the canary."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

import pytest
from click.testing import CliRunner

from harness.cli.mutants import mutants
from harness.cli.run import run
from harness.execute.wire import settings_from_json, settings_to_json
from harness.generate import campaign
from harness.generate.campaign import CampaignOptions
from harness.mutants.catalogue import MUTANTS
from harness.mutants.catalogue.known_cases import KNOWN_CASES
from harness.play.run_spec import RunSpec
from harness.trials import canary

CORPUS: Final = Path(__file__).parents[4] / "corpus"


def test_list_has_all() -> None:
    result = CliRunner().invoke(mutants, ["list", "--json"])
    assert [entry["id"] for entry in json.loads(result.output)] == list(MUTANTS)
    assert f"{len(MUTANTS)} mutants" in CliRunner().invoke(mutants, ["list"]).output


def test_a_mutant_is_found_in_the_corpus(tmp_path: Path) -> None:
    file = tmp_path / "found.json"
    options = ["run", "M07", "--corpus", str(CORPUS / "cases" / "checks"), "--json", str(file)]
    result = CliRunner().invoke(mutants, options)
    assert result.exit_code == 0, result.output
    assert "1 of 1 found, 100%" in result.output
    (trial,) = json.loads(file.read_text())["trials"]
    assert (trial["id"], trial["found"], trial["examples"]) == ("M07", True, 1)
    assert trial["found_by"].endswith(KNOWN_CASES["M07"])
    assert "Check block assertion failed" in trial["signature"]
    assert 0 < trial["blocks"] <= trial["lines"] <= 20


def test_a_mutant_that_is_not_found_fails_the_run() -> None:
    """No case of this area moves anything."""
    result = CliRunner().invoke(mutants, ["run", "M15", "--corpus", str(CORPUS / "cases" / "conditions")])
    assert result.exit_code == 1
    assert "0 of 1 found, 0%" in result.output


def test_stories_find_mutants_and_say_what_it_took(tmp_path: Path) -> None:
    """For a mutant that is not found, the number of stories that call its function is printed."""
    file = tmp_path / "found.json"
    options = ["run", "M01", "L13", "--by", "fuzz", "--examples", "3", "--no-shrink", "--json", str(file)]
    result = CliRunner().invoke(mutants, options)
    assert result.exit_code == 1
    assert "1 of 2 found, 50%" in result.output
    first, second = json.loads(file.read_text())["trials"]
    assert (first["found"], first["lines"]) == (True, None)
    assert first["found_by"].startswith("default-0-")
    assert 0 < first["reached"] <= first["examples"] <= 3
    assert (second["found"], second["examples"]) == (False, 3)
    assert f"its function was called in {second['reached']}" in " ".join(result.output.split())


def test_an_unknown_mutant_is_wrong_usage() -> None:
    for command, options in ((mutants, ["run", "B99"]), (run, [str(CORPUS), "--mutant", "B99"])):
        result = CliRunner().invoke(command, options)
        assert result.exit_code == 2
        assert "there is no mutant B99" in result.output


def test_workers_get_the_mutant() -> None:
    settings = RunSpec(("legacy", "new"), mutant="M07")
    assert settings_from_json(json.loads(json.dumps(settings_to_json(settings)))) == settings


def test_a_campaign_sees_the_canary() -> None:
    assert canary.try_canary(CampaignOptions()) is canary.CanaryOutcome.FOUND


def test_a_campaign_that_compares_nothing_is_blind(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(campaign, "findings_of", lambda _verdict: [])
    monkeypatch.setattr(campaign, "_LAW_EVERY", 1000)
    assert canary.try_canary(CampaignOptions()) is canary.CanaryOutcome.MISSED
