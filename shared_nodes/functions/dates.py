"""Date and time functions: `formatdate`, `timeadd`, `timecmp`, `timestamp`, `plantimestamp`.

Timestamps are RFC 3339 strings. Python's `datetime` cannot represent what the original computes with (nanoseconds,
years below 1 or above 9999 as results of `timeadd`), so an `Instant` is three integers, and dates are mapped to
`datetime.date` by whole 400-year cycles.

The original has two parsers for timestamps: a lenient one (`timecmp`) and a strict one that first calls the lenient one
(`formatdate`, `timeadd`). The errors of both name the part of the timestamp that did not match, so `_Reader` keeps
track of the rest.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, datetime
from functools import partial
from typing import Final

from shared_nodes.flavour import Flavour
from shared_nodes.functions.context import FunctionContext
from shared_nodes.lang.function import ArgumentError, Arguments, Function, FunctionError, Parameter
from shared_nodes.record import record
from shared_nodes.values.refinement import NOT_NULL
from shared_nodes.values.text import quoted
from shared_nodes.values.types import NUMBER, STRING, Type
from shared_nodes.values.value import Value, integer, string, unknown

__all__ = ["Instant", "functions", "instant_of", "parse_duration", "parse_timestamp", "timestamp_text"]

_NANOSECONDS: Final = 1_000_000_000
_DAY: Final = 86_400
_CYCLE_YEARS: Final = 400
_CYCLE_DAYS: Final = 146_097
_MONTHS: Final = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)
_WEEKDAYS: Final = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


@record
class Instant:
    """A point in time and the UTC offset it is written with. `seconds` counts from 0001-01-01T00:00:00Z."""

    seconds: int
    nanoseconds: int
    offset: int

    def local(self) -> tuple[int, date, int, int, int]:
        """Year, a date with the same month, day and weekday in an equivalent leap cycle, hour, minute, second."""
        days, second = divmod(self.seconds + self.offset, _DAY)
        cycles, day = divmod(days, _CYCLE_DAYS)
        stand_in = date.fromordinal(day + 1)
        return stand_in.year + cycles * _CYCLE_YEARS, stand_in, second // 3600, second // 60 % 60, second % 60


def _days_before(year: int, month: int, day: int) -> int:
    """Days from 0001-01-01 to a date of the proleptic Gregorian calendar, for any year. Raises ValueError for an
    invalid day."""
    cycles, stand_in = divmod(year - 1, _CYCLE_YEARS)
    return cycles * _CYCLE_DAYS + date(stand_in + 1, month, day).toordinal() - 1


def instant_of(
    day: tuple[int, int, int], time_of_day: tuple[int, int, int], nanoseconds: int = 0, offset: int = 0
) -> Instant:
    """The instant of a local date and time. Raises ValueError if there is no such day; the time of day is not
    checked."""
    hour, minute, second = time_of_day
    return Instant(_days_before(*day) * _DAY + hour * 3600 + minute * 60 + second - offset, nanoseconds, offset)


def timestamp_text(instant: Instant) -> str:
    year, day, hour, minute, second = instant.local()
    sign = "-" if year < 0 else ""
    zone = "Z" if instant.offset == 0 else _offset_text(instant.offset, ":")
    return f"{sign}{abs(year):04}-{day.month:02}-{day.day:02}T{hour:02}:{minute:02}:{second:02}{zone}"


def _offset_text(offset: int, separator: str) -> str:
    minutes = abs(offset) // 60
    return f"{'-' if offset < 0 else '+'}{minutes // 60:02}{separator}{minutes % 60:02}"


class TimestampError(Exception):
    """Reading failed: the part that was expected, and the text found there (empty at the end)."""

    def __init__(self, part: str, found: bytes) -> None:
        super().__init__(part, found)
        self.part: Final = part
        self.found: Final = found


_DAY_OUT_OF_RANGE: Final = "day out of range"
_TRAILING: Final = "timestamp segment"
_PAIR: Final = re.compile(rb"[0-9]{2}")
_YEAR: Final = re.compile(rb"[0-9]{4}")
_HOUR: Final = re.compile(rb"[0-9]{1,2}")
_FRACTION: Final = re.compile(rb"[.,][0-9]+")
_OFFSET: Final = re.compile(rb"([+-])([0-9]{2}):([0-9]{2})")


class _Reader:
    """Consumes a timestamp from the left. Works on bytes, because the original measures the offset in bytes."""

    __slots__ = ("rest",)

    def __init__(self, text: str) -> None:
        self.rest = text.encode("utf-8", "replace")

    def take(self, pattern: re.Pattern[bytes], part: str) -> re.Match[bytes]:
        match = pattern.match(self.rest)
        if match is None:
            raise TimestampError(part, self.rest)
        self.rest = self.rest[match.end() :]
        return match

    def number(self, pattern: re.Pattern[bytes], part: str, low: int, high: int) -> int:
        """Read a number within a range. If it is out of range, the original reports what *follows* the number."""
        found = int(self.take(pattern, part)[0])
        if not low <= found <= high:
            raise TimestampError(part, self.rest)
        return found

    def skip(self, literal: bytes) -> None:
        if not self.rest.startswith(literal):
            raise TimestampError(literal.decode(), self.rest)
        self.rest = self.rest[len(literal) :]

    def fraction(self) -> int:
        """Read nanoseconds. Digits beyond the ninth are dropped."""
        match = _FRACTION.match(self.rest)
        if match is None:
            return 0
        self.rest = self.rest[match.end() :]
        return int(match[0][1:10].ljust(9, b"0"))

    def offset(self) -> int:
        if self.rest.startswith(b"Z"):
            self.rest = self.rest[1:]
            return 0
        match = self.take(_OFFSET, "UTC offset")
        hours, minutes = int(match[2]), int(match[3])
        if hours > 24 or minutes > 60:
            raise TimestampError("UTC offset", self.rest)
        return (hours * 3600 + minutes * 60) * (-1 if match[1] == b"-" else 1)


def _read_leniently(text: str) -> Instant:
    reader = _Reader(text)
    year = reader.number(_YEAR, "year", 0, 9999)
    reader.skip(b"-")
    month = reader.number(_PAIR, "month", 1, 12)
    reader.skip(b"-")
    day = reader.number(_PAIR, "day of month", 0, 99)
    reader.skip(b"T")
    hour = reader.number(_HOUR, "hour", 0, 23)
    reader.skip(b":")
    minute = reader.number(_PAIR, "minute", 0, 59)
    reader.skip(b":")
    second = reader.number(_PAIR, "second", 0, 59)
    nanoseconds = reader.fraction()
    offset = reader.offset()
    if reader.rest:
        raise TimestampError(_TRAILING, reader.rest)
    try:
        return instant_of((year, month, day), (hour, minute, second), nanoseconds, offset)
    except ValueError:
        raise TimestampError(_DAY_OUT_OF_RANGE, b"") from None


def _check_strictly(text: str) -> None:
    """Check what RFC 3339 forbids and the lenient parser accepts. The text has passed the lenient parser."""
    if text[12] == ":":
        raise TimestampError("hour", text[11:12].encode())
    if text[19] == ",":
        raise TimestampError(_TRAILING, b",")
    if text[-1] != "Z" and (int(text[-5:-3]) >= 24 or int(text[-2:]) >= 60):
        raise TimestampError("UTC offset", text[-6:].encode())


def _explain(error: TimestampError, *, strict: bool) -> str:
    part, found = error.part, error.found
    shown = quoted(found.decode("utf-8", "surrogateescape"))
    if part == _DAY_OUT_OF_RANGE:
        reason = part
    elif part == "T":
        reason = "missing required time introducer 'T'"
    elif part in (":", "-"):
        wanted = quoted(part)
        reason = f"found {shown} where {wanted} is expected" if found else f"end of string where {wanted} is expected"
    elif not found:
        reason = f"end of string before {part}"
    elif strict and part == "hour" and b":" in found:
        reason = "hour must be between 0 and 23 inclusive"
    elif strict and part in ("hour", "minute") and len(found) != 2:
        reason = f"{part} must have exactly two digits"
    else:
        reason = f"cannot use {shown} as {part}"
    return reason


def parse_timestamp(text: str, *, strict: bool, quotes_text: bool = False) -> Instant:
    """Read a timestamp, or raise a FunctionError that says what is wrong with it.

    The strict errors guess more about the cause, sometimes wrongly (minute 60 "must have exactly two digits"); they are
    reproduced unchanged. With `quotes_text`, the error for a day that its month lacks shows the whole text.
    """
    try:
        instant = _read_leniently(text)
        if strict:
            _check_strictly(text)
    except TimestampError as error:
        if quotes_text and error.part == _DAY_OUT_OF_RANGE:
            reason = f"parsing time {quoted(text)}: {_DAY_OUT_OF_RANGE}"
        else:
            reason = _explain(error, strict=strict)
        raise FunctionError(f"not a valid RFC3339 timestamp: {reason}") from None
    return instant


_UNITS: Final = {
    "ns": 1,
    "us": 1_000,
    "µs": 1_000,
    "μs": 1_000,
    "ms": 1_000_000,
    "s": _NANOSECONDS,
    "m": 60 * _NANOSECONDS,
    "h": 3600 * _NANOSECONDS,
}
_LIMIT: Final = 1 << 63
_DURATION_PART: Final = re.compile(r"([0-9]*)(?:\.([0-9]*))?([^0-9.]*)")


def _duration_quote(text: str) -> str:
    """Quote like the original's time package: everything outside ASCII is escaped byte by byte."""
    pieces: list[str] = []
    for character in text:
        if character < " " or character > "\x7f":
            pieces.extend(f"\\x{byte:02x}" for byte in character.encode("utf-8", "replace"))
        else:
            pieces.append("\\" + character if character in '"\\' else character)
    return '"' + "".join(pieces) + '"'


