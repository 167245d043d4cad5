"""Stories run by engines: what each action does, what conditions see, and how a story ends."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import legacy_engine.api
from harness.compare.ruling import Ruling
from harness.engines.registry import engine_named
from harness.findings.case_findings import findings_of
from harness.findings.finding import Standing
from harness.observe.observation import Observation
from harness.play import step_context
from harness.play.schedule import PlanTransfer, Schedule
from harness.play.story_runner import _error_in
from shared_nodes.lang.diagnostics import error
from shared_nodes.operations.engine import EngineRequest, PlanResult
from shared_nodes.values.json import Tree
from tests.judging import judge_engines
from tests.unit.harness.play.stories import SIMCLOUD, places_of, play, write_story

ENGINES = ("legacy", "new")
THING = SIMCLOUD + 'resource "simcloud_updated" "a" {\n  name = "a"\n  value = "wanted"\n}\n'
BUILTIN = 'resource "terraform_data" "a" {\n  input = "x"\n}\n\noutput "a" {\n  value = terraform_data.a.output\n}\n'


def describe_end(observations: dict[str, Any]) -> str:
    return str(observations["story"]["story"].get("problem", observations["story"]["story"]["ended_by"]))


def test_edit_switches_the_configuration_of_those_who_name_none(tmp_path: Path) -> None:
    text = """
tasks:
  a: {action: plan, next: [{do: b}]}
  b: {action: edit, input: {config: v2}, next: [{do: c}]}
  c: {action: plan, next: [{do: d}]}
  d: {action: plan, input: {config: v1}, next: [{do: e}]}
  e: {action: validate}
"""
    observations = play(write_story(tmp_path, text, v1="", v2=""))
    places = ["task a #1 (plan v1)", "task c #1 (plan v2)", "task d #1 (plan v1)", "task e #1 (validate v2)"]
    assert places_of(observations) == places


@pytest.mark.parametrize("engine", ENGINES)
def test_what_conditions_see_of_an_apply(tmp_path: Path, engine: str) -> None:
    that = (
        "result.ok and result.operation = 'apply' and result.config = 'v1' and result.changes = 1 "
        "and result.actions['terraform_data.a'] = 'create' and result.errors = 0 and result.diagnostics = [] "
        "and result.outputs.a = 'x' and result.state.resources = ['terraform_data.a'] and not result.clean"
    )
    text = f'tasks:\n  a: {{action: apply, next: [{{do: b}}]}}\n  b: {{action: assert, input: {{that: "{that}"}}}}'
    assert describe_end(play(write_story(tmp_path, text, v1=BUILTIN), engine)) == "completed"


def test_what_conditions_see_of_a_failure(tmp_path: Path) -> None:
    """The results of phases that an operation has not reached have default values."""
    that = "result.errors = 1 and result.changes = 0 and not result.clean and result.state.resources = []"
    failing = "a: {action: plan, next: [{when: failed, do: b}]}"
    text = f'tasks:\n  {failing}\n  b: {{action: assert, input: {{that: "{that}"}}}}'
    assert describe_end(play(write_story(tmp_path, text, v1='variable "x" {}\n'))) == "completed"


def test_the_order_of_errors_does_not_show_in_the_end_of_a_story() -> None:
    found: list[Tree] = [
        {"severity": "error", "summary": summary} for summary in ("Unsupported attribute", "Invalid index")
    ]
    ends = {_error_in(Observation("plan", False, each)) for each in (found, found[::-1])}
    assert ends == {"Invalid index"}


def test_a_tainted_object_is_replaced(tmp_path: Path) -> None:
    text = """
tasks:
  a: {action: apply, next: [{do: b}]}
  b: {action: taint, input: {address: terraform_data.a}, next: [{do: c}]}
  c: {action: plan, next: [{when: "result.actions['terraform_data.a'] = 'delete+create'", do: d}, {do: fail}]}
  d: {action: taint, input: {address: terraform_data.b}}
