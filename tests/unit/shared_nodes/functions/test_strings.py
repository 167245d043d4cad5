"""String functions, compared with recorded answers: characters, simple case mapping, known prefixes of unknown
strings."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from shared_nodes.functions import strings
from shared_nodes.functions.context import FunctionContext
from shared_nodes.lang.function import ArgumentError, Function, FunctionError, PanicError
from shared_nodes.values.marks import SENSITIVE
from shared_nodes.values.number import parse
from shared_nodes.values.refinement import NOT_NULL, Refinement
from shared_nodes.values.types import BOOL, STRING, ListType
from shared_nodes.values.value import (
    FALSE,
    TRUE,
    Value,
    boolean,
    integer,
    list_of,
    null,
    number,
    string,
    unknown,
)
from shared_nodes.world import Files, World

FUNCTIONS: Final[dict[str, Function]] = {
    function.name: function for function in strings.functions(FunctionContext(World(Files(Path()))))
}

FAMILY: Final = "👨\u200d👩\u200d👧"


def call(name: str, *arguments: str | int) -> Value:
    return FUNCTIONS[name].call(
        [string(argument) if isinstance(argument, str) else integer(argument) for argument in arguments]
    )


TEXTS: Final = [
    ("chomp", ["a\r\r\n\n\r"], "a"),
    ("chomp", ["a\n b\n"], "a\n b"),
    ("chomp", ["a\u2028"], "a\u2028"),
    ("indent", [2, "a\nb\n"], "a\n  b\n  "),
    ("indent", [0, "a\n"], "a\n"),
    ("lower", ["ΑΣ ΑΣ. Σ"], "ασ ασ. σ"),
    ("lower", ["İ ẞ ǅ ᾈ Ⅷ Ⓐ Ა Ꭰ Ᏸ ϴ"], "i ß ǆ ᾀ ⅷ ⓐ ა ꭰ ᏸ θ"),
    ("replace", ["aaa", "aa", "b"], "ba"),
    ("replace", ["éa日", "", "-"], "-é-a-日-"),
    ("replace", ["", "", "-"], "-"),
    ("replace", ["a/c", "/", "x"], "axc"),
    ("replace", ["abc", "/b", "-"], "abc"),
    ("replace", ["abc", "//", "-"], "-a-b-c-"),
    ("replace", ["a/b/c", "/b/", "-"], "a/-/c"),
    ("replace", ["e", "e", "e\u0301"], "é"),
    ("replace", ["a", "a", "$0"], "$0"),
    ("strrev", ["\u0301e"], "é"),
    ("strrev", ["\r\n\n\r"], "\r\n\r\n"),
    ("strrev", ["a\u200db🇬🇧🇫"], "🇫🇬🇧ba\u200d"),
    ("strrev", [f"ab\u0308c{FAMILY}"], f"{FAMILY}cb̈a"),
    ("substr", ["hello", -3, 0], "llo"),
    ("substr", ["hello", -10, 2], "he"),
    ("substr", ["hello", -10, -1], "hello"),
    ("substr", ["hello", 4, 5], "o"),
    ("substr", ["hello", 5, -1], ""),
    ("substr", ["hello", 0, 0], ""),
    ("substr", ["hello", 0, -5], "hello"),
    ("substr", ["", -1, 0], ""),
    ("substr", ["hello", 1, 2**63 - 1], "ello"),
    ("substr", ["hello", -(2**63), 2], "he"),
    ("substr", ["a\r\nb", 1, 1], "\r\n"),
    ("substr", [f"{FAMILY}x", 1, 1], "x"),
    ("title", ["ǆabc ﬁx ßa ŉa ı"], "ǅabc ﬁx ßa ŉa I"),
    ("title", ["o'neill d’arc a_b a-b 1a _a éa"], "O'Neill D’arc A_b A-B 1a _a Éa"),
    ("title", ["foo\u00a0bar\u3000baz\u200bqux"], "Foo\u00a0Bar\u3000Baz\u200bqux"),
    ("title", ["x²y ½a ⅷb ⓐc ªd"], "X²y ½a Ⅷb Ⓐc ªd"),
    ("title", ["ᾳ ᾀ ὰ ΐ ა ꭰ ǳ Ǳ"], "ᾼ ᾈ Ὰ ΐ ა Ꭰ ǲ ǲ"),
    ("title", ["🤔abc"], "🤔abc"),
    ("trim", ["ééa", "e\u0301"], "a"),
    ("trim", ["a-b", "a-z"], "b"),
    ("trim", ["hello", ""], "hello"),
    ("trimprefix", ["e\u0301a", "e"], "éa"),
    ("trimprefix", ["hellohello", "hello"], "hello"),
    ("trimspace", ["\x85\u1680\u2000\u200a\u2028\u2029\u202f\u205f\u3000\v\fa\x1c\x1f\u180e"], "a\x1c\x1f\u180e"),
    ("trimspace", ["\u200bhello"], "\u200bhello"),
    ("trimsuffix", ["abcc", "c"], "abc"),
    ("trimsuffix", ["ae\u0301", "\u0301"], "aé"),
    ("upper", ["ß ŉ ǰ ΐ ﬁ ǆ ǅ ᾳ ᾀ ı ſ ÿ µ ა ꭰ ᏸ"], "ß ŉ ǰ ΐ ﬁ Ǆ Ǆ ᾼ ᾈ I S Ÿ Μ Ა Ꭰ Ᏸ"),
    ("upper", ["\u0345"], "Ι"),
]


@pytest.mark.parametrize(("name", "arguments", "expected"), TEXTS)
def test_texts(name: str, arguments: list[str | int], expected: str) -> None:
    assert call(name, *arguments) == string(expected)


QUESTIONS: Final = [
    ("endswith", "é", "\u0301", False),
    ("endswith", "hello", "", True),
    ("startswith", "é", "e", False),
    ("startswith", "", "", True),
    ("strcontains", "e\u0301", "e", False),
    ("strcontains", "hello", "", True),
]


@pytest.mark.parametrize(("name", "text", "part", "expected"), QUESTIONS)
def test_questions(name: str, text: str, part: str, expected: bool) -> None:
    assert call(name, text, part) == boolean(expected)


SPLITS: Final = [
    (",", "", [""]),
    ("", "", []),
    ("", f"ệx{FAMILY}", ["ệ", "x", "👨", "\u200d", "👩", "\u200d", "👧"]),
    ("aa", "aaaaa", ["", "", "a"]),
    ("\u0301", "e\u0301x", ["éx"]),
]


@pytest.mark.parametrize(("separator", "text", "expected"), SPLITS)
def test_split(separator: str, text: str, expected: list[str]) -> None:
    assert call("split", separator, text) == list_of(STRING, map(string, expected))


def join(separator: str, *lists: list[Value]) -> Value:
    return FUNCTIONS["join"].call([string(separator), *(list_of(STRING, each) for each in lists)])


def test_join_takes_several_lists_and_normalises_the_seams() -> None:
    assert join(",", [string("a")], [string("b"), string("c")]) == string("a,b,c")
    assert join(",", [], []) == string("")
    assert join("\u0301", [string("e"), string("e")]) == string("ée")


def test_join_names_the_null_element() -> None:
    with pytest.raises(ArgumentError, match=r"^element 1 is null; cannot concatenate null values$"):
        join(",", [string("a"), null(STRING)])
    with pytest.raises(ArgumentError, match=r"^element 0 of list 2 is null; cannot") as caught:
        join(",", [string("a")], [null(STRING)])
    assert caught.value.index == 2


def test_join_needs_a_list_but_notices_only_when_the_separator_is_known() -> None:
    with pytest.raises(FunctionError, match=r"^at least one list is required$"):
        FUNCTIONS["join"].call([string(",")])
    assert FUNCTIONS["join"].call([unknown(STRING)]) == unknown(STRING, NOT_NULL)


def test_an_unknown_element_hides_the_null_beside_it() -> None:
    assert join(",", [unknown(STRING), null(STRING)]) == unknown(STRING, NOT_NULL)


PREFIXED: Final = unknown(STRING, Refinement(not_null=True, prefix="x-"))


@pytest.mark.parametrize(
    ("text", "prefix", "expected"),
    [
        (PREFIXED, "x", TRUE),
        (PREFIXED, "x-", TRUE),
        (PREFIXED, "y", FALSE),
        (PREFIXED, "xy", FALSE),
        (PREFIXED, "é", FALSE),
        (PREFIXED, "x-abc", unknown(BOOL, NOT_NULL)),
        (PREFIXED, "日", unknown(BOOL, NOT_NULL)),
        (unknown(STRING), "", TRUE),
        (unknown(STRING), "a", unknown(BOOL, NOT_NULL)),
    ],
)
def test_startswith_answers_from_a_known_prefix_measured_in_bytes(text: Value, prefix: str, expected: Value) -> None:
    assert FUNCTIONS["startswith"].call([text, string(prefix)]) == expected


def test_only_startswith_looks_into_unknowns() -> None:
    assert FUNCTIONS["startswith"].call([string(""), unknown(STRING)]) == unknown(BOOL, NOT_NULL)
    assert FUNCTIONS["endswith"].call([PREFIXED, string("")]) == unknown(BOOL, NOT_NULL)
    assert FUNCTIONS["strcontains"].call([PREFIXED, string("x")]) == unknown(BOOL, NOT_NULL)
    assert FUNCTIONS["trimspace"].call([PREFIXED]) == unknown(STRING, NOT_NULL)
    assert FUNCTIONS["split"].call([string(","), PREFIXED]) == unknown(ListType(STRING), NOT_NULL)


def test_errors_are_not_looked_for_while_an_argument_is_unknown() -> None:
    assert FUNCTIONS["indent"].call([integer(-1), unknown(STRING)]) == unknown(STRING, NOT_NULL)


@pytest.mark.parametrize("offset", ["1.5", "1e20", "Inf"])
def test_offsets_are_whole_numbers(offset: str) -> None:
    with pytest.raises(FunctionError, match=r"^value must be a whole number, between "):
        FUNCTIONS["substr"].call([string("hello"), number(parse(offset)), integer(1)])


@pytest.mark.parametrize(
    ("spaces", "reason"),
    [(-1, "strings: negative Repeat count"), (10**18, "runtime error: makeslice: len out of range")],
)
def test_indent_panics_like_the_original(spaces: int, reason: str) -> None:
    with pytest.raises(PanicError, match=rf"^panic in function implementation: {reason}$"):
        call("indent", spaces, "no newline needed")


BAD_PATTERNS: Final = [
    ("/(/", "error parsing regexp: missing closing ): `(`"),
    ("/a**/", "error parsing regexp: invalid nested repetition operator: `**`"),
    ("/\\/", "error parsing regexp: trailing backslash at end of expression: ``"),
]


@pytest.mark.parametrize(("search", "message"), BAD_PATTERNS)
def test_replace_words_pattern_errors_in_its_own_way(search: str, message: str) -> None:
    with pytest.raises(FunctionError) as caught:
        call("replace", "abc", search, "x")
    assert caught.value.message == message
    assert not isinstance(caught.value, ArgumentError)


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("indent", [10**9, "\n"]),
        ("indent", [10**7, "\n" * 10]),
        ("replace", ["a" * 10_000, "a", "b" * 10_000]),
        ("replace", ["a" * 10_000, "", "b" * 10_000]),
        ("replace", ["a" * 10_000, "/a/", "b" * 10_000]),
        ("replace", ["a" * 10_000, "/a+/", "$0" * 6_000]),
    ],
)
def test_no_result_outgrows_the_limit(name: str, arguments: list[str | int]) -> None:
    with pytest.raises(FunctionError, match=f"^the result would have more than {strings.MAX_RESULT} characters$"):
        call(name, *arguments)


def test_lone_surrogates_do_no_harm() -> None:
    for name in ("chomp", "lower", "strrev", "title", "trimspace", "upper"):
        assert call(name, "\ud800") == string("\ud800")
    assert FUNCTIONS["startswith"].call([PREFIXED, string("\ud800")]) == unknown(BOOL, NOT_NULL)


def test_marks_go_on_the_result() -> None:
    assert FUNCTIONS["upper"].call([string("a").mark(SENSITIVE)]) == string("A").mark(SENSITIVE)
