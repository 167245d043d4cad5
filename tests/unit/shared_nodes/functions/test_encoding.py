"""Base64, character sets, gzip and URL encoding, compared with recorded answers."""

from __future__ import annotations

import base64
import gzip
from pathlib import Path
from typing import Final

import pytest

from shared_nodes.flavour import OPENTOFU_1_12
from shared_nodes.functions import encoding
from shared_nodes.functions.context import FunctionContext
from shared_nodes.lang.function import ArgumentError, Function, FunctionError
from shared_nodes.values.marks import SENSITIVE
from shared_nodes.values.refinement import NOT_NULL
from shared_nodes.values.types import STRING
from shared_nodes.values.value import string, unknown
from shared_nodes.world import World

WORLD: Final = World.real(Path())
FUNCTIONS: Final = {function.name: function for function in encoding.functions(FunctionContext(WORLD))}
OPENTOFU_FUNCTIONS: Final[dict[str, Function]] = {
    function.name: function for function in encoding.functions(FunctionContext(WORLD, OPENTOFU_1_12))
}

GZIP_HEADER: Final = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"

RESULTS: Final = [
    ("base64decode", ("YQ==\n",), "a"),
    ("base64decode", ("Y\r\nQ==",), "a"),
    ("base64decode", ("YQ=\n=",), "a"),
    ("base64decode", ("YQ==\r\n\r\n",), "a"),
    ("base64decode", ("ZcyB",), "é"),
    ("base64decode", ("AA==",), "\x00"),
    ("textencodebase64", ("é", "utf-8"), "w6k="),
    ("textencodebase64", ("é", "latin1"), "6Q=="),
    ("textencodebase64", ("é", "l1"), "6Q=="),
    ("textencodebase64", ("€", "windows-1252"), "gA=="),
    ("textencodebase64", ("é", "CP437"), "gg=="),
    ("textencodebase64", ("é", "IBM437"), "gg=="),
    ("textencodebase64", ("é", "IBM037"), "UQ=="),
    ("textencodebase64", ("é", "macintosh"), "jg=="),
    ("textencodebase64", ("日", "ISO-2022-JP"), "GyRCRnwbKEI="),
    ("textencodebase64", ("日", "GB18030"), "yNU="),
    ("textencodebase64", ("日", "HZ-GB-2312"), "fntIVQ=="),
    ("textencodebase64", ("日", "EUC-KR"), "7O0="),
    ("textencodebase64", ("😀", "UTF-16LE"), "PdgA3g=="),
    ("textencodebase64", ("", "UTF-16"), "/v8="),
    ("textencodebase64", ("é", "ISO-8859-15"), "6Q=="),
    ("textencodebase64", ("é", "UTF-16BE"), "AOk="),
    ("textdecodebase64", ("/v8ASA==", "UTF-16"), "H"),
    ("textdecodebase64", ("//5IAA==", "UTF-16"), "H"),
    ("textdecodebase64", ("AEg=", "UTF-16"), "H"),
    ("textdecodebase64", ("77u/YQ==", "UTF-8"), "\ufeffa"),
    ("textdecodebase64", ("YQ==\n", "UTF-8"), "a"),
    ("urlencode", ('\x00\x7f"<>[]{}|\\^`%,;$',), "%00%7F%22%3C%3E%5B%5D%7B%7D%7C%5C%5E%60%25%2C%3B%24"),
    ("urlencode", ("é",), "%C3%A9"),
    ("urlencode", ("AZaz09",), "AZaz09"),
]


@pytest.mark.parametrize(("name", "arguments", "expected"), RESULTS)
def test_results(name: str, arguments: tuple[str, ...], expected: str) -> None:
    assert FUNCTIONS[name].call([string(argument) for argument in arguments]) == string(expected)


