"""File name patterns with `**` and `{a,b}`, as newer releases of the original's library understand them.

A pattern is checked as a whole before anything is read. Then its alternatives are multiplied out, and what remains is
followed element by element, starting below the leading elements without wildcards. `**` stands for any number of
directories where it is a whole element, and is a `*` elsewhere.

Accidents of the original that decide which files are found are reproduced: an alternative that is empty and the last of
its group is never tried, and a broken link is found, for the caller to fail on, unless the pattern has its plain name.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from shared_nodes.functions.glob import GlobError, query
from shared_nodes.functions.paths import clean, join
from shared_nodes.record import record
from shared_nodes.world import Files

__all__ = ["find_braced_matches"]

_WILDCARDS: Final = frozenset("*?[{")
_ANY_DEPTH: Final = "**"

_MOST_PATTERNS: Final = 10_000
"""Limit of patterns that one pattern with alternatives stands for."""

_MOST_ENTRIES: Final = 1_000_000
"""Limit of directory entries visited in one search: two links to a parent double the tree at each of 40 levels."""


def find_braced_matches(files: Files, pattern: str) -> list[str]:
    """Matching paths of files and other entries, each once. Links are followed."""
    pattern = clean(pattern)
    if not _is_well_formed(pattern):
        raise GlobError("syntax error in pattern")
    base, rest = _split_base(pattern)
    search = _Search(files)
    found: dict[str, None] = {}
    for plain in _without_alternatives(rest):
        if "" not in (elements := _split(plain, "/")):
            found.update(dict.fromkeys(search.below(base, elements, looks_up="{" in rest or not _is_wild(plain))))
    return list(found)


def _is_well_formed(pattern: str) -> bool:
    depth = position = 0
    while position < len(pattern):
        symbol = pattern[position]
        if symbol == "\\":
            position += 1
            if position == len(pattern):
                return False
        elif symbol == "[":
            end = _class_end(pattern, position)
            if end is None:
                return False
            position = end
        elif symbol in "{}":
            depth += 1 if symbol == "{" else -1
            if depth < 0:
                return False
        position += 1
    return depth == 0


def _class_end(pattern: str, start: int) -> int | None:
    """The position of the bracket that closes a class; None if there is none, or if the class is empty."""
    position = start + 1
    if pattern[position : position + 1] in ("^", "!"):
        position += 1
    if pattern[position : position + 1] in ("", "]"):
        return None
    while position < len(pattern):
        if pattern[position] == "]":
            return position
        position += 2 if pattern[position] == "\\" else 1
    return None


def _is_wild(text: str) -> bool:
    position = 0
    while position < len(text):
        if text[position] in _WILDCARDS:
            return True
        position += 2 if text[position] == "\\" else 1
    return False


def _split_base(pattern: str) -> tuple[str, str]:
    """Split after the leading elements that have no wildcards, but leave at least one element."""
    elements = _split(pattern, "/")
    plain = next((index for index, element in enumerate(elements) if _is_wild(element)), len(elements))
    plain = min(plain, len(elements) - 1)
    base = "/".join(_unescape(element) for element in elements[:plain])
    return base or ("/" if plain else "."), "/".join(elements[plain:])


def _split(text: str, separator: str) -> list[str]:
    """Split at separators that are neither escaped nor inside brackets or braces."""
    parts, start, depth, position = [], 0, 0, 0
    while position < len(text):
        symbol = text[position]
        if symbol == "\\":
            position += 1
        elif symbol == "[":
            position = _class_end(text, position) or position
        elif symbol in "{}":
            depth += 1 if symbol == "{" else -1
        elif symbol == separator and depth == 0:
            parts.append(text[start:position])
            start = position + 1
        position += 1
    return [*parts, text[start:]]


def _unescape(text: str) -> str:
    for special in "*?[]{}":
        text = text.replace(f"\\{special}", special)
    return text


def _without_alternatives(pattern: str) -> list[str]:
    """The patterns that a pattern with alternatives stands for. An unusable empty alternative is left out."""
    done: list[str] = []
    pending = [pattern]
    while pending:
        if len(done) + len(pending) > _MOST_PATTERNS:
            raise GlobError("too many alternatives")
        current = pending.pop()
        span = _first_group(current)
        if span is None:
            done.append(current)
            continue
        start, end = span
        alternatives = _split(current[start + 1 : end], ",")
        if alternatives[-1] == "":
            alternatives.pop()
        pending.extend(current[:start] + alternative + current[end + 1 :] for alternative in reversed(alternatives))
    return done


def _first_group(pattern: str) -> tuple[int, int] | None:
    """Where the first group of alternatives that contains no other begins and ends."""
    start: int | None = None
    position = 0
    while position < len(pattern):
        symbol = pattern[position]
        if symbol == "\\":
            position += 1
        elif symbol == "[":
            position = _class_end(pattern, position) or position
        elif symbol == "{":
            start = position
        elif symbol == "}" and start is not None:
            return start, position
        position += 1
    return None


@record(frozen=False)
class _Search:
    files: Files
    budget: int = _MOST_ENTRIES

    def below(self, path: str, elements: Sequence[str], *, looks_up: bool) -> Iterator[str]:
        """Find the paths below a directory that the elements match, in order of names. With `looks_up`, a final element
        without wildcards is looked up by its name, so that a broken link does not count."""
        first, rest = elements[0], elements[1:]
        if not rest and looks_up and not _is_wild(first):
            plain = join(path, _unescape(first))
            if query(self.files.status, plain) is not None:
                yield plain
            return
        if first == _ANY_DEPTH and rest:
            yield from self.below(path, rest, looks_up=looks_up)
        tokens = [] if first == _ANY_DEPTH else _tokens(first)
        for below, name, is_directory in self._entries(path):
            if first == _ANY_DEPTH:
                if is_directory:
                    yield from self.below(below, elements, looks_up=looks_up)
                elif not rest:
                    yield below
            elif _matches(tokens, name):
                if not rest:
                    yield below
                elif is_directory:
                    yield from self.below(below, rest, looks_up=looks_up)

    def _entries(self, path: str) -> Iterator[tuple[str, str, bool]]:
        """The path, the name, and whether it leads to a directory, of every entry of a directory."""
        entries = query(self.files.list_directory, path) or []
        self.budget -= len(entries)
        if self.budget < 0:
            raise GlobError("too many files to search")
        for entry in entries:
            below = join(path, entry.name)
            is_directory = self.files.is_directory(below) if entry.is_link else entry.is_directory
            yield below, entry.name, is_directory


_Range = tuple[str, str]


@record
class _Token:
    """What one character of a name must be. `None` in place of a token is a `*`."""

    ranges: tuple[_Range, ...]
    is_negated: bool = False

    def admits(self, character: str) -> bool:
        return any(low <= character <= high for low, high in self.ranges) != self.is_negated


_ANY_CHARACTER: Final = _Token((), is_negated=True)


def _tokens(element: str) -> list[_Token | None]:
    tokens: list[_Token | None] = []
    position = 0
    while position < len(element):
        symbol = element[position]
        if symbol == "*":
            tokens.append(None)
        elif symbol == "?":
            tokens.append(_ANY_CHARACTER)
        elif symbol == "[":
            end = _class_end(element, position)
            assert end is not None, "the pattern was checked"
            tokens.append(_class_token(element[position + 1 : end]))
            position = end
        else:
            position += symbol == "\\"
            literal = element[position]
            tokens.append(_Token(((literal, literal),)))
        position += 1
    return tokens


def _class_token(body: str) -> _Token:
    """The content of `[...]`. The first end of a range counts by itself as well, so that it matches even if the range
    is empty."""
    is_negated = body[0] in "^!"
    position = int(is_negated)
    ranges: list[_Range] = []
    last: str | None = None
    while position < len(body):
        character = body[position]
        position += 1
        if character == "-" and last is not None and position < len(body):
            position += body[position] == "\\"
            ranges.append((last, body[position : position + 1]))
            position += 1
            last = None
            continue
        if character == "\\":
            character = body[position : position + 1]
            position += 1
        ranges.append((character, character))
        last = character
    return _Token(tuple(ranges), is_negated)


def _matches(tokens: Sequence[_Token | None], name: str) -> bool:
    """Whether a name matches. After a failure, only the last `*` has to take one more character."""
    at = position = 0
    star: int | None = None
    resume = 0
    while at < len(name):
        token = tokens[position] if position < len(tokens) else _NOTHING
        if token is None:
            star, resume = position, at
            position += 1
        elif token.admits(name[at]):
            position += 1
            at += 1
        elif star is not None:
            resume += 1
            position, at = star + 1, resume
        else:
            return False
    return all(token is None for token in tokens[position:])


_NOTHING: Final = _Token(())
