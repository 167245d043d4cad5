"""Directories that stand in for sources of modules, so that nothing has to be installed."""

from __future__ import annotations

import posixpath
from collections.abc import Mapping
from dataclasses import field
from typing import Final

from shared_nodes.config.syntax.module_source import canonical_source, is_local, split_source
from shared_nodes.flavour import Flavour
from shared_nodes.record import record

__all__ = ["NO_GIVEN_MODULES", "GivenModules"]


@record
class GivenModules:
    """Directories that stand in for sources of modules."""

    directories: Mapping[str, str] = field(default_factory=dict)
    """By source, as it was given."""

    def find(self, source: str, flavour: Flavour) -> str | None:
        """Return the directory for a source; None if there is none. A source that was given without a directory inside
        of the package, or without a query such as `?ref=v1`, stands for all of them."""
        if is_local(source):
            return None
        wanted = canonical_source(source, flavour)
        package, inside, query = split_source(wanted)
        known = {canonical_source(given, flavour): directory for given, directory in self.directories.items()}
        for candidate, deeper in (
            (wanted, ""),
            (f"{package}{inside}", ""),
            (f"{package}{query}", inside),
            (package, inside),
        ):
            if candidate in known:
                return posixpath.normpath(posixpath.join(known[candidate], deeper.lstrip("/")))
        return None


NO_GIVEN_MODULES: Final = GivenModules()
