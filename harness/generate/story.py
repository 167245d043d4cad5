"""A generated story: configuration versions, steps and faults. It is a case that is not on disk yet.

`case_of_story` returns the case that engines run; `save_story` writes a directory that is read as the same case.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import field
from pathlib import Path
from typing import Any, Final

import yaml

from harness.case.case import CASE_FILE, Case, Step, read_case
from harness.simulation.simcloud.faults import Fault, FaultKind
from shared_nodes.flavour import TERRAFORM_1_11
from shared_nodes.record import record
from shared_nodes.values.json import Tree

__all__ = ["STATE_FILE", "GeneratedStory", "case_of_story", "case_yaml_of_story", "save_story", "write_versions"]

_TAG: Final = "fuzz"
STATE_FILE: Final = "state.json"


@record
class GeneratedStory:
    name: str
    versions: Mapping[str, Mapping[str, str]]
    """Texts by path, per version directory."""

    steps: tuple[Step, ...]
    faults: tuple[Fault, ...] = ()
    cloud: tuple[Mapping[str, Tree], ...] = ()
    flavour: str = TERRAFORM_1_11.name
    features: frozenset[str] = frozenset()
    mistake: str = ""
    """Names of the deliberate mistakes."""

    prior_state: str | None = None
    """The text of the initial state file."""

    kills: Mapping[int, Fault] = field(default_factory=dict)
    """Calls at which the process that applies a step is killed, per step. Another apply then continues."""

    @property
    def description(self) -> str:
        wrong = f", wrong on purpose: {self.mistake}" if self.mistake else ""
        return f"Generated story {self.name}{wrong}."

    @property
    def text(self) -> str:
        """All texts of the story in one string, for searching."""
        texts = [text for files in self.versions.values() for text in files.values()]
        return "\n".join([*texts, self.prior_state or ""])


def case_of_story(story: GeneratedStory, directory: Path) -> Case:
    """Return the case of a story. A story with a killed process is not a plain list of steps, so its case.yaml is
    written and read back."""
    if story.kills:
        _write_case_yaml(story, directory, "")
        return read_case(directory)
    return Case(
        directory,
        story.description,
        story.steps,
        (_TAG,),
        prior_state=None if story.prior_state is None else STATE_FILE,
        flavour=story.flavour,
        own_flavour=story.flavour,
        cloud=story.cloud,
        faults=story.faults,
    )


def save_story(story: GeneratedStory, directory: Path, description: str = "") -> None:
    """Write the story as a case directory."""
    write_versions(story, directory)
    _write_case_yaml(story, directory, description)


def _write_case_yaml(story: GeneratedStory, directory: Path, description: str) -> None:
    text = yaml.safe_dump(case_yaml_of_story(story, description), sort_keys=False, allow_unicode=True, width=110)
    (directory / CASE_FILE).write_text(text, encoding="utf-8")


def case_yaml_of_story(story: GeneratedStory, description: str = "") -> dict[str, Any]:
    """Return the content of case.yaml."""
    tree: dict[str, Any] = {"description": description or story.description, "tags": [_TAG]}
    if story.flavour != TERRAFORM_1_11.name:
        tree["flavour"] = story.flavour
    if story.prior_state is not None:
        tree["prior_state"] = STATE_FILE
    if story.cloud:
        tree["cloud"] = [dict(one) for one in story.cloud]
    if story.kills:
        tree["tasks"] = _make_tasks(story)
        return tree
    tree["steps"] = [_step_to_yaml(step) for step in story.steps]
    if story.faults:
        tree["faults"] = [_fault_to_yaml(fault) for fault in story.faults]
    return tree


def _make_tasks(story: GeneratedStory) -> dict[str, Any]:
    """Express the steps as tasks. Each is followed by the next one, whether it succeeds or fails."""
    actions: list[tuple[str, dict[str, Any]]] = []
    for number, step in enumerate(story.steps):
        actions += [_fault_to_action(fault) for fault in story.faults if fault.step == number]
        operation = "crash-and-resume" if number in story.kills else step.operation
        given = {name: part for name, part in _step_to_yaml(step).items() if name != "op"}
        if number in story.kills:
            at = _fault_to_yaml(story.kills[number])
            given["at"] = {name: at[name] for name in ("verb", "name", "type") if name in at}
        actions.append((operation, given))
    followers = [*(f"task-{number}" for number in range(2, len(actions) + 1)), "noop"]
    return {
        f"task-{number}": {"action": action, "input": given, "next": [{"do": follower}]}
        for number, ((action, given), follower) in enumerate(zip(actions, followers, strict=True), 1)
    }


def _fault_to_action(fault: Fault) -> tuple[str, dict[str, Any]]:
    tree = {name: part for name, part in _fault_to_yaml(fault).items() if name != "step"}
    if fault.kind.needs_call:
        return "fault", tree
    del tree["kind"]
    return "drift", tree | ({"vanish": True} if fault.kind is FaultKind.VANISH else {})


def write_versions(story: GeneratedStory, directory: Path) -> None:
    """Write all configuration versions and the initial state."""
    if story.prior_state is not None:
        (directory / STATE_FILE).write_text(story.prior_state, encoding="utf-8")
    for version, files in story.versions.items():
        for path, text in files.items():
            file = directory / version / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")


def _step_to_yaml(step: Step) -> dict[str, Any]:
    """Return the YAML form of a step, without default values."""
    tree: dict[str, Any] = {"op": step.operation, "config": step.config}
    if step.variables is not None:
        tree["vars"] = json.loads(step.variables)
    if step.mode != _DEFAULT_STEP.mode:
        tree["mode"] = step.mode
    lists = {"target": step.targets, "exclude": step.excludes, "replace": step.replace}
    tree |= {name: list(addresses) for name, addresses in lists.items() if addresses}
    if not step.refresh:
        tree["refresh"] = False
    files = {"target_file": step.target_file, "exclude_file": step.exclude_file}
    tree |= {name: file for name, file in files.items() if file is not None}
    if step.apply_options:
        tree["apply_options"] = list(step.apply_options)
    return tree


_DEFAULT_STEP: Final = Step("plan", "")


def _fault_to_yaml(fault: Fault) -> dict[str, Any]:
    """Return the form that `read_case` expects, for the kinds and keys that the generator uses."""
    tree: dict[str, Any] = {"step": fault.step, "kind": str(fault.kind)}
    if fault.name is not None:
        tree["name"] = fault.name
    if fault.type_name is not None:
        tree["type"] = fault.type_name
    if fault.kind is FaultKind.DRIFT:
        tree["set"] = dict(fault.attributes)
    if fault.verb is not None:
        tree["verb"] = str(fault.verb)
    if fault.phase is not None:
        tree["phase"] = str(fault.phase)
    if fault.kind is FaultKind.FLAKY:
        tree["times"] = fault.times
    elif fault.kind is FaultKind.LATENCY:
        tree["seconds"] = fault.seconds
    if fault.occurrence is None:
        tree["occurrence"] = "all"
    elif fault.occurrence != 1:
        tree["occurrence"] = fault.occurrence
    return tree
