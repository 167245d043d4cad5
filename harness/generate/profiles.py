"""Profiles: how large the stories of a campaign are, and which features they may use."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from harness.engines.external import find_binary, is_external
from shared_nodes.flavour import OPENTOFU_1_12
from shared_nodes.record import record

__all__ = ["PROFILES", "Profile", "Size", "profile_for"]


@record
class Size:
    blocks: int
    steps: int


@record
class Profile:
    """What kind of stories to generate. `sizes` take turns, small ones first: a difference is easier to understand in a
    small story."""

    sizes: tuple[Size, ...]
    has_simcloud: bool = True
    opentofu_per_cent: int = 25
    """Percentage of stories in the OpenTofu flavour. Laws are those of OpenTofu if all stories are."""

    mistakes_per_cent: int = 15
    """Percentage of versions with one deliberate mistake."""

    forbidden: frozenset[str] = frozenset()
    engines: tuple[str, ...] = ("legacy", "new")
    """The engines of a campaign that names none. The first is the baseline."""


SMALL: Final = Size(3, 2)
LONG: Final = Size(4, 4)
MEDIUM: Final = Size(7, 2)
LARGE: Final = Size(14, 4)

_NOT_REPEATABLE: Final = frozenset(
    {
        *(
            "time of the plan",
            "path",
            "path of the root",
            "function upper",
            "function substr",
            "function md5",
            "function split",
        ),
        *("function base64encode", "function sort", "function replace", "for expression", "for expression to a map"),
        *("function keys", "function element", "mistake: for_each over something unknown"),
        "arithmetic",
    }
)
"""Features whose result a real binary changes from run to run, functions that hide a random id beyond recognition, and
numbers whose internal form decides whether a refresh-only plan is worth applying (docs/findings.md)."""

_HIDING_IN_OPENTOFU: Final = frozenset({"opentofu: function base64gunzip", "opentofu: function urldecode"})
"""Functions only OpenTofu has that hide a random id on the way."""

PROFILES: Final = {
    "default": Profile((SMALL, LONG, MEDIUM, LONG, LARGE)),
    "small": Profile((SMALL,)),
    "medium": Profile((MEDIUM,)),
    "large": Profile((LARGE,)),
    "opentofu": Profile((SMALL, MEDIUM), opentofu_per_cent=100),
    "terraform": Profile(
        (SMALL, SMALL, MEDIUM),
        has_simcloud=False,
        opentofu_per_cent=0,
        forbidden=_NOT_REPEATABLE,
        engines=("terraform", "legacy"),
    ),
    "tofu": Profile(
        (SMALL, SMALL, MEDIUM),
        has_simcloud=False,
        opentofu_per_cent=100,
        forbidden=_NOT_REPEATABLE | _HIDING_IN_OPENTOFU,
        engines=("tofu", "legacy", "new"),
    ),
}


def profile_for(name: str, engines: Iterable[str]) -> Profile:
    """Return a profile for these engines. Where a binary takes part, stories are of its product, and limited to what it
    can run: any profile covers its features with binaries, too."""
    profile = PROFILES[name]
    binaries = [find_binary(engine) for engine in engines if is_external(engine)]
    if not binaries or not profile.has_simcloud:
        return profile
    is_opentofu = binaries[0].flavour == OPENTOFU_1_12
    return replace(
        profile,
        has_simcloud=False,
        opentofu_per_cent=100 if is_opentofu else 0,
        forbidden=profile.forbidden | _NOT_REPEATABLE | _HIDING_IN_OPENTOFU,
    )
