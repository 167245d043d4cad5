"""Passes over case.yaml: versions, steps or tasks, and their inputs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from harness.reduce.passes.json_data import without_each
from harness.reduce.specimens.specimen import Specimen, SpecimenChange

__all__ = ["drop_case_details", "drop_steps", "drop_tasks", "renumber_versions", "use_other_versions"]

_KEPT: Final = ("description", "tags", "steps", "tasks")


def drop_steps(specimen: Specimen) -> list[SpecimenChange]:
    """Drop each step with its faults. Faults of later steps are renumbered."""
    listed = specimen.case_yaml.get("steps")
    if not isinstance(listed, list) or len(listed) < 2:
        return []
    return [
        _without_unused_versions(specimen, _without_step(specimen.case_yaml, position))
        for position in range(len(listed))
    ]


def _without_step(case_yaml: Mapping[str, Any], position: int) -> dict[str, Any]:
    changed = {**case_yaml, "steps": [step for number, step in enumerate(case_yaml["steps"]) if number != position]}
    if "faults" in case_yaml:
        changed["faults"] = [
            _renumber_fault(fault, position) for fault in case_yaml["faults"] if fault.get("step") != position
        ]
        if not changed["faults"]:
            del changed["faults"]
    return changed


def _renumber_fault(fault: Mapping[str, Any], position: int) -> Mapping[str, Any]:
    step = fault.get("step")
    return {**fault, "step": step - 1} if isinstance(step, int) and step > position else fault


def _without_unused_versions(specimen: Specimen, case_yaml: Mapping[str, Any]) -> SpecimenChange:
    """Drop the configurations that are no longer used."""
    before, after = set(_used_versions(specimen.case_yaml)), set(_used_versions(case_yaml))
    return SpecimenChange(without=_files_of(specimen, before - after), case_yaml=case_yaml)


def _files_of(specimen: Specimen, versions: set[str]) -> frozenset[str]:
    return frozenset(path for path in specimen.files if path.partition("/")[0] in versions)


def _used_versions(tree: Any) -> Iterator[str]:
    if isinstance(tree, dict):
        if isinstance(tree.get("config"), str):
            yield tree["config"]
        tree = list(tree.values())
    for part in tree if isinstance(tree, list) else ():
        yield from _used_versions(part)


def use_other_versions(specimen: Specimen) -> list[SpecimenChange]:
    """Use one version instead of another."""
    named = list(dict.fromkeys(_used_versions(specimen.case_yaml)))
    return [
        _without_unused_versions(specimen, _with_version(specimen.case_yaml, {old: new}))
        for old in named
        for new in named
        if old != new
    ]


def _with_version(tree: Any, renamed: Mapping[str, str]) -> Any:
    if isinstance(tree, dict):
        changed = {key: _with_version(part, renamed) for key, part in tree.items()}
        if isinstance(tree.get("config"), str):
            changed["config"] = renamed.get(tree["config"], tree["config"])
        return changed
    return [_with_version(part, renamed) for part in tree] if isinstance(tree, list) else tree


def renumber_versions(specimen: Specimen) -> list[SpecimenChange]:
    """Rename versions to v1, v2 and so on, in order of use. No change if they have these names."""
    named = list(dict.fromkeys(_used_versions(specimen.case_yaml)))
    renamed = {old: f"v{number}" for number, old in enumerate(named, 1)}
    if all(old == new for old, new in renamed.items()):
        return []
    moved = {path: path.partition("/") for path in specimen.files if path.partition("/")[0] in renamed}
    files = {f"{renamed[version]}/{rest}": specimen.files[path] for path, (version, _, rest) in moved.items()}
    return [SpecimenChange(without=frozenset(moved), files=files, case_yaml=_with_version(specimen.case_yaml, renamed))]


def drop_tasks(specimen: Specimen) -> list[SpecimenChange]:
    """Drop each task with all transitions to it."""
    listed = specimen.case_yaml.get("tasks")
    if not isinstance(listed, dict) or len(listed) < 2:
        return []
    return [_without_unused_versions(specimen, _without_task(specimen.case_yaml, name)) for name in listed]


def _without_task(case_yaml: Mapping[str, Any], name: str) -> dict[str, Any]:
    kept = {key: _without_transition(task, name) for key, task in case_yaml["tasks"].items() if key != name}
    return {**case_yaml, "tasks": kept}


def _without_transition(task: Any, name: str) -> Any:
    if not isinstance(task, dict) or not isinstance(task.get("next"), list):
        return task
    following = []
    for each in task["next"]:
        targets = each.get("do") if isinstance(each, dict) else None
        targets = [targets] if isinstance(targets, str) else targets
        if isinstance(each, dict) and isinstance(targets, list):
            targets = [target for target in targets if target != name]
            if targets:
                following.append({**each, "do": targets})
    rest = {key: part for key, part in task.items() if key != "next"}
    return {**rest, "next": following} if following else rest


def drop_case_details(specimen: Specimen) -> list[SpecimenChange]:
    """Drop every other part of case.yaml, one at a time: options, values, cloud objects, faults, inputs of tasks. The
    file of an initial state is dropped with it."""
    found: list[SpecimenChange] = []
    for key, part in specimen.case_yaml.items():
        rest = {name: each for name, each in specimen.case_yaml.items() if name != key}
        if key not in _KEPT:
            state = frozenset([part]) if key == "prior_state" and isinstance(part, str) else frozenset()
            found.append(SpecimenChange(case_yaml=rest, without=state))
            found += [SpecimenChange(case_yaml={**specimen.case_yaml, key: smaller}) for smaller in without_each(part)]
    for key in ("steps", "tasks"):
        found += [
            SpecimenChange(case_yaml={**specimen.case_yaml, key: smaller})
            for smaller in _without_parts(specimen.case_yaml.get(key))
        ]
    return found


def _without_parts(parts: Any) -> Iterator[Any]:
    """Yield copies of the steps or tasks, each with one part left out of one of them."""
    if isinstance(parts, dict):
        for name, part in parts.items():
            yield from ({**parts, name: smaller} for smaller in without_each(part))
    for position, part in enumerate(parts) if isinstance(parts, list) else ():
        yield from ([*parts[:position], smaller, *parts[position + 1 :]] for smaller in without_each(part))
