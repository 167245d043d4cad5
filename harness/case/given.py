"""What the user gives to configurations without a `case.yaml`: directories, modules, and values of variables.

A configuration may come from anywhere. Only what was given is read and copied.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import field
from pathlib import Path
from typing import Final

from shared_nodes.record import record

__all__ = ["NOTHING_GIVEN", "NO_DIRECTORIES", "VALUE_FILE", "VALUE_TEXT", "GivenDirectories", "GivenInputs"]

VALUE_TEXT: Final = "var"
VALUE_FILE: Final = "var_file"
"""The kinds of values: `NAME=VALUE`, and the absolute path of a file."""


@record
class GivenDirectories:
    """Directories that the user has given, with links resolved."""

    roots: tuple[Path, ...]

    @staticmethod
    def of(paths: Iterable[Path]) -> GivenDirectories:
        return GivenDirectories(tuple(Path(os.path.realpath(path)) for path in paths))

    def contain(self, path: Path) -> bool:
        place = Path(os.path.realpath(path))
        return any(place.is_relative_to(root) for root in self.roots)


NO_DIRECTORIES: Final = GivenDirectories(())


@record
class GivenInputs:
    directories: tuple[Path, ...] = ()
    """The directories in which modules may be, besides that of the configuration itself."""

    modules: Mapping[str, str] = field(default_factory=dict)
    """Absolute directories that stand in for sources of modules, as `--module` names them."""

    values: tuple[tuple[str, str], ...] = ()
    """Values of root variables, each with its kind, in the order in which they were given: the last one counts."""

    generates_values: bool = False
    """Whether values are chosen for required variables that have none."""


NOTHING_GIVEN: Final = GivenInputs()
