"""Reading and writing numbers at the limits of the range, and numbers after storing."""

from __future__ import annotations

import pytest

from shared_nodes.values import number as numbers
from shared_nodes.values.multiprecision import mpfr
from shared_nodes.values.number import NumberTooLargeError, number_text, parse
from shared_nodes.values.sets import set_of
from shared_nodes.values.stored import stored
from shared_nodes.values.text import quoted
from shared_nodes.values.types import NUMBER, STRING
from shared_nodes.values.value import integer, list_of, null, number, object_of, string


@pytest.mark.parametrize("text", ["", ".", "+", "e5", "1e", "1_000", " 1", "1\n", "0x1F", "٣", "--1", "1e99999999999"])
def test_what_is_not_a_number(text: str) -> None:
    assert parse(text) is None


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("5.", "5"),
        (".5", "0.5"),
        ("+1", "1"),
        ("007", "7"),
        ("1E+2", "100"),
        ("1e0000000000000000000002", "100"),
        ("-0", "-0"),
        ("0e99999999999", "0"),
        ("1e300", "1" + "0" * 300),
        ("1e-300", "0." + "0" * 299 + "1"),
        ("inf", "+Inf"),
        ("-Inf", "-Inf"),
        ("1e2147483640", "+Inf"),
        ("1e-700000000", "0"),
    ],
)
def test_reading(text: str, result: str) -> None:
    """The last two are recorded: an exponent may seem in range while the number is not."""
    payload = parse(text)
    assert payload is not None
    assert number_text(payload) == result


def test_a_number_beyond_2_to_the_31_is_refused() -> None:
    assert parse("1e2147483647") is None


def test_an_enormous_text_is_refused() -> None:
    payload = parse("1e99999999")
    assert payload is not None
    with pytest.raises(NumberTooLargeError):
        number_text(payload)


@pytest.mark.parametrize(
    ("text", "precision", "result"),
    [
        ("2.09590327428938483222964350716210901737213134765625", 512, "2.095903274289385"),
        ("18446744073709551616", 512, "18446744073709551616"),
        ("18446744073709551616", 53, "18446744073709550000"),
        ("-0", 512, "0"),
        ("0.1", 512, "0.1"),
        ("3.3", 512, "3.3"),
        ("5", 512, "5"),
        ("+Inf", 512, "+Inf"),
    ],
)
def test_storing(text: str, precision: int, result: str) -> None:
    """Recorded: the result of an expression, and what `terraform output` shows of it after the apply."""
    assert number_text(stored(number(mpfr(text, precision))).payload) == result


def test_storing_reaches_every_number() -> None:
    wide = number(numbers.from_int(5, 512))
    value = object_of({"a": list_of(NUMBER, [wide, null(NUMBER)]), "b": set_of(NUMBER, [wide]), "c": string("x")})
    narrow = integer(5)
    expected = object_of(
        {"a": list_of(NUMBER, [narrow, null(NUMBER)]), "b": set_of(NUMBER, [narrow]), "c": string("x")}
    )
    result = stored(value)
    assert result == expected
    assert result.payload["a"].payload[0].payload.precision == 64
    assert stored(null(STRING)) == null(STRING)


@pytest.mark.parametrize("text", ["1e2000000", "-1e2000000", "1.5e-2000000"])
def test_storing_leaves_a_number_alone_whose_text_is_too_long(text: str) -> None:
    """A plan with such an output once crashed. Writing it to JSON is refused with a diagnostic."""
    payload = parse(text)
    assert payload is not None
    assert stored(number(payload)).payload == payload


def test_quoted_text_escapes_what_does_not_print() -> None:
    assert quoted('a"\\\a\b\f\n\r\t\v\x01\x7f\u00a0\u200b\U000e0001é 字') == (
        '"a\\"\\\\\\a\\b\\f\\n\\r\\t\\v\\x01\\x7f\\u00a0\\u200b\\U000e0001é 字"'
    )
