"""Where text is split into tokens: rules that only show at the edges of each mode."""

from __future__ import annotations

import pytest

from shared_nodes.lang.identifiers import is_identifier
from shared_nodes.lang.lexer import Tokens, tokens_of_code, tokens_of_template


def pieces(text: str, tokens: Tokens) -> list[str]:
    return [text[start:end] for start, end in zip(tokens.starts, tokens.ends, strict=True)][:-1]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("a-b a - b a-", ["a-b", "a", "-", "b", "a-"], id="a dash belongs to a name"),
        pytest.param("1.e5 1.2.3 1..2", ["1.e5", "1.2.3", "1..2"], id="a number takes any run of digits and dots"),
        pytest.param("5. 1.a 1e 0x1F", ["5", ".", "1", ".", "a", "1", "e", "0", "x1F"], id="but never ends with a dot"),
        pytest.param("1e5e-6+7", ["1e5e-6", "+", "7"], id="signs only after an exponent letter"),
        pytest.param(".. ... ....", [".", ".", "...", "...", "."], id="longest match"),
        pytest.param("=> == = >= > :: :", ["=>", "==", "=", ">=", ">", "::", ":"], id="two-character signs"),
        pytest.param("/* a */b/* c", ["b", "/", "*", "c"], id="an unterminated comment is a slash and a star"),
        pytest.param("a /* /* */ b */", ["a", "b", "*", "/"], id="comments do not nest"),
        pytest.param("a # b\nc // d", ["a", "# b\n", "c"], id="a line comment acts as its newline"),
        pytest.param("<< EOT", ["<", "<", "EOT"], id="no space before a heredoc marker"),
        pytest.param("<<E x", ["<", "<", "E", "x"], id="a heredoc marker needs its newline"),
        pytest.param("a\r\nb", ["a", "\r\n", "b"], id="a carriage return is part of a newline"),
    ],
)
def test_normal_code(text: str, expected: list[str]) -> None:
    assert pieces(text, tokens_of_code(text)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('"a$b"', ['"', "a", "$", "b", '"']),
        ('"$$"', ['"', "$", "$", '"']),
        ('"$${a}"', ['"', "$${", "a}", '"']),
        ('"$$${a}"', ['"', "$", "$${", "a}", '"']),
        ('"\\${a}"', ['"', "\\${a}", '"']),
        ('"${~ a ~}"', ['"', "${~", "a", "~}", '"']),
        ('"${{}}"', ['"', "${", "{", "}", "}", '"']),
        ('"a\n\n"', ['"', "a", "\n\n", '"']),
        ('"${"b"}"', ['"', "${", '"', "b", '"', "}", '"']),
    ],
)
def test_quoted_strings(text: str, expected: list[str]) -> None:
    assert pieces(text, tokens_of_code(text)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<<E\na\nb\nE\n", ["<<E\n", "a\n", "b\n", "E", "\n"]),
        pytest.param("<<E\n E \r\n", ["<<E\n", " E ", "\r\n"], id="white space around the closing marker"),
        pytest.param("<<E\n\u3000E\n", ["<<E\n", "\u3000E", "\n"], id="of any script"),
        pytest.param("<<E\n${a}E\nE\n", ["<<E\n", "${", "a", "}", "E\n", "E", "\n"], id="only at the start of a line"),
        pytest.param("<<E\nE x\nE\n", ["<<E\n", "E x\n", "E", "\n"], id="and alone on it"),
        pytest.param("<<E\n$${a\nE\n", ["<<E\n", "$${", "a\n", "E", "\n"], id="escapes are pieces of their own"),
    ],
)
def test_heredocs(text: str, expected: list[str]) -> None:
    assert pieces(text, tokens_of_code(text)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a${b}c\nd", ["a", "${", "b", "}", "c\n", "d"]),
        ("a$", ["a", "$"]),
        pytest.param("a\r${b}", ["a", "\r${b}"], id="a lone carriage return makes the rest literal"),
    ],
)
def test_bare_templates(text: str, expected: list[str]) -> None:
    assert pieces(text, tokens_of_template(text)) == expected


@pytest.mark.parametrize("text", ["a\ud800b", "\udcff", '"\udc80"', "<<E\n\udcc3(\nE\n", "\udced\udca0\udc80"])
def test_bytes_that_are_not_text_never_stop_the_lexer(text: str) -> None:
    tokens = tokens_of_code(text)
    assert tokens.kinds[-1] == "end"
    assert tokens.suspects


@pytest.mark.parametrize(
    ("text", "valid"),
    [
        ("a", True),
        ("_", True),
        ("a-", True),
        ("日本", True),
        ("e\u0301", True),
        ("a\u1cf2", True),
        pytest.param("\u1cf2", False, id="a mark in Unicode 9.0, a letter later"),
        pytest.param("\u0860", False, id="newer than Unicode 9.0"),
        pytest.param("a\u200d", False, id="joiners came later too"),
        ("", False),
        ("-a", False),
        ("1a", False),
        ("a b", False),
    ],
)
def test_identifiers_are_those_of_unicode_9(text: str, valid: bool) -> None:
    assert is_identifier(text) is valid
