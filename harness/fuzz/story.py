"""A story: configuration versions, steps and what goes wrong meanwhile. It is a case that is not on disk yet.

`as_case` gives the case an engine runs; `save_story` writes the directory that is read as the very same case.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import yaml

from harness.scenarios.case import CASE_FILE, Case, Step
from shared_nodes.flavour import TERRAFORM_1_11
from shared_nodes.providers.simcloud.faults import Fault, Kind
from shared_nodes.values.json import Tree

__all__ = ["Story", "as_case", "plot_of_story", "save_story", "write_versions"]

_TAG: Final = "fuzz"


@dataclass(frozen=True, slots=True)
class Story:
    name: str
    versions: Mapping[str, Mapping[str, str]]
    """Texts by path, by the name of the version's directory."""

    steps: tuple[Step, ...]
    faults: tuple[Fault, ...] = ()
    cloud: tuple[Mapping[str, Tree], ...] = ()
    flavour: str = TERRAFORM_1_11.name
    features: frozenset[str] = frozenset()
    mistake: str = ""
    """What was made wrong on purpose."""

    @property
    def description(self) -> str:
        wrong = f", wrong on purpose: {self.mistake}" if self.mistake else ""
        return f"Generated story {self.name}{wrong}."

    @property
    def text(self) -> str:
        """All of it, for whoever looks for a name in it."""
        return "\n".join(text for files in self.versions.values() for text in files.values())


def as_case(story: Story, directory: Path) -> Case:
    return Case(
        directory,
        story.description,
        story.steps,
        (_TAG,),
        flavour=story.flavour,
        cloud=story.cloud,
        faults=story.faults,
    )


def save_story(story: Story, directory: Path, description: str = "") -> None:
    """Nothing is written where something is already."""
    write_versions(story, directory)
    text = yaml.safe_dump(plot_of_story(story, description), sort_keys=False, allow_unicode=True, width=110)
    (directory / CASE_FILE).write_text(text, encoding="utf-8")


def plot_of_story(story: Story, description: str = "") -> dict[str, Any]:
    """What case.yaml says."""
    tree: dict[str, Any] = {"description": description or story.description, "tags": [_TAG]}
    if story.flavour != TERRAFORM_1_11.name:
        tree["flavour"] = story.flavour
    tree["steps"] = [_step_tree(step) for step in story.steps]
    if story.cloud:
        tree["cloud"] = [dict(one) for one in story.cloud]
    if story.faults:
        tree["faults"] = [_fault_tree(fault) for fault in story.faults]
    return tree


def write_versions(story: Story, directory: Path) -> None:
    for version, files in story.versions.items():
        for path, text in files.items():
            file = directory / version / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")


def _step_tree(step: Step) -> dict[str, Any]:
    """What is as usual is left out."""
    tree: dict[str, Any] = {"op": step.operation, "config": step.config}
    if step.variables is not None:
        tree["vars"] = json.loads(step.variables)
    if step.mode != _USUAL.mode:
        tree["mode"] = step.mode
    tree |= {name: list(one) for name, one in (("target", step.targets), ("replace", step.replace)) if one}
    if not step.refresh:
        tree["refresh"] = False
    return tree


_USUAL: Final = Step("plan", "")


def _fault_tree(fault: Fault) -> dict[str, Any]:
    """In the form `read_case` takes; only kinds and keys the generator uses."""
    tree: dict[str, Any] = {"step": fault.step, "kind": str(fault.kind)}
    if fault.name is not None:
        tree["name"] = fault.name
    if fault.type_name is not None:
        tree["type"] = fault.type_name
    if fault.kind is Kind.DRIFT:
        tree["set"] = dict(fault.attributes)
    if fault.verb is not None:
        tree["verb"] = str(fault.verb)
    if fault.phase is not None:
        tree["phase"] = str(fault.phase)
    if fault.kind is Kind.FLAKY:
        tree["times"] = fault.times
    elif fault.kind is Kind.LATENCY:
        tree["seconds"] = fault.seconds
    if fault.occurrence is None:
        tree["occurrence"] = "all"
    elif fault.occurrence != 1:
        tree["occurrence"] = fault.occurrence
    return tree
