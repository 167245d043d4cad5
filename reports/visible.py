"""Makes untrusted text safe to look at.

Names, values and messages of a case reach a terminal, a page or a comment. Characters that move the cursor, change
colours, reverse the direction of writing or are invisible would let a case overwrite the report about it. They are
rendered as escapes: `\\u{202e}`.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

__all__ = ["shortened", "visible", "visible_line"]

_PLAIN: Final = re.compile(r"[ -~\n\t]*")
_INVISIBLE: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Zl", "Zp"})
"""Controls, formatting (including changes of direction), surrogates, private use, separators."""


def visible(text: str) -> str:
    """Escape invisible characters except line ends and tabs. Most text is plain ASCII, and takes one match."""
    if _PLAIN.fullmatch(text):
        return text
    return "".join(map(_escape, text))


def visible_line(text: str) -> str:
    """Escape all invisible characters, so that the result is one line."""
    return visible(text).replace("\n", "\\n").replace("\t", "\\t")


def _escape(character: str) -> str:
    if character in "\n\t" or (unicodedata.category(character) not in _INVISIBLE and not _is_noncharacter(character)):
        return character
    return f"\\u{{{ord(character):x}}}"


def _is_noncharacter(character: str) -> bool:
    """Return whether this code point is guaranteed never to be a character. XML forbids two of them."""
    code = ord(character)
    return code & 0xFFFE == 0xFFFE or 0xFDD0 <= code <= 0xFDEF


def shortened(text: str, longest: int) -> str:
    """Cut a long text in its middle, and say how much is missing: its end is as informative as its beginning."""
    if len(text) <= longest:
        return text
    tail = longest // 4
    return f"{text[: longest - tail]} ... ({len(text) - longest:,} characters) ... {text[-tail:]}"
