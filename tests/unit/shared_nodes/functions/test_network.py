"""The cidr functions, compared with answers recorded from Terraform 1.11.4.

Covered: which texts are prefixes at all, how addresses are printed, and the arithmetic outside the sensible range,
where numbers overflow into the prefix, are reduced to their low 64 bits, or make the original panic.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from shared_nodes.flavour import OPENTOFU_1_12, TERRAFORM_1_11, Flavour
from shared_nodes.functions import network
from shared_nodes.functions.context import FunctionContext
from shared_nodes.lang.function import ArgumentError, Function, FunctionError, PanicError
from shared_nodes.values import number as numbers
from shared_nodes.values.marks import SENSITIVE
from shared_nodes.values.types import NUMBER, STRING, ListType
from shared_nodes.values.value import FALSE, TRUE, Value, integer, list_of, number, string, unknown
from shared_nodes.world import World


def named(name: str, flavour: Flavour = TERRAFORM_1_11) -> Function:
    context = FunctionContext(World.real(Path()), flavour)
    return {function.name: function for function in network.functions(context)}[name]


class Number(str):
    """A number literal that Python cannot write as an integer."""

    __slots__ = ()


def value(given: str | int) -> Value:
    if isinstance(given, Number | int):
        parsed = numbers.parse(str(given))
        assert parsed is not None
        return number(parsed)
    return string(given)


Row = tuple[str, tuple[str | int, ...], str]

RESULTS: list[tuple[str, tuple[str | int, ...], str | list[str]]] = [
    ("cidrhost", ("10.0.0.0/30", -4), "10.0.0.0"),
    ("cidrhost", ("2001:db8::/64", 18446744073709551616), "2001:db8:0:1::"),
    ("cidrhost", ("2001:db8::/64", 18446744073709551617), "2001:db8:0:1::1"),
    ("cidrhost", ("2001:db8::/64", 9223372036854775808), "2001:db8:0:0:8000::"),
    ("cidrhost", ("::/0", 340282366920938463463374607431768211455), "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
    ("cidrhost", ("::/0", -1), "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
    ("cidrhost", ("::ffff:10.0.0.0/104", 0), "10.0.0.0"),
    ("cidrhost", ("::ffff:10.0.0.0/104", -1), "ff:ffff::ffff:a00:0"),
    ("cidrhost", ("::ffff:10.0.0.0/120", 16), "0:10::ffff:a00:0"),
    ("cidrhost", ("::ffff:10.0.0.0/128", 0), "10.0.0.0"),
    ("cidrhost", ("10.0.0.0/8", 0), "10.0.0.0"),
    ("cidrhost", ("10.0.0.0/08", 1), "10.0.0.1"),
    ("cidrhost", ("10.0.0.0/0000000000008", 1), "10.0.0.1"),
    ("cidrhost", ("0000000010.0.0.0/8", 1), "10.0.0.1"),
    ("cidrhost", ("1:2:3:4:5:6:7:8/64", 1), "1:2:3:4::1"),
    ("cidrhost", ("1:2:3:4:5:6:7::/64", 1), "1:2:3:4::1"),
    ("cidrhost", ("00001::/64", 1), "1::1"),
    ("cidrhost", ("00000000001::/64", 1), "1::1"),
    ("cidrhost", ("0ffff::/64", 1), "ffff::1"),
    ("cidrhost", ("FFFF:ABCD::/64", 1), "ffff:abcd::1"),
    ("cidrhost", ("::1.2.3.4/96", 1), "::1"),
    ("cidrhost", ("::1.2.3.04/96", 1), "::1"),
    ("cidrhost", ("::001.2.3.4/96", 1), "::1"),
    ("cidrhost", ("1:2:3:4:5:6:1.2.3.4/96", 1), "1:2:3:4:5:6:0:1"),
    ("cidrhost", ("1::/64", 1), "1::1"),
    ("cidrhost", ("::/64", 0), "::"),
    ("cidrhost", ("1:0:0:2:0:0:0:3/128", 0), "1:0:0:2::3"),
    ("cidrhost", ("1:0:0:2:0:0:3:3/128", 0), "1::2:0:0:3:3"),
    ("cidrhost", ("1:0:2:3:4:5:6:7/128", 0), "1:0:2:3:4:5:6:7"),
    ("cidrhost", ("0:0:1:0:0:1:0:0/128", 0), "::1:0:0:1:0:0"),
    ("cidrhost", ("::ffff:0:0/96", 5), "0:5::ffff:0:0"),
    ("cidrhost", ("::fffe:0:0/96", 5), "::fffe:0:5"),
    ("cidrhost", ("::ffff:1.2.3.4/80", 5), "::5"),
    ("cidrnetmask", ("::ffff:10.0.0.0/104",), "ffff:ffff:ffff:ffff:ffff:ffff:ff00:0"),
    ("cidrnetmask", ("::ffff:10.0.0.0/96",), "ffff:ffff:ffff:ffff:ffff:ffff::"),
    ("cidrnetmask", ("::ffff:10.0.0.0/128",), "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
    ("cidrsubnet", ("10.0.0.0/8", 8, -255), "0.255.0.0/16"),
    ("cidrsubnet", ("10.0.0.0/8", 8, -2), "0.2.0.0/16"),
    ("cidrsubnet", ("10.0.0.0/8", -8, 0), "10.0.0.0/0"),
    ("cidrsubnet", ("10.0.0.0/8", -9, 0), "<nil>"),
    ("cidrsubnet", ("10.0.0.0/8", -1, 1), "10.0.0.0/7"),
    ("cidrsubnet", ("10.0.0.0/8", -1, 64), "138.0.0.0/7"),
    ("cidrsubnet", ("10.0.0.0/8", -1000, 0), "<nil>"),
    ("cidrsubnet", ("10.0.0.0/8", 9223372036854775807, 0), "<nil>"),
    ("cidrsubnet", ("10.0.0.0/8", -9223372036854775808, 0), "<nil>"),
    ("cidrsubnet", ("10.0.0.0/8", 0, 0), "10.0.0.0/8"),
    ("cidrsubnet", ("10.0.0.0/8", 24, 16777215), "10.255.255.255/32"),
    (
        "cidrsubnet",
        ("::/0", 128, 340282366920938463463374607431768211455),
        "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff/128",
    ),
    ("cidrsubnet", ("::/0", 64, 18446744073709551615), "ffff:ffff:ffff:ffff::/64"),
    ("cidrsubnet", ("::/0", 63, 9223372036854775807), "ffff:ffff:ffff:fffe::/63"),
    ("cidrsubnet", ("::/0", 65, 18446744073709551617), "8000::8000:0:0:0/65"),
    ("cidrsubnet", ("::ffff:10.0.0.0/104", 8, 1), "10.1.0.0/16"),
    ("cidrsubnet", ("::ffff:10.0.0.0/104", 24, 1), "10.0.0.1/32"),
    ("cidrsubnet", ("::ffff:10.0.0.0/104", -8, 0), "10.0.0.0/0"),
    ("cidrsubnet", ("::ffff:10.0.0.0/104", -10, 0), "10.0.0.0/0"),
    ("cidrsubnet", ("::ffff:10.0.0.0/104", -10, 1), "10.0.0.0/0"),
    ("cidrsubnet", ("::fffe:0:0/95", 1, 1), "0.0.0.0/0"),
    ("cidrsubnet", ("0.0.0.0/0", 1, 1), "128.0.0.0/1"),
    ("cidrsubnets", ("2001:db8::/100", 28, 28, 1), ["2001:db8::/128", "2001:db8::1/128", "2001:db8::800:0/101"]),
    ("cidrsubnets", ("10.0.0.5/8", 8), ["10.0.0.0/16"]),
    ("cidrsubnets", ("::ffff:0:0/90", 6, 6, 6), ["::ffc0:0:0/96", "::ffc1:0:0/96", "::ffc2:0:0/96"]),
    ("cidrsubnets", ("::1:0:0/96", 1, 2), ["::1:0:0/97", "::1:8000:0/98"]),
    ("cidrsubnet", ("10.0.0.0/8", -1, -128), "246.0.0.0/7"),
    ("cidrsubnet", ("10.0.0.0/8", -1, -127), "246.0.0.0/7"),
    ("cidrsubnet", ("10.0.0.0/8", 1, -1), "0.128.0.0/9"),
]

CALL_ERRORS: list[Row] = [
    ("cidrhost", ("10.0.0.0/30", -5), "prefix of 30 does not accommodate a host numbered -1"),
    (
        "cidrhost",
        ("10.0.0.0/8", 9223372036854775807),
        "prefix of 8 does not accommodate a host numbered 9223372036854775807",
    ),
    (
        "cidrhost",
        ("10.0.0.0/8", -18446744073709551615),
        "prefix of 8 does not accommodate a host numbered -18446744073692774399",
    ),
    ("cidrhost", ("10.0.0.0/8", Number("Inf")), "value must be a whole number"),
    ("cidrnetmask", ("::ffff:10.0.0.0/95",), "IPv6 addresses cannot have a netmask: ::ffff:10.0.0.0/95"),
    ("cidrnetmask", ("::/0",), "IPv6 addresses cannot have a netmask: ::/0"),
    ("cidrnetmask", ("é",), "invalid CIDR expression: invalid CIDR address: é"),
    (
        "cidrsubnet",
        ("10.0.0.0/8", 8, 18446744073709551872),
        "prefix extension of 8 does not accommodate a subnet numbered 18446744073709551872",
    ),
    ("cidrsubnet", ("10.0.0.0/8", 8, -256), "prefix extension of 8 does not accommodate a subnet numbered -256"),
    (
        "cidrsubnet",
        ("10.0.0.0/8", 9223372036854775808, 0),
        "value must be a whole number, between -9223372036854775808 and 9223372036854775807",
    ),
    (
        "cidrsubnet",
        ("10.0.0.0/8", Number("Inf"), 0),
        "value must be a whole number, between -9223372036854775808 and 9223372036854775807",
    ),
    ("cidrsubnet", ("10.0.0.0/8", 0, Number("Inf")), "value must be a whole number"),
    ("cidrsubnet", ("10.0.0.0/8", 0, 1), "prefix extension of 0 does not accommodate a subnet numbered 1"),
    ("cidrsubnet", ("10.0.0.0/8", 0, Number("0.5")), "value must be a whole number"),
    ("cidrsubnet", ("10.0.0.0/8", 25, 0), "insufficient address space to extend prefix of 8 by 25"),
    (
        "cidrsubnet",
        ("::/0", 63, 9223372036854775808),
        "prefix extension of 63 does not accommodate a subnet numbered 9223372036854775808",
    ),
    (
        "cidrsubnet",
        ("10.0.0.0/8", Number("1.5"), Number("1.5")),
        "value must be a whole number, between -9223372036854775808 and 9223372036854775807",
    ),
    (
        "cidrsubnet",
        ("bad", Number("1.5"), 1),
        "value must be a whole number, between -9223372036854775808 and 9223372036854775807",
    ),
    ("cidrsubnet", ("bad", 1, Number("1.5")), "value must be a whole number"),
    (
        "cidrsubnet",
        ("10.0.0.0/8", Number("1e1000"), 0),
        "value must be a whole number, between -9223372036854775808 and 9223372036854775807",
    ),
    (
        "cidrhost",
        ("10.0.0.0/8", -1000000000000000000000000000000),
        "prefix of 8 does not accommodate a host numbered -999999999999999999999983222784",
    ),
    (
        "cidrsubnet",
        ("10.0.0.0/8", 1, -1000000000000000000000000000000),
        "prefix extension of 1 does not accommodate a subnet numbered -1000000000000000000000000000000",
    ),
]

PANICS: list[Row] = [
    ("cidrhost", ("10.0.0.0/8", 9223372036854775808), "runtime error: index out of range [-1]"),
    ("cidrhost", ("10.0.0.0/8", 18446744073709551616), "runtime error: index out of range [-1]"),
    ("cidrhost", ("10.0.0.0/8", 18446744073709551615), "runtime error: index out of range [-1]"),
    ("cidrhost", ("10.0.0.0/8", 36893488147419103232), "runtime error: index out of range [-1]"),
    ("cidrhost", ("::/0", 340282366920938463463374607431768211456), "runtime error: index out of range [-1]"),
    ("cidrhost", ("10.0.0.0/8", Number("1e400")), "runtime error: index out of range [-1]"),
    ("cidrsubnet", ("10.0.0.0/8", 8, 18446744073709551616), "runtime error: index out of range [-1]"),
    ("cidrsubnet", ("10.0.0.0/8", 8, 18446744073709551617), "runtime error: index out of range [-1]"),
    ("cidrsubnet", ("10.0.0.0/8", 8, -18446744073709551616), "runtime error: index out of range [-1]"),
    ("cidrsubnet", ("10.0.0.0/8", -8, 1), "runtime error: index out of range [-1]"),
    ("cidrsubnet", ("10.0.0.0/8", -9, 1), "runtime error: index out of range [-1]"),
    ("cidrsubnet", ("10.0.0.0/8", -1, 18446744073709551615), "runtime error: index out of range [-1]"),
    ("cidrsubnet", ("10.0.0.0/8", -1000, 1), "runtime error: index out of range [-1]"),
    ("cidrsubnet", ("10.0.0.0/8", -1000000, -1), "runtime error: index out of range [-1]"),
    ("cidrsubnet", ("10.0.0.0/8", 9223372036854775807, 1), "runtime error: makeslice: len out of range"),
    ("cidrsubnet", ("10.0.0.0/8", -9223372036854775808, 1), "runtime error: makeslice: len out of range"),
    ("cidrsubnet", ("::/0", 128, 340282366920938463463374607431768211456), "runtime error: index out of range [-1]"),
    ("cidrsubnet", ("::/0", 64, 18446744073709551616), "runtime error: index out of range [-1]"),
    ("cidrsubnet", ("10.0.0.0/8", -2251799813685300, 1), "runtime error: makeslice: len out of range"),
]

NOT_AN_INTEGER = "value must be a whole number, between -9223372036854775808 and 9223372036854775807"

ARGUMENT_ERRORS: list[tuple[tuple[str | int, ...], int, str]] = [
    (("bad", 1), 0, "invalid CIDR expression: invalid CIDR address: bad"),
    (("bad",), 0, "invalid CIDR expression: invalid CIDR address: bad"),
    (("10.0.0.0/8", 0), 1, "must extend prefix by at least one bit"),
    (("10.0.0.0/8", -1), 1, "must extend prefix by at least one bit"),
    (("10.0.0.0/8", Number("1.5")), 1, NOT_AN_INTEGER),
    (("10.0.0.0/8", 1, Number("1.5")), 2, NOT_AN_INTEGER),
    (("10.0.0.0/8", Number("Inf")), 1, NOT_AN_INTEGER),
    (("10.0.0.0/8", 1000000000000000000000000000000), 1, NOT_AN_INTEGER),
    (("10.0.0.0/8", 33), 1, "may not extend prefix by more than 32 bits"),
    (("10.0.0.0/8", 32), 1, "would extend prefix to 40 bits, which is too long for an IPv4 address"),
    (("10.0.0.0/8", -9223372036854775808), 1, "must extend prefix by at least one bit"),
    (("2001:db8::/100", 29), 1, "would extend prefix to 129 bits, which is too long for an IPv6 address"),
    (("255.255.255.254/32", 1), 1, "would extend prefix to 33 bits, which is too long for an IPv4 address"),
]

EXHAUSTED: list[tuple[tuple[str | int, ...], int, int, str]] = [
    (("0.0.0.0/0", 1, 1), 1, 1, "128.0.0.0/1"),
    (("0.0.0.0/0", 1, 1, 1), 1, 1, "128.0.0.0/1"),
    (("0.0.0.0/0", 4), 1, 4, "240.0.0.0/4"),
    (("::/0", 1, 1, 1), 1, 1, "8000::/1"),
    (("::/0", 1, 32), 1, 1, "8000::/1"),
    (("::/64", 32, 1), 1, 96, "ffff:ffff:ffff:ffff:ffff:ffff::/96"),
    (("255.255.255.255/31", 1, 1, 1), 3, 32, "255.255.255.255/32"),
    (("255.0.0.0/8", 1, 1, 1), 3, 9, "255.128.0.0/9"),
    (("::ffff:10.0.0.0/104", 8), 1, 112, "<nil>"),
    (("::ffff:10.0.0.0/104", 8, 8), 1, 112, "<nil>"),
    (("::ffff:0.0.0.0/96", 8), 1, 104, "<nil>"),
    (("::ffff:0.0.0.0/96", 32, 33), 1, 128, "<nil>"),
    (("::fffe:0:0/95", 1, 1, 1), 2, 96, "::fffe:0:0/96"),
    (("::fffe:0:0/95", 9, 1, 9), 2, 96, "::fffe:0:0/104"),
    (("::fffe:0:0/94", 2, 2, 2, 2, 2), 4, 96, "::fffe:0:0/96"),
    (("::fffe:0:0/94", 9, 2, 2, 2, 2), 4, 96, "::fffe:0:0/96"),
    (("::1:0:0:0/80", 1, 2), 1, 81, "::8000:0:0/81"),
    (("::/1", 1, 2, 1), 1, 2, "c000::/2"),
    (("ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff/127", 1, 1, 1), 3, 128, "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff/128"),
    (("8000::/1", 1, 1, 1), 3, 2, "c000::/2"),
]

MALFORMED = [
    "10.0.0.0/8 ",
    " 10.0.0.0/8",
    "10.0.0.0/+8",
    "10.0.0.0/-1",
    "10.0.0.0/",
    "/8",
    "",
    "10.0.0.0/8/8",
    "10.0.0.0/16777215",
    "10.0.0.0/99999999999",
    "1.2.3/8",
    "1.2.3.4.5/8",
    "1.2..4/8",
    "0x10.0.0.0/8",
    "::/129",
    ":::/64",
    "1::2::3/64",
    "1:2:3:4:5:6:7:8::/64",
    "::1:2:3:4:5:6:7:8/64",
    "1:2:3:4:5:6:7/64",
    "1:2:3:4:5:6:7:8:9/64",
    "10000::/64",
    "g::/64",
    "fe80::1%eth0/64",
    "::1.2.3/96",
    "1:2:3:4:5:6:7:1.2.3.4/96",
    "1:2:3:4:5:1.2.3.4/96",
    "1.2.3.4::/96",
    "::1.2.3.4:5/96",
    "1:/64",
    ":1/64",
    "é/8",
    'a"b\n',
    "1.2.3.4:/8",
    "1.2.3.4/8\x00",
]


@pytest.mark.parametrize(("name", "arguments", "expected"), RESULTS)
def test_result(name: str, arguments: tuple[str | int, ...], expected: str | list[str]) -> None:
    wanted = list_of(STRING, map(string, expected)) if isinstance(expected, list) else string(expected)
    assert named(name).call([value(argument) for argument in arguments]) == wanted


@pytest.mark.parametrize(("name", "arguments", "message"), CALL_ERRORS)
def test_error_of_the_call(name: str, arguments: tuple[str | int, ...], message: str) -> None:
    with pytest.raises(FunctionError) as caught:
        named(name).call([value(argument) for argument in arguments])
    assert not isinstance(caught.value, ArgumentError)
    assert caught.value.message == message


@pytest.mark.parametrize(("name", "arguments", "message"), PANICS)
def test_numbers_that_make_the_original_panic(name: str, arguments: tuple[str | int, ...], message: str) -> None:
    with pytest.raises(PanicError) as caught:
        named(name).call([value(argument) for argument in arguments])
    assert caught.value.message == f"panic in function implementation: {message}"


@pytest.mark.parametrize(("arguments", "index", "message"), ARGUMENT_ERRORS)
def test_error_of_one_argument_of_cidrsubnets(arguments: tuple[str | int, ...], index: int, message: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        named("cidrsubnets").call([value(argument) for argument in arguments])
    assert (caught.value.index, caught.value.message) == (index, message)


@pytest.mark.parametrize(("arguments", "index", "bits", "after"), EXHAUSTED)
def test_cidrsubnets_runs_out_of_addresses(arguments: tuple[str | int, ...], index: int, bits: int, after: str) -> None:
    """This includes cases where it should not: at zero of either family, and for IPv4 addresses written as IPv6."""
    with pytest.raises(ArgumentError) as caught:
        named("cidrsubnets").call([value(argument) for argument in arguments])
    message = f"not enough remaining address space for a subnet with a prefix of {bits} bits after {after}"
    assert (caught.value.index, caught.value.message) == (index, message)


@pytest.mark.parametrize("prefix", MALFORMED)
def test_malformed_prefix(prefix: str) -> None:
    with pytest.raises(FunctionError) as caught:
        named("cidrhost").call([string(prefix), integer(1)])
    assert caught.value.message == f"invalid CIDR expression: invalid CIDR address: {prefix}"


@pytest.mark.parametrize("exponent", ["1e1000000", "-1e1000000", "1e400000000", "-1e400000000"])
def test_enormous_numbers_are_refused_quickly(exponent: str) -> None:
    enormous = value(Number(exponent))
    with pytest.raises(FunctionError):
        named("cidrhost").call([string("10.0.0.0/8"), enormous])
    with pytest.raises(FunctionError):
        named("cidrsubnet").call([string("10.0.0.0/8"), integer(8), enormous])


def test_sensitivity_and_unknowns_pass_through() -> None:
    marked = named("cidrhost").call([string("10.0.0.0/8").mark(SENSITIVE), integer(1)])
    assert marked == string("10.0.0.1").mark(SENSITIVE)
    result = named("cidrsubnets").call([string("10.0.0.0/8"), unknown(NUMBER)])
    assert result.type == ListType(STRING)
    assert not result.is_known
    assert result.refinement.not_null


def test_cidrcontains_exists_in_opentofu_only() -> None:
    with pytest.raises(KeyError):
        named("cidrcontains")


@pytest.mark.parametrize(
    ("prefix", "contained", "expected"),
    [
        ("192.168.2.0/20", "192.168.2.1", TRUE),
        ("192.168.2.0/20", "192.168.2.0/22", TRUE),
        ("192.168.2.0/20", "192.126.2.1", FALSE),
        ("192.168.2.0/20", "192.126.2.0/18", FALSE),
        ("192.168.2.0/22", "192.168.2.0/20", FALSE),
        ("192.168.2.0/20", "::ffff:192.168.2.1", TRUE),
        ("::ffff:192.168.2.0/116", "192.168.2.1", TRUE),
        ("fe80::/48", "fe80::1", TRUE),
        ("fe80::/48", "fe81::1", FALSE),
        ("0.0.0.0/0", "255.255.255.255", TRUE),
        ("10.0.0.0/8", "010.001.0.0/16", TRUE),
        ("::/1", "::/1", TRUE),
    ],
)
def test_cidrcontains(prefix: str, contained: str, expected: Value) -> None:
    assert named("cidrcontains", OPENTOFU_1_12).call([string(prefix), string(contained)]) == expected


@pytest.mark.parametrize(
    ("prefix", "contained", "message"),
    [
        ("not-a-cidr", "192.168.2.1", "invalid CIDR address: not-a-cidr"),
        ("192.168.2.0/20", "not-an-address", "invalid IP address or prefix: not-an-address"),
        ("192.168.2.0/20", "", "invalid IP address or prefix: "),
        ("192.168.2.0/20", "fe80::1", "address family mismatch: 192.168.2.0/20 vs. fe80::1"),
        ("fe80::/48", "192.168.2.1", "address family mismatch: fe80::/48 vs. 192.168.2.1"),
    ],
)
def test_cidrcontains_errors(prefix: str, contained: str, message: str) -> None:
    with pytest.raises(FunctionError) as caught:
        named("cidrcontains", OPENTOFU_1_12).call([string(prefix), string(contained)])
    assert caught.value.message == message
