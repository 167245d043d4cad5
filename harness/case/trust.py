"""What a case may do to the machine it is run on: nothing, unless somebody here has said so.

A case is somebody else's program. Its expressions read files of the case alone, in a scratch copy and a World that is
confined to that copy, whoever wrote it. What runs other programs, `local-exec` and real binaries, does so only for
directories the project the user stands in lists as `trusted`, or with `--allow-exec`. Elsewhere a command counts as run
and successful, the result names it, and a binary is refused.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable
from pathlib import Path

from harness.case.case import KEPT_DIRECTORY
from harness.case.yaml_fields import CaseError
from harness.engines.external import is_external

__all__ = ["may_execute", "refused_binaries", "require_contained"]


def may_execute(path: Path, trusted: Iterable[Path]) -> bool:
    """By where the case really is: a link in a trusted directory makes nothing trusted."""
    place = Path(os.path.realpath(path))
    return any(place.is_relative_to(directory) for directory in trusted)


def refused_binaries(engines: Iterable[str], paths: Iterable[Path], trusted: Iterable[Path]) -> str | None:
    """Why these engines must not run what is below these paths; None where they may. A configuration can make a real
    binary run commands of any kind, and no case of it is worth less caution than the others."""
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
    """CaseError for anything in a case that is neither a file nor a directory, nor a link to a file inside the case: a
    copy of another link would be a copy of somebody's file, or one without end, and reading a pipe might never end."""
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
