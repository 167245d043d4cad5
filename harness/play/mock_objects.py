"""Objects that a mocked provider stores as files next to the configuration.

A step runs in a copy of its configuration that is removed afterwards; these files are carried over to the next step.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

__all__ = ["MockObjects"]

_PLACE: Final = "terraform.resource"


@dataclass(slots=True)
class MockObjects:
    """The objects of one run. Until a step has some, each step begins with those in its configuration."""

    files: Mapping[str, bytes] | None = None

    @contextmanager
    def around(self, directory: Path) -> Iterator[None]:
        place = directory / _PLACE
        if self.files is not None:
            shutil.rmtree(place, ignore_errors=True)
            place.mkdir()
            for name, content in self.files.items():
                (place / name).write_bytes(content)
        yield
        if place.exists() or self.files is not None:
            self.files = {file.name: file.read_bytes() for file in place.glob("*.json")}