"""
    observations = play(write_story(tmp_path, text, v1=BUILTIN))
    assert describe_end(observations) == (
        "unhandled failure: d failed, and no transition handles it: "
        "task d #1 (taint): the state has no object terraform_data.b"
    )


def test_drift_that_changes_nothing_fails(tmp_path: Path) -> None:
    text = "tasks: {a: {action: drift, input: {name: nobody, set: {value: x}}, next: [{when: failed, do: noop}]}}"
    observations = play(write_story(tmp_path, text, v1=THING))
    assert (describe_end(observations), observations["task a #1 (drift)"]["ok"]) == ("completed", False)


@pytest.mark.parametrize("engine", ENGINES)
def test_a_fault_strikes_the_next_operation_alone_unless_it_lasts(tmp_path: Path, engine: str) -> None:
    text = """
tasks:
  once: {action: fault, input: {name: a, verb: create, kind: error}, next: [{do: plan}]}
  plan: {action: plan, next: [{do: apply}]}
  apply: {action: apply, next: [{when: succeeded, do: spoil}]}
  spoil: {action: fault, input: {name: a, verb: read, kind: error, occurrence: 2, lasting: true}, next: [{do: first}]}
  first: {action: plan, next: [{when: succeeded, do: other}]}
  other: {action: fault, input: {name: a, verb: plan, kind: latency, seconds: 90, lasting: true}, next: [{do: second}]}
  second: {action: plan, next: [{when: failed, do: third}]}
  third: {action: plan}
"""
    observations = play(write_story(tmp_path, text, v1=THING), engine)
    assert describe_end(observations) == "completed"
    assert [observations[f"task {name} #1 (plan v1)"]["ok"] for name in ("first", "second", "third")] == [
        True,
        False,
        True,
    ]


@pytest.mark.parametrize(
    ("engine", "handover"), [("legacy", PlanTransfer.MEMORY), ("new", PlanTransfer.FILE), ("new", PlanTransfer.PROCESS)]
)
def test_a_lasting_fault_goes_on_counting_however_plans_get_to_apply(
    tmp_path: Path, engine: str, handover: PlanTransfer
) -> None:
    """A child process once did not return the number of calls it had counted, so that a fault never ended."""
    text = """
tasks:
  arrange: {action: fault, input: {name: a, verb: create, kind: flaky, times: 2, lasting: true}, next: [{do: build}]}
  build: {action: apply, retry: {count: 3}, next: [{when: succeeded, do: noop}]}
"""
    observations = play(write_story(tmp_path, text, v1=THING), engine, Schedule(handover=handover))
    assert [observations[place]["ok"] for place in places_of(observations)] == [False, False, True]


@pytest.mark.parametrize("engine", ENGINES)
def test_what_a_killed_apply_had_done_is_not_done_again(tmp_path: Path, engine: str) -> None:
    second = 'resource "simcloud_updated" "b" {\n  name = "b"\n  value = simcloud_updated.a.id\n}\n'
    text = """
tasks:
  a: {action: crash-and-resume, input: {at: {verb: create, name: b}}, next: [{when: succeeded, do: b}]}
  b: {action: plan, next: [{when: succeeded, do: c}]}
  c: {action: assert, input: {that: result.clean and result.cloud = 2}}
"""
    observations: dict[str, Any] = play(write_story(tmp_path, text, v1=THING + second), engine)
    killed, resumed = (observations[f"task a #1 (apply v1, {how})"] for how in ("killed", "resumed"))
    assert (killed["ok"], [found["summary"] for found in killed["diagnostics"]]) == (False, ["Killed"])
    assert [resource["name"] for resource in killed["state"]["resources"]] == ["a"]
    assert [event[1] for event in resumed["events"]] == ["simcloud_updated.b", "simcloud_updated.b"]
    assert describe_end(observations) == "completed"


def test_who_was_not_killed_has_failed(tmp_path: Path) -> None:
    text = "tasks: {a: {action: crash-and-resume, input: {at: {verb: delete, name: a}}}}"
    assert describe_end(play(write_story(tmp_path, text, v1=THING))).endswith(
        "task a #1: the apply ended without the call at which it was to be killed"
    )


def test_time_is_virtual(tmp_path: Path) -> None:
    """Waiting, retries and slow calls all use the same virtual time, and take no real time."""
    text = """
