"""Source text and positions in it.

Tokens, nodes and diagnostics hold plain character offsets; line, column (in grapheme clusters) and byte are computed on
demand. This keeps parsing cheap, because most ranges are never printed.
"""

from __future__ import annotations

from bisect import bisect_right
from functools import cached_property
from typing import Final, NamedTuple

from shared_nodes.values.text import length_in_graphemes

__all__ = ["NOWHERE", "Position", "Range", "Source"]


class Position(NamedTuple):
    """Line and column count from 1, bytes from 0."""

    line: int
    column: int
    byte: int


_START: Final = Position(1, 1, 0)


class Source:
    """A named piece of source text.

    Bytes that are not UTF-8 are kept as lone surrogates (`surrogateescape`), so that the lexer can point at each of
    them and offsets still map back to bytes. A byte order mark is not part of the text, but counts in byte offsets; in
    JSON it is a character that must not be there. `first` is the position of the first character, for text taken from a
    larger file. `is_quotable` is false for files of which reports name the place but show no excerpt. `is_json` says
    that the text is in JSON syntax; if it is not given, the file name decides. `file` is the whole that the text was
    taken from, for excerpts; by default it is the source itself.
    """

    def __init__(
        self,
        filename: str,
        content: bytes | str,
        first: Position = _START,
        *,
        is_quotable: bool = True,
        is_json: bool | None = None,
        file: Source | None = None,
    ) -> None:
        text = content.decode("utf-8", "surrogateescape") if isinstance(content, bytes) else content
        self._byte_order_mark_bytes = 0
        is_json = filename.endswith(".json") if is_json is None else is_json
        if text.startswith("\ufeff") and isinstance(content, bytes) and not is_json:
            text = text[1:]
            self._byte_order_mark_bytes = 3
        self.filename: Final = filename
        self.text: Final = text
        self.first: Final = first
        self.is_json: Final = is_json
        self._whole: Final = file
        self.is_quotable: Final = is_quotable and not filename.startswith("<") and bool(filename)

    @cached_property
    def _line_starts(self) -> list[int]:
        starts = [0]
        find = self.text.find
        at = find("\n")
        while at >= 0:
            starts.append(at + 1)
            at = find("\n", at + 1)
        return starts

    @cached_property
    def _is_ascii(self) -> bool:
        return self.text.isascii()

    @property
    def file(self) -> Source:
        return self if self._whole is None else self._whole

    @property
    def identity(self) -> tuple[object, ...]:
        """A key that is equal for sources in which all positions are equal."""
        return self.filename, self.text, self.first, self._byte_order_mark_bytes

    def position(self, offset: int) -> Position:
        index = bisect_right(self._line_starts, offset) - 1
        prefix = self.text[self._line_starts[index] : offset]
        column = length_in_graphemes(prefix) + (self.first.column if index == 0 else 1)
        byte = offset if self._is_ascii else len(self.text[:offset].encode("utf-8", "surrogateescape"))
        return Position(index + self.first.line, column, byte + self.first.byte + self._byte_order_mark_bytes)

    def range(self, start: int, end: int) -> Range:
        return Range(self, start, end)


class Range(NamedTuple):
    """The characters from `start` up to but not including `end` of a source."""

    source: Source
    start: int
    end: int

    @property
    def first(self) -> Position:
        return self.source.position(self.start)

    @property
    def last(self) -> Position:
        """The position just after the range."""
        return self.source.position(self.end)

    @property
    def display_positions(self) -> tuple[Position, Position]:
        """Both positions as reports show them. An empty range is widened to one column, so that something can be
        marked."""
        first, last = self.first, self.last
        if self.start == self.end:
            last = Position(last.line, last.column + 1, last.byte + 1)
        return first, last

    @property
    def text(self) -> str:
        return self.source.text[self.start : self.end]

    def through(self, other: Range) -> Range:
        return Range(self.source, self.start, other.end)

    def __str__(self) -> str:
        """`main.tf:2,13-25`, or `main.tf:2,13-3,4` over several lines."""
        first, last = self.first, self.last
        end = f"{last.column}" if first.line == last.line else f"{last.line},{last.column}"
        return f"{self.source.filename}:{first.line},{first.column}-{end}"


NOWHERE: Final = Range(Source("", "", Position(0, 0, 0)), 0, 0)
"""The range of the original's diagnostics about something that is not in any source."""
