"""Runs workflows with fake actions: executions of a batch begin at the same moment, in virtual time."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from harness.workflow.model import Match
from harness.workflow.outcome import EndedBy, TaskOutcome, WorkflowStatus
from harness.workflow.runner import ActionRequest, ActionResult, WorkflowResult, run_workflow
from tests.unit.harness.workflow.conducting import workflow


class Fake:
    """Takes as many seconds, and fails as often, as the input of the task says, and records every request."""

    def __init__(self, answer: Callable[[ActionRequest], Mapping[str, Any]] = lambda _: {}) -> None:
        self.requests: list[ActionRequest] = []
        self._answer = answer

    def __call__(self, request: ActionRequest) -> ActionResult:
        self.requests.append(request)
        failed = request.number <= request.input.get("fails", 0)
        outcome = TaskOutcome.FAILED if failed else TaskOutcome.SUCCEEDED
        return ActionResult(outcome, self._answer(request), request.input.get("takes", 0))


def run(text: str, fake: Fake | None = None, match: Match | None = None) -> WorkflowResult:
    return run_workflow(workflow(text), fake or Fake(), match)


def times(result: WorkflowResult) -> list[tuple[str, float, float]]:
    return [(one.execution.task, one.began_s, one.ended_s) for one in result.finished]


def test_what_is_started_together_runs_together() -> None:
    text = """
tasks:
  a: {input: {takes: 3}, next: [{do: m}]}
  b: {input: {takes: 5}, next: [{do: m}]}
  m: {join: all, input: {takes: 1}}
"""
    result = run(text)
    assert (result.status, result.ended_by, result.duration_s) == (WorkflowStatus.SUCCEEDED, EndedBy.COMPLETED, 6)
    assert times(result) == [("a", 0, 3), ("b", 0, 5), ("m", 5, 6)]


def test_retries_wait_and_are_told_which_attempt_they_are() -> None:
    fake = Fake()
    result = run("tasks: {a: {input: {fails: 2}, retry: {count: 5, delay: 10}}}", fake)
    assert times(result) == [("a", 0, 0), ("a", 10, 10), ("a", 20, 20)]
    assert [request.attempt for request in fake.requests] == [1, 2, 3]


def test_results_decide_and_are_published() -> None:
    """The monitoring loop: plan until there is nothing to change."""
    text = """
start: plan
vars: {rounds: 0}
tasks:
  plan:
    action: plan
    next:
    - {when: result.changes > 0, publish: {rounds: <% ctx.rounds + 1 %>}, do: apply}
    - {do: check}
  apply: {action: apply, next: [{do: plan}]}
  check: {action: assert, input: {exactly: 2}}
"""
    fake = Fake(lambda request: {"changes": max(0, 3 - request.number)})
    result = run(text, fake)
    assert [request.action for request in fake.requests] == ["plan", "apply", "plan", "apply", "plan", "assert"]
    assert (fake.requests[-1].variables, result.status) == ({"rounds": 2}, WorkflowStatus.SUCCEEDED)


def test_after_an_unhandled_failure_what_runs_may_end_and_nothing_starts() -> None:
    text = "tasks: {a: {input: {fails: 1, takes: 1}}, b: {input: {takes: 9}, next: [{do: c}]}, c: }"
    result = run(text)
    assert (result.ended_by, times(result)) == (EndedBy.UNHANDLED_FAILURE, [("a", 0, 1), ("b", 0, 9)])
    assert result.problem == "a failed, and no transition handles it"


def test_when_the_time_is_over_what_runs_is_cut_off() -> None:
    text = "max_duration_s: 5\ntasks: {a: {input: {takes: 2}, next: [{do: b}]}, b: {input: {takes: 100}}}"
    result = run(text)
    assert (result.status, result.ended_by, result.duration_s) == (WorkflowStatus.FAILED, EndedBy.MAX_DURATION, 5)
    assert (times(result), [one.task for one in result.unfinished]) == ([("a", 0, 2)], ["b"])
    assert result.problem == "not finished after 5 s"


def test_an_endless_cycle_ends_by_its_limits() -> None:
    cycle = "start: a\ntasks: {a: {input: {takes: 1}, next: [{do: a}]}}\n"
    assert run(cycle + "max_iterations: 7").ended_by is EndedBy.MAX_ITERATIONS
    result = run(cycle + "max_duration_s: 3.5")
    assert (result.ended_by, len(result.finished)) == (EndedBy.MAX_DURATION, 3)


def test_a_missed_join_fails_the_story_and_is_named() -> None:
    text = "tasks: {a: {next: [{do: m}]}, b: {next: [{when: failed, do: m}]}, m: {join: all}}"
    result = run(text)
    assert (result.ended_by, result.unreachable_joins) == (EndedBy.UNREACHABLE_JOIN, ("m",))


def test_what_is_under_way_together_ends_in_the_order_of_time() -> None:
    """A retry that waits and a task that takes long do not delay other tasks."""
    text = """
tasks:
  slow: {input: {takes: 10}, next: [{do: last}]}
  unlucky: {input: {fails: 1, takes: 1}, retry: {count: 1, delay: 2}, next: [{do: last}]}
  last: {join: all}
"""
    assert times(run(text)) == [("unlucky", 0, 1), ("unlucky", 3, 4), ("slow", 0, 10), ("last", 10, 10)]


def test_a_crash_of_an_action_is_not_an_outcome() -> None:
    def crash(_: ActionRequest) -> ActionResult:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        run_workflow(workflow("tasks: {a: {next: [{when: failed, do: noop}]}}"), crash)


def test_transitions_passed_over_are_warned_about_unless_all_are_taken() -> None:
    text = "tasks: {a: {next: [{do: b}, {do: c}]}, b: , c: }"
    assert run(text).warnings == ("task a: transition 2 matched too and was passed over for 1",)
    assert run(text, match=Match.ALL).warnings == ()


def test_nothing_polls() -> None:
    """An action is called once, when it begins, however long it takes."""
    fake = Fake()
    result = run("max_duration_s: 2000000\ntasks: {a: {input: {takes: 1000000}, next: [{do: b}]}, b: }", fake)
    assert [request.task for request in fake.requests] == ["a", "b"]
    assert result.duration_s == 1_000_000
