"""Text that others wrote, made safe to look at.

Names, values and messages of a case reach a terminal, a page or a comment. Characters that move the cursor, change
colours, turn the direction of writing, or show as nothing at all would let a case draw over the report on it. They are
shown as what they are instead: `\\u{202e}`.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

__all__ = ["shortened", "visible", "visible_line"]

_PLAIN: Final = re.compile(r"[ -~\n\t]*")
_INVISIBLE: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Zl", "Zp"})
"""Controls, formatting (with it all that turns the direction), halves of surrogate pairs, private use, separators."""


def visible(text: str) -> str:
    """Lines and tabs stay. Most text is plain, and costs one match."""
    if _PLAIN.fullmatch(text):
        return text
    return "".join(map(_shown, text))


def visible_line(text: str) -> str:
    """On one line: ends of lines and tabs are shown too."""
    return visible(text).replace("\n", "\\n").replace("\t", "\\t")


def _shown(character: str) -> str:
    if character in "\n\t" or (unicodedata.category(character) not in _INVISIBLE and not _is_none(character)):
        return character
    return f"\\u{{{ord(character):x}}}"


def _is_none(character: str) -> bool:
    """Codes that are promised never to be characters. XML forbids two of them."""
    code = ord(character)
    return code & 0xFFFE == 0xFFFE or 0xFDD0 <= code <= 0xFDEF


def shortened(text: str, longest: int) -> str:
    """Cut in the middle of a value, with how much is missing: the end tells as much as the beginning."""
    if len(text) <= longest:
        return text
    tail = longest // 4
    return f"{text[: longest - tail]} ... ({len(text) - longest:,} characters) ... {text[-tail:]}"
