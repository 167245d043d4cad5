"""Schemas of plugins on disk, by the content of the program.

Starting a large plugin and asking it for its schema takes seconds, and the answer depends on nothing but the program.
Like every cache, it may be absent, full or spoilt: then the plugin is asked.
"""

from __future__ import annotations

import hashlib
import os
import struct
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Final

from harness.plugins.wire.methods import Major
from shared_nodes.record import record

__all__ = ["CachedSchema", "SchemaCache", "cache_directory"]

_FORMAT: Final = "2"
"""Changed whenever what is stored changes its meaning."""

_HEAD: Final = struct.Struct(">Bq")
"""The version of the protocol, and the length of the answer about identities; a negative one if there is none."""


@record
class CachedSchema:
    """The answer of a plugin to the question for its schema, in the version of the protocol that it speaks; and to that
    for identities, which is None if it was not asked."""

    major: Major
    answer: bytes
    identities: bytes | None = None


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
            if hashlib.sha256(content[32:]).digest() != content[:32]:
                return None
            major, length = _HEAD.unpack_from(content, 32)
            parts = content[32 + _HEAD.size :]
            identities = None if length < 0 else parts[:length]
            return CachedSchema(Major(major), parts[max(length, 0) :], identities)
        except (OSError, struct.error, ValueError):
            return None

    def store(self, executable: Path, schema: CachedSchema) -> None:
        """Store a schema for the next run. The file appears at once, since other runs may read it at this moment."""
        file = self._file(executable)
        if file is None:
            return
        identities = schema.identities
        length = -1 if identities is None else len(identities)
        content = _HEAD.pack(schema.major, length) + (identities or b"") + schema.answer
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
