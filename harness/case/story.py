"""A story: a workflow, and the action of each of its tasks. It is what a case with the key `tasks` does."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

import yaml

from harness.case.actions import (
    ACTIONS,
    FIRST_CONFIGURATION,
    CrashAndResume,
    Drift,
    EditObject,
    InjectFault,
    Operate,
    TaskAction,
    read_action,
)
from harness.case.steps import Step
from harness.case.yaml_fields import CaseError, line_of
from harness.workflow.model import Workflow
from harness.workflow.reading import WorkflowError, workflow_from
from shared_nodes.record import record

__all__ = ["STORY_KEYS", "Story", "read_story"]

STORY_KEYS: Final = ("tasks", "start", "match", "vars", "max_iterations", "max_duration_s")
"""The keys of a case with tasks that belong to its workflow."""


@record
class Story:
    workflow: Workflow
    actions: Mapping[str, TaskAction]
    """By task. A task without an action exists for its transitions."""

    begins_with: str = FIRST_CONFIGURATION

    @property
    def steps(self) -> tuple[Step, ...]:
        return tuple(each.step for each in self.actions.values() if isinstance(each, Operate | CrashAndResume))

    @property
    def configurations(self) -> list[str]:
        """Each once, in the order they are first named."""
        return list(dict.fromkeys(self._named_configurations()))

    def _named_configurations(self) -> Iterator[str]:
        for action in self.actions.values():
            if isinstance(action, Operate | CrashAndResume):
                yield action.step.config or self.begins_with
            elif isinstance(action, EditObject):
                yield action.config

    @property
    def needs_cloud(self) -> str | None:
        """The first action that only the simulated cloud can perform."""
        kinds = {Drift: "drift", InjectFault: "fault", CrashAndResume: "crash-and-resume"}
        return next((kinds[type(each)] for each in self.actions.values() if type(each) in kinds), None)


def read_story(file: Path, nodes: Mapping[str, tuple[yaml.Node, yaml.Node]]) -> Story:
    """Read a story from the keys of a case that belong to it, each with the nodes of its key and its value."""
    mapping = yaml.MappingNode("tag:yaml.org,2002:map", list(nodes.values()), nodes["tasks"][0].start_mark)
    try:
        workflow = workflow_from(file, mapping, ACTIONS)
    except WorkflowError as problem:
        raise CaseError(str(problem)) from problem
    tasks = ((key.value, value) for key, value in nodes["tasks"][1].value)
    actions = {
        name: read_action(file, name, *found) for name, node in tasks if (found := _find_action(file, node)) is not None
    }
    return Story(workflow, actions)


def _find_action(file: Path, task: yaml.Node) -> tuple[str, yaml.Node] | None:
    """Return the name and the input of a task's action. The workflow has been read, so the task has the right form."""
    fields = {key.value: value for key, value in task.value} if isinstance(task, yaml.MappingNode) else {}
    if "action" not in fields:
        if "input" in fields:
            raise CaseError(f"{file}:{line_of(fields['input'])}: input: the task has no action that could use it")
        return None
    nothing = yaml.MappingNode("tag:yaml.org,2002:map", [], task.start_mark)
    return fields["action"].value, fields.get("input", nothing)