def _fraction_of(digits: str, unit: int) -> int:
    """A decimal fraction of a unit.

    Digits that do not fit into 63 bits are ignored and the rest is scaled in floating point, as in the original: the
    result can be off by a nanosecond, and must be off by the same one.
    """
    numerator, scale = 0, 1.0
    for digit in digits:
        if numerator > (_LIMIT - 1) // 10:
            break
        numerator = numerator * 10 + int(digit)
        scale *= 10
    return int(float(numerator) * (unit / scale))


def parse_duration(text: str) -> int:
    """The nanoseconds of a duration such as `-1h30m`, `1.5h`, `100ms`."""
    invalid = FunctionError(f"time: invalid duration {_duration_quote(text)}")
    negative = text.startswith("-")
    rest = text[1:] if text[:1] in ("-", "+") else text
    if rest == "0":
        return 0
    if not rest:
        raise invalid
    total = 0
    while rest:
        match = _DURATION_PART.match(rest)
        assert match is not None
        whole, fraction, unit = match[1], match[2] or "", match[3]
        if (not whole and not fraction) or len(whole.lstrip("0")) > 19 or int(whole or "0") > _LIMIT:
            raise invalid
        if not unit:
            raise FunctionError(f"time: missing unit in duration {_duration_quote(text)}")
        if unit not in _UNITS:
            raise FunctionError(f"time: unknown unit {_duration_quote(unit)} in duration {_duration_quote(text)}")
        total += int(whole or "0") * _UNITS[unit] + _fraction_of(fraction, _UNITS[unit])
        if total > _LIMIT:
            raise invalid
        rest = rest[match.end() :]
    if total == _LIMIT and not negative:
        raise invalid
    return -total if negative else total


