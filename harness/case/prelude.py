"""The prelude of a run: a file that is added to every module which does not declare its providers.

A runtime that demands declarations refuses most configurations that were written for one that does not, and shows
nothing else of them. All engines of a run see the same files. A case that is about missing declarations has
`prelude: false`.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Final

from harness.case.yaml_fields import CaseError
from shared_nodes.lang.file_names import CONFIGURATION_SUFFIXES
from shared_nodes.record import record
from shared_nodes.world import Files

__all__ = ["BUILTIN_PRELUDE", "PRELUDE_FILE", "Prelude", "PreludeError", "read_prelude"]

PRELUDE_FILE: Final = "zz_prelude.tf"
"""A name that no configuration uses."""

BUILTIN_PRELUDE: Final = "builtin"
_BUILTIN_TEXT: Final = """terraform {
  required_providers {
    terraform = {
      source = "terraform.io/builtin/terraform"
    }
  }
}
"""
_DECLARES: Final = re.compile(r"\brequired_providers\b")


class PreludeError(Exception):
    """The prelude cannot be read. The message says why."""


@record
class Prelude:
    option: str
    """As the command line names it: a file, or `builtin`."""

    text: str

    def add_to(self, directory: Path) -> None:
        """Add the file to all modules at and below the directory that have configuration and declare no providers. A
        file of its name gives way. It may be a link, and what that leads to must not be overwritten. CaseError is
        raised if there is something else of that name."""
        for place, _, names in os.walk(directory):
            files = [Path(place, name) for name in names if name.endswith(CONFIGURATION_SUFFIXES)]
            if files and not any(map(_declares_providers, files)):
                self._write(Path(place, PRELUDE_FILE))

    def _write(self, file: Path) -> None:
        try:
            file.unlink(missing_ok=True)
            with file.open("x", encoding="utf-8") as new:
                new.write(self.text)
        except OSError as problem:
            raise CaseError(f"{file.name}: has the name of the prelude, and cannot be replaced: {problem}") from problem


def _declares_providers(file: Path) -> bool:
    try:
        text = Files(file.parent).read_bytes(file.name).decode("utf-8", errors="replace")
    except OSError:
        return False
    return _DECLARES.search(text) is not None


def read_prelude(option: str) -> Prelude:
    """Return the prelude that the command line names. `builtin` declares the provider that both products contain."""
    if option == BUILTIN_PRELUDE:
        return Prelude(option, _BUILTIN_TEXT)
    try:
        return Prelude(option, Path(option).read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as problem:
        reason = getattr(problem, "strerror", None) or "it is not UTF-8 text"
        raise PreludeError(f"{option}: cannot be read: {reason}; {BUILTIN_PRELUDE} names the shipped one") from problem
