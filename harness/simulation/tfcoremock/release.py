"""Which release of tfcoremock a configuration asks for, and what differs between releases.

Published recordings were made with release 0.1.1, whose data sources were no data sources yet: their attributes were
optional, so that they were null in a plan instead of unknown. A mock of the newest release alone would differ from
these recordings, one of the oldest alone from what people get today.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from shared_nodes.config.version_constraint import Version, VersionConstraint, parse_constraints

__all__ = ["NEWEST", "Release", "release_for"]


@dataclass(frozen=True, slots=True)
class Release:
    version: Version

    @property
    def data_attributes_are_computed(self) -> bool:
        return self._is_from(0, 1, 3)

    @property
    def computes_defaults(self) -> bool:
        """A computed attribute without a value of its own gets an empty one; later releases leave it null."""
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
    """The newest release that all constraints allow, as installing would choose it. The newest of all where none
    does: there is no installing here that could refuse."""
    required: list[VersionConstraint] = []
    for text in constraints:
        required.extend(parse_constraints(text) or ())
    fitting = [release for release in _RELEASES if all(one.allows(release.version) for one in required)]
    return fitting[-1] if fitting else NEWEST
