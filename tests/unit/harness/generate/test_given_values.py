"""Values that the user gives to variables of generated stories and of a prelude."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from harness.case.case import Step
from harness.case.given import VALUE_TEXT
from harness.case.prelude import Prelude
from harness.cli import commands
from harness.generate.given_values import with_given_values
from harness.generate.story import GeneratedStory

PRELUDE = Prelude("p.tf", 'variable "region" {}\n')


def story(text: str, variables: str | None = None) -> GeneratedStory:
    step = Step("plan", "v1", variables=variables)
    return GeneratedStory("x", {"v1": {"main.tf": text}}, (step,))


def values(given: GeneratedStory) -> object:
    text = given.steps[0].variables
    return None if text is None else json.loads(text)


def test_values_count_where_they_are_declared() -> None:
    options = ((VALUE_TEXT, "region=eu"), (VALUE_TEXT, "n=[1]"), (VALUE_TEXT, "other=1"))
    own = 'variable "n" {\n  type = list(number)\n}\n'
    assert values(with_given_values(story(own, '{"n": [], "m": 2}'), options, PRELUDE)) == {
        "n": [1],
        "m": 2,
        "region": "eu",
    }
    assert values(with_given_values(story(own), options)) == {"n": [1]}
    assert values(with_given_values(story(""), options)) is None


def test_a_prelude_that_is_not_added_declares_nothing() -> None:
    text = "terraform {\n  required_providers {\n  }\n}\n"
    assert values(with_given_values(story(text), ((VALUE_TEXT, "region=eu"),), PRELUDE)) is None


def test_a_campaign_gives_values_to_the_variables_of_its_prelude(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "p.tf").write_text('variable "region_of_prelude" {\n  default = null\n}\n')
    words = ["fuzz", "--examples", "3", "--prelude", "p.tf", "--var", "region_of_prelude=eu"]
    ran = CliRunner().invoke(commands, words)
    assert ran.exit_code == 0, ran.output
    (tmp_path / "p.tf").write_text('variable "region_of_prelude" {\n  type    = list(string)\n  default = null\n}\n')
    unusable = CliRunner().invoke(commands, [*words[:-1], "region_of_prelude=["])
    assert unusable.exit_code == 2
    assert "a value given for a variable cannot be used" in unusable.output
    refused = CliRunner().invoke(commands, ["fuzz", "--examples", "1", "--var", "nonsense"])
    assert refused.exit_code == 2
