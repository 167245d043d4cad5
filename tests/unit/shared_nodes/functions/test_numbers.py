"""Number functions, compared with recorded answers: precision, signs of zero, the last digit of floats, limits."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from shared_nodes.flavour import TERRAFORM_1_11
from shared_nodes.functions import numbers
from shared_nodes.functions.context import FunctionContext
from shared_nodes.lang.function import ArgumentError, Function, FunctionError, PanicError
from shared_nodes.values.marks import SENSITIVE
from shared_nodes.values.number import divide, from_float, number_text, parse
from shared_nodes.values.refinement import NOT_NULL
from shared_nodes.values.types import BOOL, NUMBER, STRING
from shared_nodes.values.value import DYNAMIC_UNKNOWN, TRUE, Value, integer, null, number, string, tuple_of, unknown
from shared_nodes.world import Files, World

FUNCTIONS: Final[dict[str, Function]] = {
    function.name: function for function in numbers.functions(FunctionContext(World(Files(Path())), TERRAFORM_1_11))
}

WHOLE_NUMBER: Final = "value must be a whole number, between -9223372036854775808 and 9223372036854775807"


def num(text: str) -> Value:
    payload = parse(text)
    assert payload is not None
    return number(payload)


def text_of(name: str, *arguments: str) -> str:
    return number_text(FUNCTIONS[name].call([num(argument) for argument in arguments]).payload)


EXACT: Final = [
    ("abs", ["-12345678901234567890"], "12345678901234567890"),
    ("abs", ["-0"], "0"),
    ("abs", ["-Inf"], "+Inf"),
    ("ceil", ["5.1"], "6"),
    ("ceil", ["-5.1"], "-5"),
    ("ceil", ["-0.5"], "0"),
    ("ceil", ["-0"], "0"),
    ("ceil", ["12345678901234567890.5"], "12345678901234567891"),
    ("ceil", ["Inf"], "+Inf"),
    ("floor", ["-0.5"], "-1"),
    ("floor", ["0.5"], "0"),
    ("floor", ["12345678901234567890.5"], "12345678901234567890"),
    ("floor", ["-Inf"], "-Inf"),
    ("max", ["0", "-0"], "0"),
    ("max", ["-0", "0"], "-0"),
    ("max", ["-Inf"], "-Inf"),
    ("max", ["12345678901234567890", "12345678901234567891"], "12345678901234567891"),
    ("min", ["-0", "0"], "-0"),
    ("min", ["4", "2", "3"], "2"),
    ("signum", ["-9223372036854775808"], "-1"),
    ("signum", ["9223372036854775807"], "1"),
    ("signum", ["-0"], "0"),
]


@pytest.mark.parametrize(("name", "arguments", "expected"), EXACT)
def test_exact_functions(name: str, arguments: list[str], expected: str) -> None:
    assert text_of(name, *arguments) == expected


@pytest.mark.parametrize("name", ["abs", "ceil", "floor", "max", "min"])
def test_results_keep_the_precision_of_the_argument(name: str) -> None:
    assert FUNCTIONS[name].call([num("1.5")]).payload.precision == 512
    assert FUNCTIONS[name].call([number(from_float(1.5))]).payload.precision == 53


def test_rounding_does_not_expand_huge_numbers() -> None:
    huge = num("1e9999999")
    assert FUNCTIONS["ceil"].call([huge]) is not None
    assert FUNCTIONS["floor"].call([num("-1e-9999999")]) == num("-1")


FLOATS: Final = [
    ("log", ["1000", "10"], "2.9999999999999996"),
    ("log", ["10", "3"], "2.095903274289385"),
    ("log", ["0", "10"], "-Inf"),
    ("log", ["-0", "10"], "-Inf"),
    ("log", ["1e-400", "10"], "-Inf"),
    ("log", ["10", "1"], "+Inf"),
    ("log", ["1", "0"], "-0"),
    ("log", ["10", "Inf"], "0"),
    ("log", ["5e-324", "2"], "-1023.0000000000001"),
    ("log", ["1e-310", "2"], "-1022.9935307189364"),
    ("pow", ["2", "64"], "18446744073709550000"),
    ("pow", ["0", "0"], "1"),
    ("pow", ["27", "0.3333333333333333333333"], "2.9999999999999996"),
    ("pow", ["2", "0.3"], "1.2311444133449163"),
    ("pow", ["10", "0.7"], "5.011872336272722"),
    ("pow", ["1.0000001", "10000000"], "2.7182816939803724"),
    ("pow", ["10", "400"], "+Inf"),
    ("pow", ["-10", "401"], "-Inf"),
    ("pow", ["10", "-400"], "0"),
    ("pow", ["-0", "-1"], "-Inf"),
    ("pow", ["-0", "-2"], "+Inf"),
    ("pow", ["-0", "3"], "-0"),
    ("pow", ["-Inf", "3"], "-Inf"),
    ("pow", ["-Inf", "-3"], "-0"),
    ("pow", ["-Inf", "2"], "+Inf"),
    ("pow", ["2", "Inf"], "+Inf"),
    ("pow", ["0.5", "Inf"], "0"),
    ("pow", ["-1", "Inf"], "1"),
    ("pow", ["-2", "9223372036854775807"], "+Inf"),
    ("pow", ["4", "-0.5"], "0.5"),
    ("pow", ["3", "-700"], "0"),
]


@pytest.mark.parametrize(("name", "arguments", "expected"), FLOATS)
def test_float_functions_agree_in_the_last_digit(name: str, arguments: list[str], expected: str) -> None:
    assert text_of(name, *arguments) == expected


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("log", ["-1", "10"]),
        ("log", ["1", "1"]),
        ("log", ["0", "0"]),
        ("log", ["Inf", "Inf"]),
        ("pow", ["-2", "0.5"]),
        ("pow", ["-4", "-0.5"]),
        ("pow", ["-8", "0.3"]),
    ],
)
def test_not_a_number_is_a_panic(name: str, arguments: list[str]) -> None:
    with pytest.raises(PanicError, match=r"^panic in function implementation: Float\.SetFloat64\(NaN\)$"):
        FUNCTIONS[name].call([num(argument) for argument in arguments])


@pytest.mark.parametrize("arguments", [["1e400", "2"], ["-1e400", "2"], ["2", "1e400"]])
def test_finite_numbers_beyond_floats_are_refused(arguments: list[str]) -> None:
    with pytest.raises(FunctionError, match=r"^value must be between -17976931348623157\d+\.0{6} and 17\d+\.0{6} incl"):
        FUNCTIONS["pow"].call([num(argument) for argument in arguments])


@pytest.mark.parametrize("argument", ["0.5", "-0.5", "1e30", "9223372036854775808", "Inf"])
def test_signum_takes_only_whole_numbers_of_64_bits(argument: str) -> None:
    with pytest.raises(FunctionError) as caught:
        FUNCTIONS["signum"].call([num(argument)])
    assert caught.value.message == WHOLE_NUMBER


@pytest.mark.parametrize("name", ["max", "min"])
def test_no_argument_is_an_error(name: str) -> None:
    with pytest.raises(FunctionError, match=r"^must pass at least one number$"):
        FUNCTIONS[name].call([])


PARSED: Final = [
    ("-ff", 16, -255),
    ("+5", 10, 5),
    ("-0", 10, 0),
    ("Z", 36, 35),
    ("z", 36, 35),
    ("z", 37, 35),
    ("A", 37, 36),
    ("zZ", 62, 2231),
    ("123456789012345678901234567890", 10, 123456789012345678901234567890),
]


@pytest.mark.parametrize(("text", "base", "expected"), PARSED)
def test_parseint(text: str, base: int, expected: int) -> None:
    assert FUNCTIONS["parseint"].call([string(text), integer(base)]) == integer(expected)


def test_parsed_integers_have_64_bits_or_as_many_as_they_need() -> None:
    def parsed(text: str) -> Value:
        return FUNCTIONS["parseint"].call([string(text), integer(10)])

    assert number_text(divide(parsed("1").payload, parsed("3").payload)) == "0.33333333333333333334"
    assert parsed("36893488147419103233").payload.precision == 66


UNPARSABLE: Final = [
    ("", 10, '""'),
    ("-", 10, '"-"'),
    ("--5", 10, '"--5"'),
    (" 5", 10, '" 5"'),
    ("0xff", 16, '"0xff"'),
    ("1_000", 10, '"1_000"'),
    ("12.5", 10, '"12.5"'),
    ("9", 9, '"9"'),
    ("B", 37, '"B"'),
    ("٣", 10, '"٣"'),
    ('é\n"', 10, '"é\\n\\""'),
    ("\x01\u00a0\u200b🤔\\", 10, '"\\x01\\u00a0\\u200b🤔\\\\"'),
]


@pytest.mark.parametrize(("text", "base", "quoted"), UNPARSABLE)
def test_parseint_refuses(text: str, base: int, quoted: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        FUNCTIONS["parseint"].call([string(text), integer(base)])
    assert (caught.value.index, caught.value.message) == (0, f"cannot parse {quoted} as a base {base} integer")


@pytest.mark.parametrize(
    ("base", "message"),
    [
        ("1", "base must be a whole number between 2 and 62 inclusive"),
        ("63", "base must be a whole number between 2 and 62 inclusive"),
        ("2.5", WHOLE_NUMBER),
        ("1e30", WHOLE_NUMBER),
        ("Inf", WHOLE_NUMBER),
    ],
)
def test_parseint_refuses_the_base(base: str, message: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        FUNCTIONS["parseint"].call([string("10"), num(base)])
    assert (caught.value.index, caught.value.message) == (1, message)


@pytest.mark.parametrize(
    ("given", "name"), [(integer(1), "number"), (TRUE, "bool"), (tuple_of([]), "tuple"), (unknown(NUMBER), "number")]
)
def test_parseint_takes_only_strings(given: Value, name: str) -> None:
    with pytest.raises(ArgumentError, match=f"^first argument must be a string, not {name}$"):
        FUNCTIONS["parseint"].call([given, integer(10)])


@pytest.mark.parametrize("name", sorted(FUNCTIONS))
def test_unknown_arguments_give_numbers_that_are_not_null(name: str) -> None:
    function = FUNCTIONS[name]
    first = unknown(STRING) if name == "parseint" else unknown(NUMBER)
    arguments = [first, integer(99)][: len(function.parameters) or 2]
    assert function.call(arguments) == unknown(NUMBER, NOT_NULL)


def test_parseint_of_something_unknown_of_unknown_type_is_just_that() -> None:
    assert FUNCTIONS["parseint"].call([DYNAMIC_UNKNOWN, null(NUMBER)]) == DYNAMIC_UNKNOWN


def test_marks_go_on_the_result() -> None:
    assert FUNCTIONS["max"].call([integer(1).mark(SENSITIVE), integer(2)]) == integer(2).mark(SENSITIVE)


def test_null_is_refused() -> None:
    with pytest.raises(ArgumentError, match=r"^argument must not be null$"):
        FUNCTIONS["abs"].call([null(NUMBER)])
    with pytest.raises(ArgumentError, match=r"^argument must not be null$"):
        FUNCTIONS["parseint"].call([null(BOOL), integer(10)])
