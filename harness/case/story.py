"""A story: a workflow, and what each of its tasks does. Steps are a story too, a chain in which nothing decides.

`story_from` reads the full form, the key `tasks` and those beside it; `story_of_steps` makes one of a list.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import yaml

from harness.case.actions import (
    ACTIONS,
    FIRST_CONFIGURATION,
    CrashAndResume,
    Drift,
    Edit,
    InjectFault,
    Operate,
    TaskAction,
    read_action,
)
from harness.case.steps import Step
from harness.case.yaml_fields import CaseError, line_of
from harness.simulation.simcloud.faults import Fault
from harness.workflow.model import Workflow
from harness.workflow.reading import WorkflowError, workflow_from
from harness.workflow.steps import StoryStep, steps_as_tasks

__all__ = ["STORY_KEYS", "Story", "story_from", "story_of_steps"]

STORY_KEYS: Final = ("tasks", "start", "match", "vars", "max_iterations", "max_duration_s")
"""Of a case, where it has tasks."""


@dataclass(frozen=True, slots=True)
class Story:
    workflow: Workflow
    acts: Mapping[str, TaskAction]
    """By task. A task without one is there for its transitions."""

    titles: Mapping[str, str] = field(default_factory=dict)
    """What the places of a chain are called: steps have numbers, and each runs once."""

    begins_with: str = FIRST_CONFIGURATION

    @property
    def is_chain(self) -> bool:
        return bool(self.titles)

    @property
    def configurations(self) -> list[str]:
        """Each once, in the order they are first named."""
        return list(dict.fromkeys(self._named()))

    def _named(self) -> Iterator[str]:
        for act in self.acts.values():
            if isinstance(act, Operate | CrashAndResume):
                yield act.step.config or self.begins_with
            elif isinstance(act, Edit):
                yield act.config

    @property
    def needs_cloud(self) -> str | None:
        """The first action that only the simulated cloud can answer."""
        kinds = {Drift: "drift", InjectFault: "fault", CrashAndResume: "crash-and-resume"}
        return next((kinds[type(act)] for act in self.acts.values() if type(act) in kinds), None)


def story_of_steps(steps: Sequence[Step], faults: Sequence[Sequence[Fault]]) -> Story:
    """`faults` are those of each step."""
    workflow = steps_as_tasks([StoryStep(step.operation) for step in steps])
    acts = [Operate(step, tuple(found)) for step, found in zip(steps, faults, strict=True)]
    titles = {name: f"step {position}" for position, name in enumerate(workflow.tasks, 1)}
    return Story(workflow, dict(zip(workflow.tasks, acts, strict=True)), titles)


def story_from(file: Path, nodes: Mapping[str, tuple[yaml.Node, yaml.Node]]) -> Story:
    """From the keys of a case that make a story, each with the nodes of key and value."""
    mapping = yaml.MappingNode("tag:yaml.org,2002:map", list(nodes.values()), nodes["tasks"][0].start_mark)
    try:
        workflow = workflow_from(file, mapping, ACTIONS)
    except WorkflowError as problem:
        raise CaseError(str(problem)) from problem
    tasks = ((key.value, value) for key, value in nodes["tasks"][1].value)
    acts = {name: read_action(file, name, *found) for name, node in tasks if (found := _act(file, node)) is not None}
    return Story(workflow, acts)


def _act(file: Path, task: yaml.Node) -> tuple[str, yaml.Node] | None:
    """The workflow has been read by now, so that everything has the form it should."""
    fields = {key.value: value for key, value in task.value} if isinstance(task, yaml.MappingNode) else {}
    if "action" not in fields:
        if "input" in fields:
            raise CaseError(f"{file}:{line_of(fields['input'])}: input: the task has no action that could use it")
        return None
    nothing = yaml.MappingNode("tag:yaml.org,2002:map", [], task.start_mark)
    return fields["action"].value, fields.get("input", nothing)
