"""The World: everything outside the program that could make two runs differ.

The clock, identifiers, randomness, files, the environment and processes are accessed through a `World`, never through
the operating system directly. A harness run gives each case a World confined to the case's directory, with a fixed
clock and seeded ids; `diffharness engine ...` uses `World.real`, which reads what Terraform would read.
"""

from __future__ import annotations

import errno
import os
import pwd
import random
import stat
import uuid
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import field
from datetime import UTC, datetime
from functools import lru_cache
from io import BufferedReader
from pathlib import Path
from typing import Final, NamedTuple, Protocol

from shared_nodes import tasks
from shared_nodes.processes import FORBIDDEN, REAL, Processes
from shared_nodes.record import record

__all__ = [
    "DATA_DIRECTORY",
    "MANIFEST",
    "OUTSIDE",
    "ConfinementError",
    "DirectoryEntry",
    "Files",
    "Identifiers",
    "RefusedFileError",
    "SeededIdentifiers",
    "World",
]

OUTSIDE: Final = "outside the directory of this run"
"""What messages say of a path that confinement refuses."""

LARGEST_FILE: Final = 512 * 1024 * 1024
"""The largest file that is read. Files are read whole, so a larger one could exhaust the machine's memory."""

LARGEST_MANIFEST: Final = 16 * 1024 * 1024
DATA_DIRECTORY: Final = ".terraform"
"""Where `init` installs modules and providers, unless TF_DATA_DIR names another directory."""

MANIFEST: Final = ("modules", "modules.json")
"""The list of installed modules, inside of the data directory."""

_CHUNK: Final = 1024 * 1024


class ConfinementError(OSError):
    """A path leads, after links are resolved, outside the directory this World is confined to."""


class RefusedFileError(OSError):
    """The file could be read, but not to an end (a pipe, a device) or not within reasonable memory."""


class DirectoryEntry(NamedTuple):
    """An entry of a directory. `is_directory` is false for a link, whatever it points to."""

    name: str
    is_link: bool
    is_directory: bool


@record
class Files:
    """File access relative to a working directory, optionally confined to a root.

    Confinement resolves links first, so a link inside the root that points outside is refused as well, and `..` leads
    to the parent of a link's target. Everything wrong with a path or a file is an OSError, even where Python itself
    would raise another exception.
    """

    working_directory: Path
    root: Path | None = None
    home: Path | None = None

    def locate(self, path: str) -> Path:
        """Return the absolute path, checked against the root."""
        _check_encodable(path)
        located = os.path.join(os.path.abspath(self.working_directory), path)
        if self.root is not None and not _is_below(located, _resolve_root(os.path.abspath(self.root))):
            raise ConfinementError(f"{path} is {OUTSIDE}")
        return Path(located)

    def status(self, path: str, *, follow_links: bool = True) -> os.stat_result:
        return os.stat(self.locate(path), follow_symlinks=follow_links)

    def read_bytes(self, path: str, limit: int = LARGEST_FILE) -> bytes:
        """Return the content of a regular file."""
        with self._open_regular(path) as file:
            content = bytearray()
            while chunk := file.read(_CHUNK):
                content += chunk
                if len(content) > limit:
                    raise RefusedFileError(f"larger than {limit} bytes")
        return bytes(content)

    def read_head(self, path: str, count: int) -> bytes:
        """Return the first bytes of a regular file, however large it is."""
        with self._open_regular(path) as file:
            return file.read(count)

    def _open_regular(self, path: str) -> BufferedReader:
        """Open a regular file, in non-blocking mode: opening a pipe would otherwise block until something writes to
        it."""
        descriptor = os.open(self.locate(path), os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
        mode = os.fstat(descriptor).st_mode
        if stat.S_ISREG(mode):
            return open(descriptor, "rb")
        os.close(descriptor)
        if stat.S_ISDIR(mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), path)
        raise RefusedFileError("not a regular file")

    def list_directory(self, path: str) -> list[DirectoryEntry]:
        """Return the entries of a directory, sorted by name, so that no result depends on the order of the file
        system."""
        with os.scandir(self.locate(path)) as entries:
            found = [DirectoryEntry(e.name, e.is_symlink(), e.is_dir(follow_symlinks=False)) for e in entries]
        return sorted(found)

    def is_file(self, path: str) -> bool:
        return self.locate(path).is_file()

    def is_directory(self, path: str) -> bool:
        return self.locate(path).is_dir()

    def exists(self, path: str) -> bool:
        return os.path.lexists(self.locate(path))

    def module_manifest(self, data_directory: str = "") -> bytes | None:
        """Return the list of installed modules, as `init` leaves it in the data directory; None if there is none."""
        try:
            return self.read_bytes(self.manifest_path(data_directory), LARGEST_MANIFEST)
        except (FileNotFoundError, NotADirectoryError):
            return None

    def manifest_path(self, data_directory: str = "") -> str:
        return os.path.join(data_directory or DATA_DIRECTORY, *MANIFEST)

    def walk(self, path: str) -> Iterator[str]:
        """Yield the paths of all regular files below a directory, relative to it, always in the same order. Links to
        files count as files and are checked against the root like any path; links to directories are not followed."""
        pending = [""]
        while pending:
            below = pending.pop()
            for entry in self.list_directory(os.path.join(path, below)):
                relative = os.path.join(below, entry.name)
                if entry.is_directory:
                    pending.append(relative)
                elif self.is_file(os.path.join(path, relative)):
                    yield relative


