"""Decides what a case may do to the machine it runs on: nothing, unless the user allows it.

A case may come from anywhere. Its expressions read files of the case alone, in a scratch copy and a World that is
confined to that copy. What runs other programs, `local-exec` and real binaries, does so only for directories that the
user's project lists as `trusted`, or with `--allow-exec`. Elsewhere a command is not run but assumed to have succeeded,
the result names it, and a binary is refused.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable
from pathlib import Path

from harness.case.case import KEPT_DIRECTORY
from harness.case.yaml_fields import CaseError
from harness.configuration import may_execute
from harness.engines.external import is_external

__all__ = ["may_execute", "refused_binaries", "require_contained"]


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


def require_contained(directory: Path) -> None:
    """Raise CaseError for anything in a case that is neither a file nor a directory, nor a link to a file inside the
    case. Following another link might copy private files or never end, and so might reading a pipe."""
    root = os.path.realpath(directory)
    for place, directories, files in os.walk(directory):
        directories[:] = [name for name in directories if name != KEPT_DIRECTORY]
        for name in (*directories, *files):
            path = os.path.join(place, name)
            mode = os.lstat(path).st_mode
            if stat.S_ISLNK(mode):
                _require_inside(path, root)
            elif not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
                raise CaseError(f"{path}: neither a file nor a directory, so it cannot be part of a case")


def _require_inside(link: str, root: str) -> None:
    target = os.path.realpath(link)
    if not os.path.isfile(target) or not Path(target).is_relative_to(root):
        raise CaseError(f"{link}: a link that does not lead to a file of the case; put the file itself there")
