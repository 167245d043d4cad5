"""The command as a user meets it: what it prints where, and its exit codes."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest


def diffharness(*arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "from harness.cli import main; main()", *arguments]
    return subprocess.run(command, input=stdin, capture_output=True, text=True, timeout=120, check=False)


@pytest.fixture
def module(tmp_path: Path) -> Path:
    (tmp_path / "main.tf").write_text('variable "x" {\n  default = 3\n}\nlocals {\n  y = var.x * 2\n}\n')
    return tmp_path


@pytest.mark.parametrize("engine", ["legacy", "new"])
def test_eval_prints_the_value_of_an_expression(module: Path, engine: str) -> None:
    result = diffharness("engine", engine, "eval", str(module), "--expr", "local.y + 1")
    assert (result.returncode, result.stdout, result.stderr) == (0, "7\n", "")


def test_eval_as_json_has_value_type_and_diagnostics(module: Path) -> None:
    result = diffharness("engine", "legacy", "eval", str(module), "--expr", "sensitive([var.x])", "--json")
    answer = json.loads(result.stdout)
    assert answer == {"ok": True, "value": [3], "type": ["tuple", ["number"]], "sensitive": True, "diagnostics": []}


def test_eval_as_json_tells_a_mistake_with_its_range(module: Path) -> None:
    result = diffharness("engine", "legacy", "eval", str(module), "--expr", "uper(1)", "--json")
    answer = json.loads(result.stdout)
    assert (result.returncode, answer["ok"], "value" in answer) == (1, False, False)
    assert answer["diagnostics"][0]["range"]["start"] == {"line": 1, "column": 1, "byte": 0}


def test_eval_shows_a_mistake_with_its_source_on_stderr_and_fails(module: Path) -> None:
    result = diffharness("engine", "legacy", "eval", str(module), "--expr", "uper(local.y)")
    assert (result.returncode, result.stdout) == (1, "")
    assert 'There is no function named "uper". Did you mean "upper"?' in result.stderr
    assert "uper(local.y)" in result.stderr


def test_eval_reports_a_broken_configuration_with_file_and_line(module: Path) -> None:
    (module / "broken.tf").write_text("locals {\n  z = \n}\n")
    result = diffharness("engine", "legacy", "eval", str(module), "--expr", "1")
    assert result.returncode == 1
    assert "on broken.tf line 2" in result.stderr


def test_eval_answers_lines_in_order_with_all_keys_of_the_question(tmp_path: Path) -> None:
    questions = [
        {"id": "one", "expr": "1 + 1"},
        {"id": "two", "expr": "nope("},
        {"id": "three", "kind": "cli", "type_constraint": "list(string)", "given": '["a"]'},
        {"id": "four", "name": "file", "body": "locals {\n  a 1\n}\n"},
    ]
    result = diffharness(
        "engine", "new", "eval", str(tmp_path), stdin="".join(json.dumps(line) + "\n" for line in questions)
    )
    answers = [json.loads(line) for line in result.stdout.splitlines()]
    assert [answer["id"] for answer in answers] == ["one", "two", "three", "four"]
    assert answers[0] == {"id": "one", "expr": "1 + 1", "value": 2, "type": "number", "sensitive": False}
    assert answers[1]["error"]["summary"] == "Invalid expression"
    assert answers[2]["value"] == ["a"]
    assert answers[3]["valid"] is False


@pytest.mark.parametrize(
    ("line", "message"), [("nope", "not JSON"), ('{"id": 1}', "not a question"), ("[]", "not a q")]
)
def test_eval_names_the_line_that_is_no_question(tmp_path: Path, line: str, message: str) -> None:
    result = diffharness("engine", "legacy", "eval", str(tmp_path), stdin='{"expr": "1"}\n' + line)
    assert result.returncode == 1
    assert "line 2 of standard input" in result.stderr
    assert message in result.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ["engine", "other", "eval", "."],
        ["run"],
        ["run", "/does/not/exist"],
        ["engine", "legacy", "eval", "/nowhere"],
        ["x"],
    ],
)
def test_wrong_usage_is_exit_code_two(arguments: list[str]) -> None:
    result = diffharness(*arguments)
    assert result.returncode == 2
    assert "Traceback" not in result.stderr


def test_run_counts_agreement_per_area_and_fails_on_a_difference(tmp_path: Path) -> None:
    (tmp_path / "context.tf").write_text("")
    right = {"id": "a-1", "area": "a", "expr": "1", "value": 1, "type": "number", "sensitive": False}
    wrong = {"id": "a-2", "area": "a", "expr": "2", "value": 3, "type": "number", "sensitive": False}
    lines = tmp_path / "sums.jsonl"
    lines.write_text(json.dumps(right) + "\n")
    assert diffharness("run", str(tmp_path), "--out", str(tmp_path / "first")).returncode == 0
    lines.write_text(json.dumps(right) + "\n" + json.dumps(wrong) + "\n")
    out = ("--out", str(tmp_path / "second"), "--json", str(tmp_path / "out.json"))
    result = diffharness("run", str(tmp_path), *out)
    assert result.returncode == 1
    assert "expressions/sums: differs" in result.stdout
    assert "a-2" in result.stdout
    (area,) = json.loads((tmp_path / "out.json").read_text())["results"]
    assert (area["counts"]["lines"], area["counts"]["exact"], area["counts"]["different"]) == (2, 1, 1)
    assert json.loads(area["findings"][0]["got"])["value"] == 2


def test_run_tells_in_how_many_ways_the_scenarios_were_run(corpus: Path, tmp_path: Path) -> None:
    case = corpus / "conformance" / "scenarios" / "destroy_order" / "explicit-depends-on"
    out = tmp_path / "out.json"
    ways = ("--schedules", "2", "--handover", "memory", "--handover", "process", "--jobs", "1")
    result = diffharness("run", str(case), *ways, "--json", str(out), "--out", str(tmp_path / "many"))
    assert result.returncode == 0
    assert "ways 2 seeds x parallelism 10, 2, 1 x plans by memory, process" in result.stdout
    assert json.loads(out.read_text())["results"][0]["runs"] == {"legacy": 12, "new": 12}
    one = ("--seed", "3", "--parallelism", "1", "--jobs", "1", "--json", str(out), "--out", str(tmp_path / "one"))
    described = "ways 1 seed x parallelism 1 x plans by file, legacy once more with another seed where engines differ"
    assert described in diffharness("run", str(case), *one).stdout
    assert json.loads(out.read_text())["results"][0]["runs"] == {"legacy": 1, "new": 1}


def test_run_without_anything_to_run_says_so(tmp_path: Path) -> None:
    result = diffharness("run", str(tmp_path))
    assert result.returncode == 5
    assert "nothing to run" in result.stderr


def test_doctor_and_version_work() -> None:
    assert diffharness("--version").stdout.startswith("diffharness, version ")
    findings = json.loads(diffharness("doctor", "--json").stdout)
    states = {finding["part"]: finding["state"] for finding in findings}
    assert states.pop("bytecode") in ("ok", "slow"), "which of them depends on the environment of the tests"
    assert set(states.values()) <= {"ok", "absent"}


def test_a_crash_is_one_message_and_exit_code_three() -> None:
    code = "import harness.cli as c\nc.commands.main = lambda **k: 1 / 0\nc.main()"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)
    assert result.returncode == 3
    assert "diffharness crashed: ZeroDivisionError" in result.stderr
    assert "Traceback" not in result.stderr
