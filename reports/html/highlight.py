"""Highlights a configuration with the lexer that both engines use.

Third-party highlighters mistake `>`, `for` or `check` for errors. Here a token is what the engines see.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby
from typing import Final

from reports.visible import visible
from shared_nodes.lang import lexer
from shared_nodes.lang.file_names import NATIVE_SUFFIXES

__all__ = ["highlighted"]

_KINDS: Final = {
    lexer.NUMBER: "number",
    lexer.OPEN_QUOTE: "text",
    lexer.CLOSE_QUOTE: "text",
    lexer.QUOTED_LITERAL: "text",
    lexer.OPEN_HEREDOC: "text",
    lexer.CLOSE_HEREDOC: "text",
    lexer.HEREDOC_LITERAL: "text",
    lexer.INTERPOLATION: "template",
    lexer.CONTROL: "template",
    lexer.SEQUENCE_END: "template",
    lexer.INVALID: "wrong",
    lexer.BAD_ENCODING: "wrong",
    lexer.QUOTED_NEWLINE: "wrong",
}
_WORDS: Final = {"true": "number", "false": "number", "null": "number"} | dict.fromkeys(
    ("for", "in", "if", "else", "endif", "endfor"), "word"
)
_COMMENT: Final = re.compile(r"#|//|/\*")
_LANGUAGE: Final = (*NATIVE_SUFFIXES, ".tfvars", ".hcl")

Piece = tuple[str, str]
"""A kind and a text; the kind is empty for plain text."""


def highlighted(name: str, text: str) -> list[str]:
    """Return kinds and texts alternately. All texts together are the file, with invisible characters made visible."""
    pieces = _pieces(text) if name.endswith(_LANGUAGE) else iter([("", text)])
    flat: list[str] = []
    for kind, group in groupby(pieces, key=lambda piece: piece[0]):
        flat += [kind, visible("".join(part for _, part in group))]
    return flat


def _pieces(text: str) -> Iterator[Piece]:
    tokens = lexer.tokens_of_code(text)
    position = 0
    begins_line = True
    for kind, start, end in zip(tokens.kinds, tokens.starts, tokens.ends, strict=True):
        yield from _yield_between(text[position:start])
        word = text[start:end]
        yield _kind(kind, word, begins_line), word
        begins_line = kind == lexer.NEWLINE or (begins_line and kind != lexer.IDENTIFIER)
        position = max(position, end)


def _yield_between(text: str) -> Iterator[Piece]:
    """Yield the text between two tokens: the lexer omits blanks, and comments within a line."""
    if text:
        yield ("comment" if _COMMENT.search(text) else ""), text


def _kind(kind: str, word: str, begins_line: bool) -> str:
    if kind == lexer.NEWLINE:
        return "comment" if _COMMENT.match(word) else ""
    if kind == lexer.IDENTIFIER:
        return _WORDS.get(word, "name" if begins_line else "")
    return _KINDS.get(kind, "")
