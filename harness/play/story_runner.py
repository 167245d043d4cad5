"""Runs a story, a case with `tasks`, by one engine.

A task is observed at the place "task repair #3 (apply v2)": the third execution of the task. Which tasks run, how often
and how the story ends is itself observed, at the place "story": engines whose results lead them to different tasks
differ in that, whatever else they differ in.

The runner keeps between tasks what belongs to no engine: the injected faults, and the current configuration.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from typing import Any, Final

from harness.case.actions import Assert, CrashAndResume, Drift, EditObject, InjectFault, Operate, Taint, Wait
from harness.case.steps import Step
from harness.case.story import Story
from harness.observe.json_trees import as_number, as_object, as_objects
from harness.observe.normalise import managed_instances
from harness.observe.observation import Observation
from harness.play.case_run import CaseRun
from harness.play.condition_result import condition_result
from harness.play.killed_apply import KILLED
from harness.simulation.simcloud.faults import Fault, FaultWatch
from harness.workflow.expressions import ExpressionError, WorkflowScope
from harness.workflow.outcome import TaskOutcome, WorkflowStatus
from harness.workflow.runner import ActionRequest, ActionResult, WorkflowResult, run_workflow
from shared_nodes.record import record
from shared_nodes.values.json import JsonNumber, Tree, dumps, loads

__all__ = ["END", "StoryRunner"]

END: Final = "story"
"""The place at which the end of a story is observed."""

_KILLED: Final = "killed"


@record(frozen=False)
class StoryRunner:
    """Runs the tasks of a story in one run of a case."""

    story: Story
    case_run: CaseRun
    _config: str = ""
    _last: Mapping[str, Any] = field(default_factory=dict)
    _failure: str = ""
    """What went wrong in the last action, and where."""

    _remarks: dict[tuple[str, int], str] = field(default_factory=dict)
    """By execution: what went wrong, or else the result that its transitions could see."""

    _lasting: list[Fault] = field(default_factory=list)
    _next: list[Fault] = field(default_factory=list)

    def run(self) -> None:
        """Everything observed is in the observations of the run afterwards. Raises what the engine raises."""
        self._config = self.story.begins_with
        result = run_workflow(self.story.workflow, self._perform)
        self.case_run.observations[END] = self._observe_end(result)

    def _perform(self, request: ActionRequest) -> ActionResult:
        self._failure = ""
        result = self._perform_action(request)
        self._remarks[request.task, request.number] = self._failure or _describe_result(self._last)
        return result

    def _perform_action(self, request: ActionRequest) -> ActionResult:
        title = f"task {request.task} #{request.number}"
        match self.story.actions.get(request.task):
            case Operate(step):
                return self._operate(title, step)
            case CrashAndResume(step, fault):
                return self._crash_and_resume(title, step, fault)
            case Wait(seconds):
                return ActionResult(duration_s=seconds)
            case EditObject(config):
                self._config = config
            case InjectFault(fault):
                self._inject(fault)
            case Drift(fault):
                return self._record(title, "drift", self._drift(fault))
            case Taint(address):
                return self._record(title, "taint", self._taint(address))
            case Assert() as check:
                return self._record(title, "assert", self._assert(check, request.variables))
        return ActionResult()

    # Operations

    def _operate(self, title: str, step: Step, faults: Sequence[Fault] = (), suffix: str = "") -> ActionResult:
        """`suffix` is "killed" for an apply that is killed, "resumed" for the one after it."""
        step = replace(step, config=step.config or self._config)
        simulation = self.case_run.simulation
        faults = (*self._lasting, *self._next, *faults)
        self._next.clear()
        simulation.begin_step(faults)
        began_s = simulation.time.now
        place = f"{title} ({step.operation} {step.config}{f', {suffix}' if suffix else ''})"
        observation = self.case_run.observe(place, step, None, until_killed=suffix == _KILLED)
        self._last = condition_result(observation)
        if not observation.ok:
            self._failure = f"{place}: {_error_in(observation)}"
        outcome = TaskOutcome.SUCCEEDED if observation.ok else TaskOutcome.FAILED
        return ActionResult(outcome, self._last, simulation.time.now - began_s)

    def _crash_and_resume(self, title: str, step: Step, fault: Fault) -> ActionResult:
        """If the call never came, the apply was not killed and nothing was tested: that is a failure, too."""
        killed = self._operate(title, step, (fault,), _KILLED)
        if not any(found["summary"] == KILLED for found in self._last["diagnostics"]):
            self._failure = f"{title}: the apply ended without the call at which it was to be killed"
            return replace(killed, outcome=TaskOutcome.FAILED)
        resumed = self._operate(title, step, suffix="resumed")
        return replace(resumed, duration_s=killed.duration_s + resumed.duration_s)

    def _inject(self, fault: Fault) -> None:
        """A lasting fault goes on counting from one operation to the next. Faults of the last operation alone must not
        be counted for it."""
        if fault.step is not None:
            self._next.append(fault)
            return
        simulation = self.case_run.simulation
        simulation.watch = FaultWatch(tuple(self._lasting), simulation.watch.seen[: len(self._lasting)])
        self._lasting.append(fault)

    # Actions without an engine

    def _record(self, title: str, kind: str, problem: str | None) -> ActionResult:
        place = f"{title} ({kind})"
        if problem is None:
            self.case_run.observations[place] = Observation(kind, ok=True)
            return ActionResult(result={"ok": True})
        self._failure = f"{place}: {problem}"
        found: Tree = {"phase": "story", "severity": "error", "summary": f"Failed {kind}", "detail": problem}
        self.case_run.observations[place] = Observation(kind, False, [found])
        return ActionResult(TaskOutcome.FAILED, {"ok": False, "problem": problem})

    def _drift(self, fault: Fault) -> str | None:
        cloud = self.case_run.simulation.cloud
        before = cloud.inventory()
        self.case_run.simulation.apply_external_changes([fault])
        return None if cloud.inventory() != before else f"nothing in the cloud is called {fault.name} and could change"

    def _taint(self, address: str) -> str | None:
        """Mark the object as tainted in the state file, where every engine finds it."""
        document = as_object(loads(self.case_run.state)) if self.case_run.state is not None else {"resources": []}
        for found, instance in managed_instances(document):
            if found == address and "deposed" not in instance:
                instance["status"] = "tainted"
                document["serial"] = JsonNumber(str(as_number(document["serial"]) + 1))
                self.case_run.state = dumps(document, escape_html=False, indent=2) + "\n"
                return None
        return f"the state has no object {address}"

    def _assert(self, check: Assert, variables: Mapping[str, Any]) -> str | None:
        try:
            holds = check.that.holds(WorkflowScope(None, self._last, variables))
        except ExpressionError as problem:
            return f"{check.that.text}: {problem}"
        return None if holds else f"{check.that.text} does not hold {_describe_result(self._last)}".rstrip()

    # The end

    def _observe_end(self, result: WorkflowResult) -> Observation:
        ran: list[Tree] = [
            [one.execution.task, JsonNumber(str(one.execution.number)), one.outcome.value] for one in result.finished
        ]
        story: dict[str, Tree] = {"ended_by": result.ended_by.value, "executions": ran}
        if result.status is not WorkflowStatus.SUCCEEDED:
            joins = [f"{name} still waits" for name in result.unreachable_joins]
            decided_by = result.decided_by
            remark = self._remarks.get((decided_by.task, decided_by.number)) if decided_by is not None else None
            reasons = [result.ended_by.value.replace("_", " "), result.problem, *joins, remark]
            story["problem"] = ": ".join(filter(None, reasons))
        return Observation(END, result.status is WorkflowStatus.SUCCEEDED, story=story)


def _describe_result(last: Mapping[str, Any]) -> str:
    """Describe the part of the last result that most conditions look at."""
    if not last:
        return ""
    actions = ", ".join(f"{action} of {address}" for address, action in last["actions"].items())
    return f"after {last['operation']} {last['config']}: {last['errors']} errors, changes: {actions or 'none'}"


def _error_in(observation: Observation) -> str:
    """Return the summary of one error: of several always the same, whichever the engine reported first."""
    if observation.crash is not None:
        return str(observation.crash.get("panic"))
    found = as_objects(observation.diagnostics)
    return min((str(each["summary"]) for each in found if each["severity"] == "error"), default="failed without a word")
