"""Python child processes that import the same packages as this process, whatever the user's directories contain.

`python -m` and `python -c` look for modules in the current directory first, and `PYTHONPATH` precedes everything that
is installed. A user whose project has a folder named `harness` or a file `reports.py` would get that instead of ours.
So every child is started with `import_path()`: the search path of this process, with the current directory and the
entries of `PYTHONPATH` moved to its end. They are not removed, because an engine that is offered as an entry point may
be installed there. `python -I` is no alternative: it also ignores `PYTHONHASHSEED`, and loses those engines.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from multiprocessing.context import ForkServerContext

__all__ = [
    "child_environment",
    "forkserver_context",
    "import_path",
    "protect_imports",
    "python_command",
]

_HOME: Final = str(Path(__file__).absolute().parent.parent)
"""The directory this package was imported from."""


def import_path() -> list[str]:
    """Return the module search path for child processes, all entries absolute.

    Entries of the user (the current directory and `PYTHONPATH`) come last. The directory of our own packages keeps its
    place even if it is one of them, as in a checkout that is not installed. If it is not on the path at all, as in an
    editable install that works through an import hook, it is inserted before the user's entries.
    """
    of_user = [os.path.abspath(entry) for entry in os.environ.get("PYTHONPATH", "").split(os.pathsep) if entry]
    movable = {os.getcwd(), *of_user} - {_HOME}
    entries = [os.path.abspath(entry) for entry in sys.path]
    installed = [entry for entry in entries if entry not in movable]
    if _HOME not in installed:
        installed.append(_HOME)
    moved = [entry for entry in [*entries, *of_user] if entry in movable]
    return list(dict.fromkeys([*installed, *moved]))


def protect_imports() -> None:
    """Apply `import_path` to this process. An entry point calls this before it imports anything lazily."""
    sys.path[:] = import_path()


def python_command(module: str) -> list[str]:
    """Return the command line of a Python process that calls `main()` of the module."""
    program = f"import sys; sys.path[:] = {import_path()!r}; from {module} import main; main()"
    return [sys.executable, "-P", "-c", program]


@contextmanager
def child_environment() -> Iterator[None]:
    """Pass `import_path` through the environment, for children whose command line is composed by a library."""
    changed = {"PYTHONSAFEPATH": "1", "PYTHONPATH": os.pathsep.join(import_path())}
    before = {name: os.environ.get(name) for name in changed}
    os.environ.update(changed)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def forkserver_context(preload: Sequence[str] | None = None) -> ForkServerContext:
    """Return the `forkserver` context of multiprocessing, with its server running.

    The server is started here because its command line has the current directory on the path. There is one server per
    process, so `preload` (modules it imports before it forks) has an effect only on the first call.
    """
    from multiprocessing import forkserver, get_context

    from harness.owned_directory import keep_sockets

    keep_sockets()
    context = get_context("forkserver")
    if preload is not None:
        context.set_forkserver_preload(list(preload))
    with child_environment():
        forkserver.ensure_running()
    return context
