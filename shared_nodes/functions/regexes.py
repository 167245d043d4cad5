"""Regular expressions: regex, regexall and the pattern form of replace, with the syntax of Go's regexp package.

RE2 does the matching, in time linear in the text. It is a sibling of Go's package with the same rules for which match
is found, but its language differs in details: it refuses groups of the same name, accepts `\\C` and Unicode group
names, and words its errors differently. So a pattern is first parsed here, by Go's rules and with Go's errors, and
rewritten for RE2 in a form on which both agree; group names are not passed to RE2.

Matching works on UTF-8 bytes, and positions in this module count bytes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import field
from functools import lru_cache, partial
from typing import Any, Final

import re2
import regex

from shared_nodes.flavour import Flavour
from shared_nodes.functions.context import FunctionContext
from shared_nodes.functions.unicode_classes import unicode_class
from shared_nodes.lang.function import ArgumentError, Arguments, Function, FunctionError, Parameter
from shared_nodes.record import record
from shared_nodes.values.types import DYNAMIC, STRING, ListType, ObjectType, TupleType, Type
from shared_nodes.values.value import Value, list_of, null, object_of, string, tuple_of

__all__ = ["Pattern", "PatternError", "compile_pattern", "functions", "matches", "replace_matches"]

_MAX_PATTERN_MEMORY: Final = 64 * 2**20
"""Bytes that RE2 may use per pattern: room for about a million instructions, a third of what Go allows. A pattern that
needs more is reported like one beyond Go's own limit."""

_MAX_EFFORT: Final = 10**10
"""Limit of (instructions of a pattern) * (groups) * (bytes of text), the number of steps that matching can take if
RE2's fast path is not applicable. More would take minutes."""

_MAX_INSERTIONS: Final = 2 * 10**7
"""Limit of (pieces of a replacement) * (matches). Pieces take time even if they are empty and the result stays
short."""

_MAX_REPEAT: Final = 1000
_MAX_HEIGHT: Final = 1000


class PatternError(Exception):
    """The pattern is invalid: what is wrong, and the offending part of the pattern."""

    def __init__(self, code: str, expression: str) -> None:
        super().__init__(f"error parsing regexp: {code}: `{expression}`")
        self.code: Final = code
        self.expression: Final = expression


@record
class Pattern:
    """A compiled pattern. `names` has one entry per group, empty for a group without a name."""

    engine: Any
    names: tuple[str, ...]


@lru_cache(maxsize=32)
def compile_pattern(source: str, flavour: Flavour) -> Pattern:
    reader = _Reader(source, flavour)
    translated = reader.read()
    options = re2.Options()
    options.max_mem = _MAX_PATTERN_MEMORY
    options.log_errors = False
    try:
        engine = re2.compile(translated.encode(), options)
    except re2.error:
        raise PatternError("expression too large", source) from None
    re2.purge()  # RE2's own cache of 128 patterns would keep too much memory alive
    return Pattern(engine, tuple(reader.names))


# Reading a pattern ---------------------------------------------------------------------------------------------------


@record
class _Operand:
    """What the limits need to know about a parsed part: the depth of its tree, and the largest product of nested repeat
    counts."""

    height: int = 1
    repeats: int = 0
    literal: bool = False


@record(frozen=False)
class _Group:
    """An open group, or the whole pattern: the operands of its current branch, and its finished branches."""

    captures: bool = False
    operands: list[_Operand] = field(default_factory=list)
    branches: list[_Operand] = field(default_factory=list)

    def end_branch(self) -> None:
        """Finish the current branch. Adjacent literals are one operand; a single operand needs no node above it."""
        distinct = sum(
            not (operand.literal and index and self.operands[index - 1].literal)
            for index, operand in enumerate(self.operands)
        )
        self.branches.append(_node_above(self.operands) if distinct > 1 else _widest_operand(self.operands))
        self.operands = []

    def end(self) -> _Operand:
        self.end_branch()
        inner = _node_above(self.branches) if len(self.branches) > 1 else self.branches[0]
        return _node_above([inner]) if self.captures else _Operand(inner.height, inner.repeats)


