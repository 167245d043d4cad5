"""The actions of tasks: `action` and `input` of a task, read as strictly as the rest of a case.

| action | input | effect |
|---|---|---|
| validate, plan, apply, destroy | config, vars, mode, target, exclude, replace, refresh | an operation of the engine |
| refresh | config, vars, target, exclude | an apply in refresh-only mode |
| edit | config | becomes the current configuration, which tasks without a config use |
| drift | name, type, set or vanish | the cloud changes without the engine |
| taint | address | the object is marked for replacement |
| fault | as in faults, lasting instead of step | a fault is injected into the next operation, or into all |
| crash-and-resume | as apply, and at | an apply is killed at that call, another continues from what is on disk |
| assert | that | fails if the expression about the last operation's result is not true |
| wait | seconds | time passes |

The current configuration is `v1` before the first edit.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final, TypeVar

import yaml

from harness.case.case_cloud import read_arranged, read_drift, read_killing
from harness.case.steps import OPERATIONS, Step, read_options
from harness.case.yaml_fields import CaseError, Fields, line_of
from harness.simulation.simcloud.faults import Fault
from harness.workflow import yaml_values as values
from harness.workflow.expressions import WorkflowExpression
from shared_nodes.record import record

__all__ = [
    "ACTIONS",
    "FIRST_CONFIGURATION",
    "Assert",
    "CrashAndResume",
    "Drift",
    "EditObject",
    "InjectFault",
    "Operate",
    "Taint",
    "TaskAction",
    "Wait",
    "read_action",
]

FIRST_CONFIGURATION: Final = "v1"

_Value = TypeVar("_Value")


@record
class Operate:
    """A step whose config is empty uses the current configuration."""

    step: Step


@record
class EditObject:
    config: str


@record
class Drift:
    fault: Fault


@record
class Taint:
    address: str


@record
class InjectFault:
    fault: Fault


@record
class CrashAndResume:
    step: Step
    fault: Fault


@record
class Assert:
    that: WorkflowExpression


@record
class Wait:
    seconds: float


TaskAction = Operate | EditObject | Drift | Taint | InjectFault | CrashAndResume | Assert | Wait


def read_action(file: Path, task: str, action: str, node: yaml.Node) -> TaskAction:
    """Read the input of a task. `node` is the input, or an empty mapping. CaseError names file, line and key."""
    fields = Fields(file, node, f"the input of task {task}")
    act = _READERS[action](file, fields)
    fields.finish()
    return act


def _operate(operation: str) -> Callable[[Path, Fields], Operate]:
    def read(_file: Path, fields: Fields) -> Operate:
        return Operate(read_options(fields, operation, fields.take("config", fields.text, "")))

    return read


def _validate(_file: Path, fields: Fields) -> Operate:
    return Operate(Step("validate", fields.take("config", fields.text, "")))


def _refresh(_file: Path, fields: Fields) -> Operate:
    return Operate(
        Step(
            "apply",
            fields.take("config", fields.text, ""),
            variables=fields.take("vars", fields.json_object, None),
            mode="refresh-only",
            targets=fields.take("target", fields.texts, ()),
            excludes=fields.take("exclude", fields.texts, ()),
        )
    )


def _edit(_file: Path, fields: Fields) -> EditObject:
    return EditObject(fields.take("config", fields.text))


def _drift(file: Path, fields: Fields) -> Drift:
    return Drift(read_drift(file, fields))


def _taint(_file: Path, fields: Fields) -> Taint:
    return Taint(fields.take("address", fields.text))


def _arrange(file: Path, fields: Fields) -> InjectFault:
    return InjectFault(read_arranged(file, fields))


def _crash(file: Path, fields: Fields) -> CrashAndResume:
    step = read_options(fields, "apply", fields.take("config", fields.text, ""))
    return CrashAndResume(step, fields.take("at", lambda key, node: read_killing(file, key, node)))


def _check(file: Path, fields: Fields) -> Assert:
    return Assert(fields.take("that", lambda key, node: _valued(file, key, node, values.condition)))


def _wait(file: Path, fields: Fields) -> Wait:
    return Wait(fields.take("seconds", lambda key, node: _valued(file, key, node, values.seconds)))


def _valued(file: Path, key: str, node: yaml.Node, read: Callable[[yaml.Node], _Value]) -> _Value:
    try:
        return read(node)
    except values.Wrong as problem:
        raise CaseError(f"{file}:{problem.line or line_of(node)}: {key}: {problem}") from problem


_READERS: Final[Mapping[str, Callable[[Path, Fields], TaskAction]]] = {
    **{operation: _operate(operation) for operation in OPERATIONS},
    "validate": _validate,
    "refresh": _refresh,
    "edit": _edit,
    "drift": _drift,
    "taint": _taint,
    "fault": _arrange,
    "crash-and-resume": _crash,
    "assert": _check,
    "wait": _wait,
}

ACTIONS: Final = frozenset(_READERS)
