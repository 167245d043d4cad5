"""A case on disk: `case.yaml` beside the configuration directories its steps name, and `golden.json` if recorded.

Reading is strict. A key nobody knows, a key given twice or a value of the wrong kind is a `CaseError` that names the
file, the line and the key: a misspelt `traget` must never make a case quietly test something else.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import yaml

from harness.scenarios.fields import CaseError, Fields, line_of
from harness.scenarios.simulated import read_cloud, read_faults
from shared_nodes.flavour import FLAVOURS, TERRAFORM_1_11
from shared_nodes.providers.simcloud.faults import Fault
from shared_nodes.values.json import JsonError, Tree, loads

__all__ = ["GOLDEN_FILE", "Case", "CaseError", "Step", "find_cases", "read_case", "read_golden"]

CASE_FILE: Final = "case.yaml"
GOLDEN_FILE: Final = "golden.json"

_OPERATIONS: Final = ("validate", "plan", "apply", "destroy")
_MODES: Final = ("normal", "destroy", "refresh-only")


@dataclass(frozen=True, slots=True)
class Step:
    """One operation. `variables` is the JSON text of a variables file, or None where the step gives no values."""

    operation: str
    config: str
    variables: str | None = None
    mode: str = "normal"
    targets: tuple[str, ...] = ()
    replace: tuple[str, ...] = ()
    refresh: bool = True


@dataclass(frozen=True, slots=True)
class Case:
    directory: Path
    description: str
    steps: tuple[Step, ...]
    tags: tuple[str, ...] = ()
    prior_state: str | None = None
    flavour: str = TERRAFORM_1_11.name
    seed: int = 0
    cloud: tuple[Mapping[str, Tree], ...] = ()
    """Things that live in the simulated cloud before the first step."""

    faults: tuple[Fault, ...] = ()

    @property
    def area(self) -> str:
        return self.directory.parent.name

    @property
    def identifier(self) -> str:
        return f"{self.area}/{self.directory.name}"

    def faults_of(self, step: int) -> tuple[Fault, ...]:
        """Of one step, counted from 0. Those of every step stand first, so that they can go on counting."""
        lasting = tuple(fault for fault in self.faults if fault.step is None)
        return (*lasting, *(fault for fault in self.faults if fault.step == step))

    @property
    def configurations(self) -> list[str]:
        """The directories the steps name, each once, in the order they are first named."""
        return list(dict.fromkeys(step.config for step in self.steps))


def find_cases(paths: Iterable[Path]) -> list[Path]:
    """Directories of cases at or below the given paths, sorted."""
    files = {file for path in paths for file in ([path] if path.is_file() else path.rglob(CASE_FILE))}
    return sorted(file.parent for file in files if file.name == CASE_FILE)


def read_case(directory: Path) -> Case:
    file = directory / CASE_FILE
    try:
        text = file.read_text(encoding="utf-8")
        root = yaml.compose(text, Loader=yaml.SafeLoader)
    except (OSError, UnicodeDecodeError) as problem:
        raise CaseError(f"{file}: cannot be read: {problem}") from problem
    except yaml.MarkedYAMLError as problem:
        line = problem.problem_mark.line + 1 if problem.problem_mark is not None else 1
        raise CaseError(f"{file}:{line}: not YAML: {problem.problem or problem.context}") from problem
    except yaml.YAMLError as problem:
        raise CaseError(f"{file}: not YAML: {problem}") from problem
    if root is None:
        raise CaseError(f"{file}:1: the file is empty")
    fields = Fields(file, root, "the case")
    steps: tuple[Step, ...] = fields.take("steps", lambda key, node: _steps(file, key, node))
    case = Case(
        directory,
        description=fields.take("description", fields.text),
        steps=steps,
        tags=fields.take("tags", fields.texts, ()),
        prior_state=fields.take("prior_state", fields.text, None),
        flavour=fields.take("flavour", fields.one_of(sorted(FLAVOURS)), TERRAFORM_1_11.name),
        seed=fields.take("seed", fields.integer, 0),
        cloud=fields.take("cloud", lambda key, node: read_cloud(file, key, node), ()),
        faults=fields.take("faults", lambda key, node: read_faults(file, key, node, len(steps)), ()),
    )
    fields.finish()
    _check_files(file, case)
    return case


def _steps(file: Path, key: str, node: yaml.Node) -> tuple[Step, ...]:
    if not isinstance(node, yaml.SequenceNode) or not node.value:
        raise CaseError(f"{file}:{line_of(node)}: {key}: a list with at least one step is needed")
    return tuple(_step(file, item, position) for position, item in enumerate(node.value, 1))


def _step(file: Path, node: yaml.Node, position: int) -> Step:
    fields = Fields(file, node, f"step {position}")
    step = Step(
        operation=fields.take("op", fields.one_of(_OPERATIONS)),
        config=fields.take("config", fields.text),
        variables=fields.take("vars", fields.json_object, None),
        mode=fields.take("mode", fields.one_of(_MODES), "normal"),
        targets=fields.take("target", fields.texts, ()),
        replace=fields.take("replace", fields.texts, ()),
        refresh=fields.take("refresh", fields.boolean, True),
    )
    fields.finish()
    return step


def _check_files(file: Path, case: Case) -> None:
    """What the case names must be there and stay inside its directory."""
    root = case.directory.resolve()
    for name in [*case.configurations, *([case.prior_state] if case.prior_state is not None else [])]:
        place = (case.directory / name).resolve()
        if not place.is_relative_to(root) or not place.exists():
            raise CaseError(f"{file}: {name} is not in the directory of the case")


def read_golden(case: Case) -> Mapping[str, Tree] | None:
    """What was recorded, numbers with all their digits; None where nothing was."""
    file = case.directory / GOLDEN_FILE
    if not file.exists():
        return None
    try:
        golden = loads(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, JsonError) as problem:
        raise CaseError(f"{file}: cannot be read: {problem}") from problem
    steps = golden.get("steps") if isinstance(golden, dict) else None
    if not isinstance(golden, dict) or not isinstance(steps, list):
        raise CaseError(f"{file}: not a recording: it has no list of steps")
    if len(steps) != len(case.steps):
        raise CaseError(f"{file}: recorded another number of steps than {CASE_FILE} has")
    return golden
