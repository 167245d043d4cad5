"""Reads the sensitive paths of an object from a state, and reports what is not a valid path.

The original decodes all paths before it examines any step: a value of the wrong type is reported once and counts as
empty from then on. Then the first bad step of each path is reported. A path with a key that no collection can have is
left out.
"""

from __future__ import annotations

from shared_nodes.lang.diagnostics import Diagnostic, error
from shared_nodes.values.json import JsonError, Tree, kind_of, path_from_json, value_from_json
from shared_nodes.values.paths import Path
from shared_nodes.values.text import quoted
from shared_nodes.values.types import DYNAMIC

__all__ = ["read_sensitive_paths"]

_Step = dict[str, Tree]


def read_sensitive_paths(tree: Tree) -> tuple[tuple[Path, ...], list[Diagnostic]]:
    paths, mismatch = _decode_steps(tree)
    problems = [] if mismatch is None else [error("Error unmarshaling path steps", mismatch)]
    bad = [_first_problem(path) for path in paths]
    problems += [problem for problem in bad if problem is not None]
    if problems:
        return (), problems
    return tuple(found for path in paths if (found := _path(path)) is not None), []


def _decode_steps(tree: Tree) -> tuple[list[list[_Step]], str | None]:
    """Return the paths as lists of steps, and the first type mismatch."""
    found: list[list[_Step]] = []
    mismatches: list[str] = []
    if tree is not None and not isinstance(tree, list):
        return [], f"json: cannot unmarshal {kind_of(tree)} into Go value of type [][]statefile.pathStep"
    for path in tree or []:
        if path is not None and not isinstance(path, list):
            mismatches.append(f"json: cannot unmarshal {kind_of(path)} into Go value of type []statefile.pathStep")
        found.append([_step(step, mismatches) for step in path] if isinstance(path, list) else [])
    return found, next(iter(mismatches), None)


def _step(tree: Tree, mismatches: list[str]) -> _Step:
    if not isinstance(tree, dict):
        if tree is not None:
            mismatches.append(f"json: cannot unmarshal {kind_of(tree)} into Go value of type statefile.pathStep")
        return {}
    kind = tree.get("type")
    if kind is not None and not isinstance(kind, str):
        mismatches.append(f"json: cannot unmarshal {kind_of(kind)} into Go struct field pathStep.type of type string")
        return {**tree, "type": ""}
    return tree


def _first_problem(path: list[_Step]) -> Diagnostic | None:
    return next((problem for step in path if (problem := _problem(step)) is not None), None)


def _problem(step: _Step) -> Diagnostic | None:
    match step.get("type") or "":
        case "get_attr":
            return _bad_step("Failed to unmarshal get attr step name", _name_problem(step))
        case "index":
            return _bad_step("Failed to unmarshal index step key", _key_problem(step))
        case kind:
            return error("Unsupported path step", f"Unsupported path step type {quoted(str(kind))}")


def _bad_step(what: str, cause: str | None) -> Diagnostic | None:
    return None if cause is None else error("Error unmarshaling path step", f"{what}: {cause}")


def _name_problem(step: _Step) -> str | None:
    if "value" not in step:
        return "unexpected end of JSON input"
    name = step["value"]
    if name is None or isinstance(name, str):
        return None
    return f"json: cannot unmarshal {kind_of(name)} into Go value of type string"


def _key_problem(step: _Step) -> str | None:
    if "value" not in step:
        return "EOF"
    try:
        value_from_json(step["value"], DYNAMIC)
    except JsonError as failure:
        return failure.message
    return None


def _path(steps: list[_Step]) -> Path | None:
    try:
        return path_from_json([*steps])
    except JsonError:
        return None
