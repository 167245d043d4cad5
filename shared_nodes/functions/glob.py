"""File name patterns with `**`, as `fileset` understands them.

The accidents of the original's matcher are kept, since they decide which files a configuration finds:

- `*` tries the rest of the pattern at steps as wide, in bytes, as the first character it could swallow, so `*.txt`
  does not find `éa.txt`;
- a mistake in a pattern is only noticed when some name leads the matcher up to it, and never behind a `*`;
- a mistake found inside a subdirectory counts only if that was the last entry of every directory on the way down;
- an empty alternative cannot match at the end of a name: `a.txt{}` finds nothing.

Directories are read in byte order of names. The original takes them as the file system hands them out, which decides
nothing but which mistake is noticed, and would make that differ from machine to machine.
"""

from __future__ import annotations

import stat
from collections.abc import Iterator
from functools import cache
from typing import Final, NamedTuple

from shared_nodes.functions.paths import join
from shared_nodes.world import ConfinementError, Files

__all__ = ["BadPatternError", "find_matches"]

_SPECIAL: Final = frozenset("*?[{\\")
_ANY_DEPTH: Final = "**"

_MOST_WILDCARDS: Final = 100
"""In one path element. Matching recurses once per wildcard."""

_MOST_ENTRIES: Final = 1_000_000
"""Directory entries looked at in one search: two links that lead back up double the tree at each of 40 levels."""

_REPLACEMENT: Final = 0xFFFD


class BadPatternError(Exception):
    """The search cannot be carried out; the message says why."""


class _Search(NamedTuple):
    """Look for the remaining pattern elements below a directory; with none left, the path itself is a match.

    `mistakes_count` is false where the original forgets about a mistake found in this part of the tree.
    """

    path: str
    elements: tuple[str, ...]
    mistakes_count: bool


def find_matches(files: Files, pattern: str) -> list[str]:
    """Paths that match, in the order they are found, some perhaps twice; links are followed.

    Directories are left out where that is cheap to know: what cannot be a regular file need not be examined.
    """
    elements = tuple(_split(pattern, "/"))
    start = ("/", elements[1:]) if elements[0] == "" else (".", elements)
    pending = [_Search(*start, mistakes_count=True)]
    found: list[str] = []
    budget = _MOST_ENTRIES
    while pending:
        search = pending.pop()
        if not search.elements:
            found.append(search.path)
            continue
        try:
            steps = list(_steps(files, search))
        except _MistakeError:
            if search.mistakes_count:
                raise BadPatternError("syntax error in pattern") from None
            continue
        budget -= len(steps)
        if budget < 0:
            raise BadPatternError("too many files to search")
        pending.extend(reversed(steps))
    return found


def _steps(files: Files, search: _Search) -> Iterator[_Search]:
    """What is left to do after looking into one directory, in order."""
    plain = next((i for i, e in enumerate(search.elements) if not _SPECIAL.isdisjoint(e)), len(search.elements))
    path = join(search.path, *search.elements[:plain])
    elements = search.elements[plain:]
    if not _exists(files, path):
        return
    if not elements:
        yield _Search(path, (), search.mistakes_count)
        return
    names = _entries(files, path)
    if elements[0] == _ANY_DEPTH:
        yield from _deeper(files, path, elements, names)
        elements = elements[1:]
    if not elements:
        return
    matcher = _matcher(elements[0])
    last = names[-1][0] if names else None
    for name, _ in names:
        if matcher(name.encode("utf-8", "surrogateescape")):
            yield _Search(join(path, name), elements[1:], search.mistakes_count and name == last)


def _deeper(
    files: Files, path: str, elements: tuple[str, ...], names: list[tuple[str, int]]
) -> Iterator[_Search]:
    """`**`: the same elements again in every subdirectory, and, where it ends the pattern, every file here."""
    for name, mode in names:
        below = join(path, name)
        if stat.S_ISLNK(mode):
            try:
                mode = files.status(below).st_mode
            except ConfinementError:
                raise
            except OSError:
                continue
        if stat.S_ISDIR(mode):
            yield _Search(below, elements, mistakes_count=False)
        elif len(elements) == 1:
            yield _Search(below, (), mistakes_count=False)


def _exists(files: Files, path: str) -> bool:
    try:
        files.status(path, follow_links=False)
    except ConfinementError:
        raise
    except OSError:
        return False
    return True


def _entries(files: Files, path: str) -> list[tuple[str, int]]:
    """Names and modes in a directory; nothing where it is not one or may not be read."""
    try:
        return files.list_directory(path)
    except ConfinementError:
        raise
    except OSError:
        return []


# Matching one path element


class _MistakeError(Exception):
    """The matcher came upon a malformed part of the pattern."""


def _split(text: str, separator: str) -> list[str]:
    """Parts between separators; one directly behind a backslash does not separate."""
    parts: list[str] = []
    start = 0
    while (end := _find(text, separator, start)) >= 0:
        parts.append(text[start:end])
        start = end + 1
    return [*parts, text[start:]]


def _find(text: str, wanted: str, start: int) -> int:
    """The first position from `start` not directly behind a backslash, even one that is itself escaped."""
    position = text.find(wanted, start)
    while position > start and text[position - 1] == "\\":
        start = position + 1
        position = text.find(wanted, start)
    return position


def _matcher(pattern: str) -> _Matcher:
    if sum(pattern.count(wildcard) for wildcard in "*{") > _MOST_WILDCARDS:
        raise BadPatternError("pattern has too many wildcards")
    return _Matcher(pattern)


class _Matcher:
    """One pattern element, to be tried on many names. Remembers, per name, which rests of the pattern failed where,
    which keeps patterns with many wildcards from taking exponential time."""

    def __init__(self, pattern: str) -> None:
        self._pattern: Final = pattern

    def __call__(self, name: bytes) -> bool:
        @cache
        def matches(pattern: str, at: int) -> bool | None:
            """None stands for a mistake in the pattern, so that it can be remembered too."""
            try:
                return _match(pattern, name, at, matches)
            except _MistakeError:
                return None

        outcome = matches(self._pattern, 0)
        if outcome is None:
            raise _MistakeError
        return outcome
