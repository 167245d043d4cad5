"""One engine through one story: what was observed at each place, in the order it happened.

A place is "step 2 (apply v2)" in a chain, else "task repair #3 (apply v2)": the third execution of the task. Which
tasks run, how often and how the story ends is itself observed, at the place "story": engines whose results lead them on
different ways differ in that, whatever else they differ in.

The player carries between tasks what outlives a command, which is the text of the state; and what is no engine's: the
simulated cloud, the faults arranged, the configuration that is the current one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, cast

from harness.case.actions import Assert, CrashAndResume, Drift, Edit, InjectFault, Operate, Taint, Wait
from harness.case.steps import Step
from harness.case.story import Story
from harness.observe.normalise import managed_instances
from harness.observe.observation import Observation
from harness.play.condition_result import condition_result
from harness.simulation.simcloud.faults import Fault, FaultWatch
from harness.simulation.simcloud.simulation import Simulation
from harness.workflow.expressions import ExpressionError, WorkflowScope
from harness.workflow.outcome import TaskOutcome, WorkflowStatus
from harness.workflow.runner import ActionRequest, ActionResult, WorkflowResult, run_workflow
from shared_nodes.values.json import JsonNumber, Tree, dumps, loads

__all__ = ["END", "KILLED", "EngineOperations", "StoryRunner"]

END: Final = "story"
"""The place where the end of a story is observed."""

KILLED: Final = "Killed"
"""What an apply that was killed has as its only diagnostic: it came to say nothing itself."""

Operation = Callable[[Step, str | None], tuple[Observation, str | None]]
"""A step and the text of the state, None where there is none; what was observed, and the state afterwards."""


@dataclass(frozen=True, slots=True)
class EngineOperations:
    """Who plays: an engine, in the surroundings of one course."""

    operate: Operation
    operate_until_killed: Operation
    simulation: Simulation


@dataclass(slots=True)
class StoryRunner:
    story: Story
    company: EngineOperations
    state: str | None
    course: dict[str, Observation] = field(default_factory=dict)
    _config: str = ""
    _last: Mapping[str, Any] = field(default_factory=dict)
    _failure: str = ""
    """What went wrong in the last thing done, and where."""

    _remarks: dict[tuple[str, int], str] = field(default_factory=dict)
    """By execution: what went wrong with it, or else what the operation had come to that its transitions could see."""

    _lasting: list[Fault] = field(default_factory=list)
    _next: list[Fault] = field(default_factory=list)

    def play(self) -> None:
        """Everything observed is in `course` afterwards. Raises what the engine raises."""
        self._config = self.story.begins_with
        result = run_workflow(self.story.workflow, self._perform)
        if not self.story.is_chain:
            self.course[END] = self._end(result)

    def _perform(self, request: ActionRequest) -> ActionResult:
        self._failure = ""
        result = self._performed(request)
        self._remarks[request.task, request.number] = self._failure or _told(self._last)
        return result

    def _performed(self, request: ActionRequest) -> ActionResult:
        title = self.story.titles.get(request.task) or f"task {request.task} #{request.number}"
        match self.story.acts.get(request.task):
            case Operate(step, faults):
                return self._operated(title, step, faults)
            case CrashAndResume(step, fault):
                return self._crashed(title, step, fault)
            case Wait(seconds):
                return ActionResult(duration_s=seconds)
            case Edit(config):
                self._config = config
            case InjectFault(fault):
                self._arrange(fault)
            case Drift(fault):
                return self._noted(title, "drift", self._drift(fault))
            case Taint(address):
                return self._noted(title, "taint", self._taint(address))
            case Assert() as check:
                return self._noted(title, "assert", self._check(check, request.variables))
        return ActionResult()

    # Operations

    def _operated(
        self, title: str, step: Step, faults: Sequence[Fault], operate: Operation | None = None, how: str = ""
    ) -> ActionResult:
        step = replace(step, config=step.config or self._config)
        simulation = self.company.simulation
        simulation.begin_step((*self._lasting, *self._next, *faults))
        self._next.clear()
        began_s = simulation.time.now
        observation, self.state = (operate or self.company.operate)(step, self.state)
        place = f"{title} ({step.operation} {step.config}{how})"
        self.course[place] = observation
        if self.story.is_chain:
            return ActionResult()
        self._last = condition_result(observation)
        if not observation["ok"]:
            self._failure = f"{place}: {_first_error(observation)}"
        outcome = TaskOutcome.SUCCEEDED if observation["ok"] else TaskOutcome.FAILED
        return ActionResult(outcome, self._last, simulation.time.now - began_s)

    def _crashed(self, title: str, step: Step, fault: Fault) -> ActionResult:
        """Where the call never came nobody was killed, and nothing was tried: that is a failure, too."""
        killed = self._operated(title, step, (fault,), self.company.operate_until_killed, ", killed")
        if not any(found["summary"] == KILLED for found in self._last["diagnostics"]):
            self._failure = f"{title}: the apply ended without the call at which it was to be killed"
            return replace(killed, outcome=TaskOutcome.FAILED)
        resumed = self._operated(title, step, (), how=", resumed")
        return replace(resumed, duration_s=killed.duration_s + resumed.duration_s)

    def _arrange(self, fault: Fault) -> None:
        """A lasting fault goes on counting from one operation to the next. What was watched for in the last one alone
        must not be counted for it."""
        if fault.step is not None:
            self._next.append(fault)
            return
        watch = self.company.simulation.watch
        self.company.simulation.watch = FaultWatch(tuple(self._lasting), watch.seen[: len(self._lasting)])
        self._lasting.append(fault)

    # What is no engine's

    def _noted(self, title: str, kind: str, problem: str | None) -> ActionResult:
        place = f"{title} ({kind})"
        self.course[place] = {"op": kind, "ok": problem is None, "diagnostics": []}
        if problem is None:
            return ActionResult(result={"ok": True})
        self._failure = f"{place}: {problem}"
        told: Tree = {"phase": "story", "severity": "error", "summary": f"Failed {kind}", "detail": problem}
        self.course[place]["diagnostics"] = [told]
        return ActionResult(TaskOutcome.FAILED, {"ok": False, "problem": problem})

    def _drift(self, fault: Fault) -> str | None:
        cloud = self.company.simulation.cloud
        before = cloud.inventory()
        self.company.simulation.apply_external_changes([fault])
        return None if cloud.inventory() != before else f"nothing in the cloud is called {fault.name} and could change"

    def _taint(self, address: str) -> str | None:
        """In the file, where everybody who plans finds it."""
        document = cast("dict[str, Tree]", loads(self.state)) if self.state is not None else {"resources": []}
        for found, instance in managed_instances(document):
            if found == address and "deposed" not in instance:
                instance["status"] = "tainted"
                document["serial"] = JsonNumber(str(int(cast("JsonNumber", document["serial"]).text) + 1))
                self.state = dumps(document, escape_html=False, indent=2) + "\n"
                return None
        return f"the state has no object {address}"

    def _check(self, check: Assert, variables: Mapping[str, Any]) -> str | None:
        try:
            holds = check.that.holds(WorkflowScope(None, self._last, variables))
        except ExpressionError as problem:
            return f"{check.that.text}: {problem}"
        return None if holds else f"{check.that.text} does not hold {_told(self._last)}".rstrip()

    # The end

    def _end(self, result: WorkflowResult) -> Observation:
        ran: list[Tree] = [
            [one.execution.task, JsonNumber(str(one.execution.number)), one.outcome.value] for one in result.finished
        ]
        told: dict[str, Tree] = {"ended_by": result.ended_by.value, "executions": ran}
        if result.status is not WorkflowStatus.SUCCEEDED:
            joins = [f"{name} still waits" for name in result.unreachable_joins]
            decided_by = result.decided_by
            remark = self._remarks.get((decided_by.task, decided_by.number)) if decided_by is not None else None
            reasons = [result.ended_by.value.replace("_", " "), result.problem, *joins, remark]
            told["problem"] = ": ".join(filter(None, reasons))
        return {"op": END, "ok": result.status is WorkflowStatus.SUCCEEDED, "diagnostics": [], "story": told}


def _told(last: Mapping[str, Any]) -> str:
    """What an expression about the result of the last operation saw of it, as far as most look."""
    if not last:
        return ""
    actions = ", ".join(f"{action} of {address}" for address, action in last["actions"].items())
    return f"after {last['operation']} {last['config']}: {last['errors']} errors, changes: {actions or 'none'}"


def _first_error(observation: Observation) -> str:
    found = cast("list[dict[str, str]]", observation["diagnostics"])
    return next((each["summary"] for each in found if each["severity"] == "error"), "failed without a word")
