"""A Hypothesis strategy for stories: the same generator, with every decision drawn by Hypothesis.

Hypothesis can therefore shrink a story: lower decisions are simpler ones.
"""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import strategies as st

from harness.generate.choices import DrawingChooser, GenerationContext
from harness.generate.profiles import PROFILES
from harness.generate.story import GeneratedStory
from harness.generate.story_generator import generate_story

__all__ = ["stories"]


@st.composite
def stories(
    draw: Callable[[st.SearchStrategy[int]], int], profile: str = "small", name: str = "drawn"
) -> GeneratedStory:
    """Generate stories of the first, smallest size of a profile."""
    chosen = PROFILES[profile]
    chooser = DrawingChooser(lambda low, high: draw(st.integers(low, high)))
    return generate_story(GenerationContext(chooser, forbidden=chosen.forbidden), chosen, chosen.sizes[0], name)
