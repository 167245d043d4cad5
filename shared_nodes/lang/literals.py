"""The text of literal parts of templates: escapes are resolved, and mistakes in them reported."""

from __future__ import annotations

import re
from typing import Final

from shared_nodes.lang.cursor import Cursor
from shared_nodes.lang.lexer import CONTROL, END, INTERPOLATION, QUOTED_LITERAL, SEQUENCE_END
from shared_nodes.lang.source import Range
from shared_nodes.pattern import pattern
from shared_nodes.values.text import quoted

__all__ = ["heredoc_text", "quoted_text", "read_plain_string"]

_SHAPED: Final = r"[\udcc0-\udcdf][\udc80-\udcbf]|[\udce0-\udcef][\udc80-\udcbf]{2}|[\udcf0-\udcf7][\udc80-\udcbf]{3}"
_BACKSLASH: Final = pattern(rf"\\(?:u[0-9a-fA-F]{{0,4}}|U[0-9a-fA-F]{{0,8}}|{_SHAPED}|.)", re.DOTALL)
_TEMPLATE_ESCAPE: Final = pattern(r"\$(?:\$\{?)?|%(?:%\{?)?")
_SIMPLE: Final = {"n": "\n", "r": "\r", "t": "\t", '"': '"', "\\": "\\"}
_DIGITS: Final = {"u": (4, "four"), "U": (8, "eight")}


def quoted_text(cursor: Cursor, token: int) -> str:
    """The text that a literal part of a quoted string denotes."""
    start, end = cursor.starts[token], cursor.ends[token]
    text = cursor.text[start:end]
    if "\\" in text:
        return _BACKSLASH.sub(lambda match: _unescape(cursor, start, match), text)
    return text[1:] if text.startswith(("$${", "%%{")) else text


def _unescape(cursor: Cursor, offset: int, match: re.Match[str]) -> str:
    escape = match[0]
    selector = escape[1]
    if selector in _SIMPLE:
        return _SIMPLE[selector]
    subject = Range(cursor.source, offset + match.start(), offset + match.end())
    if selector not in _DIGITS:
        detail = f"The symbol {quoted(escape[1:])} is not a valid escape sequence selector."
        cursor.report("Invalid escape sequence", detail, subject)
        return escape[1:]
    count, word = _DIGITS[selector]
    if len(escape) != count + 2:
        detail = f"The \\{selector} escape sequence must be followed by {word} hexadecimal digits."
        cursor.report("Invalid escape sequence", detail, subject)
        return escape
    code = int(escape[2:], 16)
    if code > 0x10FFFF or 0xD800 <= code <= 0xDFFF:
        cursor.report("Invalid escape sequence", f"Cannot encode character U+{code:04x} in UTF-8.", subject)
        return escape
    return chr(code)


def heredoc_text(cursor: Cursor, token: int) -> str:
    """The text that a literal part of a heredoc or bare template denotes: only `$${` and `%%{` are escapes."""
    text = cursor.text[cursor.starts[token] : cursor.ends[token]]
    if "{" not in text or ("$$" not in text and "%%" not in text):
        return text
    return _TEMPLATE_ESCAPE.sub(lambda match: match[0][1:] if len(match[0]) == 3 else match[0], text)


def read_plain_string(cursor: Cursor) -> tuple[str, Range]:
    """Read a quoted string that cannot be a template, such as a block label. Returns its text and range, with
    quotes."""
    opening = cursor.read()
    pieces: list[str] = []
    while True:
        token = cursor.read()
        kind = cursor.kinds[token]
        if kind == "close quote":
            break
        if kind == QUOTED_LITERAL:
            pieces.append(quoted_text(cursor, token))
            continue
        context = cursor.span(opening, token)
        if kind in (INTERPOLATION, CONTROL):
            sign = "$" if kind == INTERPOLATION else "%"
            detail = (
                "Template sequences are not allowed in this string. "
                f'To include a literal "{sign}", double it (as "{sign}{sign}") to escape it.'
            )
            cursor.report("Invalid string literal", detail, cursor.range(token), context)
            pieces.append(sign + "{ ... }")
            cursor.recover(SEQUENCE_END)
            continue
        if kind == END:
            detail = "Unable to find the closing quote mark before the end of the file."
            cursor.report("Unterminated string literal", detail, cursor.range(token), context)
        else:
            detail = "This item is not valid in a string literal."
            cursor.report("Invalid string literal", detail, cursor.range(token), context)
            cursor.recover("close quote")
        break
    return "".join(pieces), cursor.span(opening, token)