@lru_cache(maxsize=8)
def _resolve_root(root: str) -> str:
    """Resolve the directory of a run. Cached, because it does not move during the run."""
    return os.path.realpath(root)


def _is_below(path: str, root: str) -> bool:
    """Return whether a path, which need not exist, is below the root. Path.resolve is not used because it raises its
    own exception for circular links."""
    resolved = os.path.realpath(path)
    return resolved == root or resolved.startswith(os.path.join(root, ""))


def _check_encodable(path: str) -> None:
    """Reject paths for which Python would raise ValueError; to the operating system they are merely names that cannot
    exist."""
    try:
        encoded = os.fsencode(path)
    except UnicodeEncodeError:
        raise OSError(errno.EINVAL, os.strerror(errno.EINVAL), path) from None
    if b"\0" in encoded:
        raise OSError(errno.EINVAL, os.strerror(errno.EINVAL), path)


class Identifiers(Protocol):
    """The source of ids for new objects."""

    def new(self, owner: str) -> str:
        """Return a new unique UUID for `owner`, the address of an object."""
        ...


class _RandomIdentifiers:
    def new(self, owner: str) -> str:  # noqa: ARG002  # the contract's name; chance needs no owner
        return str(uuid.uuid4())


@record(frozen=False)
class SeededIdentifiers:
    """Reproducible ids: the n-th id of an owner is the same in every run with this seed, in whatever order owners ask,
    so that concurrency does not show in a result. All steps of a case share one source; otherwise later objects would
    get the ids of earlier ones."""

    seed: int
    _counts: dict[str, int] = field(default_factory=dict)

    def new(self, owner: str) -> str:
        import hashlib

        count = self._counts[owner] = self._counts.get(owner, 0) + 1
        digest = hashlib.sha256(f"{self.seed}\n{count}\n{owner}".encode(errors="surrogatepass")).digest()
        return str(uuid.UUID(bytes=digest[:16], version=4))

    def copy(self) -> SeededIdentifiers:
        """Return a source that goes on from here on its own."""
        return SeededIdentifiers(self.seed, dict(self._counts))

    def continue_from(self, other: SeededIdentifiers) -> None:
        """Go on from where another source is."""
        self.seed, self._counts = other.seed, dict(other._counts)


@record
class World:
    files: Files
    environment: Mapping[str, str] = field(default_factory=dict)
    now: Callable[[], datetime] = lambda: datetime.now(UTC)
    random: random.Random = field(default_factory=random.SystemRandom)
    identifiers: Identifiers = field(default_factory=_RandomIdentifiers)
    processes: Processes = FORBIDDEN
    wait: Callable[[float], Awaitable[None]] = tasks.sleep
    """Waits for a number of seconds of this World's time, while everything else continues."""

    def random_bytes(self, count: int) -> bytes:
        return self.random.randbytes(count)

    @staticmethod
    def real(working_directory: Path) -> World:
        """Return the World of the operating system, for running an engine on a user's own configuration."""
        return World(Files(working_directory.absolute(), home=_find_home()), dict(os.environ), processes=REAL)

    @staticmethod
    def confined(root: Path, seed: int, now: datetime, *, processes: Processes = FORBIDDEN) -> World:
        """Return a reproducible World: fixed time, seeded randomness and ids, files only below `root`, and an
        environment with nothing but a fixed PATH. Real processes, if allowed, start below `root` but are not confined
        to it."""
        place = root.resolve()
        return World(
            Files(place, root=place, home=place),
            {} if processes is FORBIDDEN else {"PATH": os.defpath},
            lambda: now,
            random.Random(seed),
            SeededIdentifiers(seed),
            processes,
        )


def _find_home() -> Path | None:
    """Return HOME, unless empty, else the home directory in the user database."""
    home = os.environ.get("HOME")
    if not home:
        try:
            home = pwd.getpwuid(os.getuid()).pw_dir
        except KeyError:
            return None
    return Path(home) if home else None
