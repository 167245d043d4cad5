"""A case as its evidence has kept it: the files, the steps, and what each engine did.

Everything that is read here has been masked, so that nothing sensitive can get into what is written from it. The story
is read from the kept `case.yaml` and not from the directory of the case, which may have changed since, or be gone.
"""

from __future__ import annotations

import os
import posixpath
import re
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Final

from harness.case.actions import Operate, Taint, TaskAction, Wait
from harness.case.case import CASE_FILE, Case, CaseError, read_case
from harness.case.given import GivenInputs
from harness.case.steps import Step
from harness.findings.result import CaseResult
from harness.findings.secrets.masking import HIDDEN
from harness.play.case_runner import Observations
from shared_nodes.record import record
from shared_nodes.values.json import JsonError, Tree, loads

__all__ = ["KeptCase", "PlayedStep", "open_kept_case"]

_TASK: Final = re.compile(r"task (\S+) #\d+ \((\S+)(?: (.*))?\)")
_VALIDATION: Final = re.compile(r"validate (.*)")
_NOT_KEPT: Final = re.compile(r"\([\d,]+ bytes(?:, not kept| that are no text)\)")
_HERE: Final = "."


@record
class PlayedStep:
    """One thing that was done: a step of an engine, or else what the story did in between."""

    place: str
    step: Step | None = None
    action: TaskAction | None = None
    """Set where this is not a step."""


@record
class KeptCase:
    case: Case
    files: Mapping[str, str]
    """Text by path, relative to the directory that contains all of them."""

    main: str
    """The directory of the case, relative to that directory: `.` unless a plain configuration calls modules next to
    it."""

    observations: Mapping[str, Observations]
    """By engine, and under `recorded` the recording."""

    @property
    def incomplete_files(self) -> list[str]:
        """Files whose content was too long, or no text, and has not been kept."""
        return [name for name, text in self.files.items() if _NOT_KEPT.fullmatch(text)]

    @property
    def is_masked(self) -> bool:
        return any(HIDDEN in text for text in self.files.values())

    @property
    def prior_state(self) -> str | None:
        return None if self.case.prior_state is None else self.files.get(posixpath.normpath(self.case.prior_state))

    def played(self) -> list[PlayedStep]:
        """Return what was done, in order: the configurations that were validated first, then the steps. The tasks of a
        story are those that the first engine has gone through."""
        course = next((each for name, each in self.observations.items() if name != "recorded"), {})
        course = course or next(iter(self.observations.values()), {})
        validated = (_VALIDATION.fullmatch(place) for place in course)
        found = [PlayedStep(match[0], Step("validate", match[1])) for match in validated if match]
        if self.case.tasks is None:
            steps = enumerate(self.case.steps, 1)
            return found + [PlayedStep(f"step {at} ({step.operation} {step.config})", step) for at, step in steps]
        if not course:
            return [PlayedStep(f"{step.operation} {step.config}", step) for step in self.case.all_steps]
        return found + [one for place in course if (one := self._played_task(place)) is not None]

    def _played_task(self, place: str) -> PlayedStep | None:
        match = _TASK.fullmatch(place)
        action = None if match is None or self.case.tasks is None else self.case.tasks.actions.get(match[1])
        if match is None or action is None:
            return None
        if isinstance(action, Operate):
            return PlayedStep(place, replace(action.step, operation=match[2], config=match[3]))
        return PlayedStep(place, action=action) if isinstance(action, Taint | Wait) else None


@contextmanager
def open_kept_case(result: CaseResult) -> Iterator[KeptCase]:
    """Write the kept files to a temporary directory and read the case from there. CaseError says why it cannot be
    read."""
    files, observations = _read_evidence(result)
    main, files = _contained(result.path, files)
    with tempfile.TemporaryDirectory(prefix="diffharness-reproduce-") as place:
        root = Path(place) / "area" / "case"
        for name, text in files.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text, encoding="utf-8", errors="surrogateescape")
        yield KeptCase(read_case(root / main, result.flavour, GivenInputs((root,))), files, main, observations)


def _read_evidence(result: CaseResult) -> tuple[dict[str, str], dict[str, Observations]]:
    try:
        tree = loads(result.evidence)
    except JsonError as problem:
        raise CaseError(f"{result.identifier}: its evidence cannot be read: {problem}") from problem
    files = _member(tree, "files")
    observations = {
        name: {place: _object(one) for place, one in _object(each).items()}
        for name, each in _member(tree, "courses").items()
    }
    return {name: text for name, text in files.items() if isinstance(text, str)}, {**observations}


def _member(tree: Tree, name: str) -> dict[str, Tree]:
    return _object(_object(tree).get(name))


def _object(tree: Tree) -> dict[str, Tree]:
    return tree if isinstance(tree, dict) else {}


def _contained(path: str, files: Mapping[str, str]) -> tuple[str, dict[str, str]]:
    """Return the directory of the case and its files, relative to the directory that contains all of them. A plain
    configuration may call modules next to it, whose paths lead out of its directory."""
    if CASE_FILE in files or not any(name.startswith("../") for name in files):
        return _HERE, {name: text for name, text in files.items() if not name.startswith("../")}
    depth = max(_depth(name) for name in files)
    main = "/".join(Path(os.path.abspath(path)).parts[1:][-depth:])
    return main, {posixpath.normpath(f"{main}/{name}"): text for name, text in files.items()}


def _depth(name: str) -> int:
    return sum(part == ".." for part in name.split("/"))
