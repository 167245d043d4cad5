"""Directories with a configuration and no `case.yaml`: their default story, and the files that belong to them.

The story answers the first questions about a configuration: validate, plan, apply, plan again, expecting no changes,
and destroy. It begins without a state, whatever state is in the directory. Values of variables come from the files that
are always read: terraform.tfvars, *.auto.tfvars.

A configuration may call modules next to it (`source = "../network"`). So a run copies the directory and all the local
modules it leads to, in their places relative to each other.
"""

from __future__ import annotations

import os
import re
import shutil
import stat
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from harness.case.actions import Assert, Operate, TaskAction
from harness.case.steps import Step
from harness.case.story import Story
from harness.workflow.expressions import parse_expression
from harness.workflow.model import Task, Transition, Workflow, WorkflowCommand
from shared_nodes.lang.file_names import CONFIGURATION_SUFFIXES

__all__ = [
    "PlainDirectory",
    "default_story",
    "find_plain_directories",
    "holds_configuration",
    "read_plain_directory",
]

_LOCAL: Final = re.compile(r"""\bsource["']?\s*[=:]\s*"(\.{1,2}/[^"]*)\"""")
_HERE: Final = "."
_LEFT_OUT: Final = (".terraform", ".git", "terraform.tfstate*", ".terraform.tfstate*")
"""Files of other programs: installed providers and modules, and their state."""


@dataclass(frozen=True, slots=True)
class PlainDirectory:
    root: Path
    """The directory that contains all parts."""

    main: str
    """The directory of the configuration, relative to the root."""

    parts: tuple[str, ...]
    """The directories to copy, relative to the root: the configuration, and modules outside of it."""

    def copy_to(self, target: Path) -> Path:
        """Copy all parts, and return the place of the configuration. Links stay links: their targets may be private."""
        for part in self.parts:
            shutil.copytree(self.root / part, target / part, symlinks=True, ignore=_ignored, dirs_exist_ok=True)
        return target / self.main

    @property
    def files(self) -> Iterator[Path]:
        for part in self.parts:
            for directory, _, names in _walk(self.root / part):
                yield from (file for name in sorted(names) if (file := directory / name).is_file())


def _ignored(directory: str, names: list[str]) -> set[str]:
    """Return the names that are not copied. Pipes and the like cannot be copied."""
    modes = {name: os.lstat(os.path.join(directory, name)).st_mode for name in names}
    copied = {name for name, mode in modes.items() if stat.S_ISREG(mode) or stat.S_ISDIR(mode) or stat.S_ISLNK(mode)}
    return shutil.ignore_patterns(*_LEFT_OUT)(directory, names) | (set(names) - copied)


def holds_configuration(directory: Path) -> bool:
    return _names_configuration(_names(directory))


def _names_configuration(names: Iterable[str]) -> bool:
    """Return whether one of these files is configuration to some product."""
    return any(name.endswith(CONFIGURATION_SUFFIXES) for name in names)


def find_plain_directories(path: Path) -> list[Path]:
    """Return the directories at or below the path that contain a configuration, without modules that another of them
    calls. A module without a caller counts as a configuration."""
    found = [
        directory for directory, _, names in _walk(path) if any(name.endswith(CONFIGURATION_SUFFIXES) for name in names)
    ]
    called = {module for directory in found for module in _called(directory)}
    return sorted(_with_names(directory) for directory in found if _absolute(directory) not in called)


def _with_names(directory: Path) -> Path:
    """Return the path as it was given, unless a case or its area would have no name then."""
    return directory if directory.name not in ("", "..") and directory.parent.name else _absolute(directory)


def read_plain_directory(directory: Path) -> PlainDirectory:
    main = _absolute(directory)
    modules = [main]
    for module in modules:
        modules.extend(called for called in _called(module) if called not in modules)
    root = Path(os.path.commonpath(modules))
    outside = [module for module in modules if module == main or not module.is_relative_to(main)]
    return PlainDirectory(root, _relative(main, root), tuple(_relative(module, root) for module in outside))


def _walk(path: Path) -> Iterator[tuple[Path, list[str], list[str]]]:
    """Walk a directory, without directories whose names begin with a dot, and without following links."""
    for place, directories, names in os.walk(path):
        directories[:] = sorted(name for name in directories if not name.startswith("."))
        yield Path(place), directories, names


def _names(directory: Path) -> list[str]:
    try:
        return os.listdir(directory)
    except OSError:
        return []


def _called(directory: Path) -> Iterator[Path]:
    """Return the local modules that the files of a directory name. Any other `source` counts only if it leads to a
    configuration, which does no harm."""
    for name in sorted(_names(directory)):
        file = directory / name
        if name.endswith(CONFIGURATION_SUFFIXES) and file.is_file():
            for source in _LOCAL.findall(file.read_text(encoding="utf-8", errors="replace")):
                module = _absolute(directory / source)
                if holds_configuration(module):
                    yield module


def _absolute(path: Path) -> Path:
    return Path(os.path.abspath(path))


def _relative(path: Path, root: Path) -> str:
    return path.relative_to(root).as_posix()


def default_story() -> Story:
    """Return the default story. Created objects are destroyed also after an apply or a second plan that failed; the
    story has failed then nevertheless."""
    clean = parse_expression("result.clean")
    actions: dict[str, TaskAction] = {
        **{name: Operate(Step(name, _HERE)) for name in ("validate", "plan", "apply", "destroy")},
        "again": Operate(Step("plan", _HERE)),
        "unchanged": Assert(clean),
    }
    failed = ("destroy", WorkflowCommand.FAIL.value)
    followers: dict[str, Iterable[tuple[str, tuple[str, ...]]]] = {
        "validate": [("succeeded", ("plan",))],
        "plan": [("succeeded", ("apply",))],
        "apply": [("succeeded", ("again",)), ("failed", failed)],
        "again": [("succeeded", ("unchanged",)), ("failed", failed)],
        "unchanged": [("succeeded", ("destroy",)), ("failed", failed)],
        "destroy": [],
    }
    tasks = {
        name: Task(name, transitions=tuple(Transition(targets, parse_expression(when)) for when, targets in following))
        for name, following in followers.items()
    }
    return Story(Workflow(tasks, start=("validate",)), actions, begins_with=_HERE)
