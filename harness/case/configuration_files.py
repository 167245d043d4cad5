"""The files of the configurations of a case, for reading them without running anything."""

from __future__ import annotations

from harness.case.case import Case
from shared_nodes.world import Files

__all__ = ["files_of"]


def files_of(case: Case, name: str) -> Files:
    """Return the files of a configuration, confined to the case. A plain directory has only one, whatever its name. The
    root is absolute, so that it stays valid after the process has changed its directory."""
    if case.plain is not None:
        return case.plain.own_files
    root = case.directory.absolute()
    return Files(root / name, root=root)
