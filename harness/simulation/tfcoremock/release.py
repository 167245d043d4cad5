"""Which release of tfcoremock a configuration requires, and the differences between releases.

Published recordings were made with release 0.1.1, in which the attributes of data sources were optional instead of
computed, so that they were null in a plan and not unknown. A mock of only the newest release would differ from these
recordings, one of only the oldest from what users get today.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from harness.simulation.releases import newest_allowed
from shared_nodes.config.syntax.version_constraint import Version
from shared_nodes.record import record

__all__ = ["NEWEST", "Release", "release_for"]


@record
class Release:
    version: Version

    @property
    def data_attributes_are_computed(self) -> bool:
        return self._is_from(0, 1, 3)

    @property
    def computes_defaults(self) -> bool:
        """Whether a computed attribute without a defined value gets an empty one; later releases leave it null."""
        return not self._is_from(0, 2, 0)

    @property
    def removes_empty_directory(self) -> bool:
        return self._is_from(0, 3, 0)

    @property
    def fails_on_request(self) -> bool:
        return self._is_from(0, 4, 0)

    @property
    def defers_on_request(self) -> bool:
        return self._is_from(0, 6, 0)

    def _is_from(self, *segments: int) -> bool:
        return self.version.compare(Version(segments)) >= 0


_RELEASES: Final = tuple(
    Release(Version(segments))
    for segments in ((0, 1, 0), (0, 1, 1), (0, 1, 2), (0, 1, 3), (0, 2, 0), (0, 3, 0), (0, 4, 0), (0, 5, 0), (0, 6, 0))
)
NEWEST: Final = _RELEASES[-1]


def release_for(constraints: Iterable[str]) -> Release:
    version = newest_allowed([release.version for release in _RELEASES], constraints)
    return Release(version)
