"""Tokens: source text split exactly where the original splits it.

There are four modes, with one regular expression each: normal code, the inside of a quoted string, the inside of a
heredoc, and a bare template (a file for `templatefile`, a string of the JSON syntax). Quotes, heredoc markers and `${
}`/`%{ }` sequences push and pop modes. The lexer never fails: invalid text becomes an `INVALID`, `BAD_ENCODING` or
`QUOTED_NEWLINE` token, which is listed in `Tokens.suspects`, so that reporting needs no search.

A token is an entry in each of three parallel lists (kind, start, end), not an object: most tokens are looked at once.
The kind of punctuation is its own text (`"("`, `"=>"`); other kinds are the words below. Comments are left out, except
that a comment to the end of the line is a `NEWLINE`: it includes the newline and acts as one.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from enum import Enum
from typing import Final

from shared_nodes.lang.identifiers import identifier_pattern, is_identifier
from shared_nodes.pattern import pattern

__all__ = [
    "BAD_ENCODING",
    "CLOSE_HEREDOC",
    "CLOSE_QUOTE",
    "CONTROL",
    "END",
    "HEREDOC_LITERAL",
    "IDENTIFIER",
    "INTERPOLATION",
    "INVALID",
    "NEWLINE",
    "NUMBER",
    "OPEN_HEREDOC",
    "OPEN_QUOTE",
    "QUOTED_LITERAL",
    "QUOTED_NEWLINE",
    "SEQUENCE_END",
    "WHITE_SPACE",
    "Tokens",
    "is_identifier",
    "tokens_of_code",
    "tokens_of_template",
]

IDENTIFIER: Final = "identifier"
NUMBER: Final = "number"
NEWLINE: Final = "newline"
OPEN_QUOTE: Final = "open quote"
CLOSE_QUOTE: Final = "close quote"
OPEN_HEREDOC: Final = "open heredoc"
CLOSE_HEREDOC: Final = "close heredoc"
QUOTED_LITERAL: Final = "quoted literal"
HEREDOC_LITERAL: Final = "heredoc literal"
INTERPOLATION: Final = "interpolation"
CONTROL: Final = "control"
SEQUENCE_END: Final = "sequence end"
QUOTED_NEWLINE: Final = "quoted newline"
BAD_ENCODING: Final = "bad encoding"
INVALID: Final = "invalid"
END: Final = "end"

WHITE_SPACE: Final = (
    "\t\n\v\f\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f"
    "\u205f\u3000"
)
"""What trimming removes. Python's own `strip()` also removes U+001C to U+001F, which the original keeps."""

# Bytes that are not UTF-8 are represented as U+DC80 to U+DCFF. The original checks only the shape of a sequence, so
# encoded surrogates, overlong forms and code points beyond U+10FFFF count as one character although Python refuses
# them.
_SHAPED: Final = (
    r"(?:[\udcc0-\udcdf][\udc80-\udcbf]|[\udce0-\udcef][\udc80-\udcbf]{2}|[\udcf0-\udcf7][\udc80-\udcbf]{3})"
)
_BYTES: Final = r"\udc80-\udcff"

_NORMAL: Final = pattern(
    rf"""
    [ \t]*+
    (?: ([A-Za-z_][A-Za-z0-9_-]*+(?![^\x00-\x7f]))                          # 1 identifier
      | ([\[\](),*%+\-?]|==|=>|=|\.\.\.|\.|::|:|!=|!|>=|>|<=|<(?!<)         # 2 punctuation
          |/(?![/*])|&&|\|\|)
      | (\r?\n)                                                             # 3 newline
      | (")                                                                 # 4 quote
      | (\{{)                                                               # 5 open brace
      | (~?\}})                                                             # 6 close brace
      | ([0-9]++(?:\.*+(?:[0-9]++|[eE][+-]?[0-9]++))*+)                     # 7 number
      | ((?:\#|//)[^\n]*+\n?)                                               # 8 comment to the end of the line
      | (/\*)                                                               # 9 comment, perhaps
      | (<<)                                                                # 10 heredoc, perhaps
      | ([&|~^;`'])                                                         # 11 known from other languages
      | (\Z)                                                                # 12 end
      | ([A-Za-z_]|[^\x00-\x7f{_BYTES}])                                    # 13 identifier with letters beyond ASCII?
      | ({_SHAPED}|[^{_BYTES}])                                             # 14 invalid
      | ([{_BYTES}])                                                        # 15 bad encoding
    )
    """,
    re.VERBOSE,
)
_QUOTED: Final = pattern(
    rf"""
        ( (?: [^"\\$%\r\n{_BYTES}]++ | \\(?:[^\r\n{_BYTES}]|{_SHAPED}) | {_SHAPED} )++
          | \$\$\{{~? | %%\{{~? | \$(?=[^{{]) | %(?=[^{{]) )                # 1 literal
      | (")                                                                 # 2 quote
      | (\$\{{~?)                                                           # 3 interpolation
      | (%\{{~?)                                                            # 4 control
      | ([\r\n]+)                                                           # 5 newline
      | ([\\$%])                                                            # 6 invalid
      | ([{_BYTES}])                                                        # 7 bad encoding
    """,
    re.VERBOSE,
)
_HEREDOC: Final = pattern(
    rf"""
        ( (?: \$\$\{{~? | %%\{{~? | (?:[^$%\r\n{_BYTES}]++|{_SHAPED})*+ ) \r?\n )  # 1 literal to the end of the line
      | ( \$\$\{{~? | %%\{{~? | (?:[^$%\r\n{_BYTES}]++|{_SHAPED})++
          | \$(?=[^{{]) | %(?=[^{{]) )                                      # 2 literal
      | (\$\{{~?)                                                           # 3 interpolation
      | (%\{{~?)                                                            # 4 control
      | ([{_BYTES}])                                                        # 5 bad encoding
      | ([\r$%])                                                            # 6 nothing that could be a token
    """,
    re.VERBOSE,
)