def _widest_operand(operands: Sequence[_Operand]) -> _Operand:
    return _Operand(
        max((operand.height for operand in operands), default=1),
        max((operand.repeats for operand in operands), default=0),
        literal=bool(operands) and operands[0].literal,
    )


def _node_above(operands: Sequence[_Operand]) -> _Operand:
    widest = _widest_operand(operands)
    return _Operand(widest.height + 1, widest.repeats)


_PLAIN_CHARACTERS: Final = re.compile(r"[^()|^$.\[*+?{\\]+")
_NOT_WORD: Final = re.compile(r"\W", re.ASCII)
_REPEAT: Final = re.compile(r"\{(?P<least>0|[1-9][0-9]*)(?:(?P<comma>,)(?P<most>0|[1-9][0-9]*)?)?\}")
_NAMED_GROUP: Final = re.compile(r"\(\?P?<([^>]*)>")
_NAME: Final = re.compile(r"[0-9A-Za-z_]+")
_NAMED_CLASS: Final = re.compile(r"\[:(?s:.*?):\]")
_POSIX_CLASS: Final = re.compile(
    r"\[:\^?(?:alnum|alpha|ascii|blank|cntrl|digit|graph|lower|print|punct|space|upper|word|xdigit):\]"
)
_SHORT_ESCAPES: Final = {"a": "\a", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}
_ASSERTIONS: Final = frozenset("AbBz")
_PERL_CLASSES: Final = frozenset("dDsSwW")
_OCTAL: Final = re.compile(r"0[0-7]{0,2}|[1-7][0-7]{1,2}")
"""A single digit other than zero would be a back reference, which no automaton supports."""

_HEXADECIMAL: Final = frozenset("0123456789abcdefABCDEF")
_BRACED_HEXADECIMAL: Final = re.compile(r"\{(?P<digits>[0-9a-fA-F]*)")
_MAX_CODE_POINT: Final = 0x10FFFF


def _escape(character: re.Match[str]) -> str:
    return rf"\x{{{ord(character[0]):x}}}"


