"""Which characters quoted text contains unchanged, and which are escaped.

The original follows Unicode 15.0. Python 3.11 follows Unicode 14.0, so the additions in between are listed here;
otherwise both agree on every character.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import Final

__all__ = ["is_printable"]

_ADDED: Final = (
    (0x0CF3, 0x0CF3),
    (0x0ECE, 0x0ECE),
    (0x10EFD, 0x10EFF),
    (0x1123F, 0x11241),
    (0x11B00, 0x11B09),
    (0x11F00, 0x11F10),
    (0x11F12, 0x11F3A),
    (0x11F3E, 0x11F59),
    (0x1342F, 0x1342F),
    (0x13440, 0x13455),
    (0x1B132, 0x1B132),
    (0x1B155, 0x1B155),
    (0x1D2C0, 0x1D2D3),
    (0x1DF25, 0x1DF2A),
    (0x1E030, 0x1E06D),
    (0x1E08F, 0x1E08F),
    (0x1E4D0, 0x1E4F9),
    (0x1F6DC, 0x1F6DC),
    (0x1F774, 0x1F776),
    (0x1F77B, 0x1F77F),
    (0x1F7D9, 0x1F7D9),
    (0x1FA75, 0x1FA77),
    (0x1FA87, 0x1FA88),
    (0x1FAAD, 0x1FAAF),
    (0x1FABB, 0x1FABD),
    (0x1FABF, 0x1FABF),
    (0x1FACE, 0x1FACF),
    (0x1FADA, 0x1FADB),
    (0x1FAE8, 0x1FAE8),
    (0x1FAF7, 0x1FAF8),
    (0x2B739, 0x2B739),
    (0x31350, 0x323AF),
)

_FIRSTS: Final = [first for first, _ in _ADDED]


def is_printable(character: str) -> bool:
    """Whether the character is a letter, mark, number, punctuation, symbol or the plain space."""
    if character.isprintable():
        return True
    code = ord(character)
    index = bisect_right(_FIRSTS, code) - 1
    return index >= 0 and code <= _ADDED[index][1]
