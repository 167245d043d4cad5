"""The entry point of the `diffharness` command.

Its only job is to import our packages and not others of the same name. They are installed as `harness`, `reports` and
so on, and `PYTHONPATH` precedes everything that is installed: a folder of the user with such a name would hide ours.
This module has a name of its own, so it can put the search path in order before it imports any of them.
"""

from __future__ import annotations

import sys
from pathlib import Path

__all__ = ["main"]


def main() -> None:
    sys.path.insert(0, str(Path(__file__).absolute().parent))
    from harness.child_process import protect_imports

    del sys.path[0]
    protect_imports()
    from harness.cli import main as run_command_line

    run_command_line()
