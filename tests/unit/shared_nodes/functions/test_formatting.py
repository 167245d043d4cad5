"""`format` and `formatlist`, compared with recorded answers: verbs, errors, exact digits, unknown arguments."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from shared_nodes.flavour import OPENTOFU_1_12
from shared_nodes.functions import formatting
from shared_nodes.functions.context import FunctionContext
from shared_nodes.functions.strings import MAX_RESULT
from shared_nodes.lang.function import ArgumentError, Function, FunctionError, PanicError
from shared_nodes.values.marks import SENSITIVE
from shared_nodes.values.number import divide, from_float, parse
from shared_nodes.values.refinement import NOT_NULL, Refinement
from shared_nodes.values.sets import set_of
from shared_nodes.values.types import BOOL, NUMBER, STRING, ListType, TupleType
from shared_nodes.values.value import (
    DYNAMIC_UNKNOWN,
    EMPTY_OBJECT,
    EMPTY_TUPLE,
    FALSE,
    NULL_DYNAMIC,
    TRUE,
    Value,
    integer,
    list_of,
    null,
    number,
    object_of,
    string,
    tuple_of,
    unknown,
)
from shared_nodes.world import Files, World


def table(context: FunctionContext) -> dict[str, Function]:
    return {function.name: function for function in formatting.functions(context)}


FUNCTIONS: Final = table(FunctionContext(World(Files(Path()))))
OPENTOFU_FUNCTIONS: Final = table(FunctionContext(World(Files(Path())), OPENTOFU_1_12))


def n(text: str) -> Value:
    payload = parse(text)
    assert payload is not None
    return number(payload)


def s(*texts: str) -> list[Value]:
    return [string(text) for text in texts]


def call(template: str, *arguments: Value) -> Value:
    return FUNCTIONS["format"].call([string(template), *arguments])


THIRD: Final = number(divide(n("1").payload, n("3").payload))
ROOT: Final = number(from_float(1.4142135623730951))
INFINITY: Final = n("Inf")
FAMILY: Final = "👨\u200d👩\u200d👧"

INTEGERS: Final = [
    ("%05d", "-42", "-0042"),
    ("%+05d", "42", "+0042"),
    ("%+ d|", "1", "+1|"),
    ("%-08d|", "7", "7       |"),
    ("%08.3d|", "7", "     007|"),
    ("%.d|", "0", "|"),
    ("%5.0d|", "0", "|"),
    ("%.05d", "1", "00001"),
    ("%d", "-0", "0"),
    ("%d", "1e50", "1" + "0" * 50),
    ("%#08x|", "255", "0x0000ff|"),
    ("%#10.5x|", "255", "   0x000ff|"),
    ("%-#10.5x|", "255", "0x000ff   |"),
    ("%#X", "-255", "-0XFF"),
    ("%#o", "0", "00"),
    ("%#b", "5", "0b101"),
    ("%020b|", "5", "00000000000000000101|"),
    ("% x", "255", " ff"),
]

FLOATS: Final = [
    ("%.0f", "2.5", "2"),
    ("%.0f", "3.5", "4"),
    ("%.0f", "0.5", "0"),
    ("%.0f", "9.5", "10"),
    ("%.2f", "0.005", "0.00"),
    ("%.1f", "0.05", "0.1"),
    ("%f", "-0", "-0.000000"),
    ("%f", "123456789012345678901234567890.123456789", "123456789012345678901234567890.123457"),
    ("%-010f|", "1.5", "001.500000|"),
    ("% 010f|", "1.5", " 01.500000|"),
    ("%+-8.3f|", "3.14159", "+3.142  |"),
    ("%e", "0", "0.000000e+00"),
    ("%.3e", "9.9996", "1.000e+01"),
    ("%.0e", "2.5", "2e+00"),
    ("%e", "1e-1000", "1.000000e-1000"),
    ("%E", "12345.678", "1.234568E+04"),
    ("%g", "100000", "100000"),
    ("%g", "1234567", "1.234567e+06"),
    ("%g", "123456.5", "123456.5"),
    ("%g", "0.00001", "1e-05"),
    ("%.3g", "999.5", "1e+03"),
    ("%.1g", "10", "1e+01"),
    ("%.10g", "1234567890123", "1.23456789e+12"),
    ("%.0g", "2.5", "2"),
    ("%.5g", "0.00012345678", "0.00012346"),
    ("%#.3g", "2", "2"),
    ("%G", "1e-10", "1E-10"),
    ("%5f|", "Inf", " +Inf|"),
    ("%08f|", "-Inf", "    -Inf|"),
    ("%+ f|", "Inf", " Inf|"),
    ("%-6f|", "Inf", "+Inf  |"),
]


@pytest.mark.parametrize(("template", "argument", "expected"), INTEGERS + FLOATS)
def test_numbers(template: str, argument: str, expected: str) -> None:
    assert call(template, n(argument)) == string(expected)


def test_digits_are_those_of_the_exact_value() -> None:
    assert call("%.30f", ROOT) == string("1.414213562373095145474621858739")
    assert call("%g %v %s", ROOT, ROOT, ROOT) == string(" ".join(["1.4142135623730951"] * 3))
    power = number(from_float(2.0**64))
    assert call("%d %s %v", power, power, power) == string(
        "18446744073709551616 18446744073709550000 1.844674407370955e+19"
    )
    assert call("%.160f", THIRD).payload.endswith("33457639")


TEXTS: Final = [
    ("%05s|%-05s|", s("abc", "abc"), "00abc|abc00|"),
    ("%3s|%3s|", s("日本", FAMILY), f" 日本|  {FAMILY}|"),
    ("%.1s", s("e\u0301x"), "é"),
    ("%.0s|%.s|%5.0s|", s("abc", "abc", "abc"), "abc|abc|  abc|"),
    ("%#s|%+s|% s", s("a", "a", "a"), "a|a|a"),
    ("%9999999999999999999s", s("a"), "a"),
    ("%q", s("<a&b>\u2028\x7f\x01\t/"), '"\\u003ca\\u0026b\\u003e\\u2028\x7f\\u0001\\t/"'),
    ("%.2q|%6.1q|", s("日本語x", "<a"), '"日本"|"\\u003c"|'),
    ("%010q", s("a"), '0000000"a"'),
    ("%q", [n("1e30")], '"1000000000000000000000000000000"'),
    ("%s %s", [n("1.50"), TRUE], "1.5 true"),
    ("%s", [INFINITY], "+Inf"),
    ("%d %b", s("007", "5"), "7 101"),
    ("%5t|%-7t|%05t|%.2t", [TRUE, string("true"), string("1"), FALSE], "true|true|true|false"),
    ("%%", [], "%"),
    ("%d%%", [n("5")], "5%"),
    ("e%s", s("\u0301"), "é"),
]


@pytest.mark.parametrize(("template", "arguments", "expected"), TEXTS)
def test_texts(template: str, arguments: list[Value], expected: str) -> None:
    assert call(template, *arguments) == string(expected)


VALUES: Final = [
    ("%v", n("1e30"), "1e+30"),
    ("%#v", n("1e30"), "1" + "0" * 30),
    ("%v", INFINITY, "+Inf"),
    ("%05v", n("1"), "00001"),
    ("%+v", n("5"), "5"),
    ("%.2v", n("3.14159"), "3.14159"),
    ("%10.3v|", string("abcdef"), "    abcdef|"),
    ("%#v", string("a<b"), '"a\\u003cb"'),
    ("%-#8v|", string("a"), '"a"     |'),
    ("%5v", TRUE, " true"),
    ("%08v", tuple_of([n("1")]), "00000[1]"),
    ("%.2v", tuple_of([n("1"), n("2")]), "[1,2]"),
    ("%v", set_of(STRING, s("b", "a")), '["a","b"]'),
    ("%v", object_of({"a": string("x"), "b": tuple_of([NULL_DYNAMIC])}), '{"a":"x","b":[null]}'),
    ("%v", null(STRING), "null"),
    ("%#5v", null(NUMBER), " null"),
]


@pytest.mark.parametrize(("template", "argument", "expected"), VALUES)
def test_values(template: str, argument: Value, expected: str) -> None:
    assert call(template, argument) == string(expected)


ORDERS: Final = [
    ("%[2]s %[1]s", "b a"),
    ("%[1]s %s", "a b"),
    ("%s %[1]s %s", "a a b"),
    ("%5[2]s%[1]s", "    ba"),
    ("%[18446744073709551617]s%s", "ab"),
]


@pytest.mark.parametrize(("template", "expected"), ORDERS)
def test_argument_numbers(template: str, expected: str) -> None:
    assert call(template, *s("a", "b")) == string(expected)


FAULTS: Final = [
    ("%d", n("5.5"), 'unsupported value for "%d" at 0: an integer is required'),
    ("%d", INFINITY, 'unsupported value for "%d" at 0: an integer is required'),
    ("é%d", string("x"), 'unsupported value for "%d" at 2: a number is required'),
    ("%d", TRUE, 'unsupported value for "%d" at 0: number required'),
    ("% x", string("hi"), 'unsupported value for "% x" at 0: a number is required'),
    ("%t", n("1"), 'unsupported value for "%t" at 0: bool required'),
    ("%t", string("x"), 'unsupported value for "%t" at 0: a bool is required'),
    ("%s", EMPTY_TUPLE, 'unsupported value for "%s" at 0: string required'),
    ("%q", EMPTY_OBJECT, 'unsupported value for "%q" at 0: string required'),
    ("%s", null(STRING), 'unsupported value for "%s" at 0: null value cannot be formatted'),
    ("%t", null(BOOL), 'unsupported value for "%t" at 0: null value cannot be formatted'),
    ("%v", tuple_of([INFINITY]), 'unsupported value for "%v" at 0: cannot serialize infinity as JSON'),
    ("%#v", INFINITY, 'unsupported value for "%#v" at 0: cannot serialize infinity as JSON'),
    ("%c", n("1"), "unsupported format verb 'c' in \"%c\" at offset 0"),
    ("a%O", n("1"), "unsupported format verb 'O' in \"%O\" at offset 1"),
    ("%s %s", n("1"), 'not enough arguments for "%s" at 3: need index 2 but have 1 total'),
    ("%[3]s", n("1"), 'not enough arguments for "%[3]s" at 0: need index 3 but have 1 total'),
    (
        "%[9223372036854775808]d",
        n("1"),
        'not enough arguments for "%[9223372036854775808]d" at 0: need index -9223372036854775808 but have 1 total',
    ),
    ("%", n("1"), "invalid format string starting at offset 1"),
    ("é%5", n("1"), "invalid format string starting at offset 4"),
    ("%[1", n("1"), "invalid format string starting at offset 3"),
    ("%*d", n("1"), "unrecognized format character '*' at offset 1"),
    ("%[0]s", n("1"), "unrecognized format character '0' at offset 2"),
    ("%[]d", n("1"), "unrecognized format character ']' at offset 2"),
    ("%[1x", n("1"), "unrecognized format character 'x' at offset 3"),
    ("%[1]5d", n("1"), "unrecognized format character '5' at offset 4"),
    ("%5%", n("1"), "unrecognized format character '%' at offset 2"),
    ("%5-d", n("1"), "unrecognized format character '-' at offset 2"),
    ("é%é", n("1"), "unrecognized format character 'é' at offset 3"),
    ("%'", n("1"), "unrecognized format character '\\'' at offset 1"),
    ('%"', n("1"), "unrecognized format character '\"' at offset 1"),
    ("%\x00", n("1"), "unrecognized format character '\\x00' at offset 1"),
    ("%\u200b", n("1"), "unrecognized format character '\\u200b' at offset 1"),
]


@pytest.mark.parametrize(("template", "argument", "message"), FAULTS)
def test_faults(template: str, argument: Value, message: str) -> None:
    with pytest.raises(FunctionError) as caught:
        call(template, argument)
    assert caught.value.message == message
    assert not isinstance(caught.value, ArgumentError)


SURPLUS: Final = [
    ("no verbs", 1, "too many arguments; no verbs in format string"),
    ("%%", 1, "too many arguments; no verbs in format string"),
    ("%s", 2, "too many arguments; only 1 used by format string"),
    ("%[2]s", 3, "too many arguments; only 2 used by format string"),
]


@pytest.mark.parametrize(("template", "index", "message"), SURPLUS)
def test_surplus_arguments_are_blamed_from_the_first_unused_one(template: str, index: int, message: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        call(template, *s("a", "b", "c"))
    assert (caught.value.index, caught.value.message) == (index, message)


def test_argument_numbers_that_wrap_around_below_zero_panic() -> None:
    with pytest.raises(PanicError, match=r"runtime error: index out of range \[-1\]$"):
        call("%[18446744073709551616]d", n("1"))


OVERSIZED: Final = [
    ("%10000010d", n("5"), "%!(NOVERB)%!(EXTRA *big.Int=5)"),
    ("a%.99999999999f|b", n("1.5"), "a%!(NOVERB)%!(EXTRA *big.Float=1.5)|b"),
    ("%-+0 #99999999999g|", n("1.5"), "%!(NOVERB)%!(EXTRA *big.Float=1.5)|"),
    (f"%{'9' * 5000}d", n("5"), "%!(NOVERB)%!(EXTRA *big.Int=5)"),
]


@pytest.mark.parametrize(("template", "argument", "expected"), OVERSIZED)
def test_oversized_number_fields_give_what_the_original_writes(template: str, argument: Value, expected: str) -> None:
    assert call(template, argument) == string(expected)


def test_the_widest_number_field() -> None:
    assert len(call("%10000009d", n("5")).payload) == 10_000_009


@pytest.mark.parametrize("template", ["%999999999s", "%9000000000000000000s", "%10000009s" * 6])
def test_wider_strings_are_refused(template: str) -> None:
    with pytest.raises(FunctionError, match=f"^(the result would have more than {MAX_RESULT}|panic in function impl)"):
        call(template, *s("a") * template.count("%"))


@pytest.mark.parametrize("template", ["%d", "%f", "%e", "%g", "%v"])
def test_numbers_too_long_to_write_are_refused(template: str) -> None:
    with pytest.raises(FunctionError, match=r"^number has too many digits to be written out$"):
        call(template, n("1e9999999"))


def test_unknown_arguments_leave_the_literal_beginning() -> None:
    someday = unknown(STRING)
    assert call("x-%s", someday) == unknown(STRING, Refinement(not_null=True, prefix="x-"))
    assert call("xy%s", someday) == unknown(STRING, Refinement(not_null=True, prefix="x"))
    assert call("-%%2%s", someday) == unknown(STRING, Refinement(not_null=True, prefix="-"))
    assert call("%v", tuple_of([DYNAMIC_UNKNOWN])) == unknown(STRING, NOT_NULL)
    assert FUNCTIONS["format"].call([someday, *s("a")]) == unknown(STRING, NOT_NULL)


def test_the_template_is_not_read_while_an_argument_is_unknown() -> None:
    assert call("%z", unknown(STRING), *s("surplus")) == unknown(STRING, NOT_NULL)


@pytest.mark.parametrize("name", ["format", "formatlist"])
def test_a_literal_null_makes_the_result_unknown(name: str) -> None:
    """The null is reported once everything else is known, because nothing is left to wait for."""
    assert FUNCTIONS[name].call([*s("%s"), NULL_DYNAMIC]) == DYNAMIC_UNKNOWN
    marked = FUNCTIONS[name].call([*s("%z"), NULL_DYNAMIC, string("a").mark(SENSITIVE)])
    assert marked == DYNAMIC_UNKNOWN.mark(SENSITIVE)


def test_opentofu_takes_a_literal_null_like_any_other() -> None:
    assert OPENTOFU_FUNCTIONS["format"].call([*s("%v"), NULL_DYNAMIC]) == string("null")
    with pytest.raises(FunctionError, match=r"null value cannot be formatted$"):
        OPENTOFU_FUNCTIONS["format"].call([*s("%s"), NULL_DYNAMIC])
    assert OPENTOFU_FUNCTIONS["format"].call([*s("%s"), DYNAMIC_UNKNOWN]) == unknown(STRING, NOT_NULL)
    assert OPENTOFU_FUNCTIONS["formatlist"].call([*s("%s"), DYNAMIC_UNKNOWN]) == unknown(ListType(STRING), NOT_NULL)


# formatlist


def each(template: str, *arguments: Value) -> Value:
    return FUNCTIONS["formatlist"].call([string(template), *arguments])


def strings_of(*texts: str) -> Value:
    return list_of(STRING, s(*texts))


LISTS: Final = [
    ("%s%s%s", [strings_of("a", "b"), string("x"), tuple_of(s("c", "d"))], ["axc", "bxd"]),
    ("%s%s", [set_of(STRING, s("b", "a")), strings_of("x", "y")], ["ax", "by"]),
    ("%s", [string("a")], ["a"]),
    ("no verb", [], ["no verb"]),
    ("%z", [EMPTY_TUPLE], []),
    ("%v%v", [object_of({"a": n("1")}), EMPTY_TUPLE], []),
    ("%v", [object_of({"a": n("1")})], ['{"a":1}']),
    ("%v%s", [null(ListType(STRING)), strings_of("a", "b")], ["nulla", "nullb"]),
    ("%v", [tuple_of([NULL_DYNAMIC, string("a")])], ["null", "a"]),
]


@pytest.mark.parametrize(("template", "arguments", "expected"), LISTS)
def test_formatlist(template: str, arguments: list[Value], expected: list[str]) -> None:
    assert each(template, *arguments) == strings_of(*expected)


def test_lengths_must_agree_even_where_a_tuple_is_unknown() -> None:
    message = "^argument 3 has length 2, which is inconsistent with argument 2 of length 1$"
    with pytest.raises(ArgumentError, match=message) as caught:
        each("%s", unknown(ListType(STRING)), strings_of("x"), strings_of("y", "z"))
    assert caught.value.index == 3
    with pytest.raises(ArgumentError, match=r"^argument 2 has length 1, which is inconsistent with argument 1 of leng"):
        each("%s", unknown(TupleType([STRING, STRING])), strings_of("x"))


ROW_FAULTS: Final = [
    ("no verb", [strings_of("a")], "error on format iteration 0: too many arguments; no verbs in format string"),
    ("%", [strings_of("a")], "error on format iteration 0: invalid format string starting at offset 1"),
    (
        "%d",
        [strings_of("1", "x")],
        'error on format iteration 1: unsupported value for "%d" at 0: a number is required',
    ),
    ("%s", [], 'not enough arguments for "%s" at 0: need index 1 but have 0 total'),
]


@pytest.mark.parametrize(("template", "arguments", "message"), ROW_FAULTS)
def test_faults_name_the_row(template: str, arguments: list[Value], message: str) -> None:
    with pytest.raises(FunctionError) as caught:
        each(template, *arguments)
    assert caught.value.message == message
    assert not isinstance(caught.value, ArgumentError)


def test_unknown_rows_are_unknown_and_leave_later_sequences_behind() -> None:
    someday = unknown(STRING)
    row = unknown(STRING, NOT_NULL)
    assert each("x-%s", tuple_of([someday, string("a")])) == list_of(STRING, [row, string("x-a")])
    assert each("%s%s", someday, strings_of("x", "y")) == list_of(STRING, [row, row])
    lagging = each("%v-%v-%v", list_of(STRING, [someday, *s("a", "b")]), strings_of(*"xyz"), strings_of(*"123"))
    assert lagging == list_of(STRING, [row, string("a-x-1"), string("b-y-2")])


def test_an_unknown_sequence_makes_the_whole_result_unknown() -> None:
    assert each("%s", unknown(ListType(STRING))) == unknown(ListType(STRING), NOT_NULL)
    assert each("%s", unknown(TupleType([STRING]))) == unknown(ListType(STRING), NOT_NULL)


def test_marks_go_on_the_whole_list() -> None:
    result = each("%s", tuple_of([string("a").mark(SENSITIVE), string("b")]))
    assert result == strings_of("a", "b").mark(SENSITIVE)


def test_the_rows_together_are_bounded_too() -> None:
    with pytest.raises(FunctionError, match=r"^the result would have more than"):
        each("%9999999d", list_of(NUMBER, [integer(1)] * 10))
