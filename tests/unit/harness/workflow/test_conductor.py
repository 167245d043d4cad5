"""Each rule of the conductor by itself, in the smallest workflow that shows it.

The recorded traces (tests/conformance) show that the rules work together; these tests say which one is broken.
"""

from __future__ import annotations

import pytest

from harness.workflow.conductor import Conductor
from harness.workflow.model import Match
from harness.workflow.outcome import EndedBy, TaskOutcome, WorkflowStatus
from tests.unit.harness.workflow.conducting import describe_end, trace_text, workflow


def test_entry_points_are_the_tasks_nothing_leads_to_in_alphabetical_order() -> None:
    batch = Conductor(workflow("tasks: {zoo: , mid: {next: [{do: low}]}, low: , abc: }")).begin()
    assert [execution.task for execution in batch] == ["abc", "mid", "zoo"]


def test_start_names_the_entry_points_so_a_cycle_needs_no_lead_in() -> None:
    text = "start: poll\ntasks: {poll: {next: [{when: failed, do: poll}, {do: done}]}, done: , other: }"
    assert describe_end(trace_text(text, {"poll": ["f", "f", "s"]})) == "poll poll poll done: completed"


def test_first_match_wins_and_the_other_is_warned_about_once() -> None:
    text = "tasks: {a: {next: [{when: failed, do: a}, {when: failed, do: c}, {do: b}]}, b: , c: }\nstart: a"
    trace = trace_text(text, {"a": ["f", "f", "s"]})
    assert describe_end(trace) == "a a a b: completed"
    assert list(trace.conductor.warnings) == [
        "task a: transition 2 matched too and was passed over for 1",
        "task a: transition 3 matched too and was passed over for 1",
    ]


@pytest.mark.parametrize("text", ["match: all\n", ""])
def test_match_all_takes_every_transition(text: str) -> None:
    text += "tasks: {a: {next: [{do: c}, {when: succeeded, do: b}]}, b: , c: }"
    trace = trace_text(text, match=None if text.startswith("match") else Match.ALL)
    assert (describe_end(trace), list(trace.conductor.warnings)) == ("a b c: completed", [])


def test_a_passed_over_condition_that_has_no_value_is_no_mistake() -> None:
    text = "tasks: {a: {next: [{when: succeeded, do: noop}, {when: result.missing > 1, do: fail}]}}"
    assert describe_end(trace_text(text)) == "a: completed"


def test_unhandled_failure_lets_the_others_end_and_starts_nothing() -> None:
    text = "tasks: {a: , b: {next: [{do: c}]}, c: }"
    trace = trace_text(text, {"a": ["f"]})
    assert (describe_end(trace), trace.conductor.decided_after) == ("a b: unhandled_failure", 1)
    assert trace.conductor.problem == "a failed, and no transition handles it"


@pytest.mark.parametrize(
    ("do", "ending"),
    [("noop", "completed"), ("continue", "unhandled_failure"), ("fail", "fail_command"), ("b", "completed")],
)
def test_what_handles_a_failure(do: str, ending: str) -> None:
    text = f"tasks: {{a: {{next: [{{when: failed, do: {do}}}, {{do: b}}]}}, b: }}"
    assert trace_text(text, {"a": ["f"]}).conductor.ended_by == ending


def test_fail_still_starts_what_stands_beside_it_but_nothing_behind_that() -> None:
    text = "tasks: {a: {next: [{do: [fail, clean]}]}, clean: {next: [{do: after}]}, after: }"
    assert describe_end(trace_text(text)) == "a clean: fail_command"


JOIN_OF_THREE = (
    "tasks: {a: {next: [{do: m}]}, b: {next: [{do: m}]}, c: {next: [{when: succeeded, do: m}, {do: noop}]}, "
)


