"""`format` and `formatlist`: verbs in a template are replaced by arguments.

The verbs resemble those of C, but the language is different: flags, width, precision, then `[n]` for an explicit
argument, then one of `b d e E f g G o q s t v x X`; `%%` is a percent sign. Strings are measured in grapheme clusters
and padded by their own rules (a zero flag pads with zeros, on the right as well). Numbers are written digit by digit
from their exact value, by the rules of Go's big numbers.

The original parses each number verb a second time, with a different limit: the digits of a width or precision must end
once they exceed a million. Its output in place of an error is reproduced (`%!(NOVERB)...`), so a number is never wider
than 10,000,009 characters. The original has no limit for strings; here they are limited like every result of a string
function, by `strings.MAX_RESULT`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Final

from shared_nodes.flavour import Flavour
from shared_nodes.functions.context import FunctionContext
from shared_nodes.functions.json_encoding import encode_json, json_string
from shared_nodes.functions.strings import check_length, join_pieces, repeat
from shared_nodes.lang.function import ArgumentError, Arguments, Function, FunctionError, PanicError, Parameter
from shared_nodes.record import record
from shared_nodes.values import number as numbers
from shared_nodes.values.convert import ConversionError, convert
from shared_nodes.values.multiprecision import gmpy2, mpfr, mpz
from shared_nodes.values.refinement import NOT_NULL, Refinement
from shared_nodes.values.text import graphemes, known_prefix, length_in_graphemes, quoted
from shared_nodes.values.types import BOOL, DYNAMIC, NUMBER, STRING, ListType, SetType, TupleType, Type
from shared_nodes.values.value import Value, list_of, string, unknown

__all__ = ["functions"]

# Verbs ---------------------------------------------------------------------------------------------------------------

_VERB_START: Final = re.compile(
    r"%(?P<flags>[-+# 0]*)(?P<width>[1-9][0-9]*)?(?:\.(?P<precision>[0-9]*))?"
    r"(?P<bracket>\[(?:(?P<argument>[1-9][0-9]*)(?P<closed>\])?)?)?"
)
_MODE: Final = re.compile(r"[A-Za-z]")
_LONGEST_PREFIX: Final = 1_000_000


@record
class _Verb:
    """One verb of a template. `argument` counts from one."""

    template: str
    start: int
    raw: str
    mode: str
    flags: str
    width_digits: str
    precision_digits: str | None
    argument: int
    flavour: Flavour

    @property
    def offset(self) -> int:
        """The start of the verb in bytes. Only messages need it, so it is computed on demand."""
        return _byte_offset(self.template, self.start)

    @property
    def width(self) -> int:
        return _to_int64(self.width_digits) if self.width_digits else -1

    @property
    def precision(self) -> int | None:
        return None if self.precision_digits is None else _to_int64(self.precision_digits)

    def is_too_large_for_numbers(self) -> bool:
        given = (self.width_digits, self.precision_digits or "")
        return any(mpz(digits[:-1] or "0") > _LONGEST_PREFIX for digits in given)

    def fault(self, reason: str) -> FunctionError:
        return FunctionError(f"unsupported value for {quoted(self.raw)} at {self.offset}: {reason}")


def _to_int64(digits: str) -> int:
    """The number that the digits denote in the original: in 64 bits, without a check for overflow."""
    value = int(mpz(digits or "0")) % 2**64
    return value - 2**64 if value >= 2**63 else value


def _byte_offset(template: str, position: int) -> int:
    return len(template[:position].encode("utf-8", "surrogatepass"))


def _quoted_character(character: str) -> str:
    special = {"'": "\\'", '"': '"'}
    return f"'{special.get(character) or quoted(character)[1:-1]}'"


def _parse_verb(template: str, start: int, next_argument: int, flavour: Flavour) -> _Verb:
    found = _VERB_START.match(template, start)
    assert found is not None
    end = found.end()
    if end == len(template):
        raise FunctionError(f"invalid format string starting at offset {_byte_offset(template, end)}")
    if not _MODE.match(template, end) or (found["bracket"] and not found["closed"]):
        character = _quoted_character(template[end])
        raise FunctionError(f"unrecognized format character {character} at offset {_byte_offset(template, end)}")
    return _Verb(
        template=template,
        start=start,
        raw=template[start : end + 1],
        mode=template[end],
        flags=found["flags"],
        width_digits=found["width"] or "",
        precision_digits=found["precision"],
        argument=_to_int64(found["argument"]) if found["argument"] else next_argument,
        flavour=flavour,
    )


def _render(template: str, arguments: Sequence[Value], flavour: Flavour) -> Iterator[str]:
    """The pieces of the result. After an explicit argument number, counting continues from there."""
    position, next_argument, highest = 0, 1, 0
    while (start := template.find("%", position)) >= 0:
        yield template[position:start]
        if template.startswith("%%", start):
            yield "%"
            position = start + 2
            continue
        verb = _parse_verb(template, start, next_argument, flavour)
        yield _render_verb(verb, arguments)
        position = start + len(verb.raw)
        next_argument = verb.argument + 1
        highest = max(highest, verb.argument)
    yield template[position:]
    if highest < len(arguments):
        used = f"only {highest} used by" if highest else "no verbs in"
        raise ArgumentError(highest + 1, f"too many arguments; {used} format string")


def _render_verb(verb: _Verb, arguments: Sequence[Value]) -> str:
    index = verb.argument - 1
    if index >= len(arguments) or index < -(2**63):
        raise FunctionError(
            f"not enough arguments for {quoted(verb.raw)} at {verb.offset}: "
            f"need index {verb.argument} but have {len(arguments)} total"
        )
    if index < 0:
        raise PanicError(f"runtime error: index out of range [{index}]")
    renderer = _RENDERERS.get(verb.mode)
    if renderer is None:
        mode, raw = _quoted_character(verb.mode), quoted(verb.raw)
        raise FunctionError(f"unsupported format verb {mode} in {raw} at offset {verb.offset}")
    value = arguments[index]
    if value.is_null and verb.mode != "v":
        raise verb.fault("null value cannot be formatted")
    return renderer(verb, value)


def _convert_argument(verb: _Verb, value: Value, type: Type) -> Value:
    try:
        return convert(value, type)
    except ConversionError as error:
        raise verb.fault(error.explain(verb.flavour)) from None


# Text ----------------------------------------------------------------------------------------------------------------


def _pad(verb: _Verb, text: str) -> str:
    missing = verb.width - length_in_graphemes(text) if verb.width > 0 else 0
    if missing <= 0:
        return text
    padding = repeat("0" if "0" in verb.flags else " ", missing)
    return text + padding if "-" in verb.flags else padding + text


def _render_value(verb: _Verb, value: Value) -> str:
    """Render `%v`: strings unchanged, numbers with an exponent if that is shorter, everything else as JSON. `%#v`: all
    as JSON."""
    if "#" not in verb.flags and not value.is_null:
        if value.type is STRING:
            return _pad(verb, value.payload)
        if value.type is NUMBER:
            return _pad(verb, _plain_number(value.payload))
    try:
        return _pad(verb, encode_json(value))
    except FunctionError as error:
        raise verb.fault(error.message) from None


def _cut(verb: _Verb, text: str) -> str:
    """Apply the precision, which limits the number of characters, except that a precision of zero does not."""
    precision = verb.precision
    return "".join(graphemes(text)[:precision]) if precision is not None and precision > 0 else text


def _render_string(verb: _Verb, value: Value) -> str:
    return _pad(verb, _cut(verb, _convert_argument(verb, value, STRING).payload))


def _render_quoted(verb: _Verb, value: Value) -> str:
    return _pad(verb, json_string(_cut(verb, _convert_argument(verb, value, STRING).payload)))


def _render_bool(verb: _Verb, value: Value) -> str:
    """Render `%t`, the only verb that ignores a width."""
    return "true" if _convert_argument(verb, value, BOOL).payload else "false"


# Numbers -------------------------------------------------------------------------------------------------------------

_BASES: Final = {"b": (2, "0b"), "o": (8, "0"), "d": (10, ""), "x": (16, "0x"), "X": (16, "0X")}


def _check_expandable(payload: mpfr) -> None:
    if not gmpy2.is_zero(payload) and abs(gmpy2.get_exp(payload)) > numbers.MAX_TEXT_DIGITS * 3.3:
        raise FunctionError("number has too many digits to be written out")


def _sign(verb: _Verb, *, negative: bool) -> str:
    if negative:
        return "-"
    return "+" if "+" in verb.flags else " " if " " in verb.flags else ""


def _render_integer(verb: _Verb, value: Value) -> str:
    payload = _convert_argument(verb, value, NUMBER).payload
    if not numbers.is_whole(payload):
        raise verb.fault("an integer is required")
    _check_expandable(payload)
    whole = mpz(payload.as_integer_ratio()[0])
    if verb.is_too_large_for_numbers():
        return f"%!(NOVERB)%!(EXTRA *big.Int={whole.digits()})"
    base, prefix = _BASES[verb.mode]
    digits: str = abs(whole).digits(base)
    if verb.mode == "X":
        digits = digits.upper()
    sign = _sign(verb, negative=whole < 0)
    if "#" not in verb.flags:
        prefix = ""
    precision = verb.precision
    if precision == 0 and whole == 0:
        return ""
    digits = digits.rjust(precision or 0, "0")
    missing = verb.width - len(sign) - len(prefix) - len(digits)
    if "-" in verb.flags:
        return sign + prefix + digits + " " * missing
    if "0" in verb.flags and precision is None:
        return sign + prefix + "0" * missing + digits
    return " " * missing + sign + prefix + digits


@record
class _Decimal:
    """0.digits times ten to the power of `point`. The digits have no zeros at either end; zero has no digits."""

    digits: str
    point: int

    def rounded(self, count: int) -> _Decimal:
        """Round to that many digits, ties to even."""
        if not 0 <= count < len(self.digits):
            return self
        kept, dropped = self.digits[:count], self.digits[count:]
        up = kept[-1:] in tuple("13579") if dropped == "5" else dropped >= "5"
        if not up:
            kept = kept.rstrip("0")
            return _Decimal(kept, self.point if kept else 0)
        kept = kept.rstrip("9")
        if not kept:
            return _Decimal("1", self.point + 1)
        return _Decimal(kept[:-1] + str(int(kept[-1]) + 1), self.point)

    def with_exponent(self, precision: int, letter: str) -> str:
        first, rest = self.digits[:1] or "0", self.digits[1 : 1 + precision].ljust(precision, "0")
        exponent = self.point - 1 if self.digits else 0
        return f"{first}{'.' if precision > 0 else ''}{rest}{letter}{exponent:+03d}"

    def without_exponent(self, precision: int) -> str:
        whole = self.digits[: max(0, self.point)].ljust(self.point, "0") or "0"
        if precision <= 0:
            return whole
        fraction = "0" * min(-self.point, precision) + self.digits[max(0, self.point) :]
        return f"{whole}.{fraction[:precision].ljust(precision, '0')}"


def _exact_decimal(payload: mpfr) -> _Decimal:
    _check_expandable(payload)
    numerator, denominator = map(mpz, payload.as_integer_ratio())
    places = denominator.bit_length() - 1
    digits = (abs(numerator) * mpz(5) ** places).digits() if numerator else ""
    return _Decimal(digits.rstrip("0"), len(digits) - places if digits else 0)


def _shortest(payload: mpfr) -> _Decimal:
    """The fewest digits that identify the number at its precision."""
    try:
        text = numbers.number_text(payload).removeprefix("-")
    except numbers.NumberTooLargeError:
        raise FunctionError("number has too many digits to be written out") from None
    whole, _, fraction = text.partition(".")
    digits = (whole + fraction).lstrip("0")
    return _Decimal(digits.rstrip("0"), len(digits) - len(fraction) if digits else 0)


def _general(payload: mpfr, precision: int | None, letter: str) -> str:
    """Format for `%g`: an exponent is used only if the number is below 0.0001 or has more digits before the point than
    the precision allows. The default precision is six digits."""
    if precision is None:
        decimal = _shortest(payload)
        precision, limit = len(decimal.digits), 6
    else:
        precision = max(1, precision)
        decimal = _exact_decimal(payload).rounded(precision)
        limit = precision
        if limit > len(decimal.digits) >= decimal.point:
            limit = len(decimal.digits)
    if not -4 <= decimal.point - 1 < limit and decimal.digits:
        return decimal.with_exponent(min(precision, len(decimal.digits)) - 1, letter)
    if precision > decimal.point:
        precision = len(decimal.digits)
    return decimal.without_exponent(max(precision - decimal.point, 0))


def _float_digits(mode: str, payload: mpfr, precision: int | None) -> str:
    """The digits of the absolute value of a finite number."""
    if mode in "gG":
        return _general(payload, precision, "e" if mode == "g" else "E")
    if precision is None:
        precision = 6
    exact = _exact_decimal(payload)
    if mode == "f":
        return exact.rounded(exact.point + precision).without_exponent(precision)
    return exact.rounded(1 + precision).with_exponent(precision, mode)


def _plain_number(payload: mpfr) -> str:
    if numbers.is_infinite(payload):
        return numbers.number_text(payload)
    return ("-" if gmpy2.is_signed(payload) else "") + _general(payload, None, "e")


def _render_float(verb: _Verb, value: Value) -> str:
    """Render a float. Zeros pad on the left even with a minus flag, but never an infinity, which always has a sign."""
    payload = _convert_argument(verb, value, NUMBER).payload
    if verb.is_too_large_for_numbers():
        return f"%!(NOVERB)%!(EXTRA *big.Float={_plain_number(payload)})"
    infinite = numbers.is_infinite(payload)
    negative = gmpy2.is_signed(payload)
    if infinite:
        sign, digits = "-" if negative else " " if " " in verb.flags else "+", "Inf"
    else:
        sign, digits = _sign(verb, negative=negative), _float_digits(verb.mode, payload, verb.precision)
    missing = verb.width - len(sign) - len(digits)
    if "0" in verb.flags and not infinite:
        return sign + "0" * missing + digits
    if "-" in verb.flags:
        return sign + digits + " " * missing
    return " " * missing + sign + digits


_RENDERERS: Final[dict[str, Callable[[_Verb, Value], str]]] = {
    "v": _render_value,
    "t": _render_bool,
    "s": _render_string,
    "q": _render_quoted,
    **dict.fromkeys("bdoxX", _render_integer),
    **dict.fromkeys("eEfgG", _render_float),
}


# The functions -------------------------------------------------------------------------------------------------------


def _format(flavour: Flavour, arguments: Arguments, _type: Type) -> Value:
    """Format one string. If an argument is not wholly known, only the text before the first verb is certain.

    Nothing else is examined then, not even whether the template is valid.
    """
    template: str = arguments[0].payload
    if not all(argument.is_wholly_known for argument in arguments[1:]):
        literal, percent, _ = template.partition("%")
        return unknown(STRING, Refinement(not_null=True, prefix=known_prefix(literal) if percent else ""))
    return string(join_pieces(_render(template, arguments[1:], flavour)))


def _formatlist(flavour: Flavour, arguments: Arguments, type: Type) -> Value:
    """Format a list of strings: sequences are iterated in parallel, everything else is repeated.

    Quirk of the original: if an argument of one iteration is unknown, the sequences after it are not advanced, so they
    lag behind from then on.
    """
    template: str = arguments[0].payload
    given = arguments[1:]
    if not given:
        return list_of(STRING, [string(join_pieces(_render(template, (), flavour)))])
    length = _common_length(given)
    if any(_is_unknown_sequence(argument) for argument in given):
        return unknown(type)
    steps = [iter(argument.payload) if _is_sequence(argument) else None for argument in given]
    results: list[Value] = []
    total = 0
    for step in range(length):
        row: list[Value] = []
        for argument, elements in zip(given, steps, strict=True):
            row.append(argument if elements is None else next(elements))
            if not row[-1].is_wholly_known:
                results.append(unknown(STRING, NOT_NULL))
                break
        else:
            text = _format_row(template, row, step, flavour)
            total += len(text)
            check_length(total)
            results.append(string(text))
    return list_of(STRING, results)


def _format_row(template: str, row: Sequence[Value], step: int, flavour: Flavour) -> str:
    try:
        return join_pieces(_render(template, row, flavour))
    except PanicError:
        raise
    except FunctionError as error:
        raise FunctionError(f"error on format iteration {step}: {error.message}") from None


def _is_sequence(argument: Value) -> bool:
    return isinstance(argument.type, ListType | SetType | TupleType) and not argument.is_null


def _is_unknown_sequence(argument: Value) -> bool:
    return not argument.is_known and (_is_sequence(argument) or argument.type is DYNAMIC)


def _common_length(arguments: Sequence[Value]) -> int:
    """The common length of all sequences, or one if there are none. The length of an unknown tuple is part of its
    type."""
    length, chosen_by = -1, -1
    for index, argument in enumerate(arguments, start=1):
        if isinstance(argument.type, TupleType) and not argument.is_null:
            own = len(argument.type.elements)
        elif _is_sequence(argument) and argument.is_known:
            own = len(argument.payload)
        else:
            continue
        if length < 0:
            length, chosen_by = own, index
        elif own != length:
            other = f"argument {chosen_by} of length {length}"
            raise ArgumentError(index, f"argument {index} has length {own}, which is inconsistent with {other}")
    return 1 if length < 0 else length


def functions(context: FunctionContext) -> tuple[Function, ...]:
    """Return `format` and `formatlist`. In flavours that do not accept a literal null, such a null makes the result
    unknown."""
    template = Parameter("format", STRING)
    values = Parameter(
        "args", allow_null=True, allow_unknown=True, allow_dynamic=context.flavour.format_takes_literal_null
    )
    format_one, format_list = partial(_format, context.flavour), partial(_formatlist, context.flavour)
    return (
        Function("format", (template,), STRING, format_one, variadic=values),
        Function("formatlist", (template,), ListType(STRING), format_list, variadic=values),
    )