def _add(instant: Instant, nanoseconds: int) -> Instant:
    carried, rest = divmod(instant.nanoseconds + nanoseconds, _NANOSECONDS)
    return Instant(instant.seconds + carried, rest, instant.offset)


_FORMAT_TOKEN: Final = re.compile(r"''|'(?:[^']|'')+'?|'|([A-Za-z])\1*|[^A-Za-z']+", re.DOTALL)
_Verb = tuple[str, dict[int, Callable[["_Moment"], str]]]


@record
class _Moment:
    year: int
    day: date
    hour: int
    minute: int
    second: int
    offset: int

    @property
    def hour12(self) -> int:
        return self.hour % 12 or 12


def _two_widths(read: Callable[[_Moment], int]) -> dict[int, Callable[[_Moment], str]]:
    return {1: lambda moment: str(read(moment)), 2: lambda moment: f"{read(moment):02}"}


def _offset_or_name(name: str, separator: str) -> Callable[[_Moment], str]:
    return lambda moment: _offset_text(moment.offset, separator) if moment.offset else name


_VERBS: Final[dict[str, _Verb]] = {
    "Y": (
        'year must either be "YY" or "YYYY"',
        {2: lambda moment: f"{moment.year % 100:02}", 4: lambda moment: f"{moment.year:04}"},
    ),
    "M": (
        'month must be "M", "MM", "MMM", or "MMMM"',
        {
            **_two_widths(lambda moment: moment.day.month),
            3: lambda moment: _MONTHS[moment.day.month - 1][:3],
            4: lambda moment: _MONTHS[moment.day.month - 1],
        },
    ),
    "D": ('day of month must either be "D" or "DD"', _two_widths(lambda moment: moment.day.day)),
    "E": (
        'day of week must either be "EEE" or "EEEE"',
        {
            3: lambda moment: _WEEKDAYS[moment.day.weekday()][:3],
            4: lambda moment: _WEEKDAYS[moment.day.weekday()],
        },
    ),
    "h": ('24-hour must either be "h" or "hh"', _two_widths(lambda moment: moment.hour)),
    "H": ('12-hour must either be "H" or "HH"', _two_widths(lambda moment: moment.hour12)),
    "A": ('must be "AA"', {2: lambda moment: "AM" if moment.hour < 12 else "PM"}),
    "a": ('must be "aa"', {2: lambda moment: "am" if moment.hour < 12 else "pm"}),
    "m": ('minute must either be "m" or "mm"', _two_widths(lambda moment: moment.minute)),
    "s": ('second must either be "s" or "ss"', _two_widths(lambda moment: moment.second)),
    "Z": (
        "timezone must be Z, ZZZZ, or ZZZZZ",
        {
            1: _offset_or_name("Z", ":"),
            3: _offset_or_name("UTC", ""),
            4: lambda moment: _offset_text(moment.offset, ""),
            5: lambda moment: _offset_text(moment.offset, ":"),
        },
    ),
}


