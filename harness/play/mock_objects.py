"""Objects that mocked providers keep as files next to the configuration.

A step runs in a copy of its configuration that is removed afterwards; these files are carried over to the next step:
those of tfcoremock, and the files that `local_file` resources of the state have made. The configuration may have links
of these names, which lead anywhere: nothing is read or written through them.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import field
from pathlib import Path
from typing import Final

from harness.observe.json_trees import as_object, as_objects
from shared_nodes.record import record
from shared_nodes.values.json import loads
from shared_nodes.world import ConfinementError, Files

__all__ = ["MockObjects"]

_PLACE: Final = "terraform.resource"
_FILE_TYPES: Final = ("local_file", "local_sensitive_file")


@record(frozen=False)
class MockObjects:
    """The objects of one run. Until a step has some, each step begins with those in its configuration."""

    stored: Mapping[str, bytes] | None = None
    """The objects of tfcoremock, by file name."""

    local_files: Mapping[str, bytes] = field(default_factory=dict)
    """By path. Unlike a stored object, such a file takes the place of one in the configuration."""

    def put_into(self, directory: Path) -> None:
        place = directory / _PLACE
        if self.stored is not None:
            if place.is_symlink():
                place.unlink()
            shutil.rmtree(place, ignore_errors=True)
            place.mkdir()
            for name, content in self.stored.items():
                (place / name).write_bytes(content)
        for name, content in self.local_files.items():
            with suppress(ConfinementError):
                file = Files(directory, root=directory).locate(name)
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_bytes(content)

    def take_from(self, directory: Path, state: str | None) -> None:
        """Keep what a step has left, given the text of the state file after it."""
        place = directory / _PLACE
        files = Files(directory, root=directory)
        if os.path.isdir(place) or self.stored is not None:
            names = [f"{_PLACE}/{file.name}" for file in place.glob("*.json")]
            self.stored = {Path(name).name: content for name, content in _contents(files, names)}
        self.local_files = dict(_contents(files, _files_of_state(state)))


def _contents(files: Files, names: Iterable[str]) -> Iterator[tuple[str, bytes]]:
    for name in names:
        with suppress(OSError):
            yield name, files.read_bytes(name)


def _files_of_state(state: str | None) -> Iterator[str]:
    """Yield the names of the files that a state knows, without those that are not below the working directory. Most
    states have none, and are not read."""
    if state is None or not any(f'"{kind}"' in state for kind in _FILE_TYPES):
        return
    for resource in as_objects(as_object(loads(state)).get("resources")):
        if resource.get("type") in _FILE_TYPES:
            for instance in as_objects(resource.get("instances")):
                name = as_object(instance.get("attributes")).get("filename")
                if isinstance(name, str) and not Path(name).is_absolute() and ".." not in Path(name).parts:
                    yield name
