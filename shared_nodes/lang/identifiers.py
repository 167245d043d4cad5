"""Which characters form an identifier: those of Unicode 9.0, whatever version the installed Python packages have.

The original froze its tables at that version. Later versions only add characters, so the pattern is the current
property without the additions. These include the zero-width joiners, which newer tables allow in names.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import regex

__all__ = ["identifier_pattern", "is_identifier"]

_NEWER: Final = """
558 560 588-58c 5c8-5c9 5ef 7fd 860-89f 8b5 8be-8d3 9fc-9fe afa-aff b53-b55 c04 c3c c5c-c5d cdc-cdd cf3-d00
d04 d3b-d3c d81 e86 e89 e8c e8e-e93 e98 ea0 ea8-ea9 eac eba ece 170d 1715-171f 180f 1878 1abf-1af0 1b4c
1c89-1cbf 1cf7 1cfa 1df6-1dfa 200c-200d 208f 209d-209f 2c2f 2c5f 30fb 312e-312f 31bb-31bf 4db6-4dbf
9fd6-9fff a7af a7b8-a7f6 a82c a8fe-a8ff ab66-ab6d ff65 1032d-1032f 10570-105f3 10780-107bf 10940-10959
10a34-10a35 10d00-10ff6 11070-11075 110c2 11144-11147 111c9 111ce-111cf 1123f-11241 1133b 11380-113e2
1145e-11461 116b8 116d0-116e3 1171a 11740-1183a 11900-11abf 11b0a-11bf9 11d00-11fb0 1246f-1247f 12550-12ff0
1342f-143fa 16100-16139 16a70-16ac9 16d40-16ed3 16f45-16f4f 16f7f-16f87 16fe1-16ff6 187ed-187ff 18af3-1affe
1b002-1b2fb 1ccf0-1d128 1d250-1d281 1d6a6 1df00-1dfff 1e030-1e7fe 1e94b 1fbf0-1fbf9 2a6d7-2a6df 2b735-2b73f
2b81e 2cea2-3fc3f
"""
"""Hexadecimal ranges of code points in which every character that can continue an identifier is newer than Unicode
9.0."""

_LATER_START: Final = "\\u1cf2\\u1cf3"
"""Characters that in Unicode 9.0 could only continue an identifier, as combining marks."""


@cache
def identifier_pattern() -> regex.Pattern[str]:
    """The pattern of an identifier. Compiled on first use: ASCII names, nearly all there are, are matched elsewhere."""
    import regex

    newer = "".join("-".join(f"\\U{int(end, 16):08x}" for end in part.split("-")) for part in _NEWER.split())
    start = rf"[[\p{{ID_Start}}_]--[{newer}{_LATER_START}]]"
    rest = rf"[[\p{{ID_Continue}}\-]--[{newer}]]"
    return regex.compile(f"{start}{rest}*+", regex.V1)


def is_identifier(text: str) -> bool:
    """Whether the text is an identifier. For ASCII the rules are Python's, except that dashes are allowed like
    digits."""
    if text.isascii():
        return text.replace("-", "0").isidentifier()
    return identifier_pattern().fullmatch(text) is not None
