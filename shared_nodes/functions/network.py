"""Functions on IP address prefixes: cidrhost, cidrnetmask, cidrsubnet, cidrsubnets and OpenTofu's cidrcontains.

The arithmetic is reproduced with its flaws, because configurations depend on the results and not on the intention:

- prefixes are read by an older rule than today's: leading zeros are allowed and ignored, so `010` is ten;
- an IPv6 address of the form `::ffff:a.b.c.d` counts as IPv4 in some steps (printing, deciding how wide a host number
  is, stepping to the next address) and as 128 bits in others;
- numbers are compared with the available space by their low 64 bits only. A larger number that passes overflows into
  the prefix or, if it needs more bytes than an address has, makes the original panic.
"""

from __future__ import annotations

import re
from ipaddress import IPv4Address, IPv6Address
from typing import Final, NamedTuple

from shared_nodes.functions.context import FunctionContext
from shared_nodes.lang.function import ArgumentError, Arguments, Function, FunctionError, PanicError, Parameter
from shared_nodes.values import number as numbers
from shared_nodes.values.multiprecision import gmpy2
from shared_nodes.values.types import BOOL, NUMBER, STRING, ListType, Type
from shared_nodes.values.value import Value, boolean, list_of, string

__all__ = ["functions"]

_V4_BITS: Final = 32
_V6_BITS: Final = 128
_MAPPED_PREFIX: Final = 0xFFFF

_INT64_MIN: Final = -(1 << 63)
_INT64_MAX: Final = (1 << 63) - 1
_UINT64_MAX: Final = (1 << 64) - 1

_LARGEST_NUMBER_BITS: Final = 1 << 22
"""Larger numbers could not even be printed in a message; the original would exhaust its memory."""

_LARGEST_SHIFT: Final = 1 << 51
"""The original fails to shift by more bits than this, because of the memory it requests."""

_NO_NETWORK: Final = "<nil>"

_DECIMAL: Final = re.compile(r"0*([0-9]{1,7})", re.ASCII)
_HEXADECIMAL: Final = re.compile(r"0*([0-9A-Fa-f]{1,4})", re.ASCII)


class _Address(NamedTuple):
    """An IP address of 32 or 128 bits."""

    value: int
    bits: int

    @property
    def as_v4(self) -> _Address | None:
        """The IPv4 address that this is or represents, if any."""
        if self.bits == _V4_BITS:
            return self
        if self.value >> _V4_BITS == _MAPPED_PREFIX:
            return _Address(self.value & 0xFFFFFFFF, _V4_BITS)
        return None

    @property
    def canonical(self) -> _Address:
        return self.as_v4 or self

    @property
    def is_zero(self) -> bool:
        """Whether the address is zero in either family. `::ffff:0.0.0.0` counts as zero."""
        return self.canonical.value == 0

    def __str__(self) -> str:
        address = self.canonical
        return str(IPv4Address(address.value) if address.bits == _V4_BITS else IPv6Address(address.value))


class _Network(NamedTuple):
    """An address and a prefix length, which is None where the original ends up without any mask."""

    address: _Address
    length: int | None

    def __str__(self) -> str:
        address = self.address.canonical
        if self.length is None:
            return _NO_NETWORK
        return f"{address}/{max(self.length - (self.address.bits - address.bits), 0)}"

    def contains(self, address: _Address) -> bool:
        own, other = self.address.canonical, address.canonical
        if own.bits != other.bits or self.length is None:
            return False
        length = max(self.length - (self.address.bits - own.bits), 0)
        return _masked(own, length) == _masked(other, length)

    @property
    def last(self) -> _Address:
        assert self.length is not None
        host_bits = self.address.bits - self.length
        return _Address(self.address.value | ((1 << host_bits) - 1), self.address.bits)


def _masked(address: _Address, length: int) -> _Address:
    host_bits = address.bits - length
    return _Address(address.value >> host_bits << host_bits, address.bits)


# Reading addresses


def _parse_v4(text: str) -> _Address | None:
    value = 0
    octets = text.split(".")
    for octet in octets:
        match = _DECIMAL.fullmatch(octet)
        if match is None or int(match[1]) > 0xFF:
            return None
        value = value << 8 | int(match[1])
    return _Address(value, _V4_BITS) if len(octets) == 4 else None


def _parse_groups(text: str, *, at_end: bool) -> tuple[int, int] | None:
    """Parse colon-separated groups to (value, number of bits). The last group may be dotted if it ends the address."""
    value = bits = 0
    groups = text.split(":") if text else []
    for index, group in enumerate(groups):
        if at_end and index == len(groups) - 1 and "." in group:
            dotted = _parse_v4(group)
            if dotted is None:
                return None
            value, bits = value << _V4_BITS | dotted.value, bits + _V4_BITS
            continue
        match = _HEXADECIMAL.fullmatch(group)
        if match is None:
            return None
        value, bits = value << 16 | int(match[1], 16), bits + 16
    return value, bits


