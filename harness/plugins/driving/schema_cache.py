"""Schemas of plugins on disk, by the content of the program.

Starting a large plugin and asking it for its schema takes seconds, and the answer depends on nothing but the program.
Like every cache, it may be absent, full or spoilt: then the plugin is asked.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Final

from harness.plugins.wire.methods import Major
from shared_nodes.record import record

__all__ = ["CachedSchema", "SchemaCache", "cache_directory"]

_FORMAT: Final = "1"
"""Changed whenever what is stored changes its meaning."""


@record
class CachedSchema:
    """The answer of a plugin to the question for its schema, in the version of the protocol that it speaks."""

    major: Major
    answer: bytes


def cache_directory(environment: Mapping[str, str], home: Path | None) -> Path | None:
    """Return where this program may store what it can find out again; None if there is no such place."""
    named = environment.get("XDG_CACHE_HOME")
    base = Path(named) if named and os.path.isabs(named) else None if home is None else home / ".cache"
    return None if base is None else base / "diffharness"


@record
class SchemaCache:
    directory: Path | None

    def find(self, executable: Path) -> CachedSchema | None:
        file = self._file(executable)
        if file is None:
            return None
        try:
            content = file.read_bytes()
            digest, major, answer = content[:32], content[32], content[33:]
            if hashlib.sha256(content[32:]).digest() != digest:
                return None
            return CachedSchema(Major(major), answer)
        except (OSError, IndexError, ValueError):
            return None

    def store(self, executable: Path, schema: CachedSchema) -> None:
        """Store a schema for the next run. The file appears at once, since other runs may read it at this moment."""
        file = self._file(executable)
        if file is None:
            return
        content = bytes([schema.major]) + schema.answer
        with suppress(OSError):
            file.parent.mkdir(parents=True, exist_ok=True)
            descriptor, temporary = tempfile.mkstemp(dir=file.parent)
            with open(descriptor, "wb") as new:
                new.write(hashlib.sha256(content).digest() + content)
            os.replace(temporary, file)

    def _file(self, executable: Path) -> Path | None:
        if self.directory is None:
            return None
        try:
            status = executable.stat()
        except OSError:
            return None
        digest = _digest(executable, status.st_mtime_ns, status.st_size)
        return self.directory / "plugin-schemas" / _FORMAT / digest


@lru_cache(maxsize=64)
def _digest(executable: Path, _changed_ns: int, _size: int) -> str:
    with executable.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
