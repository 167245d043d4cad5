"""Date functions, compared with recorded answers: what each parser accepts, and how it words its errors."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import pytest

from shared_nodes.flavour import OPENTOFU_1_12
from shared_nodes.functions import dates
from shared_nodes.functions.context import FunctionContext
from shared_nodes.lang.function import ArgumentError, Function, FunctionError
from shared_nodes.values.refinement import NOT_NULL
from shared_nodes.values.types import STRING
from shared_nodes.values.value import integer, string, unknown
from shared_nodes.world import World

NOW: Final = datetime(2024, 2, 29, 12, 30, 45, 999_999, tzinfo=UTC)


def table(*, impure_results_known: bool = True) -> dict[str, Function]:
    context = FunctionContext(World.confined(Path(), 1, NOW), impure_results_known=impure_results_known)
    return {function.name: function for function in dates.functions(context)}


FUNCTIONS: Final = table()

FORMATTED: Final = [
    ("YYYY", "2018-01-02T23:02:00.5Z", "2018"),
    ("YYYY", "2018-01-02T23:02:00.5555555555555555Z", "2018"),
    ("YYYY", "2018-01-02T23:02:00-00:00", "2018"),
    ("Z ZZZ ZZZZ ZZZZZ", "2018-01-02T23:02:00-00:00", "Z UTC +0000 +00:00"),
    ("Z ZZZ ZZZZ ZZZZZ", "2018-01-02T23:02:00+00:00", "Z UTC +0000 +00:00"),
    ("Z ZZZ ZZZZ ZZZZZ", "2018-01-02T23:02:00-23:59", "-23:59 -2359 -2359 -23:59"),
    ("YYYY", "0000-01-01T00:00:00Z", "0000"),
    ("YY EEEE", "0000-01-01T00:00:00Z", "00 Saturday"),
    ("YY", "0000-02-29T00:00:00Z", "00"),
    ("'a''b'", "2018-01-02T23:00:00Z", "a'b"),
    ("'a''", "2018-01-02T23:00:00Z", "a'"),
    ("'a'''", "2018-01-02T23:00:00Z", "a'"),
    ("''''", "2018-01-02T23:00:00Z", "''"),
    ("'''a'", "2018-01-02T23:00:00Z", "'a"),
    ("'a'", "2018-01-02T23:00:00Z", "a"),
    ("'a' 'b'", "2018-01-02T23:00:00Z", "a b"),
    ("é'é'é", "2018-01-02T23:00:00Z", "ééé"),
    ("hhmm'h'", "2018-01-02T23:00:00Z", "2300h"),
]


@pytest.mark.parametrize(("format_", "time", "expected"), FORMATTED)
def test_formatdate(format_: str, time: str, expected: str) -> None:
    assert FUNCTIONS["formatdate"].call([string(format_), string(time)]) == string(expected)


BAD_FORMATS: Final = [
    ("'", "unterminated literal '"),
    ("'''", "unterminated literal '"),
    ("aaa", 'invalid date format verb "aaa": must be "aa"'),
    ("DDD", 'invalid date format verb "DDD": day of month must either be "D" or "DD"'),
    ("HHH", 'invalid date format verb "HHH": 12-hour must either be "H" or "HH"'),
    ("xx", 'invalid date format verb "xx"'),
    ("M D E", 'invalid date format verb "E": day of week must either be "EEE" or "EEEE"'),
    ("ZZZZZZ", 'invalid date format verb "ZZZZZZ": timezone must be Z, ZZZZ, or ZZZZZ'),
]


@pytest.mark.parametrize(("format_", "message"), BAD_FORMATS)
def test_formatdate_names_the_verb_it_does_not_know(format_: str, message: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        FUNCTIONS["formatdate"].call([string(format_), string("2018-01-02T23:00:00Z")])
    assert (caught.value.index, caught.value.message) == (0, message)


STRICTLY_REFUSED: Final = [
    ("2018-02-28T3:02:01Z", "hour must have exactly two digits"),
    ("2018-02-28T24:02:01Z", "hour must be between 0 and 23 inclusive"),
    ("2018-02-28T23:2:01Z", "minute must have exactly two digits"),
    ("2018-02-28T23:02:1Z", 'cannot use "1Z" as second'),
    ("2018-02-28T23:02:60Z", 'cannot use "Z" as second'),
    ("2018-02-28T23:60:60Z", "minute must have exactly two digits"),
    ("2018-02-28T23:59:61Z", 'cannot use "Z" as second'),
    ("2016-12-31T23:59:60Z", 'cannot use "Z" as second'),
    ("2018-00-28T23:02:00Z", 'cannot use "-28T23:02:00Z" as month'),
    ("2018-01-00T23:02:00Z", "day out of range"),
    ("2018-01-32T23:02:00Z", "day out of range"),
    ("2018-1-02T23:02:00Z", 'cannot use "1-02T23:02:00Z" as month'),
    ("2018-01-2T23:02:00Z", 'cannot use "2T23:02:00Z" as day of month'),
    ("218-01-02T23:02:00Z", 'cannot use "218-01-02T23:02:00Z" as year'),
    ("02018-01-02T23:02:00Z", 'found "8-01-02T23:02:00Z" where "-" is expected'),
    ("2018-01-02t23:02:00Z", "missing required time introducer 'T'"),
    ("2018-01-02T23:02:00z", 'cannot use "z" as UTC offset'),
    ("2018-01-02T23:02:00.Z", 'cannot use ".Z" as UTC offset'),
    ("2018-01-02T23:02:00,5Z", 'cannot use "," as timestamp segment'),
    ("2018-01-02T23:02:00.5", "end of string before UTC offset"),
    ("2018-01-02T23:02:00+24:00", 'cannot use "+24:00" as UTC offset'),
    ("2018-01-02T23:02:00+23:60", 'cannot use "+23:60" as UTC offset'),
    ("2018-01-02T23:02:00+24:01", 'cannot use "+24:01" as UTC offset'),
    ("2018-01-02T23:02:00+25:00", "end of string before UTC offset"),
    ("2018-01-02T23:02:00+23:61", "end of string before UTC offset"),
    ("2018-01-02T23:02:00+1:00", 'cannot use "+1:00" as UTC offset'),
    ("2018-01-02T23:02:00+01:0", 'cannot use "+01:0" as UTC offset'),
    ("2018-01-02T23:02:00+aa:bb", 'cannot use "+aa:bb" as UTC offset'),
    ("2018-01-02T23:02:00+01:00x", 'cannot use "x" as timestamp segment'),
    ("2018-01-02T23:02:00 +01:00", 'cannot use " +01:00" as UTC offset'),
    ("2018-01-02T23:02Z", 'found "Z" where ":" is expected'),
    ("2018-01-02T23Z", 'found "Z" where ":" is expected'),
    ("2018-01-02T", "end of string before hour"),
    ("2018-01-02T2", 'end of string where ":" is expected'),
    ("2018-01-02T23", 'end of string where ":" is expected'),
    ("2018-01-02T23:", "end of string before minute"),
    ("2018-01-02T23:0", "minute must have exactly two digits"),
    ("2018-01-02T23:00:0", 'cannot use "0" as second'),
    ("2018/01/02T23:00:00Z", 'found "/01/02T23:00:00Z" where "-" is expected'),
    ("2018-01/02T23:00:00Z", 'found "/02T23:00:00Z" where "-" is expected'),
    ("2018-01-02X23:00:00Z", "missing required time introducer 'T'"),
    ("2018-01-02T23-00:00Z", 'found "-00:00Z" where ":" is expected'),
    ("-2018-01-02T23:00:00Z", 'cannot use "-2018-01-02T23:00:00Z" as year'),
    ("1900-02-29T00:00:00Z", "day out of range"),
    ("é018-01-02T23:00:00Z", 'cannot use "é018-01-02T23:00:00Z" as year'),
    ("2018-01-02T23:00:00é", 'cannot use "é" as UTC offset'),
    ("2018-01-02T23:00:00+é", 'cannot use "+é" as UTC offset'),
    ('2018-01-02T23:00:00Z\n"', 'cannot use "\\n\\"" as timestamp segment'),
    ("2018-01-02T3:02:00+24:00", "hour must have exactly two digits"),
    ("2018-01-02T3:02:00,5Z", "hour must have exactly two digits"),
    ("2018-01-02T3:02:60Z", 'cannot use "Z" as second'),
    ("bad", 'cannot use "bad" as year'),
]


@pytest.mark.parametrize(("time", "reason"), STRICTLY_REFUSED)
def test_formatdate_and_timeadd_read_strictly(time: str, reason: str) -> None:
    message = f"not a valid RFC3339 timestamp: {reason}"
    with pytest.raises(ArgumentError) as caught:
        FUNCTIONS["formatdate"].call([string("YYYY"), string(time)])
    assert (caught.value.index, caught.value.message) == (1, message)
    with pytest.raises(FunctionError) as blamed_on_the_call:
        FUNCTIONS["timeadd"].call([string(time), string("1h")])
    assert not isinstance(blamed_on_the_call.value, ArgumentError)
    assert blamed_on_the_call.value.message == message


LENIENTLY_REFUSED: Final = [
    ("2018-02-28T24:02:01Z", 'cannot use ":02:01Z" as hour'),
    ("2018-02-28T23:2:01Z", 'cannot use "2:01Z" as minute'),
    ("2018-02-28T23:02:1Z", 'cannot use "1Z" as second'),
    ("2018-02-28T23:02:60Z", 'cannot use "Z" as second'),
    ("2018-02-28T23:60:60Z", 'cannot use ":60Z" as minute'),
    ("2018-02-28T23:59:61Z", 'cannot use "Z" as second'),
    ("2016-12-31T23:59:60Z", 'cannot use "Z" as second'),
    ("2018-00-28T23:02:00Z", 'cannot use "-28T23:02:00Z" as month'),
    ("2018-01-00T23:02:00Z", "day out of range"),
    ("2018-01-32T23:02:00Z", "day out of range"),
    ("2018-1-02T23:02:00Z", 'cannot use "1-02T23:02:00Z" as month'),
    ("2018-01-2T23:02:00Z", 'cannot use "2T23:02:00Z" as day of month'),
    ("218-01-02T23:02:00Z", 'cannot use "218-01-02T23:02:00Z" as year'),
    ("02018-01-02T23:02:00Z", 'found "8-01-02T23:02:00Z" where "-" is expected'),
    ("2018-01-02t23:02:00Z", "missing required time introducer 'T'"),
    ("2018-01-02T23:02:00z", 'cannot use "z" as UTC offset'),
    ("2018-01-02T23:02:00.Z", 'cannot use ".Z" as UTC offset'),
    ("2018-01-02T23:02:00.5", "end of string before UTC offset"),
    ("2018-01-02T23:02:00+25:00", "end of string before UTC offset"),
    ("2018-01-02T23:02:00+23:61", "end of string before UTC offset"),
    ("2018-01-02T23:02:00+1:00", 'cannot use "+1:00" as UTC offset'),
    ("2018-01-02T23:02:00+01:0", 'cannot use "+01:0" as UTC offset'),
    ("2018-01-02T23:02:00+aa:bb", 'cannot use "+aa:bb" as UTC offset'),
    ("2018-01-02T23:02:00+01:00x", 'cannot use "x" as timestamp segment'),
    ("2018-01-02T23:02:00 +01:00", 'cannot use " +01:00" as UTC offset'),
    ("2018-01-02T23:02Z", 'found "Z" where ":" is expected'),
    ("2018-01-02T23Z", 'found "Z" where ":" is expected'),
    ("2018-01-02T", "end of string before hour"),
    ("2018-01-02T2", 'end of string where ":" is expected'),
    ("2018-01-02T23", 'end of string where ":" is expected'),
    ("2018-01-02T23:", "end of string before minute"),
    ("2018-01-02T23:0", 'cannot use "0" as minute'),
    ("2018-01-02T23:00:0", 'cannot use "0" as second'),
    ("2018/01/02T23:00:00Z", 'found "/01/02T23:00:00Z" where "-" is expected'),
    ("2018-01/02T23:00:00Z", 'found "/02T23:00:00Z" where "-" is expected'),
    ("2018-01-02X23:00:00Z", "missing required time introducer 'T'"),
    ("2018-01-02T23-00:00Z", 'found "-00:00Z" where ":" is expected'),
    ("-2018-01-02T23:00:00Z", 'cannot use "-2018-01-02T23:00:00Z" as year'),
    ("1900-02-29T00:00:00Z", "day out of range"),
    ("é018-01-02T23:00:00Z", 'cannot use "é018-01-02T23:00:00Z" as year'),
    ("2018-01-02T23:00:00é", 'cannot use "é" as UTC offset'),
    ("2018-01-02T23:00:00+é", 'cannot use "+é" as UTC offset'),
    ('2018-01-02T23:00:00Z\n"', 'cannot use "\\n\\"" as timestamp segment'),
    ("2018-01-02T3:02:60Z", 'cannot use "Z" as second'),
    ("bad", 'cannot use "bad" as year'),
]


@pytest.mark.parametrize(("time", "reason"), LENIENTLY_REFUSED)
def test_timecmp_words_errors_without_guessing(time: str, reason: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        FUNCTIONS["timecmp"].call([string("2017-11-22T00:00:00Z"), string(time)])
    assert (caught.value.index, caught.value.message) == (1, f"not a valid RFC3339 timestamp: {reason}")


COMPARED: Final = [
    ("2018-02-28T3:02:01Z", "2017-11-22T00:00:00Z", 1),
    ("2018-01-02T23:02:00,5Z", "2017-11-22T00:00:00Z", 1),
    ("2018-01-02T23:02:00.5Z", "2017-11-22T00:00:00Z", 1),
    ("2018-01-02T23:02:00.5555555555555555Z", "2017-11-22T00:00:00Z", 1),
    ("2018-01-02T23:02:00+24:00", "2017-11-22T00:00:00Z", 1),
    ("2018-01-02T23:02:00+23:60", "2017-11-22T00:00:00Z", 1),
    ("2018-01-02T23:02:00+24:01", "2017-11-22T00:00:00Z", 1),
    ("2018-01-02T23:02:00-00:00", "2017-11-22T00:00:00Z", 1),
    ("2018-01-02T23:02:00+00:00", "2017-11-22T00:00:00Z", 1),
    ("2018-01-02T23:02:00-23:59", "2017-11-22T00:00:00Z", 1),
    ("0000-01-01T00:00:00Z", "2017-11-22T00:00:00Z", -1),
    ("0000-02-29T00:00:00Z", "2017-11-22T00:00:00Z", -1),
    ("2018-01-02T3:02:00+24:00", "2017-11-22T00:00:00Z", 1),
    ("2018-01-02T3:02:00,5Z", "2017-11-22T00:00:00Z", 1),
    ("2018-01-02T23:00:00Z", "2017-11-22T00:00:00Z", 1),
    ("9999-12-31T23:59:59-23:00", "9999-12-31T23:59:59Z", 1),
    ("0000-01-01T00:00:00+23:00", "0000-01-01T00:00:00Z", -1),
    ("2018-01-02T00:00:00.1234567891Z", "2018-01-02T00:00:00.123456789Z", 0),
]


@pytest.mark.parametrize(("left", "right", "expected"), COMPARED)
def test_timecmp_reads_leniently_and_compares_instants(left: str, right: str, expected: int) -> None:
    assert FUNCTIONS["timecmp"].call([string(left), string(right)]) == integer(expected)


ADDED: Final = [
    ("2018-01-02T23:02:00-00:00", "1h", "2018-01-03T00:02:00Z"),
    ("2018-01-02T23:02:00.999999999999Z", "1ns", "2018-01-02T23:02:01Z"),
    ("2018-01-02T23:02:00.999999999Z", "1ns", "2018-01-02T23:02:01Z"),
    ("0000-01-01T00:00:00Z", "-1h", "-0001-12-31T23:00:00Z"),
    ("9999-12-31T23:59:59Z", "1s", "10000-01-01T00:00:00Z"),
    ("9999-12-31T23:59:59Z", "2562047h", "10292-04-10T22:59:59Z"),
    ("0000-01-01T00:00:00Z", "-2562047h", "-0293-09-22T01:00:00Z"),
    ("2018-01-02T00:00:00Z", "9223372036854775807ns", "2310-04-13T23:47:16Z"),
    ("2018-01-02T00:00:00Z", "-9223372036854775808ns", "1725-09-23T00:12:43Z"),
    ("2018-01-02T00:00:00Z", "1.5h", "2018-01-02T01:30:00Z"),
    ("2018-01-02T00:00:00Z", ".5h", "2018-01-02T00:30:00Z"),
    ("2018-01-02T00:00:00Z", "1.h", "2018-01-02T01:00:00Z"),
    ("2018-01-02T00:00:00Z", "0", "2018-01-02T00:00:00Z"),
    ("2018-01-02T00:00:00Z", "-0", "2018-01-02T00:00:00Z"),
    ("2018-01-02T00:00:00Z", "+0", "2018-01-02T00:00:00Z"),
    ("2018-01-02T00:00:00Z", "1h1h", "2018-01-02T02:00:00Z"),
    ("2018-01-02T00:00:00Z", "1µs", "2018-01-02T00:00:00Z"),
    ("2018-01-02T00:00:00Z", "1000000µs", "2018-01-02T00:00:01Z"),
    ("2018-01-02T00:00:00Z", "1000000μs", "2018-01-02T00:00:01Z"),
    ("2018-01-02T00:00:00Z", "0.9999999999999999999s", "2018-01-02T00:00:01Z"),
    ("2018-01-02T00:00:00Z", "0.99999999999999999999999999999s1ns", "2018-01-02T00:00:01Z"),
    ("2018-01-02T00:00:00Z", "3.9999999999h", "2018-01-02T03:59:59Z"),
    ("2018-01-02T00:00:00Z", "2562047h47m16.854775807s", "2310-04-13T23:47:16Z"),
    ("2018-01-02T00:00:00Z", "1.0000000000000000000000000000001h", "2018-01-02T01:00:00Z"),
    ("2018-01-02T00:00:00Z", "9223372036854775807.5ns", "2310-04-13T23:47:16Z"),
    ("2018-01-02T00:00:00+05:45", "1h", "2018-01-02T01:00:00+05:45"),
    ("2018-01-02T00:00:00-23:59", "-1000h", "2017-11-21T08:00:00-23:59"),
]


@pytest.mark.parametrize(("time", "duration", "expected"), ADDED)
def test_timeadd(time: str, duration: str, expected: str) -> None:
    assert FUNCTIONS["timeadd"].call([string(time), string(duration)]) == string(expected)


BAD_DURATIONS: Final = [
    ("2562048h", 'time: invalid duration "2562048h"'),
    ("9223372036854775808ns", 'time: invalid duration "9223372036854775808ns"'),
    ("-9223372036854775809ns", 'time: invalid duration "-9223372036854775809ns"'),
    (".h", 'time: invalid duration ".h"'),
    (".", 'time: invalid duration "."'),
    ("h", 'time: invalid duration "h"'),
    ("-", 'time: invalid duration "-"'),
    ("+", 'time: invalid duration "+"'),
    ("00", 'time: missing unit in duration "00"'),
    ("--1h", 'time: invalid duration "--1h"'),
    ("1h-1m", 'time: unknown unit "h-" in duration "1h-1m"'),
    ("1é", 'time: unknown unit "\\xc3\\xa9" in duration "1\\xc3\\xa9"'),
    ("é", 'time: invalid duration "\\xc3\\xa9"'),
    ('1"', 'time: unknown unit "\\"" in duration "1\\""'),
    ("1\n", 'time: unknown unit "\\x0a" in duration "1\\x0a"'),
    ("1\x7f", 'time: unknown unit "\x7f" in duration "1\x7f"'),
    (" 1h", 'time: invalid duration " 1h"'),
    ("1e3s", 'time: unknown unit "e" in duration "1e3s"'),
    ("99999999999999999999s", 'time: invalid duration "99999999999999999999s"'),
    ("2562047h47m16.854775808s", 'time: invalid duration "2562047h47m16.854775808s"'),
    ("9223372036854775.808us", 'time: invalid duration "9223372036854775.808us"'),
    ("1h.", 'time: invalid duration "1h."'),
    ("5", 'time: missing unit in duration "5"'),
]


@pytest.mark.parametrize(("duration", "message"), BAD_DURATIONS)
def test_timeadd_explains_durations(duration: str, message: str) -> None:
    with pytest.raises(FunctionError) as caught:
        FUNCTIONS["timeadd"].call([string("2018-01-02T00:00:00Z"), string(duration)])
    assert caught.value.message == message


def test_clock_is_the_worlds_without_fractions() -> None:
    assert FUNCTIONS["timestamp"].call([]) == string("2024-02-29T12:30:45Z")
    assert FUNCTIONS["plantimestamp"].call([]) == string("2024-02-29T12:30:45Z")


def test_timestamp_is_unknown_while_planning_but_plantimestamp_is_not() -> None:
    planning = table(impure_results_known=False)
    assert planning["timestamp"].call([]) == unknown(STRING, NOT_NULL)
    assert planning["plantimestamp"].call([]) == string("2024-02-29T12:30:45Z")


def test_unknown_arguments_give_unknown_results_that_are_not_null() -> None:
    moment = unknown(STRING)
    assert FUNCTIONS["formatdate"].call([string("bad verb"), moment]) == unknown(STRING, NOT_NULL)
    assert FUNCTIONS["timeadd"].call([moment, string("nonsense")]) == unknown(STRING, NOT_NULL)


def test_opentofu_shows_the_timestamp_whose_month_lacks_the_day() -> None:
    context = FunctionContext(World.confined(Path(), 1, NOW), OPENTOFU_1_12)
    timecmp = {function.name: function for function in dates.functions(context)}["timecmp"]
    with pytest.raises(ArgumentError) as failure:
        timecmp.call([string("2020-02-30T00:00:00Z"), string("2020-02-01T00:00:00Z")])
    reason = 'parsing time "2020-02-30T00:00:00Z": day out of range'
    assert failure.value.message == f"not a valid RFC3339 timestamp: {reason}"
