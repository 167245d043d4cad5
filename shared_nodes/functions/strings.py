"""String functions: chomp endswith indent join lower replace split startswith strcontains strrev substr title trim
trimprefix trimspace trimsuffix upper.

A character is a grapheme cluster for substr and strrev, and a code point for all others. Results are converted to
normal form C like any string, so `strrev` of a lone accent and a letter is one accented letter.

Case mapping is Unicode's simple mapping, from one code point to one: "ß" has no capital, and a sigma at the end of a
word no special form. Python's str methods use the full mapping.

No result is longer than `MAX_RESULT`; the original would exhaust memory and crash.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Final

from shared_nodes.flavour import Flavour
from shared_nodes.functions.context import FunctionContext
from shared_nodes.functions.numbers import whole_number
from shared_nodes.lang.function import ArgumentError, Arguments, Function, FunctionError, PanicError, Parameter
from shared_nodes.values.text import graphemes
from shared_nodes.values.types import BOOL, NUMBER, STRING, ListType, Type
from shared_nodes.values.value import Value, boolean, list_of, string, unknown

__all__ = ["MAX_RESULT", "check_length", "functions", "join_pieces", "repeat"]

MAX_RESULT: Final = 50_000_000
"""The longest result of a string function, in characters: five times the widest number that `format` can write."""

_WHITE_SPACE: Final = (
    "\t\n\v\f\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000"
)
"""Unicode's White_Space. Python's definition of space also includes the separators U+001C to U+001F."""

_ADDRESSABLE: Final = 2**48
"""Bytes beyond which the original's runtime refuses an allocation without trying it."""


def check_length(length: int) -> None:
    if length > MAX_RESULT:
        raise FunctionError(f"the result would have more than {MAX_RESULT} characters")


def join_pieces(pieces: Iterable[str]) -> str:
    """Join the pieces, and fail as soon as they are too long together."""
    kept: list[str] = []
    length = 0
    for piece in pieces:
        length += len(piece)
        check_length(length)
        kept.append(piece)
    return "".join(kept)


def repeat(character: str, count: int) -> str:
    if count < 0:
        raise PanicError("strings: negative Repeat count")
    if count > _ADDRESSABLE:
        raise PanicError("runtime error: makeslice: len out of range")
    check_length(count)
    return character * count


# Case ----------------------------------------------------------------------------------------------------------------


def _simple_upper(character: str) -> str:
    """The simple capital of a character.

    If the full mapping has several characters, it is the title case if that is one character (Greek letters with iota
    below), otherwise the character itself.
    """
    upper = character.upper()
    return upper if len(upper) == 1 else _simple_title(character)


def _simple_lower(character: str) -> str:
    """The simple lower case. Only one character has a full mapping to several: İ becomes an i and a dot."""
    return character.lower()[0]


def _simple_title(character: str) -> str:
    title = character.title()
    return title if len(title) == 1 else character


def _upper(text: str) -> str:
    return text.upper() if text.isascii() else "".join(map(_simple_upper, text))


def _lower(text: str) -> str:
    return text.lower() if text.isascii() else "".join(map(_simple_lower, text))


def _separates_words(character: str) -> bool:
    """Whether the character separates words. ASCII punctuation does and other punctuation does not: `'` does, `’` does
    not."""
    if character.isascii():
        return not (character.isalnum() or character == "_")
    return character in _WHITE_SPACE


def _title(text: str) -> str:
    previous = " "
    titled = []
    for character in text:
        titled.append(_simple_title(character) if _separates_words(previous) else character)
        previous = character
    return "".join(titled)


# Parts ---------------------------------------------------------------------------------------------------------------


def _substr(arguments: Arguments, _type: Type) -> Value:
    """Part of a string.

    Two quirks of the original: an offset before the beginning counts as the beginning, and a length of zero means all
    of the rest if the offset was negative.
    """
    text: str = arguments[0].payload
    offset, length = whole_number(arguments[1]), whole_number(arguments[2])
    clusters = graphemes(text)
    if offset < 0:
        offset = max(0, offset + len(clusters))
        length = length or -1
    return string("".join(clusters[offset:] if length < 0 else clusters[offset : offset + length]))


def _split(arguments: Arguments, _type: Type) -> Value:
    separator, text = (argument.payload for argument in arguments)
    parts = text.split(separator) if separator else text
    return list_of(STRING, map(string, parts))


def _strrev(text: str) -> str:
    return "".join(reversed(graphemes(text)))


# Building ------------------------------------------------------------------------------------------------------------