def _parse_v6(text: str) -> _Address | None:
    head_text, gap, tail_text = text.partition("::")
    head = _parse_groups(head_text, at_end=not gap)
    tail = _parse_groups(tail_text, at_end=True)
    if head is None or tail is None:
        return None
    missing = _V6_BITS - head[1] - tail[1]
    if (missing <= 0) if gap else (missing != 0):
        return None
    return _Address(head[0] << (_V6_BITS - head[1]) | tail[0], _V6_BITS)


def _parse_address(text: str) -> _Address | None:
    """Parse an address. The first separator decides the family."""
    separator = re.search(r"[.:]", text)
    if separator is None:
        return None
    return _parse_v4(text) if separator[0] == "." else _parse_v6(text)


def _parse_prefix(text: str) -> _Network:
    """Parse `address/length` and clear the host bits. Raises ValueError with the original's message."""
    address_text, _, length_text = text.partition("/")
    address = _parse_v4(address_text) or _parse_v6(address_text)
    length = _DECIMAL.fullmatch(length_text)
    if address is None or length is None or int(length[1]) > address.bits:
        raise ValueError(f"invalid CIDR address: {text}")
    return _Network(_masked(address, int(length[1])), int(length[1]))


def _prefix_argument(arguments: Arguments) -> _Network:
    try:
        return _parse_prefix(arguments[0].payload)
    except ValueError as problem:
        raise FunctionError(f"invalid CIDR expression: {problem}") from None


# Reading numbers


def _whole_number(value: Value) -> int:
    number = value.payload
    if not numbers.is_whole(number):
        raise FunctionError("value must be a whole number")
    if number and gmpy2.get_exp(number) > _LARGEST_NUMBER_BITS:
        raise FunctionError("the number is too large to be a part of an address")
    return numbers.to_int(number)


def _machine_integer(value: Value) -> int:
    number = value.payload
    if not numbers.is_whole(number) or not _INT64_MIN <= number <= _INT64_MAX:
        raise FunctionError(f"value must be a whole number, between {_INT64_MIN} and {_INT64_MAX}")
    return numbers.to_int(number)


def _to_int64(number: int) -> int:
    """The number truncated to signed 64 bits."""
    return ((number - _INT64_MIN) & _UINT64_MAX) + _INT64_MIN


def _digits(number: int) -> str:
    """Decimal digits. Python's own conversion refuses numbers of more than a few thousand digits."""
    return str(gmpy2.mpz(number).digits())


def _insert_number(address: _Address, number: int, shift: int) -> _Address:
    """Combine the address with the number, shifted into place.

    A negative number is combined in two's complement, and the sign of the result is dropped.
    """
    if number == 0:
        return address
    if shift > _LARGEST_SHIFT:
        raise PanicError("runtime error: makeslice: len out of range")
    out_of_range = number.bit_length() + shift > 2 * _V6_BITS
    combined = 0 if out_of_range else abs(address.value | (number << shift))
    if out_of_range or combined >> address.bits:
        raise PanicError("runtime error: index out of range [-1]")
    return _Address(combined, address.bits)


# The functions


def _cidrhost(arguments: Arguments, _type: Type) -> Value:
    number = _whole_number(arguments[1])
    network = _prefix_argument(arguments)
    address, length = network.address, network.length
    assert length is not None
    largest = (1 << (address.bits - length)) - 1
    if number < 0:
        compared = -number - 1
        number = largest - compared
    else:
        compared = _to_int64(number)
    if compared > largest:
        raise FunctionError(f"prefix of {length} does not accommodate a host numbered {_digits(number)}")
    width = address.canonical.bits
    return string(str(_insert_number(address, number, address.bits - width)))


def _cidrnetmask(arguments: Arguments, _type: Type) -> Value:
    network = _prefix_argument(arguments)
    if network.address.as_v4 is None:
        raise FunctionError(f"IPv6 addresses cannot have a netmask: {arguments[0].payload}")
    assert network.length is not None
    bits = network.address.bits
    return string(str(_masked(_Address((1 << bits) - 1, bits), network.length)))