@pytest.mark.parametrize(
    ("join", "outcome_of_c", "expected"),
    [
        ("all", "s", "c b a m: completed"),
        ("all", "f", "c b a: unreachable_join"),
        ("2", "s", "c b m a m: completed"),
        ("2", "f", "c b a m: completed"),
        ("1", "s", "c m b m a m: completed"),
        ("0", "s", "c m b m a m: completed"),
        ("4", "s", "c b a: unreachable_join"),
    ],
)
def test_join_runs_on_every_arrival_once_enough_tasks_have_arrived(join: str, outcome_of_c: str, expected: str) -> None:
    trace = trace_text(JOIN_OF_THREE + f"m: {{join: {join}}}}}", {"c": [outcome_of_c]}, "lifo")
    assert describe_end(trace) == expected
    assert trace.conductor.unreachable_joins == (("m",) if "unreachable" in expected else ())


def test_a_join_that_nobody_reached_does_no_harm() -> None:
    text = "tasks: {a: {next: [{when: failed, do: m}]}, b: {next: [{when: failed, do: m}]}, m: {join: all}}"
    assert describe_end(trace_text(text)) == "a b: completed"


CYCLE_BESIDE_A_JOIN = """
tasks:
  start: {next: [{do: "a, b"}]}
  a: {next: [{when: succeeded, do: "meet, round"}, {do: noop}]}
  round: {next: [{do: "a, b"}]}
  b: {next: [{when: succeeded, do: meet}, {do: a}]}
  meet: {join: all}
"""


def test_starting_a_predecessor_again_withdraws_its_arrival() -> None:
    """`b` arrives, but `a` no longer does: in its second round nothing opens the join, which keeps waiting."""
    trace = trace_text(CYCLE_BESIDE_A_JOIN, {"a": ["s", "f"]}, "fifo")
    assert describe_end(trace) == "start a b round meet a b: unreachable_join"


def test_arrivals_while_the_joined_task_runs_do_not_wait_when_it_has_ended() -> None:
    """A quirk that was measured with the real conductor. With lifo, `meet` ends last, and so does the second wait."""
    trace = trace_text(CYCLE_BESIDE_A_JOIN, {"a": ["s", "f"]}, "lifo")
    assert describe_end(trace) == "start b a round b a meet: completed"


def test_a_shared_task_runs_once_per_arrival_each_on_a_branch_of_its_own() -> None:
    text = "tasks: {a: {next: [{do: w}]}, b: {next: [{do: w}]}, w: {next: [{do: x}]}, x: }"
    trace = trace_text(text)
    assert describe_end(trace) == "a b w w x x: completed"
    assert [one.branch for one, _ in trace.ended] == [0, 0, 1, 2, 1, 2]


def test_retry_repeats_before_any_transition_is_looked_at() -> None:
    text = "tasks: {a: {retry: {count: 2, delay: 5}, next: [{when: failed, do: b}]}, b: }"
    trace = trace_text(text, {"a": ["f"]})
    assert describe_end(trace) == "a a a b: completed"
    assert [(one.attempt, one.delay_s) for one, _ in trace.ended] == [(1, 0), (2, 5), (3, 5), (1, 0)]


def test_an_attempt_that_is_repeated_need_not_have_the_result_a_transition_asks_for() -> None:
    text = "tasks: {a: {retry: {count: 1}, next: [{when: result.changes = 0, do: b}]}, b: }"
    assert describe_end(trace_text(text, {"a": ["f", ("s", {"changes": 0})]})) == "a a b: completed"


def test_retry_under_a_condition_may_repeat_a_success() -> None:
    text = "tasks: {a: {retry: {count: 5, when: result.changes > 0}}}"
    outcomes = [("s", {"changes": 2}), ("s", {"changes": 1}), ("s", {"changes": 0})]
    assert describe_end(trace_text(text, {"a": outcomes})) == "a a a: completed"


def test_the_command_retry_is_three_more_attempts() -> None:
    text = "tasks: {a: {next: [{when: failed, do: 'retry, b'}]}, b: }"
    assert describe_end(trace_text(text, {"a": ["f"]})) == "a a a a b: completed"


def test_of_several_commands_retry_the_last_counts() -> None:
    """This was measured with the real conductor: the first `retry` is no more than a transition without targets."""
    text = "tasks: {a: {next: [{when: failed, do: retry}, {when: succeeded, do: retry}]}}"
    assert describe_end(trace_text(text, {"a": ["f"]})) == "a: unhandled_failure"
    assert describe_end(trace_text(text)) == "a a a a: completed"


