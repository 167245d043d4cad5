"""Recordings of a case: what real systems did with it, one file per system.

`golden.json` is the recording of the product that the case is about. `golden.NAME.json` is the recording of another
system: NAME is a flavour in any spelling (`golden.opentofu.json`), or a system that no flavour models. Engines that
follow a flavour are compared with the recording of that product and with no other, unless the user asks for it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from harness.case.containment import read_contained
from harness.case.yaml_fields import CaseError
from shared_nodes.flavour import FLAVOUR_NAMES, flavour_of_release
from shared_nodes.values.json import JsonError, Tree, loads
from shared_nodes.world import Files

__all__ = [
    "GOLDEN_FILE",
    "find_recording",
    "is_foreign",
    "is_recorded",
    "is_recording",
    "nearest_flavour",
    "other_flavours",
    "read_recording",
    "recorded_flavour",
    "recorded_systems",
    "recording_file",
    "system_file",
]

GOLDEN_FILE: Final = "golden.json"
_NAME: Final = re.compile(r"golden\.(?:(?P<system>[\w.-]+)\.)?json")
_RELEASE: Final = re.compile(r'\s*\{\s*"engine"\s*:\s*"([^"\\]*)"')
_HEAD: Final = 512
"""The release is the first key of a recording, and so within this many bytes."""

_LONGEST: Final = 16_000_000
"""Limit of a recording in bytes."""


def is_recording(name: str) -> bool:
    return _NAME.fullmatch(name) is not None


def other_flavours(directory: Path) -> list[str]:
    """Return the flavours that a case has recordings of in addition to `golden.json`, judging by file names alone."""
    return sorted({FLAVOUR_NAMES[system] for system in recorded_systems(directory) if system in FLAVOUR_NAMES})


def recorded_systems(directory: Path) -> list[str]:
    """Return the systems that a case has recordings of in addition to `golden.json`, as its files name them."""
    files = (_NAME.fullmatch(path.name) for path in directory.glob("golden.*.json"))
    return sorted(match["system"] for match in files if match is not None)


def is_recorded(directory: Path) -> bool:
    """Return whether the case has a recording, of whatever system."""
    return bool(recorded_systems(directory)) or os.path.lexists(directory / GOLDEN_FILE)


def is_foreign(directory: Path) -> bool:
    """Return whether all recordings of a case, and there are some, are of systems that no flavour models: the case is
    there for recorded engines and real binaries, and says nothing about engines of ours."""
    systems = recorded_systems(directory)
    return bool(systems) and not (FLAVOUR_NAMES.keys() & systems) and not os.path.lexists(directory / GOLDEN_FILE)


def recorded_flavour(directory: Path) -> str | None:
    """Return the flavour that models the system of `golden.json`; None if it names none, or does not exist."""
    return _flavour_of_file(directory / GOLDEN_FILE)


def nearest_flavour(directory: Path) -> str | None:
    """Return the flavour of the product whose other systems were recorded, for a case that has no other recordings:
    engines of ours follow that product there."""
    files = [system_file(directory, system) for system in recorded_systems(directory)] if is_foreign(directory) else []
    return next((flavour for file in files if (flavour := _flavour_of_file(file)) is not None), None)


def _flavour_of_file(file: Path) -> str | None:
    try:
        head = Files(file.parent, root=file.parent).read_head(file.name, _HEAD)
    except OSError:
        return None
    named = _RELEASE.match(head.decode("utf-8", "replace"))
    flavour = None if named is None else flavour_of_release(named[1])
    return None if flavour is None else flavour.name


def recording_file(directory: Path, flavour: str, own: str) -> Path:
    """Return the file for the recording of a flavour, whether or not it exists. `own` is the flavour of the case."""
    if flavour == (recorded_flavour(directory) or own):
        return directory / GOLDEN_FILE
    short = flavour.partition("-")[0]
    exact = directory / f"golden.{flavour}.json"
    return exact if os.path.lexists(exact) else directory / f"golden.{short}.json"


def system_file(directory: Path, system: str) -> Path:
    """Return the file for the recording of a system that a recorded engine names, whether or not it exists."""
    return directory / f"golden.{system}.json"


def find_recording(directory: Path, flavour: str, own: str) -> Path | None:
    """Return the file with the recording of a flavour, if there is one."""
    file = recording_file(directory, flavour, own)
    return file if os.path.lexists(file) else None


def read_recording(file: Path) -> Mapping[str, Tree]:
    """Read a recording, numbers with all their digits. CaseError says why it cannot be read."""
    try:
        golden = loads(read_contained(file, file.parent, _LONGEST))
    except JsonError as problem:
        raise CaseError(f"{file}: cannot be read: {problem}") from problem
    steps = golden.get("steps") if isinstance(golden, dict) else None
    if not isinstance(golden, dict) or not isinstance(steps, list):
        raise CaseError(f"{file}: not a recording: it has no list of steps")
    if not all(isinstance(step, dict) for step in steps) or not _is_mapping(golden.get("validate", {})):
        raise CaseError(f"{file}: not a recording: each step and each validation must be an object")
    return golden


def _is_mapping(tree: Tree) -> bool:
    return isinstance(tree, dict) and all(isinstance(part, dict) for part in tree.values())
