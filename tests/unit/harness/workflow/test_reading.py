"""Workflow files: what they may contain, and one message with file, line and key for each mistake."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from harness.case.actions import ACTIONS
from harness.workflow.expressions import parse_expression
from harness.workflow.model import MAX_DURATION_S, MAX_ITERATIONS, Match, Retry, Task, Transition, Workflow
from harness.workflow.reading import WorkflowError, read_workflow


def read(directory: Path, text: str) -> Workflow:
    file = directory / "story.yaml"
    file.write_text(text, encoding="utf-8")
    return read_workflow(file, ACTIONS)


FULL = """\
version: 1.0
description: Plan until it is clean.
match: all
start: [check]
vars:
- rounds: 0
- limit: <% ctx().rounds + 3 %>
max_iterations: 9
max_duration_s: 60
tasks:
  check:
    action: plan
    input: {config: v1, refresh: true}
    retry: {count: 2, when: failed, delay: 0.5}
    max_iterations: 4
    next:
    - when: result.changes > 0
      publish: {rounds: <% ctx.rounds + 1 %>}
      do: repair, repair
    - do: [done]
    - when: <% failed() %>
  repair:
    join: 1
    next: [{do: check}]
  done:
"""


def test_everything_that_may_be_written(tmp_path: Path) -> None:
    workflow = read(tmp_path, FULL)
    assert workflow == Workflow(
        tasks={
            "check": Task(
                "check",
                "plan",
                {"config": "v1", "refresh": True},
                retry=Retry(2, parse_expression("failed"), 0.5),
                max_iterations=4,
                transitions=(
                    Transition(
                        ("repair", "repair"),
                        parse_expression("result.changes > 0"),
                        (("rounds", parse_expression("ctx.rounds + 1")),),
                    ),
                    Transition(("done",)),
                    Transition(("continue",), parse_expression("failed()")),
                ),
            ),
            "repair": Task("repair", join=1, transitions=(Transition(("check",)),)),
            "done": Task("done"),
        },
        start=("check",),
        match=Match.ALL,
        variables=(("rounds", 0), ("limit", parse_expression("ctx().rounds + 3"))),
        max_iterations=9,
        max_duration_s=60.0,
    )


def test_limits_are_there_also_where_nobody_wrote_any(tmp_path: Path) -> None:
    workflow = read(tmp_path, "tasks: {a: }")
    assert (workflow.max_iterations, workflow.max_duration_s) == (MAX_ITERATIONS, MAX_DURATION_S)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "1: file: empty; a mapping with tasks is needed"),
        ("- a", "1: a workflow: must be a mapping of keys to values"),
        ("vars: {a: 1}", "1: tasks: missing; a workflow needs tasks"),
        ("tasks: {}", "1: tasks: at least one task is needed"),
        ("tasks: [a]", "1: tasks: must be a mapping of keys to values"),
        ("tasks:\n  a: {}\n  a: {}", "3: a: given twice in tasks"),
        ("tasks: {a: }\ntimeout: 3", "2: timeout: unknown key in a workflow; there are version, description, vars, "
         "start, match, max_iterations, max_duration_s, tasks"),
        ("tasks:\n  a:\n    joins: all", "3: joins: unknown key in task a; there are action, input, join, retry, "
         "max_iterations, next"),
        ("tasks:\n  a:\n    next:\n    - {if: failed}", "4: if: unknown key in a transition; there are "
         "when, publish, do"),
        ("tasks: {a: {next: {do: a}}}", "1: next: must be a list of transitions"),
        ("tasks: {a: {join: any}}", "1: join: must be `all` or a number of tasks"),
        ("tasks: {a: {join: -1}}", "1: join: must be `all` or a number of tasks"),
        ("tasks: {a: {join: true}}", "1: join: must be `all` or a number of tasks"),
        ("tasks: {fail: }", "1: fail: this is the name of a command, and cannot be a task's"),
        ("tasks: {a b: }", "1: a b: a task's name is made of letters, digits, `_`, `-` and `.`"),
        ("tasks: {? [a] : }", "1: tasks: a key must be a plain text"),
        ("tasks: {a: {action: nuke}}", "1: action: there is no action nuke; there are apply, assert, "
         "crash-and-resume, destroy, drift, edit, fault, plan, refresh, taint, validate, wait"),
        ("tasks: {a: {action: 3}}", "1: action: must be the name of an action"),
        ("tasks: {a: {input: {x: <% ctx.n %>}}}", "1: x: expressions are evaluated in `when`, `publish` "
         "and `vars` only"),
        ("tasks: {a: {input: {day: 2026-01-02}}}", "1: day: not something JSON can say: Object of type date is not "
         "JSON serializable"),
        ("tasks: {a: {input: {x: !!python/none 1}}}", "1: x: not something JSON can say: could not determine a "
         "constructor for the tag 'tag:yaml.org,2002:python/none'"),
        ("tasks: {a: {retry: {when: failed}}}", "1: retry: count is missing: how many attempts more than the first"),
        ("tasks: {a: {retry: {count: -1}}}", "1: count: must be a whole number, 0 or more"),
        ("tasks: {a: {retry: {count: 1, delay: .inf}}}", "1: delay: not something JSON can say: Out of range float "
         "values are not JSON compliant"),
        ("tasks: {a: {max_iterations: 0}}", "1: max_iterations: must be a whole number, 1 or more"),
        ("max_duration_s: -1\ntasks: {a: }", "1: max_duration_s: must be a number of seconds, 0 or more"),
        ("match: some\ntasks: {a: }", "1: match: must be first or all"),
        ("tasks: {a: {next: [{when: 3}]}}", "1: when: must be a text: succeeded, failed, completed or an expression"),
        ("tasks: {a: {next: [{when: failed(}]}}", "1: when: not an expression: ')' is expected where 'the end' stands"),
        ("tasks: {a: {next: [{publish: {x: a <% 1 %> b}}]}}", "1: x: not an expression: a is not known; there are "
         "succeeded, failed, completed, ctx, result"),
        ("tasks: {a: {next: [{do: [b, b]}]}, b: }", "1: do: names a task twice"),
        ("tasks: {a: {next: [{do: 'b,'}]}, b: }", "1: do: must be the name of a task, several between commas, or "
         "a list of them"),
        ("tasks:\n  a:\n    next:\n    - when: failed\n      do: b", "5: do: there is no task b"),
        ("tasks: {a: }\nstart: b", "2: start: there is no task b"),
        ("tasks:\n  a: {next: [{do: a}]}", "2: tasks: every task has a transition leading to it, so none can be the "
         "first; name one with `start`"),
        ("tasks: &x {a: *x}", "1: file: not YAML that can be read: aliases cannot be used here"),
        ("tasks: {a: }\n  b: [", "2: file: not YAML that can be read: expected <block end>, but found "
         "'<block mapping start>'"),
        ("tasks: " + "[" * 50_000, "1: file: not YAML that can be read: nested more than 50 deep"),
    ],
)  # fmt: skip
def test_mistake(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(WorkflowError) as raised:
        read(tmp_path, text)
    assert str(raised.value).splitlines() == [f"{tmp_path / 'story.yaml'}:{message}"]


def test_all_mistakes_are_told_in_the_order_of_lines(tmp_path: Path) -> None:
    text = "tasks:\n  a: {join: some}\n  b:\n    next:\n    - {do: 3}\n  noop:\nmatch: x\n"
    with pytest.raises(WorkflowError) as raised:
        read(tmp_path, text)
    assert [(mistake.line, mistake.key, mistake.task, mistake.reason) for mistake in raised.value.mistakes] == [
        (2, "join", "a", "syntax"),
        (5, "do", "b", "syntax"),
        (6, "noop", "noop", "reserved-name"),
        (7, "match", None, "syntax"),
    ]


def test_what_nothing_leads_to_may_have_mistakes(tmp_path: Path) -> None:
    """Rule 2: the task does not exist. Its followers are not predecessors either, so the join opens without it."""
    text = """
