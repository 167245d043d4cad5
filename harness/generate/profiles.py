"""Profiles: how large the stories of a campaign are, and which features they may use."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

__all__ = ["PROFILES", "Profile", "Size"]


@dataclass(frozen=True, slots=True)
class Size:
    blocks: int
    steps: int


@dataclass(frozen=True, slots=True)
class Profile:
    """`sizes` are taken in turn, small ones first: what a small story shows nobody wants to see in a large one."""

    sizes: tuple[Size, ...]
    has_simcloud: bool = True
    opentofu: int = 25
    """Per cent of stories in that flavour."""

    mistakes: int = 15
    """Per cent of versions that are wrong on purpose, in one place."""

    forbidden: frozenset[str] = frozenset()


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
"""What a binary answers otherwise in each run, what is made of a random id and does not show it any more, and numbers
whose inner form decides whether refreshing alone is worth applying (docs/findings.md)."""

PROFILES: Final = {
    "default": Profile((SMALL, LONG, MEDIUM, LONG, LARGE)),
    "small": Profile((SMALL,)),
    "medium": Profile((MEDIUM,)),
    "large": Profile((LARGE,)),
    "opentofu": Profile((SMALL, MEDIUM), opentofu=100),
    "terraform": Profile((SMALL, SMALL, MEDIUM), has_simcloud=False, opentofu=0, forbidden=_NOT_REPEATABLE),
}
