"""Where a result comes from: the version of diffharness and the commit of the project."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Final

__all__ = ["commit_here", "repository_here", "version", "version_fact"]

_PACKAGE: Final = "diffharness"


def version() -> str:
    """Return the version that is installed. It is part of the name of a directory; the module that reads the directory
    takes as long to import as all else that `--version` does."""
    for entry in sys.path:
        for found in Path(entry).glob(f"{_PACKAGE}-*.dist-info"):
            return found.name.removeprefix(f"{_PACKAGE}-").removesuffix(".dist-info")
    import importlib.metadata

    return importlib.metadata.version(_PACKAGE)


def commit_here() -> str:
    """Return the commit checked out in the current directory, or an empty text outside a repository."""

    try:
        command = ["git", "rev-parse", "--short=12", "HEAD"]
        return subprocess.run(command, capture_output=True, text=True, timeout=10, check=True).stdout.strip()
    except (OSError, subprocess.SubprocessError):
        return ""


def repository_here() -> Path:
    """Return the top of the repository around the current directory; outside of one, the directory itself."""
    here = Path.cwd()
    return next((place for place in (here, *here.parents) if (place / ".git").exists()), here)


def version_fact(engine: str) -> str:
    """Return the name of the fact about a run that holds the version of a binary."""
    return f"version of {engine}"