tasks:
  a: {next: [{do: meet}]}
  meet: {join: all}
  lost: {next: [{do: [lost, nowhere, meet]}]}
"""
    assert "lost" in read(tmp_path, text).tasks


def test_a_join_across_branches_is_refused_where_it_stands(tmp_path: Path) -> None:
    text = """\
tasks:
  a: {next: [{do: "work, c"}]}
  b: {next: [{do: work}]}
  work: {next: [{do: meet}]}
  c: {next: [{do: meet}]}
  meet: {join: all}
"""
    with pytest.raises(WorkflowError, match=r"story.yaml:6: join: meet would wait for tasks on different branches"):
        read(tmp_path, text)


def test_exponentially_many_ways_are_no_burden(tmp_path: Path) -> None:
    """Each of 60 stages can be passed with and without a shared task; the join is behind all of them."""
    stages = (
        f"  t{n}: {{next: [{{when: failed, do: [s{n}, t{n + 1}]}}, {{do: [s{n}, t{n + 1}]}}]}}\n"
        f"  s{n}: {{next: [{{do: t{n + 1}}}]}}\n"
        for n in range(60)
    )
    assert (
        len(read(tmp_path, "tasks:\n" + "".join(stages) + "  t60: {next: [{do: m}]}\n  m: {join: all}\n").tasks) == 122
    )


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"\xff", "cannot be read"),
        (b"tasks: {a: \x00}", "not YAML that can be read"),
        (b" " * 1_000_001, "larger than"),
    ],
)
def test_a_file_that_is_no_text(tmp_path: Path, content: bytes, message: str) -> None:
    file = tmp_path / "story.yaml"
    file.write_bytes(content)
    with pytest.raises(WorkflowError, match=rf"story.yaml:1: file: {message}"):
        read_workflow(file)
    with pytest.raises(WorkflowError, match=r"nowhere.yaml:1: file: cannot be read"):
        read_workflow(tmp_path / "nowhere.yaml")


PIECES = st.sampled_from(
    ["tasks", "a", "next", "do", "when", "join", "start", "vars", "publish", "retry", "count", "failed", "all", "1",
     "<% x %>", ": ", "- ", "\n", "\n  ", "\n    ", "{", "}", "[", "]", ", ", "&x ", "*x", "!!set ", "? ", "null", "~",
     "'", "|", "<<: "]
)  # fmt: skip


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(PIECES, max_size=25).map("".join))
def test_any_text_is_a_workflow_or_has_mistakes(tmp_path: Path, text: str) -> None:
    try:
        found = bool(read(tmp_path, text).tasks)
    except WorkflowError as error:
        found = bool(error.mistakes)
    assert found