class Tokens:
    """The result of the lexer. The last token is always a single, empty `END` at the end of the text."""

    __slots__ = ("ends", "kinds", "starts", "suspects")

    def __init__(self) -> None:
        self.kinds: Final[list[str]] = []
        self.starts: Final[list[int]] = []
        self.ends: Final[list[int]] = []
        self.suspects: Final[list[int]] = []
        """Indexes of the tokens that are always an error, in order."""

    def add(self, kind: str, start: int, end: int) -> None:
        self.kinds.append(kind)
        self.starts.append(start)
        self.ends.append(end)

    def add_suspect(self, kind: str, start: int, end: int) -> None:
        self.suspects.append(len(self.kinds))
        self.add(kind, start, end)


class _Mode(Enum):
    NORMAL = 1
    QUOTED = 2
    HEREDOC = 3
    BARE = 4


def tokens_of_code(text: str) -> Tokens:
    """The tokens of a configuration file or an expression."""
    return _Scan(text).run(_Mode.NORMAL)


def tokens_of_template(text: str) -> Tokens:
    """The tokens of a template without quotes around it."""
    return _Scan(text).run(_Mode.BARE)


class _Scan:
    """One pass over a text.

    Each mode has a method that reads tokens from a position until the mode changes, and returns where it stopped.
    `_returns` holds, for each open `${` or `%{`, the brace depth at which a `}` closes it.
    """

    __slots__ = ("_braces", "_line_begins", "_markers", "_modes", "_no_comment_end", "_returns", "_text", "_tokens")

    def __init__(self, text: str) -> None:
        self._text: Final = text
        self._tokens: Final = Tokens()
        self._modes: Final[list[_Mode]] = []
        self._braces = 0
        self._returns: Final[list[int]] = []
        self._markers: Final[list[str]] = []
        self._line_begins: Final[list[bool]] = []
        self._no_comment_end = False

    def run(self, mode: _Mode) -> Tokens:
        readers: dict[_Mode, Callable[[int], int]] = {
            _Mode.NORMAL: self._read_normal,
            _Mode.QUOTED: self._read_quoted,
            _Mode.HEREDOC: self._read_heredoc,
            _Mode.BARE: self._read_bare,
        }
        self._modes.append(mode)
        position, end = 0, len(self._text)
        while position < end:
            position = readers[self._modes[-1]](position)
        self._tokens.add(END, end, end)
        return self._tokens

    def _read_normal(self, position: int) -> int:
        tokens = self._tokens
        add_kind, add_start, add_end = tokens.kinds.append, tokens.starts.append, tokens.ends.append
        for match in _NORMAL.finditer(self._text, position):
            group = match.lastindex
            assert group is not None
            start, end = match.span(group)
            if group == 1:
                add_kind(IDENTIFIER)
            elif group == 2:
                add_kind(match[2])
            elif group == 3:
                add_kind(NEWLINE)
            elif group == 5:
                add_kind("{")
                self._braces += 1
            elif group == 7:
                add_kind(NUMBER)
            elif group == 4:
                tokens.add(OPEN_QUOTE, start, end)
                self._modes.append(_Mode.QUOTED)
                return end
            elif group == 8:
                if self._text[end - 1] != "\n":
                    continue
                add_kind(NEWLINE)
            elif group == 6:
                if self._add_closing_brace(start, end):
                    return end
                continue
            else:
                return self._read_rare_token(group, start, end)
            add_start(start)
            add_end(end)
        return len(self._text)

    def _add_closing_brace(self, start: int, end: int) -> bool:
        """Add a `}` or `~}`. Returns whether it ends a template sequence, and so this stretch of normal code.

        A `~}` that cannot end a sequence is still a sequence end, which the parser will report.
        """
        ends_sequence = bool(self._returns) and self._returns[-1] == self._braces
        self._tokens.add(SEQUENCE_END if ends_sequence or end - start == 2 else "}", start, end)
        self._braces -= 1
        if ends_sequence:
            self._returns.pop()
            self._modes.pop()
        return ends_sequence

    def _read_rare_token(self, group: int, start: int, end: int) -> int:
        """Add a token that is rare in normal code, and return the position where reading resumes."""
        tokens, text = self._tokens, self._text
        if group == 9:
            return self._read_block_comment(start)
        if group == 10:
            return self._read_heredoc_opening(start)
        if group == 11:
            tokens.add_suspect(text[start], start, end)
        elif group == 13:
            name = identifier_pattern().match(text, start)
            if name:
                tokens.add(IDENTIFIER, start, name.end())
                return int(name.end())
            tokens.add_suspect(INVALID, start, end)
        elif group == 14:
            tokens.add_suspect(INVALID, start, end)
        elif group == 15:
            tokens.add_suspect(BAD_ENCODING, start, end)
        return end

    def _read_block_comment(self, start: int) -> int:
        """Skip `/* */`. Without an end it is not a comment but a slash and a star.

        The lack of a further `*/` is cached: otherwise each `/*` of a file full of them would cause a search.
        """
        end = -1 if self._no_comment_end else self._text.find("*/", start + 2)
        if end >= 0:
            return end + 2
        self._no_comment_end = True
        self._tokens.add("/", start, start + 1)
        return start + 1

    def _read_heredoc_opening(self, start: int) -> int:
        """Read the beginning of a heredoc: `<<` directly followed by a marker and a newline. Otherwise `<<` is two
        signs."""
        text = self._text
        name_start = start + 3 if text.startswith("-", start + 2) else start + 2
        name = identifier_pattern().match(text, name_start)
        if name:
            line_end = name.end() + 1 if text.startswith("\r\n", name.end()) else name.end()
            if text.startswith("\n", line_end):
                self._tokens.add(OPEN_HEREDOC, start, line_end + 1)
                self._markers.append(name[0])
                self._line_begins.append(True)
                self._modes.append(_Mode.HEREDOC)
                return int(line_end) + 1
        self._tokens.add("<", start, start + 1)
        return start + 1

    def _read_quoted(self, position: int) -> int:
        tokens = self._tokens
        for match in _QUOTED.finditer(self._text, position):
            group = match.lastindex
            assert group is not None
            start, end = match.span()
            if group == 1:
                tokens.add(QUOTED_LITERAL, start, end)
            elif group == 2:
                tokens.add(CLOSE_QUOTE, start, end)
                self._modes.pop()
                return end
            elif group in (3, 4):
                return self._begin_sequence(group, start, end)
            else:
                tokens.add_suspect((QUOTED_NEWLINE, INVALID, BAD_ENCODING)[group - 5], start, end)
        return len(self._text)

    def _begin_sequence(self, group: int, start: int, end: int) -> int:
        self._tokens.add(INTERPOLATION if group == 3 else CONTROL, start, end)
        self._braces += 1
        self._returns.append(self._braces)
        if self._line_begins:
            self._line_begins[-1] = False
        self._modes.append(_Mode.NORMAL)
        return end

    def _read_heredoc(self, position: int) -> int:
        tokens = self._tokens
        for match in _HEREDOC.finditer(self._text, position):
            group = match.lastindex
            assert group is not None
            start, end = match.span()
            if group == 1:
                if self._line_begins[-1] and match[1].strip(WHITE_SPACE) == self._markers[-1]:
                    return self._end_heredoc(start, end)
                self._line_begins[-1] = True
                tokens.add(HEREDOC_LITERAL, start, end)
            elif group == 2:
                self._line_begins[-1] = False
                tokens.add(HEREDOC_LITERAL, start, end)
            elif group in (3, 4):
                return self._begin_sequence(group, start, end)
            elif group == 5:
                tokens.add_suspect(BAD_ENCODING, start, end)
            else:
                tokens.add_suspect(INVALID, start, len(self._text))
                return len(self._text)
        return len(self._text)

    def _end_heredoc(self, start: int, end: int) -> int:
        """Add two tokens for the closing line, so that its newline can end the argument whose value is the heredoc."""
        marker_end = end - 2 if self._text.startswith("\r\n", end - 2) else end - 1
        self._tokens.add(CLOSE_HEREDOC, start, marker_end)
        self._tokens.add(NEWLINE, marker_end, end)
        self._markers.pop()
        self._line_begins.pop()
        self._modes.pop()
        return end

    def _read_bare(self, position: int) -> int:
        """Read a bare template like a heredoc, except where the original's scanner gets stuck.

        After a carriage return without line feed, or at a final `$`, the rest of the text is literal, template
        sequences included.
        """
        tokens = self._tokens
        for match in _HEREDOC.finditer(self._text, position):
            group = match.lastindex
            assert group is not None
            start, end = match.span()
            if group <= 2:
                tokens.add(HEREDOC_LITERAL, start, end)
            elif group <= 4:
                return self._begin_sequence(group, start, end)
            elif group == 5:
                tokens.add_suspect(BAD_ENCODING, start, end)
            else:
                tokens.add(HEREDOC_LITERAL, start, len(self._text))
                return len(self._text)
        return len(self._text)
