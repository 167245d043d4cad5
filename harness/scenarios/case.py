"""A case on disk: `case.yaml` beside the configuration directories its steps name, and `golden.json` if recorded.

Reading is strict. A key nobody knows, a key given twice or a value of the wrong kind is a `CaseError` that names the
file, the line and the key: a misspelt `traget` must never make a case quietly test something else.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import yaml  # type: ignore[import-untyped]  # PyYAML ships no type information

from shared_nodes.flavour import FLAVOURS, TERRAFORM_1_11
from shared_nodes.values.json import JsonError, Tree, loads

__all__ = ["GOLDEN_FILE", "Case", "CaseError", "Step", "find_cases", "read_case", "read_golden"]

CASE_FILE: Final = "case.yaml"
GOLDEN_FILE: Final = "golden.json"

_OPERATIONS: Final = ("validate", "plan", "apply", "destroy")
_MODES: Final = ("normal", "destroy", "refresh-only")


class CaseError(Exception):
    """The case cannot be run as written. The message tells file, line and key."""


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

    @property
    def area(self) -> str:
        return self.directory.parent.name

    @property
    def identifier(self) -> str:
        return f"{self.area}/{self.directory.name}"

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
    fields = _Fields(file, root, "the case")
    case = Case(
        directory,
        description=fields.take("description", fields.text),
        steps=fields.take("steps", lambda key, node: _steps(file, key, node)),
        tags=fields.take("tags", fields.texts, ()),
        prior_state=fields.take("prior_state", fields.text, None),
        flavour=fields.take("flavour", fields.one_of(sorted(FLAVOURS)), TERRAFORM_1_11.name),
        seed=fields.take("seed", fields.integer, 0),
    )
    fields.finish()
    _check_files(file, case)
    return case


def _steps(file: Path, key: str, node: yaml.Node) -> tuple[Step, ...]:
    if not isinstance(node, yaml.SequenceNode) or not node.value:
        raise CaseError(f"{file}:{_line(node)}: {key}: a list with at least one step is needed")
    return tuple(_step(file, item, position) for position, item in enumerate(node.value, 1))


def _step(file: Path, node: yaml.Node, position: int) -> Step:
    fields = _Fields(file, node, f"step {position}")
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


def _line(node: yaml.Node) -> int:
    return int(node.start_mark.line) + 1


class _Fields:
    """The keys of one mapping, taken one by one; what is left at the end is unknown."""

    def __init__(self, file: Path, node: yaml.Node, what: str) -> None:
        if not isinstance(node, yaml.MappingNode):
            raise CaseError(f"{file}:{_line(node)}: {what} must be a mapping of keys to values")
        self._file, self._what, self._line = file, what, _line(node)
        self._nodes: dict[str, yaml.Node] = {}
        self._key_lines: dict[str, int] = {}
        for key_node, value_node in node.value:
            key = str(key_node.value)
            if key in self._nodes:
                raise CaseError(f"{file}:{_line(key_node)}: {key}: given twice in {what}")
            self._nodes[key] = value_node
            self._key_lines[key] = _line(key_node)

    def take(self, key: str, read: Callable[[str, yaml.Node], Any], *default: Any) -> Any:
        """The value of a key, or the default; a key without a default is required."""
        node = self._nodes.pop(key, None)
        if node is not None:
            return read(key, node)
        if not default:
            raise CaseError(f"{self._file}:{self._line}: {key}: missing in {self._what}")
        return default[0]

    def finish(self) -> None:
        for key in self._nodes:
            raise CaseError(f"{self._file}:{self._key_lines[key]}: {key}: unknown key in {self._what}")

    def text(self, key: str, node: yaml.Node) -> str:
        return str(self._checked(key, node, str, "a text"))

    def boolean(self, key: str, node: yaml.Node) -> bool:
        return bool(self._checked(key, node, bool, "true or false"))

    def integer(self, key: str, node: yaml.Node) -> int:
        return int(self._checked(key, node, int, "a whole number"))

    def texts(self, key: str, node: yaml.Node) -> tuple[str, ...]:
        items = self._checked(key, node, list, "a list of texts")
        if not all(isinstance(item, str) for item in items):
            raise self._wrong(key, node, "a list of texts")
        return tuple(items)

    def one_of(self, allowed: Iterable[str]) -> Callable[[str, yaml.Node], str]:
        def read(key: str, node: yaml.Node) -> str:
            value = self.text(key, node)
            if value not in allowed:
                raise self._wrong(key, node, f"one of {', '.join(allowed)}")
            return value

        return read

    def json_object(self, key: str, node: yaml.Node) -> str:
        value = self._checked(key, node, dict, "a mapping of variable names to values")
        try:
            return json.dumps(value, ensure_ascii=False, allow_nan=False)
        except (TypeError, ValueError) as problem:
            raise self._wrong(key, node, f"something JSON can say ({problem})") from problem

    def _checked(self, key: str, node: yaml.Node, kind: type, wanted: str) -> Any:
        value = yaml.SafeLoader("").construct_document(node)
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            raise self._wrong(key, node, wanted)
        return value

    def _wrong(self, key: str, node: yaml.Node, wanted: str) -> CaseError:
        return CaseError(f"{self._file}:{_line(node)}: {key}: must be {wanted}")


def read_golden(case: Case) -> Mapping[str, Tree] | None:
    """What was recorded, numbers with all their digits; None where nothing was."""
    file = case.directory / GOLDEN_FILE
    if not file.exists():
        return None
    try:
        golden = loads(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, JsonError) as problem:
        raise CaseError(f"{file}: cannot be read: {problem}") from problem
    if not isinstance(golden, dict) or not isinstance(golden.get("steps"), list):
        raise CaseError(f"{file}: not a recording: it has no list of steps")
    if len(golden["steps"]) != len(case.steps):  # type: ignore[arg-type]  # checked to be a list one line above
        raise CaseError(f"{file}: recorded another number of steps than {CASE_FILE} has")
    return golden
