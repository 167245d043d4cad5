"""Reads a workflow from YAML. All mistakes are found at once, each as one message with file, line and key.

One grammar covers two dialects: that of the recorded conductor (`version`, `vars`, `<% %>`), and the additions for
stories (`start`, `match`, `max_iterations`, `max_duration_s`, conditions without brackets).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from pathlib import Path
from typing import Any, Final, TypeVar

import yaml

from harness.workflow import yaml_values as values
from harness.workflow.graph import analyse_workflow
from harness.workflow.model import (
    COMMANDS,
    MAX_DURATION_S,
    MAX_ITERATIONS,
    Match,
    Retry,
    Task,
    Transition,
    Workflow,
    WorkflowCommand,
)
from shared_nodes.record import record

__all__ = ["Mistake", "WorkflowError", "read_workflow", "workflow_from"]

_NAME: Final = re.compile(r"[\w.-]+")

_Value = TypeVar("_Value")


@record
class Mistake:
    line: int
    key: str
    message: str
    task: str | None = None
    """The task that contains the mistake; None if it concerns the whole workflow."""

    reason: str = "syntax"
    """The reason, in the words of the recorded rejections."""


class WorkflowError(Exception):
    """The workflow cannot be conducted as written."""

    def __init__(self, file: Path, mistakes: Collection[Mistake]) -> None:
        self.file = file
        self.mistakes = tuple(sorted(mistakes, key=lambda mistake: mistake.line))
        lines = (f"{file}:{mistake.line}: {mistake.key}: {mistake.message}" for mistake in self.mistakes)
        super().__init__("\n".join(lines))


def read_workflow(file: Path, actions: Collection[str] | None = None) -> Workflow:
    """Read a workflow from a file, or raise WorkflowError. `actions` are the names that exist; None allows every
    name."""
    try:
        root = values.compose(file)
    except values.Wrong as problem:
        raise WorkflowError(file, [Mistake(problem.line or 1, "file", str(problem))]) from problem
    return workflow_from(file, root, actions)


def workflow_from(file: Path, node: yaml.Node, actions: Collection[str] | None = None) -> Workflow:
    """Read a workflow from a node of a larger document that was composed without aliases. `file` is used in
    messages."""
    reader = _Reader(actions)
    workflow = reader.workflow(node)
    if not reader.mistakes:
        reader.check(workflow)
    if reader.mistakes:
        raise WorkflowError(file, reader.mistakes)
    return workflow


class _Reader:
    """Collects mistakes and continues.

    An unreadable value is replaced by its default, which has no effect: a workflow with mistakes is never returned.
    """

    def __init__(self, actions: Collection[str] | None) -> None:
        self.mistakes: list[Mistake] = []
        self._actions = actions
        self._task: str | None = None
        self._lines: dict[tuple[str, ...], int] = {}
        """Lines of keys, tasks and targets."""

    def workflow(self, node: yaml.Node) -> Workflow:
        fields = self._fields(node, "a workflow", _WORKFLOW_KEYS)
        if "tasks" not in fields and not self.mistakes:
            self._wrong(node, "tasks", "missing; a workflow needs tasks")
        self._lines |= {("key", key): values.line_of(value) for key, value in fields.items()}
        return Workflow(
            tasks=self._tasks(fields["tasks"]) if "tasks" in fields else {},
            start=self._read(fields, "start", values.names, ()),
            match=self._read(fields, "match", values.match, Match.FIRST),
            variables=self._assignments(fields, "vars"),
            max_iterations=self._read(fields, "max_iterations", values.whole_number(1), MAX_ITERATIONS),
            max_duration_s=self._read(fields, "max_duration_s", values.seconds, MAX_DURATION_S),
        )

    def check(self, workflow: Workflow) -> None:
        """Check the workflow as a whole. Tasks to which nothing leads are not part of it (rule 2)."""
        for name in workflow.start:
            if name not in workflow.tasks:
                self._add(("key", "start"), "start", f"there is no task {name}", None, "undefined-task")
        if self.mistakes:
            return
        graph = analyse_workflow(workflow)
        if not graph.entry_points:
            message = "every task has a transition leading to it, so none can be the first; name one with `start`"
            self._add(("key", "tasks"), "tasks", message, None, "no-entry-point")
        for name in sorted(graph.reachable):
            targets = {target for transition in workflow.tasks[name].transitions for target in transition.tasks}
            for target in sorted(targets - workflow.tasks.keys()):
                self._add(("target", name, target), "do", f"there is no task {target}", name, "undefined-task")
        for name in graph.ambiguous_joins:
            message = (
                f"{name} would wait for tasks on different branches: not all of its predecessors lie behind the same "
                "tasks that run once per arrival"
            )
            self._add(("task", name), "join", message, name, "unreachable-join")

    def _add(self, place: tuple[str, ...], key: str, message: str, task: str | None, reason: str) -> None:
        self.mistakes.append(Mistake(self._lines[place], key, message, task, reason))

    def _wrong(self, node: yaml.Node, key: str, message: str, reason: str = "syntax") -> None:
        self.mistakes.append(Mistake(values.line_of(node), key, message, self._task, reason))

    def _read(
        self, fields: dict[str, yaml.Node], key: str, read: Callable[[yaml.Node], _Value], default: _Value
    ) -> _Value:
        if key in fields:
            try:
                return read(fields[key])
            except values.Wrong as problem:
                self._wrong(fields[key], key, str(problem))
        return default

    def _fields(self, node: yaml.Node, what: str, allowed: Collection[str]) -> dict[str, yaml.Node]:
        fields: dict[str, yaml.Node] = {}
        for key_node, value in self._entries(node, what):
            if key_node.value in allowed:
                fields[key_node.value] = value
            else:
                known = ", ".join(allowed)
                self._wrong(key_node, key_node.value, f"unknown key in {what}; there are {known}")
        return fields

    def _entries(self, node: yaml.Node, what: str) -> Iterator[tuple[yaml.ScalarNode, yaml.Node]]:
        if not isinstance(node, yaml.MappingNode):
            self._wrong(node, what, "must be a mapping of keys to values")
            return
        seen: set[str] = set()
        for key_node, value in node.value:
            if not isinstance(key_node, yaml.ScalarNode):
                self._wrong(key_node, what, "a key must be a plain text")
            elif key_node.value in seen:
                self._wrong(key_node, key_node.value, f"given twice in {what}")
            else:
                seen.add(key_node.value)
                yield key_node, value

    def _tasks(self, node: yaml.Node) -> dict[str, Task]:
        tasks: dict[str, Task] = {}
        for key_node, value in self._entries(node, "tasks"):
            name = self._task = str(key_node.value)
            self._lines["task", name] = values.line_of(key_node)
            if name in COMMANDS:
                self._wrong(key_node, name, "this is the name of a command, and cannot be a task's", "reserved-name")
            elif _NAME.fullmatch(name) is None:
                self._wrong(key_node, name, "a task's name is made of letters, digits, `_`, `-` and `.`")
            tasks[name] = Task(name) if values.is_null(value) else self._one_task(name, value)
        self._task = None
        if not tasks and not self.mistakes:
            self._wrong(node, "tasks", "at least one task is needed")
        return tasks

    def _one_task(self, name: str, node: yaml.Node) -> Task:
        fields = self._fields(node, f"task {name}", _TASK_KEYS)
        return Task(
            name,
            action=self._read(fields, "action", self._action, None),
            input=self._mapping(fields["input"], "input", values.literal) if "input" in fields else {},
            join=self._read(fields, "join", values.join, None),
            retry=self._retry(fields["retry"]) if "retry" in fields else None,
            transitions=self._transitions(fields["next"]) if "next" in fields else (),
            max_iterations=self._read(fields, "max_iterations", values.whole_number(1), None),
        )

    def _action(self, node: yaml.Node) -> str:
        value = values.data(node)
        if not isinstance(value, str) or not value:
            raise values.Wrong("must be the name of an action")
        if self._actions is not None and value not in self._actions:
            raise values.Wrong(f"there is no action {value}; there are {', '.join(sorted(self._actions))}")
        return value

    def _retry(self, node: yaml.Node) -> Retry:
        fields = self._fields(node, "retry", _RETRY_KEYS)
        if "count" not in fields:
            self._wrong(node, "retry", "count is missing: how many attempts more than the first")
        return Retry(
            count=self._read(fields, "count", values.whole_number(0), 0),
            when=self._read(fields, "when", values.condition, None),
            delay_s=self._read(fields, "delay", values.seconds, 0.0),
        )

    def _transitions(self, node: yaml.Node) -> tuple[Transition, ...]:
        if not isinstance(node, yaml.SequenceNode):
            self._wrong(node, "next", "must be a list of transitions")
            return ()
        return tuple(self._transition(item) for item in node.value)

    def _transition(self, node: yaml.Node) -> Transition:
        fields = self._fields(node, "a transition", _TRANSITION_KEYS)
        targets: tuple[str, ...] = self._read(fields, "do", values.names, (WorkflowCommand.CONTINUE.value,))
        for target in targets:
            self._lines["target", self._task or "", target] = values.line_of(fields.get("do", node))
        when = self._read(fields, "when", values.condition, None)
        return Transition(targets, when, self._assignments(fields, "publish"))

    def _assignments(self, fields: dict[str, yaml.Node], key: str) -> tuple[tuple[str, Any], ...]:
        """Read a mapping, or a list of mappings as in the recorded workflows."""
        if key not in fields:
            return ()
        node = fields[key]
        parts = node.value if isinstance(node, yaml.SequenceNode) else [node]
        return tuple(pair for part in parts for pair in self._mapping(part, key, values.expression_or_data).items())

    def _mapping(self, node: yaml.Node, key: str, read: Callable[[yaml.Node], Any]) -> dict[str, Any]:
        fields = {str(key_node.value): value for key_node, value in self._entries(node, key)}
        return {name: self._read(fields, name, read, None) for name in fields}


_WORKFLOW_KEYS: Final = (
    "version", "description", "vars", "start", "match", "max_iterations", "max_duration_s", "tasks",
)  # fmt: skip
_TASK_KEYS: Final = ("action", "input", "join", "retry", "max_iterations", "next")
_TRANSITION_KEYS: Final = ("when", "publish", "do")
_RETRY_KEYS: Final = ("count", "when", "delay")
