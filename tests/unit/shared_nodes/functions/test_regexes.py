"""Regular expressions, compared with recorded answers: the syntax of Go, its errors, and where matches are found."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from shared_nodes.flavour import OPENTOFU_1_12, TERRAFORM_1_11
from shared_nodes.functions import regexes
from shared_nodes.functions.context import FunctionContext
from shared_nodes.functions.regexes import replace_matches
from shared_nodes.lang.function import ArgumentError, Function, FunctionError
from shared_nodes.values.refinement import NOT_NULL
from shared_nodes.values.types import DYNAMIC, STRING, ListType, ObjectType, TupleType
from shared_nodes.values.value import DYNAMIC_UNKNOWN, Value, list_of, null, object_of, string, tuple_of, unknown
from shared_nodes.world import Files, World

FUNCTIONS: Final[dict[str, Function]] = {
    function.name: function for function in regexes.functions(FunctionContext(World(Files(Path()))))
}
OPENTOFU_FUNCTIONS: Final[dict[str, Function]] = {
    function.name: function for function in regexes.functions(FunctionContext(World(Files(Path())), OPENTOFU_1_12))
}


def regex(pattern: str, text: str) -> Value:
    return FUNCTIONS["regex"].call([string(pattern), string(text)])


def regexall(pattern: str, text: str) -> list[Value]:
    return list(FUNCTIONS["regexall"].call([string(pattern), string(text)]).payload)


MATCHES: Final = [
    ("", "abc", ""),
    (".", "日本", "日"),
    ("é", "cafe\u0301", "é"),
    (r"\p{Greek}", "abcδ", "δ"),
    (r"\P{^L}", "1b", "b"),
    (r"\p{^L}", "b1", "1"),
    ("(?i)\u212a", "k", "k"),
    ("(?i)ſ", "S", "S"),
    ("(?m)^b$", "a\nb", "b"),
    ("(?s).", "\n", "\n"),
    ("(?U)a+", "aaa", "a"),
    ("(?)", "a", ""),
    ("a(?i)*", "aaa", "aaa"),
    ("a*(?)*", "aaa", "aaa"),
    ("a*\\Q\\E*", "aaa", "aaa"),
    ("^*", "a", ""),
    ("a{,2}", "a{,2}", "a{,2}"),
    ("a{01}", "a{01}", "a{01}"),
    ("a{1", "a{1", "a{1"),
    ("a{2}?", "aaa", "aa"),
    ("[]a]", "]", "]"),
    ("[^]a]", "b", "b"),
    ("[[a]", "[", "["),
    (r"[\d-z]", "-", "-"),
    (r"[\pL-z]", "-", "-"),
    ("[[:^alpha:]]", "1", "1"),
    (r"\12", "\n", "\n"),
    (r"\101", "A", "A"),
    (r"\x41", "A", "A"),
    (r"\x{41}", "A", "A"),
    (r"\Qa.b\E+", "a.bbb", "a.bbb"),
    (r"\Qa.b", "a.b", "a.b"),
    (r"a\Q\E*", "aaa", "aaa"),
    (r"\_\-\/\<", "_-/<", "_-/<"),
    (r"\Aa\z", "a", "a"),
]


@pytest.mark.parametrize(("pattern", "text", "expected"), MATCHES)
def test_matches(pattern: str, text: str, expected: str) -> None:
    assert regex(pattern, text) == string(expected)


def test_groups_decide_the_shape() -> None:
    assert regex("(a)(b)?", "a") == tuple_of([string("a"), null(STRING)])
    assert regex("()", "abc") == tuple_of([string("")])
    assert regex("(?P<x>a)(?<y>b)?", "a") == object_of({"x": string("a"), "y": null(STRING)})
    assert regex("(?P<1>b)", "ab") == object_of({"1": string("b")})


def test_groups_of_the_same_name_are_allowed_and_the_last_counts() -> None:
    assert regex("(?P<x>a)(?P<x>b)", "ab") == object_of({"x": string("b")})
    assert regex("(?P<x>a)|(?P<x>b)", "a") == object_of({"x": null(STRING)})


def test_repeated_groups_are_expanded() -> None:
    assert regex("(a*){1000}", "a") == tuple_of([string("")])


ALL_MATCHES: Final = [
    ("", "abc", ["", "", "", ""]),
    ("a*", "baac", ["", "aa", ""]),
    ("a*?", "baac", ["", "", "", "", ""]),
    ("x*", "日本x", ["", "", "x"]),
    ("^", "a\nb", [""]),
    ("(?m)^", "a\nb\n", ["", "", ""]),
    ("$", "a\n", [""]),
    (r"\b", "ab 日本", ["", ""]),
    (r"\B", "a日", [""]),
    (r"\B", "a日本b日", ["", ""]),
    ("a", "bbb", []),
]


@pytest.mark.parametrize(("pattern", "text", "expected"), ALL_MATCHES)
def test_all_matches(pattern: str, text: str, expected: list[str]) -> None:
    assert regexall(pattern, text) == [string(match) for match in expected]


def test_all_matches_have_one_type() -> None:
    found = FUNCTIONS["regexall"].call([string("(a)|b|()"), string("abc")])
    absent = null(STRING)
    element = TupleType([STRING, STRING])
    rows = [(string("a"), absent), (absent, absent), (absent, string(""))]
    assert found == list_of(element, [tuple_of(row) for row in rows])
    assert FUNCTIONS["regexall"].call([string("(?P<n>a)"), string("")]) == list_of(ObjectType({"n": STRING}), [])


SYNTAX_ERRORS: Final = [
    ("(?", "invalid or unsupported Perl syntax in (?"),
    ("(?i)(?s", "invalid or unsupported Perl syntax in (?s"),
    ("(?P<", "invalid or unsupported Perl syntax in (?P"),
    ("(?P=n)", "invalid or unsupported Perl syntax in (?P"),
    ("(?<", "invalid or unsupported Perl syntax in (?<"),
    ("(?=a)", "invalid or unsupported Perl syntax in (?="),
    ("(?#a)", "invalid or unsupported Perl syntax in (?#"),
    ("(?i-)", "invalid or unsupported Perl syntax in (?i-)"),
    ("(?--i)", "invalid or unsupported Perl syntax in (?--"),
    ("(?P<n", "invalid named capture in (?P<n"),
    ("(?P<>a)", "invalid named capture in (?P<>"),
    ("(?P<n n>a)", "invalid named capture in (?P<n n>"),
    ("(?P<é>a)", "invalid named capture in (?P<é>"),
    ("(?<=a)", "invalid named capture in (?<=a)"),
    ("(?P<n>", "missing closing ) in (?P<n>"),
    ("((a)", "missing closing ) in ((a)"),
    ("a)", "unexpected ) in a)"),
    ("a|*", "missing argument to repetition operator in *"),
    ("(?i)*", "missing argument to repetition operator in *"),
    ("{2}", "missing argument to repetition operator in {2}"),
    (r"\Q\E*", "missing argument to repetition operator in *"),
    ("a+*b", "invalid nested repetition operator in +*"),
    ("a*??", "invalid nested repetition operator in *??"),
    ("a{2}{3}", "invalid nested repetition operator in {2}{3}"),
    ("a{2,1}", "invalid repeat count in {2,1}"),
    ("a{1001,}", "invalid repeat count in {1001,}"),
    ("a{" + "9" * 5000 + "}", "invalid repeat count in {" + "9" * 5000 + "}"),
    ("(a{100}){11}", "invalid repeat count in {11}"),
    ("((a{10}){10}){11}?", "invalid repeat count in {11}?"),
    ("(a{2,}){600}", "invalid repeat count in {600}"),
    ("a\\", "trailing backslash at end of expression in "),
    ("[\\", "trailing backslash at end of expression in "),
    ("x[a-", "missing closing ] in [a-"),
    ("[]", "missing closing ] in []"),
    ("[[:alpha:", "missing closing ] in [[:alpha:"),
    ("[z-a]", "invalid character class range in z-a"),
    ("[a-[:digit:]]", "invalid character class range in a-["),
    ("[[:foo:]]", "invalid character class range in [:foo:]"),
    (r"\pX", r"invalid character class range in \pX"),
    (r"\p", r"invalid character class range in \p"),
    (r"\p{", r"invalid character class range in \p{"),
    (r"\p{^}", r"invalid character class range in \p{^}"),
    (r"[\p{latin}]", r"invalid character class range in \p{latin}"),
    (r"[a-\d]", r"invalid escape sequence in \d"),
    (r"[\b]", r"invalid escape sequence in \b"),
    (r"[\Q]", r"invalid escape sequence in \Q"),
    (r"(a)\1", r"invalid escape sequence in \1"),
    (r"\8", r"invalid escape sequence in \8"),
    (r"\x4g", r"invalid escape sequence in \x4g"),
    (r"\x4", r"invalid escape sequence in \x4"),
    (r"\x{", r"invalid escape sequence in \x{"),
    (r"\x{}", r"invalid escape sequence in \x{}"),
    (r"\x{4g}", r"invalid escape sequence in \x{4g"),
    (r"\x{110000}", r"invalid escape sequence in \x{110000"),
    (r"\C", r"invalid escape sequence in \C"),
    (r"\Z", r"invalid escape sequence in \Z"),
    (r"\E", r"invalid escape sequence in \E"),
    (r"\é", r"invalid escape sequence in \é"),
    ("(a)(?P<n>b)", "cannot mix both named and unnamed capture groups"),
    ("(" * 1000 + "a" + ")" * 1000, "expression nests too deeply in " + "(" * 1000 + "a" + ")" * 1000),
    ("(" * 998 + "ab*" + ")" * 998, "expression nests too deeply in " + "(" * 998 + "ab*" + ")" * 998),
    ("(" * 1001, "missing closing ) in " + "(" * 1001),
    ("(" + "abcdefghij" * 1000 + "){1000}", "expression too large in (" + "abcdefghij" * 1000 + "){1000}"),
    ("\ud800", "invalid UTF-8 in \ud800"),
]


@pytest.mark.parametrize(("pattern", "message"), SYNTAX_ERRORS)
def test_syntax_errors(pattern: str, message: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        regex(pattern, "b")
    assert (caught.value.index, caught.value.message) == (0, f"invalid regexp pattern: {message}")


@pytest.mark.parametrize(
    "pattern",
    [
        "(" * 999 + "a" + ")" * 999,
        "(" * 997 + "ab*" + ")" * 997,
        "(?:" * 1000 + "a" + ")" * 1000,
        "(a{100}){10}",
        r"\0",
        "[a-z]+",
    ],
)
def test_no_match_is_an_error_of_the_call(pattern: str) -> None:
    with pytest.raises(FunctionError) as caught:
        regex(pattern, "1")
    assert caught.value.message == "pattern did not match any part of the given string"
    assert not isinstance(caught.value, ArgumentError)


REPLACEMENTS: Final = [
    ("baac", "a*", "-", "-b-c-"),
    ("日本", "x*", "-", "-日-本-"),
    ("a日本", r"\B", "-", "a日-本-"),
    ("abc", "$", "-", "abc-"),
    ("abc", "(?P<x>b)|(?P<x>c)", "[$x]", "a[b][c]"),
    ("abc", "(?P<n>b)", "$n ${n} $nn $0", "ab b  bc"),
    ("abc", "(b)", "$1x", "ac"),
    ("abc", "(b)", "${1}x", "abxc"),
    ("abc", "(b)", "$01", "ac"),
    ("abc", "(b)", "$9", "ac"),
    ("abc", "(b)", "$99999999999", "ac"),
    ("abc", "(b)", "$1é", "ac"),
    ("abc", "(b)", "$²", "a$²c"),
    ("abc", "(b)", "$", "a$c"),
    ("abc", "(b)", "$-", "a$-c"),
    ("abc", "(b)", "${1", "a${1c"),
    ("abc", "(b)", "${}", "a${}c"),
    ("abc", "(b)", "$$1", "a$1c"),
    ("abc", "(b)", "$$$1", "a$bc"),
    ("abc", "(?i)B", "\\0", "a\\0c"),
    ("\ud800x\udc80", "x", "\udfff", "\ud800\udfff\udc80"),
]


@pytest.mark.parametrize(("text", "pattern", "template", "expected"), REPLACEMENTS)
def test_replacements(text: str, pattern: str, template: str, expected: str) -> None:
    assert "".join(replace_matches(pattern, text, template, TERRAFORM_1_11)) == expected


def test_a_known_pattern_tells_the_type_of_an_unknown_match() -> None:
    text = unknown(STRING)
    pair = TupleType([STRING, STRING])
    assert FUNCTIONS["regex"].call([string("(a)(b)"), text]) == unknown(pair, NOT_NULL)
    assert FUNCTIONS["regexall"].call([string("(?P<n>a)"), text]) == unknown(
        ListType(ObjectType({"n": STRING})), NOT_NULL
    )
    with pytest.raises(ArgumentError, match=r"missing closing \) in \($"):
        FUNCTIONS["regex"].call([string("("), text])


def test_an_unknown_pattern_tells_nothing_but_that_all_matches_are_a_list() -> None:
    assert FUNCTIONS["regex"].call([unknown(STRING), string("a")]) == DYNAMIC_UNKNOWN
    assert FUNCTIONS["regexall"].call([unknown(STRING), string("a")]) == unknown(ListType(DYNAMIC), NOT_NULL)


def test_explosive_patterns_stay_harmless() -> None:
    with pytest.raises(FunctionError, match=r"^pattern did not match"):
        regex("(x+x+)+y", "x" * 100_000)
    with pytest.raises(FunctionError, match=r"^the pattern is too complex for a string of this length$"):
        regexall("(a?)" * 1000, "a" * 5000)


def test_replacements_cost_time_even_where_they_insert_nothing() -> None:
    with pytest.raises(FunctionError, match=r"^the replacement is too complex for this number of matches$"):
        list(replace_matches("(b)?a", "a" * 10_000, "$1" * 10_000, TERRAFORM_1_11))


LONG_NAMES = [
    (r"\p{greek}", "aα", "α"),
    (r"\p{L l}", "Aα", "α"),
    (r"\p{Upper-case_letter}", "aB", "B"),
    (r"\pl", "1A", "A"),
    (r"\p{^letter}", "a.", "."),
    (r"\P{^letter}", ".a", "a"),
    (r"\p{LC}+", "ªAxǅα", "Axǅα"),
    (r"\P{LC}+", "Axª1", "ª1"),
    (r"\p{ASCII}+", "éAx", "Ax"),
    (r"\P{ASCII}+", "Axé", "é"),
    (r"\p{Cn}", "a\u0378", "\u0378"),
    (r"\P{Cn}", "\u0378a", "a"),
    (r"\p{assigned}", "\u0378a", "a"),
    (r"[\p{Cn}a]+", "ba\u0378", "a\u0378"),
    (r"[^\p{Cn}]+", "\u0378ab", "ab"),
    (r"\p{C}", "a\u0378", "\u0378"),
    (r"\P{C}", "\u0378b", "b"),
    (r"\p{any}", "A", "A"),
]


@pytest.mark.parametrize(("pattern", "text", "expected"), LONG_NAMES)
def test_opentofu_knows_long_names_of_classes(pattern: str, text: str, expected: str) -> None:
    assert OPENTOFU_FUNCTIONS["regex"].call([string(pattern), string(text)]) == string(expected)


@pytest.mark.parametrize("name", ["Old_Italic", "SignWriting", "Foo", "", "Ⅷ"])
def test_opentofu_does_not_know_scripts_with_several_capitals(name: str) -> None:
    with pytest.raises(ArgumentError, match="invalid character class range"):
        OPENTOFU_FUNCTIONS["regex"].call([string(rf"\p{{{name}}}"), string("a")])