max_duration_s: 100000
start: wait
tasks:
  wait: {action: wait, input: {seconds: 80000}, next: [{do: slow}]}
  slow: {action: fault, input: {name: a, verb: create, kind: latency, seconds: 90000}, next: [{do: build}]}
  build: {action: apply}
"""
    assert describe_end(play(write_story(tmp_path, text, v1=THING))) == "max duration: not finished after 100000 s"


def test_a_story_that_fails_alike_is_one_finding_and_no_difference(tmp_path: Path) -> None:
    text = "tasks: {a: {action: plan, next: [{do: b}]}, b: {action: assert, input: {that: result.clean}}}"
    verdict = judge_engines(write_story(tmp_path / "area" / "case", text, v1=BUILTIN), ENGINES)
    assert verdict.between["new"].ruling is Ruling.EQUAL
    findings = findings_of(verdict)
    assert [(found.signature.subject, found.against, found.place) for found in findings] == [
        ("legacy", ("story",), "story"),
    ]
    assert findings[0].got == (
        "unhandled failure: b failed, and no transition handles it: task b #1 (assert): "
        "result.clean does not hold after plan v1: 0 errors, changes: create of terraform_data.a"
    )


def test_who_reached_fail_is_told_with_what_it_saw(tmp_path: Path) -> None:
    """This holds even if other tasks ran afterwards, such as those that clean up."""
    text = """
tasks:
  look: {action: plan, next: [{when: result.clean, do: noop}, {do: [tidy, fail]}]}
  tidy: {action: destroy}
"""
    assert describe_end(play(write_story(tmp_path, text, v1=BUILTIN))) == (
        "fail command: look led to fail: after plan v1: 0 errors, changes: create of terraform_data.a"
    )


def test_engines_that_go_different_ways_differ_in_that(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = """
tasks:
  look: {action: plan, next: [{when: succeeded, do: build}, {when: failed, do: repair}]}
  build: {action: apply}
  repair: {action: plan}
"""
    directory = write_story(tmp_path / "area" / "case", text, v1=BUILTIN)

    async def plan(request: EngineRequest) -> PlanResult:
        result = await legacy_engine.api.plan(request)
        return PlanResult((*result.diagnostics, error("No", "not today")), None)

    broken = SimpleNamespace(validate=legacy_engine.api.validate, plan=plan, apply=legacy_engine.api.apply)
    monkeypatch.setattr(step_context, "engine_named", lambda name: broken if name == "new" else engine_named(name))
    findings = [found for found in findings_of(judge_engines(directory, ENGINES)) if found.signature.subject == "new"]
    places = {(found.place, found.field): found for found in findings}
    missing = places["task build #1 (apply v1)", "way"]
    assert (missing.expected, missing.got) == ("the story comes here", "the story never comes here")
    assert (missing.signature.operation, missing.signature.kind) == ("apply", "missing")
    assert places["task repair #1 (plan v1)", "way"].signature.kind == "surplus"
    assert findings[0].place == "task look #1 (plan v1)"
    assert findings[0].signature.operation == "plan"
    own = [finding for finding in findings if finding.standing is Standing.OWN]
    assert [finding.signature.shape for finding in own] == ["diagnostics[error: No]", "story.unhandled_failure"]
    assert missing.follows == (own[0].signature.digest,)


@pytest.mark.parametrize("seed", range(3))
def test_one_seed_is_one_course(tmp_path: Path, seed: int) -> None:
    text = """
tasks:
  a: {action: apply, next: [{do: c}]}
  b: {action: drift, input: {name: a, set: {value: other}}, next: [{when: completed, do: c}]}
  c: {join: all, action: plan}
"""
    directory = write_story(tmp_path, text, v1=THING)
    assert play(directory, "new", Schedule(seed)) == play(directory, "new", Schedule(seed))
