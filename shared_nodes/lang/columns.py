"""Columns of text in which tokens split grapheme clusters.

A column is a grapheme cluster, but the original counts clusters per token: an accent that begins a token is a column of
its own, although it would combine with the letter before it, and a flag made of two invalid characters is two columns.
Such text is rare, and only such text gets a source that knows where its tokens begin.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from itertools import pairwise
from typing import Final

from shared_nodes.lang.source import Position, Source
from shared_nodes.values.text import length_in_graphemes

__all__ = ["with_token_columns"]


class _SplitSource(Source):
    """A source whose columns are counted anew from each of the `splits`."""

    def __init__(self, original: Source, splits: list[int]) -> None:
        line, column, byte = original.position(0)
        first = Position(line, column, byte)
        super().__init__(original.filename, original.text, first, is_quotable=original.is_quotable)
        self._splits: Final = splits

    def position(self, offset: int) -> Position:
        plain = super().position(offset)
        line_start = self.text.rfind("\n", 0, offset) + 1
        inside = self._splits[bisect_right(self._splits, line_start) : bisect_left(self._splits, offset)]
        if not inside:
            return plain
        cuts = [line_start, *inside, offset]
        before = self.first.column if plain.line == self.first.line else 1
        pieces = (self.text[start:end] for start, end in pairwise(cuts))
        return plain._replace(column=before + sum(map(length_in_graphemes, pieces)))


def with_token_columns(source: Source, token_starts: list[int]) -> Source:
    """A source that counts columns as the original does for text split into these tokens."""
    text = source.text
    if text.isascii():
        return source
    end = len(text)
    splits = [
        start
        for start in token_starts
        if 0 < start < end and (text[start] > "\x7f" or text[start - 1] > "\x7f") and text[start] not in "\r\n"
    ]
    splits = [start for start in splits if length_in_graphemes(_characters_around(text, start)) == 1]
    return _SplitSource(source, splits) if splits else source


def _characters_around(text: str, at: int) -> str:
    """The two characters that meet at an offset."""
    return text[at - 1 : at + 1]
