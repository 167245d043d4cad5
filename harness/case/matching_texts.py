"""Texts that match a regular expression, for choosing values that a validation rule accepts.

Only what patterns in configurations usually consist of is understood. A text that does not match does no harm, since
every value is tried before it is taken.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from itertools import islice
from re import _constants as op  # the syntax trees of patterns are not public
from re import _parser
from typing import Any, Final

__all__ = ["matching_texts"]

_MOST: Final = 12
_LIKELY: Final = "a1A-_./:0bz @"
_CATEGORIES: Final = {
    op.CATEGORY_DIGIT: "1",
    op.CATEGORY_WORD: "a",
    op.CATEGORY_SPACE: " ",
    op.CATEGORY_NOT_DIGIT: "a",
    op.CATEGORY_NOT_WORD: "-",
    op.CATEGORY_NOT_SPACE: "a",
}
_POSIX: Final = {
    "[:alpha:]": "a-zA-Z",
    "[:alnum:]": "a-zA-Z0-9",
    "[:digit:]": "0-9",
    "[:lower:]": "a-z",
    "[:upper:]": "A-Z",
    "[:xdigit:]": "0-9a-f",
    "[:space:]": " ",
    "[:punct:]": "!#.,-",
}


def matching_texts(pattern: str) -> Iterator[str]:
    """Return some texts that match, the shortest first in most cases; none for a pattern that is not understood."""
    for name, meaning in _POSIX.items():
        pattern = pattern.replace(name, meaning)
    pattern = pattern.replace(r"\z", r"\Z").replace("(?P<", "(?P<")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            parsed = _parser.parse(pattern)
    except (re.error, RecursionError, OverflowError):
        return
    seen: dict[str, None] = {}
    for extra in (0, 1, 2, 5):
        for branch in range(3):
            text = _sequence(parsed, extra, branch)
            if text is not None:
                seen.setdefault(text)
    yield from islice(seen, _MOST)


def _sequence(items: Any, extra: int, branch: int) -> str | None:
    """Return a text for a sequence. `extra` is how many more repetitions there are than needed, and `branch` which of
    several alternatives is taken."""
    parts: list[str] = []
    for code, argument in items:
        part = _item(code, argument, extra, branch)
        if part is None:
            return None
        parts.append(part)
    return "".join(parts)


def _item(code: Any, argument: Any, extra: int, branch: int) -> str | None:
    if code is op.LITERAL:
        return chr(argument)
    if code is op.NOT_LITERAL:
        return next(character for character in _LIKELY if ord(character) != argument)
    if code is op.ANY:
        return "a"
    if code is op.IN:
        return _member(argument, branch)
    if code is op.AT or code in (op.ASSERT, op.ASSERT_NOT):
        return ""
    if code is op.SUBPATTERN:
        return _sequence(argument[3], extra, branch)
    if code is op.BRANCH:
        choices = argument[1]
        return _sequence(choices[min(branch, len(choices) - 1)], extra, branch)
    if code in (op.MAX_REPEAT, op.MIN_REPEAT):
        least, most, inner = argument
        count = min(least + extra, int(most), 1_000)
        part = _sequence(inner, 0 if count > 1 else extra, branch)
        return None if part is None else part * count
    return None


def _member(items: Any, branch: int) -> str | None:
    if items and items[0][0] is op.NEGATE:
        return next((character for character in _LIKELY if not _contains(items[1:], character)), None)
    code, argument = items[min(branch, len(items) - 1)]
    if code is op.LITERAL:
        return chr(argument)
    if code is op.RANGE:
        return chr(argument[0])
    return _CATEGORIES.get(argument)


def _contains(items: Any, character: str) -> bool:
    for code, argument in items:
        if code is op.LITERAL and chr(argument) == character:
            return True
        if code is op.RANGE and argument[0] <= ord(character) <= argument[1]:
            return True
        if code is op.CATEGORY and re.fullmatch(_CLASS[argument], character):
            return True
    return False


_CLASS: Final = {
    op.CATEGORY_DIGIT: r"\d",
    op.CATEGORY_WORD: r"\w",
    op.CATEGORY_SPACE: r"\s",
    op.CATEGORY_NOT_DIGIT: r"\D",
    op.CATEGORY_NOT_WORD: r"\W",
    op.CATEGORY_NOT_SPACE: r"\S",
}
