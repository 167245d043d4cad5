"""Text as the language treats it: always in normal form C, measured in grapheme clusters.

Clusters follow UAX 29 as of Unicode 15.0, without the later rule that keeps Indic conjuncts together. This is what the
original counts, both for `length("...")` and for the columns of diagnostics.
"""

from __future__ import annotations

import unicodedata
from functools import cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import regex

__all__ = ["graphemes", "length_in_graphemes", "normalise", "quoted", "shell_word"]

_SHORT_ESCAPES: Final = {
    '"': '\\"',
    "\\": "\\\\",
    "\a": "\\a",
    "\b": "\\b",
    "\f": "\\f",
    "\n": "\\n",
    "\r": "\\r",
    "\t": "\\t",
    "\v": "\\v",
}


def quoted(text: str) -> str:
    """The text in double quotes, as in messages and set keys: with Go's escapes, and printable Unicode unchanged."""
    if text.isascii() and text.isprintable() and '"' not in text and "\\" not in text:
        return f'"{text}"'
    return f'"{_needs_escape().sub(lambda found: _escape(found[0]), text)}"'


def _escape(character: str) -> str:
    if short := _SHORT_ESCAPES.get(character):
        return short
    code = ord(character)
    if code < 0x20 or code == 0x7F:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def shell_word(text: str) -> str:
    """The text as one word of a POSIX shell: in single quotes if it contains a space, otherwise with backslashes."""
    if not text or any(space in text for space in " \n\t"):
        quote = "'\\''"
        return f"'{text.replace(chr(39), quote)}'"
    return str(_shell_syntax().sub(r"\\\g<0>", text))


def normalise(text: str) -> str:
    """The text in normal form C. ASCII text is always normal, so the common case is cheap."""
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def graphemes(text: str) -> list[str]:
    if text.isascii() and "\r\n" not in text:
        return list(text)
    return list(_cluster().findall(text))


def length_in_graphemes(text: str) -> int:
    if text.isascii() and "\r\n" not in text:
        return len(text)
    return sum(1 for _ in _cluster().finditer(text))


_ENDS_CLUSTER: Final = frozenset("\t !\"#$%&'()*+,-./:;?@[\\]^_{|}~")
"""ASCII characters that, for the original, never combine with what follows. Measured: `<`, `=` and `>` are not among
them, because a combining slash turns them into other characters."""


def known_prefix(text: str, max_bytes: int | None = None) -> str:
    """The longest prefix of an unfinished string that later text cannot change.

    Later text may combine with the last grapheme cluster, so that cluster is dropped, unless it is punctuation that
    certainly ends there. With `max_bytes`, the text is first cut to that many bytes.
    """
    if max_bytes is not None:
        encoded = text.encode("utf-8", "surrogateescape")
        if len(encoded) > max_bytes:
            text = encoded[:max_bytes].decode("utf-8", "ignore")
    text = normalise(text)
    if not text or text[-1] in _ENDS_CLUSTER:
        return text
    return "".join(graphemes(text)[:-1])


# Patterns. Ordinary text needs none of them, and `regex` takes a while to import.


@cache
def _cluster() -> regex.Pattern[str]:
    import regex

    return regex.compile(
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


@cache
def _needs_escape() -> regex.Pattern[str]:
    import regex

    return regex.compile(r"""["\\]|[^ \p{L}\p{M}\p{N}\p{P}\p{S}]""", regex.V1)


@cache
def _shell_syntax() -> regex.Pattern[str]:
    import regex

    return regex.compile(r"""[|&;<>(){}\[\]$`\\"'*?!#~=%]""")