class _Reader:
    """Parses one pattern from left to right. The first error raises a `PatternError`."""

    def __init__(self, source: str, flavour: Flavour) -> None:
        self.source = source
        self.flavour = flavour
        self.position = 0
        self.names: list[str] = []
        self.groups = [_Group()]
        self.output: list[str] = []
        self.previous_repeat: int | None = None

    def read(self) -> str:
        try:
            self.source.encode()
        except UnicodeEncodeError:
            raise PatternError("invalid UTF-8", self.source) from None
        while self.position < len(self.source):
            start = self.position
            was_repeat = self._read_item(self.source[start])
            self.previous_repeat = start if was_repeat else None
        if len(self.groups) > 1:
            raise PatternError("missing closing )", self.source)
        self._check_height(self.groups[0].end())
        return "".join(self.output)

    def _read_item(self, character: str) -> bool:
        """Read one item. Returns whether it is a repetition operator."""
        match character:
            case "(":
                self._read_group_start()
            case "|":
                self.groups[-1].end_branch()
                self._emit(1, "|")
            case ")":
                self._read_group_end()
            case "^" | "$" | ".":
                self._push(_Operand())
                self._emit(1, character)
            case "[":
                self._push(_Operand())
                self._read_class()
            case "*" | "+" | "?":
                self._read_repeat(self.position + 1, 0, None)
                return True
            case "{":
                return self._read_counted_repeat()
            case "\\":
                self._read_escaped_item()
            case _:
                self._read_plain_characters()
        return False

    def _read_plain_characters(self) -> None:
        """Read a run of characters. The last one is a separate operand, since an operator may follow it."""
        found = _PLAIN_CHARACTERS.match(self.source, self.position)
        assert found is not None
        self.position = found.end()
        for text in (found[0][:-1], found[0][-1]):
            if text:
                self._push_literal(text)

    def _emit(self, length: int, text: str) -> None:
        self.position += length
        self.output.append(text)

    def _push(self, operand: _Operand) -> None:
        self._check_height(operand)
        self.groups[-1].operands.append(operand)

    def _push_literal(self, text: str) -> None:
        self.groups[-1].operands.append(_Operand(literal=True))
        self.output.append(_NOT_WORD.sub(_escape, text))

    def _check_height(self, operand: _Operand) -> None:
        if operand.height > _MAX_HEIGHT:
            raise PatternError("expression nests too deeply", self.source)

    def _starts_with(self, text: str) -> bool:
        return self.source.startswith(text, self.position)

    def _error_between(self, code: str, start: int, end: int | None = None) -> PatternError:
        return PatternError(code, self.source[start:end])

    # Groups

    def _read_group_start(self) -> None:
        if not self._starts_with("(?"):
            self.names.append("")
            self.groups.append(_Group(captures=True))
            self._emit(1, "(")
            return
        rest = len(self.source) - self.position
        if (self._starts_with("(?P<") and rest > 4) or (self._starts_with("(?<") and rest > 3):
            self._read_named_group()
        else:
            self._read_flags()

    def _read_named_group(self) -> None:
        found = _NAMED_GROUP.match(self.source, self.position)
        if found is None:
            raise self._error_between("invalid named capture", self.position)
        if not _NAME.fullmatch(found[1]):
            raise PatternError("invalid named capture", found[0])
        self.names.append(found[1])
        self.groups.append(_Group(captures=True))
        self._emit(len(found[0]), "(")

    def _read_flags(self) -> None:
        """Read `(?flags)`, which changes flags from here on, or `(?flags:`, which opens a non-capturing group."""
        start = self.position
        negated = seen = False
        for end in range(start + 2, len(self.source)):
            character = self.source[end]
            if character in "imsU":
                seen = True
            elif character == "-" and not negated:
                negated, seen = True, False
            elif character in ":)" and (seen or not negated):
                text = self.source[start : end + 1]
                if character == ":":
                    self.groups.append(_Group())
                self._emit(len(text), text)
                return
            else:
                raise self._error_between("invalid or unsupported Perl syntax", start, end + 1)
        raise self._error_between("invalid or unsupported Perl syntax", start)

    def _read_group_end(self) -> None:
        if len(self.groups) == 1:
            raise PatternError("unexpected )", self.source)
        self._push(self.groups.pop().end())
        self._emit(1, ")")

    # Repetition

    def _read_counted_repeat(self) -> bool:
        """Read `{2}`, `{2,}` or `{2,5}`. Any other brace is a literal."""
        found = _REPEAT.match(self.source, self.position)
        if found is None:
            self._push_literal("{")
            self.position += 1
            return False
        least = _parse_count(found["least"])
        most = least if found["comma"] is None else _parse_count(found["most"]) if found["most"] else None
        if least > _MAX_REPEAT or (most is not None and not least <= most <= _MAX_REPEAT):
            raise PatternError("invalid repeat count", found[0])
        self._read_repeat(found.end(), least, most)
        return True

    def _read_repeat(self, end: int, least: int, most: int | None) -> None:
        """Read an operator that ends at `end`, and a question mark after it.

        For groups that contain counts, the counts multiply; the product is checked only for a count of two or more.
        """
        start = self.position
        if self.source.startswith("?", end):
            end += 1
        if self.previous_repeat is not None:
            raise self._error_between("invalid nested repetition operator", self.previous_repeat, end)
        operands = self.groups[-1].operands
        if not operands:
            raise self._error_between("missing argument to repetition operator", start, end)
        inner = operands[-1]
        times = least if most is None else most
        repeats = times * max(1, inner.repeats) if times else inner.repeats if most is None else 0
        if times >= 2 and repeats > _MAX_REPEAT:
            raise self._error_between("invalid repeat count", start, end)
        operands[-1] = _Operand(inner.height + 1, repeats)
        self._check_height(operands[-1])
        self._emit(end - start, self.source[start:end])

    # Escapes and classes

    def _read_escaped_item(self) -> None:
        following = self.source[self.position + 1 : self.position + 2]
        if following == "Q":
            self._read_quoted_literals()
        elif following and following in _ASSERTIONS:
            self._push(_Operand())
            self._emit(2, f"\\{following}")
        elif (escaped_class := self._read_escaped_class()) is not None:
            self._push(_Operand())
            self.output.append(f"[{escaped_class}]")
        else:
            self._push_literal(self._read_escape())

    def _read_quoted_literals(self) -> None:
        """Read `\\Q...\\E`. Even an empty one separates two repetition operators, so something is written in its
        place."""
        quoted, separator, _ = self.source[self.position + 2 :].partition("\\E")
        self._emit(2 + len(quoted) + len(separator), "(?)")
        for character in quoted:
            self._push_literal(character)

    def _read_escaped_class(self) -> str | None:
        """Read `\\d` and similar, or a Unicode class: `\\pL`, `\\p{Greek}`, `\\P{^Lu}`. Returns what brackets
        would contain, or None if there is neither."""
        start = self.position
        kind = self.source[start + 1 : start + 2] if self.source[start] == "\\" else ""
        if kind and kind in _PERL_CLASSES:
            self.position += 2
            return f"\\{kind}"
        if kind not in ("p", "P"):
            return None
        end, name = start + 3, self.source[start + 2 : start + 3]
        if name == "{":
            end = self.source.find("}", start) + 1 or len(self.source)
            name = self.source[start + 3 : end].removesuffix("}")
            if self.source[end - 1] != "}":
                raise self._error_between("invalid character class range", start)
        content = unicode_class(
            name.removeprefix("^"),
            is_negated=(kind == "P") != name.startswith("^"),
            with_long_names=self.flavour.unicode_classes_have_long_names,
        )
        if content is None:
            raise self._error_between("invalid character class range", start, end)
        self.position = end
        return content

    def _read_escape(self) -> str:
        """The character that an escape denotes."""
        start = self.position
        character = self.source[start + 1 : start + 2]
        if not character:
            raise PatternError("trailing backslash at end of expression", "")
        self.position += 2
        if character in _SHORT_ESCAPES:
            return _SHORT_ESCAPES[character]
        if character == "x":
            code = self._read_hexadecimal()
            if code is not None:
                return chr(code)
        elif octal := _OCTAL.match(self.source, start + 1):
            self.position = octal.end()
            return chr(int(octal[0], 8))
        elif character.isascii() and not character.isalnum():
            return character
        raise self._error_between("invalid escape sequence", start, self.position)

    def _read_hexadecimal(self) -> int | None:
        """Read the digits after `\\x`: two of them, or any number in braces.

        If they are invalid, the position is just after the first wrong character, because the error shows the pattern
        up to there.
        """
        if not self._starts_with("{"):
            digits = self.source[self.position : self.position + 2]
            self.position += len(digits)
            return int(digits, 16) if len(digits) == 2 and _HEXADECIMAL.issuperset(digits) else None
        braced = _BRACED_HEXADECIMAL.match(self.source, self.position)
        assert braced is not None
        code = 0
        for index, digit in enumerate(braced["digits"], start=self.position + 2):
            code = code * 16 + int(digit, 16)
            if code > _MAX_CODE_POINT:
                self.position = index
                return None
        self.position = min(braced.end() + 1, len(self.source))
        return code if braced["digits"] and self.source.startswith("}", braced.end()) else None

    def _read_class(self) -> None:
        start = self.position
        opening = "[^" if self._starts_with("[^") else "["
        self._emit(len(opening), opening)
        first = True
        while first or not self._starts_with("]"):
            first = False
            named = _NAMED_CLASS.match(self.source, self.position)
            if named is not None:
                if not _POSIX_CLASS.fullmatch(named[0]):
                    raise PatternError("invalid character class range", named[0])
                self._emit(len(named[0]), named[0])
                continue
            if self.position < len(self.source) and (escaped_class := self._read_escaped_class()) is not None:
                self.output.append(escaped_class)
                continue
            self._read_class_range(start)
        self._emit(1, "]")

    def _read_class_range(self, class_start: int) -> None:
        start = self.position
        low = high = self._read_class_character(class_start)
        if self._starts_with("-") and not self._starts_with("-]") and self.position + 1 < len(self.source):
            self.position += 1
            high = self._read_class_character(class_start)
            if high < low:
                raise self._error_between("invalid character class range", start, self.position)
        self.output.append(rf"\x{{{ord(low):x}}}-\x{{{ord(high):x}}}")

    def _read_class_character(self, class_start: int) -> str:
        if self.position >= len(self.source):
            raise self._error_between("missing closing ]", class_start)
        if self._starts_with("\\"):
            return self._read_escape()
        self.position += 1
        return self.source[self.position - 1]


