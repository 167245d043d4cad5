"""Text as the language sees it: always in normal form C, counted in grapheme clusters.

Clusters follow UAX 29 as of Unicode 15.0, without the later rule that keeps Indic conjuncts together: that is what
the original counts, both for `length("...")` and for the columns of diagnostics.
"""

from __future__ import annotations

import unicodedata
from typing import Final

import regex

__all__ = ["graphemes", "length_in_graphemes", "normalise"]

_CLUSTER: Final = regex.compile(
    r"""
    \r\n
  | [\p{GCB=Control}\r\n]
  | \p{GCB=Prepend}*
    (?: \p{RI}\p{RI}
      | \p{GCB=L}* (?: \p{GCB=V}+ | \p{GCB=LV}\p{GCB=V}* | \p{GCB=LVT} ) \p{GCB=T}*
      | \p{GCB=L}+
      | \p{GCB=T}+
      | \p{Extended_Pictographic} (?: \p{GCB=Extend}* \p{GCB=ZWJ} \p{Extended_Pictographic} )*
      | [^\p{GCB=Control}\r\n]
    )
    [\p{GCB=Extend}\p{GCB=ZWJ}\p{GCB=SpacingMark}]*
  | \p{GCB=Prepend}+ [\p{GCB=Extend}\p{GCB=ZWJ}\p{GCB=SpacingMark}]*
    """,
    regex.VERBOSE | regex.V1,
)


def normalise(text: str) -> str:
    """Normal form C. Cheap for the common case: ASCII is always normal already."""
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def graphemes(text: str) -> list[str]:
    if text.isascii() and "\r\n" not in text:
        return list(text)
    return list(_CLUSTER.findall(text))


def length_in_graphemes(text: str) -> int:
    if text.isascii() and "\r\n" not in text:
        return len(text)
    return sum(1 for _ in _CLUSTER.finditer(text))
