"""Where a result comes from: the version of diffharness and the commit of the project."""

from __future__ import annotations

import importlib.metadata
import subprocess

__all__ = ["commit_here", "version", "version_fact"]


def version() -> str:
    return importlib.metadata.version("diffharness")


def commit_here() -> str:
    """Return the commit checked out in the current directory, or an empty text outside a repository."""
    try:
        command = ["git", "rev-parse", "--short=12", "HEAD"]
        return subprocess.run(command, capture_output=True, text=True, timeout=10, check=True).stdout.strip()
    except (OSError, subprocess.SubprocessError):
        return ""


def version_fact(engine: str) -> str:
    """Return the name of the fact about a run that holds the version of a binary."""
    return f"version of {engine}"