def _cidrsubnet(arguments: Arguments, _type: Type) -> Value:
    new_bits = _machine_integer(arguments[1])
    number = _whole_number(arguments[2])
    network = _prefix_argument(arguments)
    address, length = network.address, network.length
    assert length is not None
    new_length = _to_int64(length + new_bits)
    if new_length > address.bits:
        raise FunctionError(f"insufficient address space to extend prefix of {length} by {new_bits}")
    largest = (1 << new_bits) - 1 if 0 <= new_bits < 64 else _UINT64_MAX
    if abs(number) & _UINT64_MAX > largest:
        raise FunctionError(f"prefix extension of {new_bits} does not accommodate a subnet numbered {_digits(number)}")
    shift = _to_int64(address.bits - new_length) & _UINT64_MAX
    subnet = _insert_number(address, number, shift)
    return string(str(_Network(subnet, new_length if new_length >= 0 else None)))


def _cidrsubnets(arguments: Arguments, _type: Type) -> Value:
    try:
        network = _parse_prefix(arguments[0].payload)
    except ValueError as problem:
        raise ArgumentError(0, f"invalid CIDR expression: {problem}") from None
    current: _Network | None = None
    subnets: list[Value] = []
    for index, argument in enumerate(arguments[1:], start=1):
        length = _extended_length(network, argument, index)
        if current is None:
            current = _subnet_before(network, length)
        following = _subnet_after(current, length)
        if following is None or not network.contains(following.address):
            raise ArgumentError(
                index,
                f"not enough remaining address space for a subnet with a prefix of {length} bits after {current}",
            )
        current = following
        subnets.append(string(str(current)))
    return list_of(STRING, subnets)


def _extended_length(network: _Network, argument: Value, index: int) -> int:
    try:
        new_bits = _machine_integer(argument)
    except FunctionError as problem:
        raise ArgumentError(index, problem.message) from None
    if new_bits < 1:
        raise ArgumentError(index, "must extend prefix by at least one bit")
    if new_bits > 32:
        raise ArgumentError(index, "may not extend prefix by more than 32 bits")
    assert network.length is not None
    length = network.length + new_bits
    if length > network.address.bits:
        family = "IPv4" if network.address.bits == _V4_BITS else "IPv6"
        raise ArgumentError(index, f"would extend prefix to {length} bits, which is too long for an {family} address")
    return length


def _subnet_before(network: _Network, length: int) -> _Network:
    """The subnet that ends where the network begins, from which allocation continues.

    An IPv4 address written as IPv6 is cut to 32 bits here but its prefix length is not, which leaves no usable mask.
    """
    start = network.address.canonical
    if length > start.bits:
        return _Network(start, None)
    return _Network(_masked(_step(start, -1), length), length)


def _subnet_after(network: _Network, length: int) -> _Network | None:
    """The next subnet of that length, or None at the end of the address space.

    Zero of either family is the end, so a range that leads up to `::ffff:0:0` ends there.
    """
    if network.length is None:
        return None
    last_of_subnet = _Network(_masked(network.last, length), length).last
    first = _step(last_of_subnet, 1)
    if first.is_zero:
        return None
    assert first.bits == network.address.bits  # only `::ffff:255.255.255.255` changes family, and its successor is zero
    return _Network(_masked(first, length), length)


def _step(address: _Address, distance: int) -> _Address:
    """The neighbouring address. Wraps around at the ends of its family."""
    start = address.canonical
    return _Address((start.value + distance) % (1 << start.bits), start.bits)


def _cidrcontains(arguments: Arguments, _type: Type) -> Value:
    prefix, text = arguments[0].payload, arguments[1].payload
    try:
        network = _parse_prefix(prefix)
    except ValueError as problem:
        raise FunctionError(str(problem)) from None
    address = _parse_address(text)
    if address is not None:
        ends = [address]
    else:
        try:
            contained = _parse_prefix(text)
        except ValueError:
            raise FunctionError(f"invalid IP address or prefix: {text}") from None
        ends = [contained.address, contained.last]
    if (ends[0].as_v4 is None) != (network.address.as_v4 is None):
        raise FunctionError(f"address family mismatch: {prefix} vs. {text}")
    return boolean(all(network.contains(end) for end in ends))


def functions(context: FunctionContext) -> tuple[Function, ...]:
    prefix = Parameter("prefix", STRING)
    new_bits = Parameter("newbits", NUMBER)
    common = (
        Function("cidrhost", (prefix, Parameter("hostnum", NUMBER)), STRING, _cidrhost),
        Function("cidrnetmask", (prefix,), STRING, _cidrnetmask),
        Function("cidrsubnet", (prefix, new_bits, Parameter("netnum", NUMBER)), STRING, _cidrsubnet),
        Function("cidrsubnets", (prefix,), ListType(STRING), _cidrsubnets, variadic=new_bits),
    )
    if not context.flavour.opentofu_functions:
        return common
    contains = Function(
        "cidrcontains",
        (Parameter("containing_prefix", STRING), Parameter("contained_ip_or_prefix", STRING)),
        BOOL,
        _cidrcontains,
        refinement=None,
    )
    return (*common, contains)