def _parse_count(digits: str) -> int:
    """A repeat count. Digits too long to be one are not converted exactly."""
    return int(digits[:9])


# Matching ------------------------------------------------------------------------------------------------------------

Spans = Sequence[tuple[int, int]]
"""Start and end of the whole match, then of each group; (-1, -1) for a group that did not participate."""


def _is_inside_character(text: bytes, position: int) -> bool:
    return position < len(text) and text[position] & 0xC0 == 0x80


def _next_character(text: bytes, position: int) -> int:
    position += 1
    while _is_inside_character(text, position):
        position += 1
    return position


def matches(pattern: Pattern, text: bytes) -> Iterator[Spans]:
    """All matches that do not overlap, from left to right. An empty match directly after another match does not count.

    RE2 tests `\\B` at every byte, so it may find an empty match inside a character; Go does not, and the search
    continues after that character.
    """
    engine = pattern.engine
    groups = range(len(pattern.names) + 1)
    if engine.programsize * len(groups) * len(text) > _MAX_EFFORT:
        raise FunctionError("the pattern is too complex for a string of this length")
    position, previous_end = 0, -1
    while position <= len(text):
        found = engine.search(text, position)
        if found is None:
            return
        start, end = found.span()
        if _is_inside_character(text, start):
            position = _next_character(text, start)
            continue
        if end > position or start != previous_end:
            yield [found.span(group) for group in groups]
        position = end if end > position else _next_character(text, position)
        previous_end = end


