"""A chain of steps is played to its end, whatever the outcome of each step, at a time that no chosen value has."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.case.case import read_case
from harness.engines.registry import DEFAULT_ENGINES
from harness.play.case_runner import prepare_runner
from harness.play.schedule import Schedule
from harness.simulation.plausible import Form, write_text

FINE = 'resource "terraform_data" "a" {\n  input = "x"\n}\n'
WRONG = 'resource "terraform_data" "a" {\n  input = local.missing\n}\n'


def observe(directory: Path, engine: str, *steps: tuple[str, str]) -> dict[str, bool]:
    """Return whether each step succeeded, by its place."""
    for name, text in (("fine", FINE), ("wrong", WRONG)):
        (directory / name).mkdir()
        (directory / name / "main.tf").write_text(text)
    lines = "".join(f"  - {{op: {operation}, config: {config}}}\n" for operation, config in steps)
    (directory / "case.yaml").write_text(f"description: a chain\nsteps:\n{lines}")
    with prepare_runner(read_case(directory), may_execute=False) as (runner, _recording):
        observations = runner.run(engine, Schedule(), 60)
    return {place: observation["ok"] is True for place, observation in observations.items()}


@pytest.mark.parametrize("engine", DEFAULT_ENGINES)
def test_steps_after_a_failure_are_played(tmp_path: Path, engine: str) -> None:
    outcomes = observe(tmp_path, engine, ("apply", "wrong"), ("apply", "fine"), ("plan", "wrong"), ("destroy", "fine"))
    assert [outcome for place, outcome in outcomes.items() if place.startswith("step")] == [False, True, False, True]


@pytest.mark.parametrize("engine", DEFAULT_ENGINES)
def test_a_failing_last_step_adds_no_expectation(tmp_path: Path, engine: str) -> None:
    """Only `tasks` can fail as a story: the last place of a chain is its last step."""
    outcomes = observe(tmp_path, engine, ("apply", "fine"), ("plan", "wrong"))
    assert list(outcomes)[-1] == "step 2 (plan wrong)"
    assert outcomes["step 2 (plan wrong)"] is False


@pytest.mark.parametrize("engine", DEFAULT_ENGINES)
def test_times_that_mocked_providers_choose_are_not_the_time_of_a_run(tmp_path: Path, engine: str) -> None:
    """A time within the run becomes `<timestamp>`. An engine in this process would then differ from a binary, whose
    runs have another time."""
    chosen = write_text(Form.TIME, "")
    (tmp_path / "main.tf").write_text(f'output "made" {{\n  value = "{chosen}"\n}}\n')
    with prepare_runner(read_case(tmp_path), may_execute=False) as (runner, _recording):
        observations = runner.run(engine, Schedule(), 60)
    states = [observation["state"] for observation in observations.values() if "state" in observation]
    assert any(f"'value': '{chosen}'" in str(state) for state in states)
