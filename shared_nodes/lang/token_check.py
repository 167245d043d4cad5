"""Errors about single tokens, wherever they occur: characters outside the language, broken strings.

Repeated errors are limited: at most four about bitwise operators, one about a semicolon and one about encoding. Quotes
come in pairs, and only the first of each pair is reported.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from shared_nodes.lang.cursor import Cursor
from shared_nodes.lang.lexer import BAD_ENCODING, QUOTED_NEWLINE

__all__ = ["check_tokens"]

_BITWISE: Final = {
    "&": ' Did you mean boolean AND ("&&")?',
    "|": ' Did you mean boolean OR ("||")?',
    "~": ' Did you mean boolean NOT ("!")?',
    "^": "",
}
_QUOTES: Final = {
    "`": 'The "`" character is not valid. To create a multi-line string, use the "heredoc" syntax, like "<<EOT".',
    "'": 'Single quotes are not valid. Use double quotes (") to enclose strings.',
}
_MULTI_LINE: Final = (
    "Quoted strings may not be split over multiple lines. To produce a multi-line string, either use the \\n escape "
    'to represent a newline character or use the "heredoc" multi-line template syntax.'
)
_CURLY: Final = (
    '"Curly quotes" are not valid here. These can sometimes be inadvertently introduced when sharing code via '
    'documents or discussion forums. It might help to replace the character with a "straight quote".'
)


def check_tokens(cursor: Cursor, suspects: Sequence[int]) -> None:
    seen: Counter[str] = Counter()
    for token in suspects:
        kind = cursor.kinds[token]
        count = seen[kind]
        if kind in _BITWISE:
            if seen["bitwise"] < 4:
                _report(cursor, token, "Unsupported operator", "Bitwise operators are not supported." + _BITWISE[kind])
            seen["bitwise"] += 1
        elif kind in _QUOTES:
            # The count stops at three, an odd number, so that nothing is reported from the fourth quote on.
            if count % 2 == 0:
                _report(cursor, token, "Invalid character", _QUOTES[kind])
            seen[kind] = min(count + 1, 3)
        elif kind == ";":
            if not count:
                detail = (
                    'The ";" character is not valid. Use newlines to separate arguments and blocks, '
                    "and commas to separate items in collection values."
                )
                _report(cursor, token, "Invalid character", detail)
            seen[kind] += 1
        elif kind == BAD_ENCODING:
            if not count:
                detail = "All input files must be UTF-8 encoded. Ensure that UTF-8 encoding is selected in your editor."
                _report(cursor, token, "Invalid character encoding", detail)
            seen[kind] += 1
        elif kind == QUOTED_NEWLINE:
            _report(cursor, token, "Invalid multi-line string", _MULTI_LINE)
        elif cursor.token_text(token) in ("“", "”"):
            _report(cursor, token, "Invalid character", _CURLY)
        else:
            _report(cursor, token, "Invalid character", "This character is not used within the language.")


def _report(cursor: Cursor, token: int, summary: str, detail: str) -> None:
    cursor.report(summary, detail, cursor.range(token))
