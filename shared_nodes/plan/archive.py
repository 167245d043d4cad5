"""The archive that a plan file is: members by name, whose bytes depend on their contents alone.

A module of its own because most commands neither write nor read one, and the library for it is slow to import.
"""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Mapping
from typing import Final

__all__ = ["DamagedArchiveError", "pack", "unpack"]

_FAILURES: Final = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError)
"""The exceptions that reading a damaged archive can raise: a wrong checksum, an unknown method, a claim to be
encrypted."""


class DamagedArchiveError(Exception):
    """These bytes are no archive, or no longer."""


def pack(contents: Mapping[str, bytes]) -> bytes:
    """Return the archive. Its members have a fixed time, so that the same plan always gives the same bytes."""
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as members:
        for name, content in contents.items():
            member = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            member.compress_type = zipfile.ZIP_DEFLATED
            members.writestr(member, content)
    return archive.getvalue()


def unpack(archive: bytes) -> dict[str, bytes]:
    try:
        with zipfile.ZipFile(io.BytesIO(archive)) as members:
            return {name: members.read(name) for name in members.namelist()}
    except _FAILURES as failure:
        raise DamagedArchiveError from failure
