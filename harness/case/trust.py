"""Decides what a case may do to the machine it runs on: nothing, unless the user allows it.

A case may come from anywhere. Its expressions read files of the case alone, in a scratch copy and a World that is
confined to that copy. What runs other programs, `local-exec` and real binaries, does so only for directories that the
user's project lists as `trusted`, or with `--allow-exec`. Elsewhere a command is not run but assumed to have succeeded,
the result names it, and a binary is refused.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from harness.configuration import may_execute
from harness.engines.external import is_external

__all__ = ["refused_binaries"]


def refused_binaries(engines: Iterable[str], paths: Iterable[Path], trusted: Iterable[Path]) -> str | None:
    """Return why these engines must not run what is below these paths, or None if they may. A configuration can make a
    real binary run any command."""
    trusted = tuple(trusted)
    binaries = [name for name in engines if is_external(name)]
    strangers = [path for path in paths if not may_execute(path, trusted)]
    if not binaries or not strangers:
        return None
    return (
        f"{binaries[0]} is a real program, and would run whatever {strangers[0]} says. If you trust that directory, "
        "add --allow-exec, or list it under trusted in [tool.diffharness] of your pyproject.toml."
    )
