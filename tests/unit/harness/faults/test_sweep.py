"""Every fault at every call: a sample of what `diffharness faults` does in full, and its report."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from click.testing import CliRunner

from harness.cli.faults import faults
from harness.engines.registry import DEFAULT_ENGINES
from harness.faults.report import Trouble
from harness.faults.sweep import FaultSweep, SweepError, prepare_sweep, try_all
from harness.simulation.simcloud.faults import FaultKind, Verb

STORY = Path(__file__).parents[4] / "corpus" / "faults" / "ten_resources"


@pytest.fixture(scope="module")
def story() -> FaultSweep:
    return prepare_sweep(STORY, "legacy")


def test_the_story_meets_every_kind_at_every_verb_it_has(story: FaultSweep) -> None:
    kinds = Counter(trial.fault.kind for trial in story.trials)
    verbs = {trial.fault.verb for trial in story.trials}
    assert kinds.keys() == set(FaultKind)
    assert {*Verb} - verbs == {Verb.IMPORT, Verb.MOVE, Verb.RENEW}
    assert len(story.trials) > 1500


@pytest.mark.parametrize("kind", list(FaultKind))
def test_both_engines_recover_alike(story: FaultSweep, kind: FaultKind) -> None:
    """Three trials of each kind are run here; the command runs all of them."""
    trials = [trial for trial in story.trials if trial.fault.kind is kind]
    sample = trials[:: max(1, len(trials) // 3)][:3]
    reports = list(try_all(story, DEFAULT_ENGINES, sample))
    assert [(str(report.trial), report.trouble, report.text) for report in reports if report.trouble] == []


@pytest.mark.parametrize("engine", DEFAULT_ENGINES)
@pytest.mark.parametrize("kind", [FaultKind.ERROR_AFTER, FaultKind.PARTIAL, FaultKind.INCONSISTENT_RESULT])
def test_an_object_put_aside_is_never_forgotten_for_the_next_one(
    story: FaultSweep, engine: str, kind: FaultKind
) -> None:
    """Both runs generate the same keys for deposed objects: the second must notice that its first key is taken."""
    wanted = f"step 2: {kind} at create of simcloud_replaced disk in apply"
    (trial,) = [trial for trial in story.trials if str(trial) == wanted]
    assert next(try_all(story, [engine], [trial])).trouble is None


def write_case(directory: Path, text: str, configuration: str) -> Path:
    (directory / "v1").mkdir(parents=True)
    required = 'terraform {\n  required_providers {\n    sim = { source = "dh.test/diffharness/sim" }\n  }\n}\n'
    (directory / "v1" / "main.tf").write_text(required + configuration)
    (directory / "case.yaml").write_text(f"description: x\n{text}\nsteps: [{{op: apply, config: v1}}]\n")
    return directory


THING = 'resource "sim_thing" "a" {\n  name = "a"\n}\n'


def test_a_story_must_succeed_by_itself(tmp_path: Path) -> None:
    broken = write_case(tmp_path / "broken", "", 'resource "sim_thing" "a" {\n}\n')
    with pytest.raises(SweepError, match=r"step 1 \(apply v1\) fails without any fault: Missing required argument"):
        prepare_sweep(broken, "legacy")
    faulty = "faults: [{step: 0, name: a, verb: create, kind: error}]"
    with pytest.raises(SweepError, match="has no faults of its own"):
        prepare_sweep(write_case(tmp_path / "faulty", faulty, THING), "legacy")


@pytest.mark.parametrize(
    ("tasks", "problem"),
    [
        ("a: {action: fault, input: {name: a, verb: create, kind: error}}", "has no faults of its own"),
        ("a: {action: crash-and-resume, input: {at: {verb: create, name: a}}}", "has no faults of its own"),
        ("a: {action: assert, input: {that: 1 = 2}}", "the story fails without any fault"),
    ],
)
def test_so_must_one_with_tasks(tmp_path: Path, tasks: str, problem: str) -> None:
    case = write_case(tmp_path, "", THING)
    (case / "case.yaml").write_text(f"description: x\ntasks:\n  {tasks}\n")
    with pytest.raises(SweepError, match=problem):
        prepare_sweep(case, "legacy")


def test_operations_of_a_story_with_tasks_are_its_steps() -> None:
    """Each step starts from the situation at that point of the story, for example after a drift."""
    story = prepare_sweep(STORY.parents[1] / "stories" / "drift_and_repair", "legacy")
    steps = [(step.operation, step.mode) for step in story.case.steps]
    assert steps == [("apply", "normal"), ("apply", "refresh-only"), ("apply", "normal"), ("plan", "normal")]
    sample = [trial for trial in story.trials if trial.fault.kind is FaultKind.VANISH]
    assert {trial.step for trial in sample} == {1, 2, 3}
    reports = list(try_all(story, DEFAULT_ENGINES, sample))
    assert [(str(report.trial), report.trouble, report.text) for report in reports if report.trouble] == []


def test_who_does_not_recover_is_told(tmp_path: Path) -> None:
    """A thing with a unique value, whose creation succeeds but is reported as an error, has to be replaced. With
    create_before_destroy the new thing collides with the old one in every attempt."""
    lifecycle = "  lifecycle {\n    create_before_destroy = true\n  }\n"
    unique = f'resource "sim_thing" "a" {{\n  name = "a"\n  unique = "u"\n{lifecycle}}}\n'
    story = prepare_sweep(write_case(tmp_path, "", unique), "legacy")
    (trial,) = [trial for trial in story.trials if trial.fault.kind is FaultKind.ERROR_AFTER]
    report = next(try_all(story, ["new"], [trial]))
    assert (report.trouble, report.engine) == (Trouble.DOES_NOT_RECOVER, "new")
    assert 'without the fault: Create refused: The unique value "u" is taken' in report.text


def test_the_command(tmp_path: Path) -> None:
    file = tmp_path / "result.json"
    story = write_case(tmp_path / "story", "", THING)
    result = CliRunner().invoke(faults, [str(story), "--jobs", "1", "--every", "7", "--json", str(file)])
    assert result.exit_code == 0, result.output
    assert "runs of legacy, new" in result.output
    found = json.loads(file.read_text())
    assert found["troubles"] == []
    assert found["trials"] < found["runs"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nowhere"], "nowhere/case.yaml: cannot be read"),
        (["--engines", "old"], "there is no engine named old"),
        (["--engines", ","], "name at least one engine"),
    ],
)
def test_bad_usage_is_told(arguments: list[str], message: str) -> None:
    result = CliRunner().invoke(faults, arguments)
    assert result.exit_code != 0
    assert message in result.output