def _indent(arguments: Arguments, _type: Type) -> Value:
    padding = repeat(" ", whole_number(arguments[0]))
    return string(_replace_all(arguments[1].payload, "\n", "\n" + padding))


def _join(arguments: Arguments, _type: Type) -> Value:
    separator, *lists = arguments
    if not lists:
        raise FunctionError("at least one list is required")
    if not all(each.is_wholly_known for each in lists):
        return unknown(STRING)
    items: list[str] = []
    for list_index, each in enumerate(lists, start=1):
        for index, element in enumerate(each.payload):
            if element.is_null:
                where = f"element {index} of list {list_index}" if len(lists) > 1 else f"element {index}"
                raise ArgumentError(list_index, f"{where} is null; cannot concatenate null values")
            items.append(element.payload)
    check_length(sum(map(len, items)) + len(separator.payload) * max(0, len(items) - 1))
    return string(separator.payload.join(items))


def _replace_all(text: str, search: str, replacement: str) -> str:
    occurrences = text.count(search)
    check_length(len(text) + occurrences * (len(replacement) - len(search)))
    return text.replace(search, replacement)


def _replace(flavour: Flavour, arguments: Arguments, _type: Type) -> Value:
    """Replace text. A search text between slashes is a pattern; two characters suffice, since `//` is the empty
    pattern."""
    text, search, replacement = (argument.payload for argument in arguments)
    if len(search) < 2 or not (search.startswith("/") and search.endswith("/")):
        return string(_replace_all(text, search, replacement))
    from shared_nodes.functions.regexes import PatternError, replace_matches

    try:
        return string(join_pieces(replace_matches(search[1:-1], text, replacement, flavour)))
    except PatternError as error:
        raise FunctionError(str(error)) from None


# Questions -----------------------------------------------------------------------------------------------------------


def _byte_length(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))


def _startswith(arguments: Arguments, _type: Type) -> Value:
    """Whether a string starts with a prefix. The known prefix of an unknown string may be enough to decide."""
    text, prefix = arguments
    if text.is_known:
        return boolean(text.payload.startswith(prefix.payload))
    known: str = text.refinement.prefix
    if known.startswith(prefix.payload):
        return boolean(True)
    if known and _byte_length(known) >= _byte_length(prefix.payload):
        return boolean(False)
    return unknown(BOOL)


def _text_function(name: str, implementation: Callable[..., str], *parameters: str) -> Function:
    """A function from known strings to a string."""

    def call(arguments: Arguments, _type: Type) -> Value:
        return string(implementation(*(argument.payload for argument in arguments)))

    return Function(name, tuple(Parameter(parameter, STRING) for parameter in parameters), STRING, call)


def _text_predicate(name: str, implementation: Callable[[str, str], bool], *parameters: str) -> Function:
    def call(arguments: Arguments, _type: Type) -> Value:
        return boolean(implementation(arguments[0].payload, arguments[1].payload))

    return Function(name, tuple(Parameter(parameter, STRING) for parameter in parameters), BOOL, call)


def functions(context: FunctionContext) -> tuple[Function, ...]:
    text = Parameter("str", STRING)
    replaced = (text, Parameter("substr", STRING), Parameter("replace", STRING))
    list_of_strings = ListType(STRING)
    return (
        _text_function("chomp", lambda text: text.rstrip("\r\n"), "str"),
        _text_predicate("endswith", str.endswith, "str", "suffix"),
        Function("indent", (Parameter("spaces", NUMBER), text), STRING, _indent),
        Function(
            "join", (Parameter("separator", STRING),), STRING, _join, variadic=Parameter("lists", list_of_strings)
        ),
        _text_function("lower", _lower, "str"),
        Function("replace", replaced, STRING, partial(_replace, context.flavour)),
        Function("split", (Parameter("separator", STRING), text), list_of_strings, _split),
        Function(
            "startswith",
            (Parameter("str", STRING, allow_unknown=True), Parameter("prefix", STRING)),
            BOOL,
            _startswith,
        ),
        _text_predicate("strcontains", str.__contains__, "str", "substr"),
        _text_function("strrev", _strrev, "str"),
        Function("substr", (text, Parameter("offset", NUMBER), Parameter("length", NUMBER)), STRING, _substr),
        _text_function("title", _title, "str"),
        _text_function("trim", str.strip, "str", "cutset"),
        _text_function("trimprefix", str.removeprefix, "str", "prefix"),
        _text_function("trimspace", lambda text: text.strip(_WHITE_SPACE), "str"),
        _text_function("trimsuffix", str.removesuffix, "str", "suffix"),
        _text_function("upper", _upper, "str"),
    )
