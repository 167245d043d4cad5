"""Finds texts in other texts, however they are spelled there: with escapes, quoted several times, in another form.

A file of a case may write `-` as `\\u002d`, `${` as `$${`, a quote as `\\"` or `''`, and a document inside of a
document does so twice. So a text is searched as it is, and with its escapes resolved, once and again. Each place is
returned as it is in the text itself.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal, InvalidOperation
from typing import Final

from shared_nodes.record import record

__all__ = ["Spelled", "as_number", "spellings_of"]

_LEVELS: Final = 4
"""How often escapes are resolved: a text may be quoted inside of a quoted text."""

_ESCAPE: Final = re.compile(
    r"\\u(?P<high>[dD][89abAB][0-9a-fA-F]{2})\\u(?P<low>[dD][c-fC-F][0-9a-fA-F]{2})"
    r"|%(?P<percent>[0-9a-fA-F]{2})|\\u(?P<four>[0-9a-fA-F]{4})|\\U(?P<eight>[0-9a-fA-F]{8})|\\x(?P<two>[0-9a-fA-F]{2})"
    r"|(?P<continued>\\\r?\n[ \t]*)|\\(?P<one>.)|(?P<doubled>\$\$(?=\{)|%%(?=\{)|'')",
    re.DOTALL,
)
_ONE: Final = {"n": "\n", "r": "\r", "t": "\t", "b": "\b", "f": "\f", "a": "\a", "v": "\v", "e": "\x1b", "0": "\0"}
_NUMBER: Final = re.compile(
    r"(?<![\w.])[-+]?(?:0[xX][0-9a-fA-F_]+|0[oO]?[0-7_]+|[\d_]*\.?[\d_]+(?:[eE][-+]?\d+)?)(?!\w)"
)
_LONGEST_EXPONENT: Final = 400
"""A number with a longer exponent would be compared for ever."""


def spellings_of(text: str) -> set[str]:
    """Return the text in each normal form of Unicode: files need not have the one that values have."""
    return {text, unicodedata.normalize("NFC", text), unicodedata.normalize("NFD", text)}


@record
class Spelled:
    """A text, and where each of its characters is in the text that it was read from."""

    text: str
    places: Sequence[int]
    """One more than there are characters."""

    def find(self, pattern: re.Pattern[str]) -> Iterator[tuple[int, int]]:
        for match in pattern.finditer(self.text):
            yield self.places[match.start()], self.places[match.end()]

    def find_numbers(self, numbers: Iterable[Decimal]) -> Iterator[tuple[int, int]]:
        wanted = frozenset(numbers)
        for match in _NUMBER.finditer(self.text) if wanted else ():
            if as_number(match[0]) in wanted:
                yield self.places[match.start()], self.places[match.end()]

    @staticmethod
    def readings(text: str) -> Iterator[Spelled]:
        """Yield the text as it is, and with its escapes resolved until there are none."""
        reading = Spelled(text, range(len(text) + 1))
        yield reading
        for _ in range(_LEVELS):
            if _ESCAPE.search(reading.text) is None:
                return
            reading = reading._resolved()
            yield reading

    def _resolved(self) -> Spelled:
        texts: list[str] = []
        places: list[int] = []
        at = 0
        for match in _ESCAPE.finditer(self.text):
            meant = _meaning(match)
            texts += [self.text[at : match.start()], meant]
            places += [*self.places[at : match.start()], *[self.places[match.start()]] * len(meant)]
            at = match.end()
        return Spelled("".join([*texts, self.text[at:]]), [*places, *self.places[at:]])


def _meaning(match: re.Match[str]) -> str:
    if match["high"]:
        return chr(0x10000 + ((int(match["high"], 16) - 0xD800) << 10) + int(match["low"], 16) - 0xDC00)
    for group in ("four", "eight", "two", "percent"):
        if match[group]:
            code = int(match[group], 16)
            return chr(code) if code <= 0x10FFFF else match[0]
    if match["continued"]:
        return ""
    if match["doubled"]:
        return match["doubled"][0]
    return _ONE.get(match["one"], match["one"])


def as_number(text: str) -> Decimal | None:
    """Return the number that a text spells in HCL, JSON or YAML; None if it spells none."""
    plain = text.replace("_", "").lower().lstrip("+")
    try:
        if plain.lstrip("-").startswith(("0x", "0o")):
            return Decimal(int(plain, 0))
        number = Decimal(plain)
    except (InvalidOperation, ValueError):
        return None
    return number if number.is_finite() and abs(number.adjusted()) < _LONGEST_EXPONENT else None