def _encode(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _decode(text: bytes) -> str:
    return text.decode("utf-8", "surrogatepass")


_REFERENCE: Final = regex.compile(r"\$(?:(\$)|([\p{L}\p{Nd}_]+)|\{([\p{L}\p{Nd}_]+)\})")
_NUMBER: Final = re.compile(r"0|[1-9][0-9]{0,8}", re.ASCII)

_Piece = str | tuple[int, ...]
"""Part of a replacement: literal text, or groups of which the first that participated is inserted."""


def _parse_template(template: str, names: Sequence[str]) -> list[_Piece]:
    """Parse a replacement. `$1x` is the group called "1x", not the first one; groups that do not exist are empty; a
    dollar sign that starts no reference is a literal."""
    pieces: list[_Piece] = []
    end = 0
    for reference in _REFERENCE.finditer(template):
        pieces.append(template[end : reference.start()])
        end = reference.end()
        name = reference[2] or reference[3]
        if name is None:
            pieces.append("$")
        elif _NUMBER.fullmatch(name):
            pieces.append((int(name),) if int(name) <= len(names) else "")
        else:
            pieces.append(tuple(index for index, own in enumerate(names, start=1) if own == name))
    pieces.append(template[end:])
    return [piece for piece in pieces if piece]


def _first_captured(text: bytes, spans: Spans, groups: tuple[int, ...]) -> str:
    for group in groups:
        start, end = spans[group]
        if start >= 0:
            return _decode(text[start:end])
    return ""


def replace_matches(source: str, text: str, template: str, flavour: Flavour) -> Iterator[str]:
    """The pieces of `text` with every match replaced, in order. Together they may be far longer than the text."""
    pattern = compile_pattern(source, flavour)
    pieces = _parse_template(template, pattern.names)
    references = {piece for piece in pieces if isinstance(piece, tuple)}
    encoded = _encode(text)
    end = inserted = 0
    for spans in matches(pattern, encoded):
        inserted += len(pieces)
        if inserted > _MAX_INSERTIONS:
            raise FunctionError("the replacement is too complex for this number of matches")
        yield _decode(encoded[end : spans[0][0]])
        end = spans[0][1]
        captured = {groups: _first_captured(encoded, spans, groups) for groups in references}
        yield "".join([piece if isinstance(piece, str) else captured[piece] for piece in pieces])
    yield _decode(encoded[end:])


# The functions -------------------------------------------------------------------------------------------------------


def _compile_argument(source: str, flavour: Flavour) -> Pattern:
    try:
        return compile_pattern(source, flavour)
    except PatternError as error:
        raise ArgumentError(0, f"invalid regexp pattern: {error.code} in {error.expression}") from None


def _match_type(source: str, flavour: Flavour) -> Type:
    """The type of a match: a string without groups, a tuple with unnamed groups, an object with named groups."""
    names = _compile_argument(source, flavour).names
    if not names:
        return STRING
    if not any(names):
        return TupleType([STRING] * len(names))
    if not all(names):
        raise ArgumentError(0, "invalid regexp pattern: cannot mix both named and unnamed capture groups")
    return ObjectType(dict.fromkeys(names, STRING))


def _match_value(pattern: Pattern, text: bytes, spans: Spans) -> Value:
    """The value of a match. If several groups share a name, the last one counts, even if it did not participate."""
    captured = [null(STRING) if start < 0 else string(_decode(text[start:end])) for start, end in spans]
    if not pattern.names:
        return captured[0]
    if not any(pattern.names):
        return tuple_of(captured[1:])
    return object_of(dict(zip(pattern.names, captured[1:], strict=True)))


def _regex_type(flavour: Flavour, arguments: Arguments) -> Type:
    return _match_type(arguments[0].payload, flavour) if arguments[0].is_known else DYNAMIC


def _regexall_type(flavour: Flavour, arguments: Arguments) -> Type:
    return ListType(_regex_type(flavour, arguments))


def _regex(flavour: Flavour, arguments: Arguments, _type: Type) -> Value:
    pattern = compile_pattern(arguments[0].payload, flavour)
    text = _encode(arguments[1].payload)
    spans = next(matches(pattern, text), None)
    if spans is None:
        raise FunctionError("pattern did not match any part of the given string")
    return _match_value(pattern, text, spans)


def _regexall(flavour: Flavour, arguments: Arguments, type: Type) -> Value:
    assert isinstance(type, ListType)
    pattern = compile_pattern(arguments[0].payload, flavour)
    text = _encode(arguments[1].payload)
    return list_of(type.element, [_match_value(pattern, text, spans) for spans in matches(pattern, text)])


def functions(context: FunctionContext) -> tuple[Function, ...]:
    parameters = (Parameter("pattern", STRING), Parameter("string", STRING))
    flavour = context.flavour
    return (
        Function("regex", parameters, partial(_regex_type, flavour), partial(_regex, flavour)),
        Function("regexall", parameters, partial(_regexall_type, flavour), partial(_regexall, flavour)),
    )
