"""The World: everything outside the program that could make two runs differ.

Clock, identifiers, randomness, files and environment are asked of a `World`, never of the operating system directly.
A harness run gives each case a World confined to the case's directory with a fixed clock and seeded ids; a person's
own `diffharness engine ...` gets `World.real`, which reads what Terraform would read.
"""

from __future__ import annotations

import os
import random
import uuid
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

__all__ = ["ConfinementError", "Files", "World"]


class ConfinementError(OSError):
    """A path leads, after following links, outside the directory this World is confined to."""


@dataclass(frozen=True, slots=True)
class Files:
    """File access relative to a working directory, optionally confined to a root.

    Confinement resolves links first, so a link inside the root that points outside is refused as well.
    """

    working_directory: Path
    root: Path | None = None
    home: Path | None = None

    def locate(self, path: str) -> Path:
        """The absolute place of a path, checked against the root."""
        located = self.working_directory / path
        if self.root is not None:
            resolved = located.resolve()
            if not resolved.is_relative_to(self.root.resolve()):
                raise ConfinementError(f"{path} is outside the directory of this run")
        return located

    def read_bytes(self, path: str) -> bytes:
        return self.locate(path).read_bytes()

    def is_file(self, path: str) -> bool:
        return self.locate(path).is_file()

    def is_directory(self, path: str) -> bool:
        return self.locate(path).is_dir()

    def exists(self, path: str) -> bool:
        return os.path.lexists(self.locate(path))

    def walk(self, path: str) -> Iterator[str]:
        """Paths of all regular files below a directory (links to files included), relative to it, in no order."""
        base = self.locate(path)
        for directory, _, names in os.walk(base, followlinks=False):
            for name in names:
                full = Path(directory) / name
                if full.is_file():
                    yield full.relative_to(base).as_posix()


@dataclass(frozen=True, slots=True)
class World:
    files: Files
    environment: Mapping[str, str] = field(default_factory=dict)
    now: Callable[[], datetime] = lambda: datetime.now(UTC)
    random: random.Random = field(default_factory=random.SystemRandom)

    def new_uuid(self) -> str:
        return str(uuid.UUID(int=self.random.getrandbits(128), version=4))

    def random_bytes(self, count: int) -> bytes:
        return self.random.randbytes(count)

    @staticmethod
    def real(working_directory: Path) -> World:
        """The operating system's own: for a person running an engine on their own configuration."""
        home = os.environ.get("HOME")
        files = Files(working_directory, home=Path(home) if home else None)
        return World(files, dict(os.environ))

    @staticmethod
    def confined(root: Path, seed: int, now: datetime) -> World:
        """Reproducible: fixed time, seeded randomness, no environment, files only below `root`."""
        return World(Files(root, root=root, home=root), {}, lambda: now, random.Random(seed))
