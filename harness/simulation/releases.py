"""Which release of a modelled provider a configuration gets: what `required_providers` allows decides."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from shared_nodes.config.syntax.version_constraint import Version, VersionConstraint, parse_constraints

__all__ = ["newest_allowed"]


def newest_allowed(releases: Sequence[Version], constraints: Iterable[str]) -> Version:
    """Return the newest of the releases, which are in order, that all constraints allow, as an installation would
    choose it. If no release fits, return the newest, because nothing is installed here that could refuse."""
    required: list[VersionConstraint] = []
    for text in constraints:
        required.extend(parse_constraints(text) or ())
    fitting = [release for release in releases if all(one.allows(release) for one in required)]
    return (fitting or releases)[-1]
