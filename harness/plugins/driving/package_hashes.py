"""Checksums of provider packages, as lock files record them.

`h1:` is a hash of all files of a package, whether it is packed or not. `zh:` is that of the archive in which a registry
distributes the package, so it says nothing about an unpacked one.
"""

from __future__ import annotations

import base64
import hashlib
import os
import zipfile
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import IO

__all__ = ["has_any_hash", "package_hash"]


def has_any_hash(package: Path, hashes: Collection[str]) -> bool:
    """Return whether a directory or an archive has one of these checksums. OSError says that it cannot be read."""
    if package.is_file() and f"zh:{_file_digest(package)}" in hashes:
        return True
    return any(one.startswith("h1:") for one in hashes) and package_hash(package) in hashes


def package_hash(package: Path) -> str:
    """The `h1:` checksum of a directory or an archive."""
    if package.is_file():
        with zipfile.ZipFile(package) as archive:
            names = [name for name in archive.namelist() if not name.endswith("/")]
            return _combined((name, _digest(archive.open(name))) for name in names)
    return _combined((name, _file_digest(package / name)) for name in _files_below(package))


def _combined(files: Iterable[tuple[str, str]]) -> str:
    listing = "".join(f"{digest}  {name}\n" for name, digest in sorted(files, key=lambda file: os.fsencode(file[0])))
    return "h1:" + base64.b64encode(hashlib.sha256(os.fsencode(listing)).digest()).decode()


def _files_below(directory: Path) -> Iterable[str]:
    for place, _, files in os.walk(directory):
        for name in files:
            yield (Path(place) / name).relative_to(directory).as_posix()


def _file_digest(file: Path) -> str:
    return _digest(file.open("rb"))


def _digest(content: IO[bytes]) -> str:
    with content:
        digest = hashlib.sha256()
        while chunk := content.read(1 << 20):
            digest.update(chunk)
        return digest.hexdigest()
