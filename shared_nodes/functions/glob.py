"""File name patterns with `**`, as `fileset` understands them.

The accidents of the original's matcher are reproduced, since they decide which files a configuration finds:

- `*` tries the rest of the pattern in steps as wide, in bytes, as the first character it could match, so `*.txt`
  does not find `éa.txt`;
- a mistake in a pattern is noticed only if some name leads the matcher up to it, and never after a `*`;
- a mistake noticed in a subdirectory counts only if that was the last entry of every directory on the path to it;
- an empty alternative cannot match at the end of a name: `a.txt{}` finds nothing.

Directories are read in order of names. The original uses the order of the file system, which only decides which mistake
is noticed, and which would make that differ between machines.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Final, NamedTuple, ParamSpec, TypeVar

from shared_nodes.functions.paths import join
from shared_nodes.world import ConfinementError, DirectoryEntry, Files

__all__ = ["GlobError", "find_matches", "query"]

_SPECIAL: Final = frozenset("*?[{\\")
_ANY_DEPTH: Final = "**"

_MOST_WILDCARDS: Final = 100
"""Limit of wildcards in one path element: matching recurses once per wildcard."""

_MOST_ENTRIES: Final = 1_000_000
"""Limit of directory entries visited in one search: two links to a parent double the tree at each of 40 levels."""

_INVALID_CHARACTER: Final = 0xFFFD

_Parameters = ParamSpec("_Parameters")
_Result = TypeVar("_Result")


class GlobError(Exception):
    """The search is impossible; the message says why."""


class _MistakeError(Exception):
    """The matcher reached a malformed part of the pattern."""


class _Search(NamedTuple):
    """Pattern elements to look for below a directory. If none are left, the path itself is a match."""

    path: str
    elements: tuple[str, ...]
    mistakes_count: bool


def find_matches(files: Files, pattern: str) -> list[str]:
    """Matching paths of files and other entries, in the order they are found. Links are followed."""
    elements = tuple(_split(pattern, "/"))
    top = _Search("/", elements[1:], True) if elements[0] == "" else _Search(".", elements, True)
    pending = [top]
    found: list[str] = []
    budget = _MOST_ENTRIES
    while pending:
        search = pending.pop()
        if not search.elements:
            found.append(search.path)
            continue
        steps: list[_Search] = []
        try:
            steps.extend(_steps(files, search))
        except _MistakeError:
            if search.mistakes_count:
                raise GlobError("syntax error in pattern") from None
        budget -= len(steps)
        if budget < 0:
            raise GlobError("too many files to search")
        pending.extend(reversed(steps))
    return found


def _steps(files: Files, search: _Search) -> Iterator[_Search]:
    """The searches that remain after examining one directory, in order."""
    elements = search.elements
    plain = next((i for i, element in enumerate(elements) if not _SPECIAL.isdisjoint(element)), len(elements))
    path, elements = join(search.path, *elements[:plain]), elements[plain:]
    if query(files.status, path, follow_links=False) is None:
        return
    if not elements:
        yield _Search(path, (), search.mistakes_count)
        return
    entries = query(files.list_directory, path) or []
    if elements[0] == _ANY_DEPTH:
        yield from _descend(files, path, elements, entries)
        elements = elements[1:]
        if not elements:
            return
    if sum(elements[0].count(wildcard) for wildcard in "*{") > _MOST_WILDCARDS:
        raise GlobError("too many wildcards in one name")
    for entry in entries:
        if _matches(elements[0], entry.name.encode("utf-8", "surrogateescape")):
            is_last = entry is entries[-1]
            yield _Search(join(path, entry.name), elements[1:], search.mistakes_count and is_last)


def _descend(
    files: Files, path: str, elements: tuple[str, ...], entries: Sequence[DirectoryEntry]
) -> Iterator[_Search]:
    """Expand `**`: the same elements in every subdirectory and, if it ends the pattern, every file here.

    Directories themselves would match too, but are of no use to the caller. Broken links are skipped silently.
    """
    for entry in entries:
        below = join(path, entry.name)
        if entry.is_link and query(files.status, below) is None:
            continue
        if files.is_directory(below) if entry.is_link else entry.is_directory:
            yield _Search(below, elements, mistakes_count=False)
        elif len(elements) == 1:
            yield _Search(below, (), mistakes_count=False)


def query(
    query: Callable[_Parameters, _Result], *args: _Parameters.args, **kwargs: _Parameters.kwargs
) -> _Result | None:
    """Query the file system. A search treats unreadable paths as missing, but a path outside the run's directory is an
    error."""
    try:
        return query(*args, **kwargs)
    except ConfinementError:
        raise
    except OSError:
        return None


def _split(text: str, separator: str) -> list[str]:
    """Split at separators that do not directly follow a backslash."""
    parts: list[str] = []
    start = 0
    while (end := _find(text, separator, start)) >= 0:
        parts.append(text[start:end])
        start = end + 1
    return [*parts, text[start:]]


def _find(text: str, wanted: str, start: int) -> int:
    """The first occurrence from `start` that does not directly follow a backslash, even an escaped one."""
    position = text.find(wanted, start)
    while position > start and text[position - 1] == "\\":
        start = position + 1
        position = text.find(wanted, start)
    return position


_Attempt = Callable[[str, int], bool | None]
"""Match a pattern against the name from a byte position. None means that a mistake was found."""


def _matches(pattern: str, name: bytes) -> bool:
    """Whether the name matches. Results are cached per rest of pattern and name; otherwise the time would be
    exponential."""

    @cache
    def attempt(rest: str, at: int) -> bool | None:
        try:
            return _match(rest, name, at, attempt)
        except _MistakeError:
            return None

    outcome = attempt(pattern, 0)
    if outcome is None:
        raise _MistakeError
    return outcome


def _match(pattern: str, name: bytes, at: int, attempt: _Attempt) -> bool:
    if at >= len(name):
        return pattern in ("", "*")
    position = 0
    while position < len(pattern) and at < len(name):
        symbol = pattern[position]
        character, width = _decode(name, at)
        position += 1
        if symbol == "*":
            rest = pattern[position:]
            return not rest or any(attempt(rest, start) for start in range(at, len(name), width))
        if symbol == "{":
            return _match_alternatives(pattern, position, at, attempt)
        if symbol == "[":
            end = _find(pattern, "]", position)
            if end < 0:
                raise _MistakeError
            if not _in_class(pattern[position:end], character):
                return False
            position = end + 1
        elif symbol == "\\":
            symbol = pattern[position : position + 1]
            if not symbol or ord(symbol) == _INVALID_CHARACTER:
                raise _MistakeError
            if ord(symbol) != character:
                return False
            position += 1
        elif symbol != "?" and ord(symbol) != character:
            return False
        at += width
    rest = pattern[position:]
    return rest in ("*", "**") or (not rest and at >= len(name))


def _match_alternatives(pattern: str, position: int, at: int, attempt: _Attempt) -> bool:
    end = _find(pattern, "}", position)
    if end < 0:
        raise _MistakeError
    for alternative in _split(pattern[position:end], ","):
        outcome = attempt(alternative + pattern[end + 1 :], at)
        if outcome is None:
            raise _MistakeError
        if outcome:
            return True
    return False


def _in_class(body: str, character: int) -> bool:
    """Whether the content of `[...]` admits the character."""
    if not body:
        raise _MistakeError
    negated = body[0] == "^"
    position = 1 if negated else 0
    found = False
    while position < len(body):
        low, position = _class_character(body, position)
        high = low
        if body[position : position + 1] == "-":
            high, position = _class_character(body, position + 1)
        found = found or low <= character <= high
    return found != negated


def _class_character(body: str, position: int) -> tuple[int, int]:
    """One end of a range, and the position after it. A bare `-` cannot be either end."""
    if body[position : position + 1] == "\\":
        position += 1
    elif body[position : position + 1] == "-":
        raise _MistakeError
    if position >= len(body):
        raise _MistakeError
    return ord(body[position]), position + 1


def _decode(name: bytes, at: int) -> tuple[int, int]:
    """The character at a byte position and its width. An invalid byte counts as one replacement character."""
    first = name[at]
    if first < 0x80:
        return first, 1
    for width in (2, 3, 4):
        try:
            return ord(name[at : at + width].decode("utf-8")), width
        except (UnicodeDecodeError, TypeError):
            continue
    return _INVALID_CHARACTER, 1