ERRORS: Final = [
    ("base64decode", ("YQ=",), 'failed to decode base64 data "YQ="'),
    ("base64decode", ("YQ",), 'failed to decode base64 data "YQ"'),
    ("base64decode", ("=",), 'failed to decode base64 data "="'),
    ("base64decode", ("====",), 'failed to decode base64 data "===="'),
    ("base64decode", ("Y===",), 'failed to decode base64 data "Y==="'),
    ("base64decode", ("YWI=x",), 'failed to decode base64 data "YWI=x"'),
    ("base64decode", ("YWIé",), 'failed to decode base64 data "YWIé"'),
    ("base64decode", ("/w==",), "the result of decoding the provided string is not valid UTF-8"),
    ("base64decode", ("gICA",), "the result of decoding the provided string is not valid UTF-8"),
    ("base64decode", ("7aCA",), "the result of decoding the provided string is not valid UTF-8"),
    ("base64decode", ('!"\n',), 'failed to decode base64 data "!\\"\\n"'),
]


@pytest.mark.parametrize(("name", "arguments", "message"), ERRORS)
def test_errors(name: str, arguments: tuple[str, ...], message: str) -> None:
    with pytest.raises(FunctionError) as caught:
        FUNCTIONS[name].call([string(argument) for argument in arguments])
    assert caught.value.message == message


UNSUPPORTED: Final = [
    "bogus",
    "",
    "utf8",
    "UTF8",
    "cp1252",
    "UTF-32",
    "UTF-32BE",
    "UTF-7",
    "GB2312",
    "windows-31j",
    "ISO-2022-KR",
    "x-user-defined",
]


@pytest.mark.parametrize("name", UNSUPPORTED)
def test_names_of_character_sets_are_those_registered_and_supported(name: str) -> None:
    for function in ("textencodebase64", "textdecodebase64"):
        with pytest.raises(ArgumentError) as caught:
            FUNCTIONS[function].call([string("YQ=="), string(name)])
        problem = f'"{name}" is not a supported IANA encoding name or alias in this Terraform version'
        assert (caught.value.index, caught.value.message) == (1, problem)


UNREPRESENTABLE: Final = [
    ("textdecodebase64", ("AA==", "UTF-16BE"), "string contains symbols that are not defined for UTF-16BE"),
    ("textdecodebase64", ("2AA=", "UTF-16BE"), "string contains symbols that are not defined for UTF-16BE"),
    ("textdecodebase64", ("YQ", "UTF-8"), "value is has an invalid base64 symbol at offset 0"),
    ("textdecodebase64", ("a\nb", "UTF-8"), "value is has an invalid base64 symbol at offset 1"),
    ("textdecodebase64", ("abcd\nab", "UTF-8"), "value is has an invalid base64 symbol at offset 5"),
    ("textdecodebase64", ("a\nb=", "UTF-8"), "value is has an invalid base64 symbol at offset 4"),
    ("textdecodebase64", ("ab=\n", "UTF-8"), "value is has an invalid base64 symbol at offset 4"),
    ("textdecodebase64", ("a\nb=c", "UTF-8"), "value is has an invalid base64 symbol at offset 3"),
    ("textdecodebase64", ("ab==\nx", "UTF-8"), "value is has an invalid base64 symbol at offset 5"),
    ("textdecodebase64", ("ab=\r\n=\nab", "UTF-8"), "value is has an invalid base64 symbol at offset 7"),
    ("textdecodebase64", ("!!", "UTF-8"), "value is has an invalid base64 symbol at offset 0"),
    ("textdecodebase64", ("YWI!", "UTF-8"), "value is has an invalid base64 symbol at offset 3"),
    ("textdecodebase64", ("/w==", "US-ASCII"), "string contains symbols that are not defined for US-ASCII"),
    ("textdecodebase64", ("gQ==", "Shift_JIS"), "string contains symbols that are not defined for Shift_JIS"),
    ("textdecodebase64", ("7aCA", "UTF-8"), "string contains symbols that are not defined for UTF-8"),
    ("textdecodebase64", ("77+9", "UTF-8"), "string contains symbols that are not defined for UTF-8"),
    ("textdecodebase64", ("//0=", "UTF-16BE"), "string contains symbols that are not defined for UTF-16BE"),
]