def test_published_values_are_seen_by_what_follows_and_by_nothing_else() -> None:
    text = """
vars: {n: 1}
tasks:
  a: {next: [{publish: [{n: <% ctx().n + 1 %>}, {twice: <% ctx.n * 2 %>}, {seen: <% result.id %>}], do: b}]}
  b: {}
  c: {}
"""
    trace = trace_text(text, {"a": [("s", {"id": "x"})]})
    seen = {one.task: one.variables for one, _ in trace.ended}
    assert seen == {"a": {"n": 1}, "b": {"n": 2, "twice": 4, "seen": "x"}, "c": {"n": 1}}


def test_a_join_sees_what_was_published_on_every_way_to_it() -> None:
    text = """
vars: {n: 0}
tasks:
  a: {next: [{publish: {x: 1, n: 5}, do: m}]}
  b: {next: [{publish: {y: 2}, do: m}]}
  m: {join: all}
"""
    variables = next(one.variables for one, _ in trace_text(text).ended if one.task == "m")
    assert variables == {"x": 1, "y": 2, "n": 5}


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("tasks: {a: {next: [{when: ctx.missing > 1, do: b}]}, b: }", "a: there is no missing; there is nothing"),
        ("tasks: {a: {next: [{publish: {x: <% 1 / 0 %>}, do: b}]}, b: }", "a: division by zero"),
        ("tasks: {a: {retry: {count: 1, when: result}}}", "a: a condition must be true or false, and is null"),
        ("vars: {x: <% succeeded %>}\ntasks: {a: }", "vars: nothing has ended yet; only ctx can be used here"),
    ],
)
def test_an_expression_without_a_value_fails_the_workflow_and_says_why(text: str, problem: str) -> None:
    conductor = trace_text(text).conductor
    assert (conductor.status, conductor.ended_by, conductor.problem) == (
        WorkflowStatus.FAILED,
        EndedBy.EXPRESSION_ERROR,
        problem,
    )


def test_a_cycle_ends_at_the_limit_of_its_task_or_of_the_workflow() -> None:
    text = "start: a\ntasks: {a: {max_iterations: 3, next: [{do: a}]}}"
    assert describe_end(trace_text(text)) == "a a a: max_iterations"
    trace = trace_text("max_iterations: 2\nstart: a\ntasks: {a: {next: [{do: b}]}, b: {next: [{do: a}]}}")
    assert describe_end(trace) == "a b a b: max_iterations"
    assert trace.conductor.problem == "a was to run more than 2 times"


def test_of_a_batch_that_goes_beyond_a_limit_nothing_starts() -> None:
    text = "start: a\ntasks: {a: {max_iterations: 1, next: [{do: 'a, b'}]}, b: }"
    assert describe_end(trace_text(text)) == "a: max_iterations"


def test_the_first_decision_stands() -> None:
    conductor = Conductor(workflow("tasks: {a: , b: }"))
    first, second = conductor.begin()
    conductor.end(first, TaskOutcome.FAILED)
    conductor.stop(EndedBy.MAX_DURATION, "too late")
    assert conductor.end(second, TaskOutcome.SUCCEEDED) == ()
    assert (conductor.ended_by, conductor.decided_after) == (EndedBy.UNHANDLED_FAILURE, 1)


def test_a_join_in_a_cycle_does_not_gather_what_was_published() -> None:
    """Each round joins the variables of two paths, which both contain those of the round before: they would double
    every time if kept as a list."""
    text = """
start: a
max_iterations: 100
tasks:
  a: {next: [{do: "b, c"}]}
  b: {next: [{publish: {x: 1}, do: m}]}
  c: {next: [{publish: {y: 2}, do: m}]}
  m: {join: all, next: [{do: a}]}
"""
    trace = trace_text(text)
    assert (trace.conductor.ended_by, len(trace.ended)) == (EndedBy.MAX_ITERATIONS, 400)
