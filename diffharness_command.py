"""The entry point of the `diffharness` command.

It imports our packages and not others of the same name. They are installed as `harness`, `reports` and so on, and
`PYTHONPATH` precedes everything that is installed: a folder of the user with such a name would hide ours. This module
has a name of its own, so it can put the search path in order before it imports any of them.

And it gives `run` a fixed hash seed, which a Python program has to have from its beginning. Only then can its workers
be forked from it (`harness/execute/keeper_process.py`), which saves more time than it takes to begin again.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Final

__all__ = ["main"]

_HASH_SEED: Final = "PYTHONHASHSEED"


def main() -> None:
    if not sys.executable and sys.platform == "linux":
        # Python that was started by name in an environment without PATH does not know where it is, and our processes
        # are started from it.
        sys.executable = os.path.realpath("/proc/self/exe")
    if sys.argv[1:2] == ["run"] and sys.platform == "linux" and _HASH_SEED not in os.environ:
        os.environ[_HASH_SEED] = "0"
        os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])
    sys.path.insert(0, str(Path(__file__).absolute().parent))
    from harness.child_process import protect_imports

    del sys.path[0]
    protect_imports()
    from harness.cli import main as run_command_line

    run_command_line()
