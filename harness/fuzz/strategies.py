"""The generator in Hypothesis' hands: the same code, with every decision drawn.

Hypothesis then knows how to make a story smaller: it makes decisions smaller, and smaller decisions are simpler ones.
"""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import strategies as st

from harness.fuzz.chooser import DrawingChooser
from harness.fuzz.craft import Craft
from harness.fuzz.story import Story
from harness.fuzz.telling import PROFILES, tell_story

__all__ = ["stories"]


@st.composite
def stories(draw: Callable[[st.SearchStrategy[int]], int], profile: str = "small", name: str = "drawn") -> Story:
    """Of the first, smallest size of the profile."""
    chosen = PROFILES[profile]
    chooser = DrawingChooser(lambda low, high: draw(st.integers(low, high)))
    return tell_story(Craft(chooser, forbidden=chosen.forbidden), chosen, chosen.sizes[0], name)
