"""Which diffharness, of which project, said something: what a result is kept with."""

from __future__ import annotations

import importlib.metadata
import subprocess

__all__ = ["commit_here", "version"]


def version() -> str:
    return importlib.metadata.version("diffharness")


def commit_here() -> str:
    """Of the project the user stands in; empty where that is under no version control."""
    try:
        command = ["git", "rev-parse", "--short=12", "HEAD"]
        return subprocess.run(command, capture_output=True, text=True, timeout=10, check=True).stdout.strip()
    except (OSError, subprocess.SubprocessError):
        return ""