def _render_token(token: str, moment: _Moment) -> str:
    if token == "''":
        return "'"
    if token[0] == "'":
        if len(token) == 1 or token[-1] != "'":
            raise ArgumentError(0, "unterminated literal '")
        return token[1:-1].replace("''", "'")
    if not (token[0].isascii() and token[0].isalpha()):
        return token
    if token[0] not in _VERBS:
        raise ArgumentError(0, f"invalid date format verb {quoted(token)}")
    rule, widths = _VERBS[token[0]]
    if len(token) not in widths:
        raise ArgumentError(0, f"invalid date format verb {quoted(token)}: {rule}")
    return widths[len(token)](moment)


def _parse_argument(index: int, text: str, *, strict: bool, quotes_text: bool = False) -> Instant:
    try:
        return parse_timestamp(text, strict=strict, quotes_text=quotes_text)
    except FunctionError as error:
        raise ArgumentError(index, error.message) from None


def _formatdate(arguments: Arguments, _type: Type) -> Value:
    instant = _parse_argument(1, arguments[1].payload, strict=True)
    moment = _Moment(*instant.local(), instant.offset)
    tokens = _FORMAT_TOKEN.finditer(arguments[0].payload)
    return string("".join(_render_token(token[0], moment) for token in tokens))


def _timeadd(arguments: Arguments, _type: Type) -> Value:
    instant = parse_timestamp(arguments[0].payload, strict=True)
    return string(timestamp_text(_add(instant, parse_duration(arguments[1].payload))))


def _timecmp(flavour: Flavour, arguments: Arguments, _type: Type) -> Value:
    quotes = flavour.timecmp_quotes_impossible_dates
    left, right = (
        _parse_argument(index, argument.payload, strict=False, quotes_text=quotes)
        for index, argument in enumerate(arguments)
    )
    ours, theirs = (left.seconds, left.nanoseconds), (right.seconds, right.nanoseconds)
    return integer((ours > theirs) - (ours < theirs))


def _now_text(now: datetime) -> str:
    return now.strftime("%Y-%m-%dT%H:%M:%SZ")


def functions(context: FunctionContext) -> tuple[Function, ...]:
    """The date functions. `plantimestamp` reads the clock once, here, so that all calls of one run agree."""
    planned_at = _now_text(context.world.now())

    def timestamp(_arguments: Arguments, _type: Type) -> Value:
        if not context.impure_results_known:
            return unknown(STRING, NOT_NULL)
        return string(_now_text(context.world.now()))

    def plantimestamp(_arguments: Arguments, _type: Type) -> Value:
        return string(planned_at) if context.plan_time_known else unknown(STRING)

    timecmp = partial(_timecmp, context.flavour)
    return (
        Function("formatdate", (Parameter("format", STRING), Parameter("time", STRING)), STRING, _formatdate),
        Function("timeadd", (Parameter("timestamp", STRING), Parameter("duration", STRING)), STRING, _timeadd),
        Function("timecmp", (Parameter("timestamp_a", STRING), Parameter("timestamp_b", STRING)), NUMBER, timecmp),
        Function("timestamp", (), STRING, timestamp),
        Function("plantimestamp", (), STRING, plantimestamp),
    )
