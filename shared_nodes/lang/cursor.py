"""A position in a stream of tokens, for the parsers: the next token, the last one read, and recovery from errors.

The innermost bracket decides whether newlines are tokens or white space, hence a stack. A skipped newline is not lost:
if the bracket that hides it is closed before anything after the newline is read, it becomes visible again.

`recovering` is set by the first error after which the position is a guess, and stays set. From then on most errors are
likely to be consequences and are suppressed; which ones are still reported follows the original.
"""

from __future__ import annotations

from typing import Final

from shared_nodes.lang.diagnostics import Diagnostic, error
from shared_nodes.lang.lexer import (
    CLOSE_HEREDOC,
    CLOSE_QUOTE,
    CONTROL,
    END,
    INTERPOLATION,
    NEWLINE,
    OPEN_HEREDOC,
    OPEN_QUOTE,
    SEQUENCE_END,
    Tokens,
)
from shared_nodes.lang.source import Range, Source

__all__ = ["MAXIMUM_DEPTH", "MAXIMUM_PROBLEMS", "AbandonedError", "Cursor", "NestingError"]

MAXIMUM_DEPTH: Final = 500
"""How deep expressions and blocks may nest. The original has no limit; here each level costs up to fifteen Python
frames, and code that walks the tree needs more. Configurations written by people do not come near it."""

_OPENER: Final = {
    "}": "{",
    "]": "[",
    ")": "(",
    CLOSE_QUOTE: OPEN_QUOTE,
    CLOSE_HEREDOC: OPEN_HEREDOC,
    SEQUENCE_END: INTERPOLATION,
}
_OPENERS: Final = frozenset({*_OPENER.values(), CONTROL})


MAXIMUM_PROBLEMS: Final = 1_000
"""How many problems of one text are reported. The original has no limit and reports a million for a megabyte of
garbage."""


class AbandonedError(Exception):
    """Raised to abandon the whole parse, with the diagnostic that says why."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        self.diagnostic: Final = diagnostic


class NestingError(AbandonedError):
    def __init__(self, subject: Range) -> None:
        detail = f"Expressions and blocks can be nested at most {MAXIMUM_DEPTH} levels deep."
        super().__init__(error("Expression nested too deeply", detail, subject))


class ProblemLimitError(AbandonedError):
    def __init__(self, subject: Range) -> None:
        detail = f"After {MAXIMUM_PROBLEMS} problems, the rest of the text was not looked at."
        super().__init__(error("Too many problems", detail, subject))


class Cursor:
    __slots__ = (
        "_newline_stack",
        "at",
        "depth",
        "diagnostics",
        "ends",
        "kind",
        "kinds",
        "newlines",
        "previous",
        "recovering",
        "source",
        "starts",
        "text",
    )

    def __init__(self, source: Source, tokens: Tokens) -> None:
        self.source: Final = source
        self.text: Final = source.text
        self.kinds: Final = tokens.kinds
        self.starts: Final = tokens.starts
        self.ends: Final = tokens.ends
        self.diagnostics: Final[list[Diagnostic]] = []
        self.recovering = False
        self.depth = 0
        self.newlines = True
        self._newline_stack: Final[list[bool]] = []
        self.previous = -1
        """Index of the token read last."""
        self.at = 0
        """Index of the next token; `kind` is its kind."""
        self.kind = self.kinds[0]

    def read(self) -> int:
        """Step over the next token and return its index. The end token can be read any number of times."""
        token = self.at
        self.previous = token
        if self.kind != END:
            following = token + 1
            kind = self.kinds[following]
            if kind == NEWLINE and not self.newlines:
                while kind == NEWLINE:
                    following += 1
                    kind = self.kinds[following]
            self.at = following
            self.kind = kind
        return token

    def push_newlines(self, significant: bool) -> None:
        self._newline_stack.append(self.newlines)
        if significant != self.newlines:
            self._set_newlines(significant)

    def pop_newlines(self) -> None:
        significant = self._newline_stack.pop()
        if significant != self.newlines:
            self._set_newlines(significant)

    def _set_newlines(self, significant: bool) -> None:
        self.newlines = significant
        following = self.previous + 1
        if following == len(self.kinds):
            return
        if not significant:
            while self.kinds[following] == NEWLINE:
                following += 1
        self.at = following
        self.kind = self.kinds[following]

    def deeper(self, subject: Range | None = None) -> None:
        """Enter one level of nesting, which begins at the next token unless a `subject` is given.

        The caller leaves the level with `depth -= 1`.
        """
        self.depth += 1
        if self.depth > MAXIMUM_DEPTH:
            raise NestingError(subject or self.range(self.at))

    def range(self, token: int) -> Range:
        return Range(self.source, self.starts[token], self.ends[token])

    def span(self, first: int, last: int) -> Range:
        """The range from one token through another."""
        return Range(self.source, self.starts[first], self.ends[last])

    def token_text(self, token: int) -> str:
        return self.text[self.starts[token] : self.ends[token]]

    def next_is_word(self, word: str) -> bool:
        """Whether the next token is this keyword. Keywords are ordinary identifiers in the right position."""
        return self.kind == "identifier" and self.token_text(self.at) == word

    def report(self, summary: str, detail: str, subject: Range, context: Range | None = None) -> None:
        if len(self.diagnostics) == MAXIMUM_PROBLEMS:
            raise ProblemLimitError(subject)
        self.diagnostics.append(error(summary, detail, subject, context))

    def failed_since(self, mark: int) -> bool:
        """Whether errors were reported since there were `mark` diagnostics, and the position is a guess."""
        return self.recovering and len(self.diagnostics) > mark

    def recover(self, closer: str) -> int:
        """Read through the token that closes the current bracket, skipping nested ones. Returns that token or the
        end."""
        self.recovering = True
        opener = _OPENER.get(closer)
        nested = 0
        while True:
            token = self.read()
            kind = self.kinds[token]
            if kind == CONTROL and closer == SEQUENCE_END:
                kind = INTERPOLATION
            if kind == opener:
                nested += 1
            elif kind == closer:
                if nested < 1:
                    return token
                nested -= 1
            elif kind == END:
                return token

    def recover_over_parentheses(self) -> None:
        """Read through the next pair of parentheses."""
        while self.kinds[self.read()] not in ("(", END):
            pass
        self.recover(")")

    def recover_after_item(self) -> None:
        """Read through the newline that ends the current argument or block, judging by the brackets."""
        self.recovering = True
        opened: list[str] = []
        while True:
            kind = self.kinds[self.read()]
            if kind == END or (kind == NEWLINE and not opened):
                return
            if kind in _OPENERS:
                opened.append(INTERPOLATION if kind == CONTROL else kind)
            elif kind in _OPENER:
                while opened and opened.pop() != _OPENER[kind]:
                    pass
