"""Pet names as `random_pet` puts them together: adverbs, one adjective, one animal. The words are our own."""

from __future__ import annotations

import random
from typing import Final

__all__ = ["pet_name"]

_ADVERBS: Final = ("boldly", "calmly", "gently", "gladly", "kindly", "neatly", "quietly", "rarely", "softly", "warmly")
_ADJECTIVES: Final = ("brave", "clever", "eager", "fond", "happy", "humble", "jolly", "keen", "lucky", "merry", "noble")
_ANIMALS: Final = ("badger", "beaver", "crane", "falcon", "ferret", "gecko", "heron", "lynx", "marten", "otter", "owl")


def pet_name(chance: random.Random, length: int, separator: str) -> str:
    """Return a name of as many words as wanted, but at least one."""
    words = [chance.choice(_ANIMALS)]
    if length > 1:
        words.insert(0, chance.choice(_ADJECTIVES))
    return separator.join([*(chance.choice(_ADVERBS) for _ in range(length - 2)), *words])