@pytest.mark.parametrize(("name", "arguments", "problem"), UNREPRESENTABLE)
def test_first_argument_is_blamed_for_its_content(name: str, arguments: tuple[str, ...], problem: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        FUNCTIONS[name].call([string(argument) for argument in arguments])
    assert (caught.value.index, caught.value.message) == (0, f"the given {problem}")


def test_sensitive_text_is_not_quoted_and_marks_the_result() -> None:
    assert FUNCTIONS["base64decode"].call([string("YQ==").mark(SENSITIVE)]) == string("a").mark(SENSITIVE)
    with pytest.raises(FunctionError, match=r"failed to decode base64 data \(sensitive value\)"):
        FUNCTIONS["base64decode"].call([string("!!").mark(SENSITIVE)])


def test_unknown_sensitive_text_stays_sensitive() -> None:
    hidden = unknown(STRING).mark(SENSITIVE)
    assert FUNCTIONS["base64decode"].call([hidden]) == unknown(STRING, NOT_NULL).mark(SENSITIVE)


GZIPPED: Final = [
    ("", "H4sIAAAAAAAA/wAAAP//AQAA//8AAAAAAAAAAA=="),
    ("test", "H4sIAAAAAAAA/ypJLS4BAAAA//8BAAD//wx+f9gEAAAA"),
    ("Hello World", "H4sIAAAAAAAA//JIzcnJVwjPL8pJAQAAAP//AQAA//9WsRdKCwAAAA=="),
]


@pytest.mark.parametrize(("text", "expected"), GZIPPED)
def test_base64gzip_of_short_texts_is_the_same_to_the_byte(text: str, expected: str) -> None:
    assert FUNCTIONS["base64gzip"].call([string(text)]) == string(expected)


@pytest.mark.parametrize("text", ["a" * 100_000, "é日😀" * 50, "\0"])
def test_base64gzip_can_be_read_back(text: str) -> None:
    packed = FUNCTIONS["base64gzip"].call([string(text)])
    assert gzip.decompress(base64.b64decode(packed.payload)).decode() == text
    assert OPENTOFU_FUNCTIONS["base64gunzip"].call([packed]) == string(text)


def test_functions_of_opentofu_are_not_terraforms() -> None:
    assert set(OPENTOFU_FUNCTIONS) - set(FUNCTIONS) == {"base64gunzip", "urldecode"}


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"", "gunzip bytestream: EOF"),
        (b"plain text, no gzip", "gunzip bytestream: gzip: invalid header"),
        (gzip.compress(b"text", mtime=0)[:-1], "read gunzip raw data: unexpected EOF"),
        (gzip.compress(b"text", mtime=0)[:-8] + bytes(8), "read gunzip raw data: gzip: invalid checksum"),
        (gzip.compress(b"text", mtime=0)[:9], "gunzip bytestream: unexpected EOF"),
        (gzip.compress(b"text", mtime=0) + b"x", "read gunzip raw data: unexpected EOF"),
        (gzip.compress(b"text", mtime=0) + b"0123456789", "read gunzip raw data: gzip: invalid header"),
        (GZIP_HEADER + b"\xff\xff", "read gunzip raw data: flate: corrupt input before offset 1"),
        (GZIP_HEADER + b"\x00\x01\x00\x00\x00", "read gunzip raw data: flate: corrupt input before offset 5"),
        (GZIP_HEADER + b"\x04\xff\xff", "read gunzip raw data: flate: corrupt input before offset 3"),
        (GZIP_HEADER + b"\x4b\x02\x22\x00", "read gunzip raw data: flate: corrupt input before offset 3"),
    ],
)
def test_base64gunzip_explains_bad_data(data: bytes, problem: str) -> None:
    with pytest.raises(FunctionError, match=problem):
        OPENTOFU_FUNCTIONS["base64gunzip"].call([string(base64.b64encode(data).decode())])


def test_base64gunzip_is_bounded() -> None:
    bomb = base64.b64encode(gzip.compress(bytes(100 << 20))).decode()
    with pytest.raises(FunctionError, match="more than"):
        OPENTOFU_FUNCTIONS["base64gunzip"].call([string(bomb)])


def test_urldecode() -> None:
    urldecode = OPENTOFU_FUNCTIONS["urldecode"]
    assert urldecode.call([string("a+b%2Bc%C3%A9")]) == string("a b+cé")
    with pytest.raises(FunctionError, match="failed to decode URL '': invalid URL escape \"%zz\""):
        urldecode.call([string("a%zzb")])
