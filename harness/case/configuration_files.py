"""Where the configurations of a case are, for whoever reads them without running anything."""

from __future__ import annotations

from harness.case.case import Case
from shared_nodes.world import Files

__all__ = ["files_of"]


def files_of(case: Case, name: str) -> Files:
    """Of one configuration, confined to the case. A plain directory has only one, whatever it is called. Absolute:
    where a relative root leads to would be another place after the process has changed its directory."""
    if case.plain is not None:
        return Files(case.plain.root / case.plain.main, root=case.plain.root)
    root = case.directory.absolute()
    return Files(root / name, root=root)
