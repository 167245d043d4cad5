"""Stories in case.yaml, and the messages about mistakes in them."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from harness.case.actions import Assert, CrashAndResume, Drift, EditObject, InjectFault, Operate, Taint, Wait
from harness.case.case import CaseError, read_case
from harness.case.steps import Step
from harness.cli.engine.group import engine as engine_command
from harness.simulation.simcloud.faults import FaultKind, Phase, Verb
from harness.workflow.model import Match
from tests.unit.harness.play.stories import write_story

ROOT = Path(__file__).parent.parent.parent.parent.parent
EVERYTHING = """
start: [a, h]
match: all
vars: {n: 1}
max_iterations: 7
max_duration_s: 60
tasks:
  a: {action: validate, input: {config: v2}, next: [{do: b}]}
  b: {action: plan, input: {vars: {x: 1}, target: [t.a], replace: [t.b], refresh: false, mode: destroy}}
  c: {action: refresh, input: {exclude: [t.a]}}
  d: {action: edit, input: {config: v2}}
  e: {action: drift, input: {name: o, set: {value: other}}}
  f: {action: drift, input: {type: simcloud_updated, vanish: true}}
  g: {action: taint, input: {address: t.a}}
  h: {action: fault, input: {name: o, verb: create, kind: flaky, times: 2, lasting: true}, retry: {count: 1, delay: 5}}
  i: {action: crash-and-resume, input: {config: v1, at: {verb: create, name: o, occurrence: 2}}}
  j: {action: assert, input: {that: result.changes = 0}, join: 2, max_iterations: 3}
  k: {action: wait, input: {seconds: 1.5}}
  l:
  m: {action: destroy}
"""


def test_a_story_with_everything(tmp_path: Path) -> None:
    case = read_case(write_story(tmp_path, EVERYTHING, v1="", v2=""))
    story = case.tasks
    assert story is not None
    acts = story.actions
    assert acts["a"] == Operate(Step("validate", "v2"))
    assert acts["b"] == Operate(Step("plan", "", '{"x": 1}', "destroy", ("t.a",), replace=("t.b",), refresh=False))
    assert acts["c"] == Operate(Step("apply", "", mode="refresh-only", excludes=("t.a",)))
    assert (acts["d"], acts["g"], acts["k"]) == (EditObject("v2"), Taint("t.a"), Wait(1.5))
    assert acts["m"] == Operate(Step("destroy", ""))
    drift, vanish, arranged, crash, check = (acts[name] for name in "efhij")
    assert isinstance(drift, Drift)
    assert (drift.fault.kind, drift.fault.attributes) == (FaultKind.DRIFT, {"value": "other"})
    assert isinstance(vanish, Drift)
    assert (vanish.fault.kind, vanish.fault.name, vanish.fault.type_name) == (
        FaultKind.VANISH,
        None,
        "simcloud_updated",
    )
    assert isinstance(arranged, InjectFault)
    assert (arranged.fault.step, arranged.fault.times) == (None, 2)
    assert isinstance(crash, CrashAndResume)
    assert (crash.fault.kind, crash.fault.verb, crash.fault.phase) == (FaultKind.STUCK, Verb.CREATE, Phase.APPLY)
    assert isinstance(check, Assert)
    assert check.that.text == "result.changes = 0"
    assert (story.workflow.start, story.workflow.match) == (("a", "h"), Match.ALL)
    assert "l" not in acts
    assert case.configurations == ["v2", "v1"]
    assert (case.steps, story.needs_cloud) == ((), "drift")


def test_the_example_of_the_documentation_is_a_story(tmp_path: Path) -> None:
    text = (ROOT / "docs" / "stories.md").read_text(encoding="utf-8")
    example = text.partition("    description: plan until")[2].partition("\n\n")[0]
    lines = [line.removeprefix("    ") for line in example.splitlines()[1:]]
    case = read_case(write_story(tmp_path, "\n".join(lines)))
    assert case.tasks is not None
    assert list(case.tasks.workflow.tasks) == ["look", "repair", "pause", "done"]


def test_only_steps_can_be_counted(tmp_path: Path) -> None:
    directory = write_story(tmp_path, "tasks: {a: {action: plan}}")
    options = ["--case", str(directory / "case.yaml"), "--step", "0"]
    answer = CliRunner().invoke(engine_command, ["legacy", "plan", str(directory / "v1"), *options])
    assert (answer.exit_code, "the case has tasks" in answer.output) == (2, True)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("tasks: {a: {action: plan}}\nsteps: []", ":3: steps: a case has steps or tasks, not both"),
        ("tasks: {a: {action: plan}}\nfaults: []", ":3: faults: beside tasks there are no steps"),
        ("steps: [{op: plan, config: v1}]\nmatch: all", ":3: match: belongs to tasks, and the case has steps"),
        ("tasks: {a: {action: plan, retyr: 1}}", ":2: retyr: unknown key in task a"),
        ("tasks: {a: {next: [{do: b}]}}", ":2: do: there is no task b"),
        ("tasks:\n  a:\n    action: plan\n    input: {conf: v1}", ":5: conf: unknown key in the input of task a"),
        ("tasks: {a: {action: edit}}", ":2: config: missing in the input of task a"),
        ("tasks: {a: {action: plan, input: {config: v7}}}", "v7 is not in the directory of the case"),
        ("tasks: {a: {action: edit, input: {config: ../..}}}", "../.. is not in the directory of the case"),
        ("tasks: {a: {input: {config: v1}}}", ":2: input: the task has no action that could use it"),
        ("tasks: {a: {action: validate, input: {target: [a]}}}", ":2: target: unknown key in the input of task a"),
        ("tasks: {a: {action: assert, input: {that: 'result >'}}}", ":2: that: not an expression:"),
        ("tasks: {a: {action: assert, input: {that: 1}}}", ":2: that: must be a text"),
        ("tasks: {a: {action: wait, input: {seconds: -1}}}", ":2: seconds: must be a number of seconds"),
        ("tasks: {a: {action: drift, input: {name: x}}}", ":2: set: missing in the input of task a"),
        ("tasks: {a: {action: drift, input: {name: x, set: {odd: 1}}}}", ":2: set: "),
        ("tasks: {a: {action: drift, input: {vanish: true}}}", ":2: name: missing in the input of task a"),
        ("tasks: {a: {action: fault, input: {kind: drift, name: x}}}", ":2: kind: must be one of error"),
        ("tasks: {a: {action: fault, input: {kind: error, name: x}}}", ":2: verb: missing in the input of task a"),
        ("tasks: {a: {action: crash-and-resume}}", ":2: at: missing in the input of task a"),
        ("tasks: {a: {action: crash-and-resume, input: {at: {name: x}}}}", ":2: verb: missing in at"),
        ("tasks: {a: {action: crash-and-resume, input: {at: {verb: create, name: x, phase: plan}}}}", "phase: unknown"),
        ("tasks: &t {a: *t}", ":2: not YAML: aliases cannot be used here"),
        ("tasks: {}", ":2: tasks: at least one task is needed"),
        ("start: b\ntasks: {a: {action: plan}}", ":2: start: there is no task b"),
    ],
)
def test_a_mistake_is_told_with_file_line_and_key(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(CaseError) as failure:
        read_case(write_story(tmp_path, text))
    assert message in str(failure.value)
    assert str(tmp_path / "case.yaml") in str(failure.value)
