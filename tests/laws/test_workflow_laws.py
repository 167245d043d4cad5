"""Laws that hold for every workflow, however its executions end and in whatever order."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random
from typing import Any, Final, Literal

from hypothesis import given, settings
from hypothesis import strategies as st

from harness.workflow.conductor import Conductor, TaskExecution
from harness.workflow.expressions import parse_expression
from harness.workflow.graph import analyse_workflow
from harness.workflow.model import Match, Retry, Task, Transition, Workflow, WorkflowCommand
from harness.workflow.outcome import EndedBy, TaskOutcome, WorkflowStatus
from harness.workflow.runner import ActionRequest, ActionResult, WorkflowResult, run_workflow
from harness.workflow.trace import PresetOutcome, trace_document, trace_workflow

LIMIT: Final = 12
NAMES: Final = tuple(f"t{number}" for number in range(1, 7))
CONDITIONS: Final = st.sampled_from([None, *map(parse_expression, ("succeeded", "failed", "completed"))])
OUTCOMES: Final = st.sampled_from(TaskOutcome)
DISCIPLINES: Final = st.sampled_from(["fifo", "lifo"])
ANSWERS: Final = st.dictionaries(
    st.sampled_from(NAMES), st.lists(OUTCOMES.map(PresetOutcome), min_size=1, max_size=4).map(tuple)
)


@st.composite
def workflows(draw: st.DrawFn) -> Workflow:
    """Generate every shape: cycles, joins, shared tasks, commands, several matches. `t1` is the entry point."""
    targets = st.lists(st.sampled_from([*NAMES, *WorkflowCommand]), min_size=1, max_size=3).map(tuple)
    transitions = st.lists(st.builds(Transition, targets, CONDITIONS), max_size=3).map(tuple)
    retries = st.none() | st.builds(Retry, st.integers(0, 2), CONDITIONS)
    joins: st.SearchStrategy[int | Literal["all"] | None] = st.sampled_from([None, None, None, "all", 1, 2])
    tasks = {name: Task(name, join=draw(joins), retry=draw(retries), transitions=draw(transitions)) for name in NAMES}
    return Workflow(tasks, start=("t1",), match=draw(st.sampled_from(Match)), max_iterations=LIMIT)


@given(workflows(), ANSWERS, DISCIPLINES)
def test_every_run_ends_within_its_limits_and_is_decided_once(
    workflow: Workflow, answers: dict[str, tuple[PresetOutcome, ...]], discipline: Any
) -> None:
    trace = trace_workflow(workflow, answers, discipline)
    conductor = trace.conductor
    started = Counter((one.task, one.number) for batch in trace.batches for one in batch)
    assert started == Counter((one.task, one.number) for one, _ in trace.ended)
    assert set(started.values()) <= {1}
    assert all(count <= LIMIT for count in conductor.iterations.values())
    assert conductor.ended_by is not None
    assert conductor.status is (
        WorkflowStatus.SUCCEEDED if conductor.ended_by is EndedBy.COMPLETED else WorkflowStatus.FAILED
    )
    assert conductor.decided_after is not None
    assert conductor.decided_after <= len(trace.ended)


@given(workflows(), ANSWERS, DISCIPLINES)
def test_a_second_time_gives_the_same_trace(
    workflow: Workflow, answers: dict[str, tuple[PresetOutcome, ...]], discipline: Any
) -> None:
    first, second = (trace_document(trace_workflow(workflow, answers, discipline)) for _ in range(2))
    assert first == second


@given(workflows(), ANSWERS, DISCIPLINES, st.randoms(use_true_random=False))
def test_the_order_of_tasks_in_the_file_has_no_meaning(
    workflow: Workflow, answers: dict[str, tuple[PresetOutcome, ...]], discipline: Any, random: Random
) -> None:
    names = list(workflow.tasks)
    random.shuffle(names)
    shuffled = replace(workflow, tasks={name: workflow.tasks[name] for name in names})
    first, second = (trace_workflow(one, answers, discipline) for one in (workflow, shuffled))
    assert trace_document(first) == trace_document(second)


@given(workflows(), ANSWERS, DISCIPLINES)
def test_after_a_failure_only_the_command_fail_starts_anything(
    workflow: Workflow, answers: dict[str, tuple[PresetOutcome, ...]], discipline: Any
) -> None:
    trace = trace_workflow(workflow, answers, discipline)
    conductor = trace.conductor
    failing = {execution for execution, command in conductor.commands if command is WorkflowCommand.FAIL}
    for after in trace.batch_after:
        if conductor.status is WorkflowStatus.FAILED and after >= (conductor.decided_after or 0) > 0:
            assert trace.ended[after - 1][0] in failing


@given(st.integers(1, 7), st.integers(1, 8), st.lists(OUTCOMES, min_size=7, max_size=7), DISCIPLINES)
def test_a_join_of_n_opens_with_the_nth_arrival_and_again_with_each_later_one(
    predecessors: int, needed: int, outcomes: list[TaskOutcome], discipline: Any
) -> None:
    """Arrivals are not consumed: with k of them the task runs k - n + 1 times. Fewer than n never open the join, and it
    waits in vain once one has arrived. The joined task ends before the next arrival, since runs would overlap
    otherwise."""
    names = [f"p{number}" for number in range(predecessors)]
    to_join = (Transition(("join",), parse_expression("succeeded")), Transition(("noop",)))
    tasks = {name: Task(name, transitions=to_join) for name in names} | {"join": Task("join", join=needed)}
    preset = dict(zip(names, ((PresetOutcome(outcome),) for outcome in outcomes), strict=False))
    trace = trace_workflow(Workflow(tasks), preset, discipline)
    arrived = sum(outcome is TaskOutcome.SUCCEEDED for outcome in outcomes[:predecessors])
    assert trace.conductor.iterations.get("join", 0) == max(0, arrived - needed + 1)
    expected = EndedBy.UNREACHABLE_JOIN if 0 < arrived < needed else EndedBy.COMPLETED
    assert trace.conductor.ended_by is expected


@given(st.integers(1, 7), st.lists(OUTCOMES, min_size=7, max_size=7), DISCIPLINES)
def test_a_join_of_all_runs_once_and_only_if_all_arrive(
    predecessors: int, outcomes: list[TaskOutcome], discipline: Any
) -> None:
    names = [f"p{number}" for number in range(predecessors)]
    to_join = (Transition(("join",), parse_expression("succeeded")), Transition(("noop",)))
    tasks = {name: Task(name, transitions=to_join) for name in names} | {"join": Task("join", join="all")}
    preset = dict(zip(names, ((PresetOutcome(outcome),) for outcome in outcomes), strict=False))
    trace = trace_workflow(Workflow(tasks), preset, discipline)
    all_arrive = all(outcome is TaskOutcome.SUCCEEDED for outcome in outcomes[:predecessors])
    assert trace.conductor.iterations.get("join", 0) == int(all_arrive)


@given(workflows(), ANSWERS, DISCIPLINES)
def test_a_shared_task_runs_once_per_arrival(
    workflow: Workflow, answers: dict[str, tuple[PresetOutcome, ...]], discipline: Any
) -> None:
    """Arrivals are counted from outside: the transitions taken, by what ended and how. Retries are attempts of one run,
    and an entry point that unreachable tasks share has its first run without any arrival."""
    plain = replace(workflow, match=Match.ALL, tasks={n: replace(t, retry=None) for n, t in workflow.tasks.items()})
    if any(WorkflowCommand.RETRY in step.targets for task in plain.tasks.values() for step in task.transitions):
        return
    trace = trace_workflow(plain, answers, discipline)
    if trace.conductor.ended_by is not EndedBy.COMPLETED:
        return
    arrived = Counter[str]()
    for execution, outcome in trace.ended:
        for transition in plain.tasks[execution.task].transitions:
            if transition.when is None or transition.when.text in ("completed", outcome.value):
                arrived.update(transition.tasks)
    graph = analyse_workflow(plain)
    for name in graph.shared:
        assert trace.conductor.iterations.get(name, 0) == arrived[name] + (name in graph.entry_points)


class _Unsteady:
    """Ends with the preset outcomes, after times that make every order possible."""

    def __init__(self, answers: dict[str, tuple[PresetOutcome, ...]], seed: int) -> None:
        self._answers = answers
        self._random = Random(seed)

    def __call__(self, request: ActionRequest) -> ActionResult:
        preset = self._answers.get(request.task) or (PresetOutcome(TaskOutcome.SUCCEEDED),)
        outcome = preset[min(request.number, len(preset)) - 1].outcome
        return ActionResult(outcome, duration_s=self._random.choice((0, 1, 2)))


def finished_executions(result: WorkflowResult) -> list[tuple[TaskExecution, TaskOutcome]]:
    return [(one.execution, one.outcome) for one in result.finished]


@settings(max_examples=50)
@given(workflows(), ANSWERS, st.integers(0, 2**32))
def test_one_seed_gives_one_course_of_a_real_run(
    workflow: Workflow, answers: dict[str, tuple[PresetOutcome, ...]], seed: int
) -> None:
    first, second = (run_workflow(workflow, _Unsteady(answers, seed)) for _ in range(2))
    assert finished_executions(first) == finished_executions(second)
    assert (first.status, first.ended_by) == (second.status, second.ended_by)


@settings(max_examples=50)
@given(workflows(), ANSWERS, st.integers(0, 2**32))
def test_a_real_run_is_what_the_conductor_says_of_its_outcomes(
    workflow: Workflow, answers: dict[str, tuple[PresetOutcome, ...]], seed: int
) -> None:
    """The runner adds nothing of its own: a conductor that gets the same ends in the same order ends in the same
    way."""
    result = run_workflow(workflow, _Unsteady(answers, seed))
    conductor = Conductor(workflow)
    running = set(conductor.begin())
    for execution, outcome in finished_executions(result):
        running.remove(execution)
        running.update(conductor.end(execution, outcome))
    assert (running, conductor.status, conductor.ended_by) == (set(), result.status, result.ended_by)
