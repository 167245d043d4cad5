"""`diffharness workflow`: its output and its exit codes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from harness.cli.workflow import workflow

STORY = "tasks:\n  a: {next: [{when: failed, do: fix}, {do: b}]}\n  b:\n  fix:\n"


def ask(directory: Path, story: str, outcomes: str | None, *options: str) -> Result:
    (directory / "w.yaml").write_text(story)
    arguments = [str(directory / "w.yaml"), *options]
    if outcomes is not None:
        (directory / "o.json").write_text(outcomes)
        arguments += ["--outcomes", str(directory / "o.json")]
    return CliRunner().invoke(workflow, arguments)


def test_for_people(tmp_path: Path) -> None:
    answer = ask(tmp_path, STORY, '{"a": ["failed"], "fix": ["failed"]}')
    assert answer.stdout.splitlines() == [
        "start: a",
        "a 1: failed -> fix",
        "fix 1: failed",
        "failed after 2 executions: unhandled failure",
        "fix failed, and no transition handles it",
    ]
    assert answer.stderr == "Warning: task a: transition 2 matched too and was passed over for 1\n"
    assert answer.exit_code == 0


def test_without_outcomes_all_succeed_and_a_failed_end_is_a_failure(tmp_path: Path) -> None:
    assert ask(tmp_path, STORY, None).exit_code == 0
    answer = ask(tmp_path, "tasks: {a: {next: [{do: fail}]}}", None)
    assert (answer.exit_code, answer.stdout.splitlines()[-1]) == (1, "a led to fail")


def test_match_of_the_command_line_goes_before_that_of_the_file(tmp_path: Path) -> None:
    story = "match: first\ntasks: {a: {next: [{do: b}, {do: c}]}, b: , c: }"
    answer = json.loads(ask(tmp_path, story, None, "--match", "all", "--json").stdout)
    assert answer["batches"] == [[["a", 1]], [["b", 1], ["c", 1]]]


def test_results_can_be_told(tmp_path: Path) -> None:
    story = "start: a\ntasks: {a: {next: [{when: result.changes > 0, do: a}]}}"
    preset = {"a": [{"outcome": "succeeded", "result": {"changes": n}} for n in (2, 1, 0)]}
    assert json.loads(ask(tmp_path, story, json.dumps(preset), "--json").stdout)["iterations"] == {"a": 3}


def test_a_workflow_that_is_refused(tmp_path: Path) -> None:
    answer = ask(tmp_path, "tasks:\n  a:\n    join: any\n", None, "--json")
    assert (answer.exit_code, json.loads(answer.stdout)["rejected"]) == (1, [["syntax", "a"]])
    assert answer.stderr == f"Error: {tmp_path}/w.yaml:3: join: must be `all` or a number of tasks\n"


@pytest.mark.parametrize(
    ("outcomes", "message"),
    [
        ("[", "not JSON that can be read: Expecting value: line 1 column 2 (char 1)"),
        ("[]", "must be an object: a recorded trace, or tasks with their outcomes"),
        ('{"a": "failed"}', "a: must be a list of outcomes, in the order the executions start"),
        ('{"a": ["broken"]}', 'a: an outcome is "succeeded", "failed", or an object with outcome and result'),
        ('{"a": [{"outcome": "failed", "reslt": 1}]}', 'a: an outcome is "succeeded", "failed", or an object with '
         "outcome and result"),
        ('{"outcomes": {}, "discipline": "random"}', "discipline: must be fifo or lifo"),
    ],
)  # fmt: skip
def test_outcomes_that_are_none(tmp_path: Path, outcomes: str, message: str) -> None:
    answer = ask(tmp_path, STORY, outcomes)
    assert (answer.exit_code, answer.stdout, answer.stderr) == (1, "", f"Error: {tmp_path}/o.json: {message}\n")


def test_outcomes_of_a_task_that_is_not_there(tmp_path: Path) -> None:
    answer = ask(tmp_path, STORY, '{"outcomes": {"c": ["failed"]}}')
    assert f"{tmp_path}/o.json has outcomes for c, and there is no such task" in answer.stderr
