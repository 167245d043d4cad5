"""Decompression of gzip data, with the errors of the original.

zlib does the work. Its errors do not say where the data is damaged, and the original's do, so damaged data is read a
second time, bit by bit and in the steps in which the original reads it.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from typing import Final

__all__ = ["GzipError", "gunzip"]

_LARGEST: Final = 64 << 20
"""Limit of decompressed data, in bytes: a kilobyte of gzip can expand to a megabyte, and can be nested."""

_FIXED_PART: Final = 10
_LONGEST_TEXT: Final = 512
_HAS_CHECKSUM, _HAS_EXTRA, _HAS_NAME, _HAS_COMMENT = 1 << 1, 1 << 2, 1 << 3, 1 << 4
_INVALID_HEADER: Final = "gzip: invalid header"
_CUT_OFF: Final = "unexpected EOF"


class GzipError(Exception):
    """The data is not gzip. `in_header` is set if not even the first header can be read."""

    def __init__(self, message: str, *, in_header: bool = False) -> None:
        super().__init__(message)
        self.in_header: Final = in_header


def gunzip(data: bytes) -> bytes:
    """Decompress all members of gzip data."""
    output = bytearray()
    start = _header_end(data, 0, in_header=True)
    while True:
        member = zlib.decompressobj(-zlib.MAX_WBITS)
        checksum_start = len(output)
        try:
            output += member.decompress(data[start:], _LARGEST - len(output) + 1)
        except zlib.error:
            raise GzipError(_damage(data[start:])) from None
        if len(output) > _LARGEST:
            raise GzipError(f"more than {_LARGEST} bytes")
        if not member.eof:
            raise GzipError(_CUT_OFF)
        end = len(data) - len(member.unused_data)
        trailer = data[end : end + 8]
        if len(trailer) < 8:
            raise GzipError(_CUT_OFF)
        content = output[checksum_start:]
        expected = zlib.crc32(content).to_bytes(4, "little") + (len(content) & 0xFFFFFFFF).to_bytes(4, "little")
        if trailer != expected:
            raise GzipError("gzip: invalid checksum")
        if end + 8 == len(data):
            return bytes(output)
        start = _header_end(data, end + 8)


def _header_end(data: bytes, start: int, *, in_header: bool = False) -> int:
    """Where the compressed data of a member begins."""
    header = data[start : start + _FIXED_PART]
    if len(header) < _FIXED_PART:
        raise GzipError(_CUT_OFF if header else "EOF", in_header=in_header)
    flags, end = header[3], start + _FIXED_PART
    if header[:3] != b"\x1f\x8b\x08":
        raise GzipError(_INVALID_HEADER, in_header=in_header)
    if flags & _HAS_EXTRA:
        end += 2 + int.from_bytes(data[end : end + 2], "little")
    for flag in (_HAS_NAME, _HAS_COMMENT):
        if flags & flag:
            text_end = data.find(b"\0", end) + 1 or len(data) + 1
            if text_end - end > _LONGEST_TEXT:
                raise GzipError(_INVALID_HEADER, in_header=in_header)
            end = text_end
    if flags & _HAS_CHECKSUM:
        checksum = zlib.crc32(data[start:end]) & 0xFFFF
        end += 2
        if end <= len(data) and int.from_bytes(data[end - 2 : end], "little") != checksum:
            raise GzipError(_INVALID_HEADER, in_header=in_header)
    if end > len(data):
        raise GzipError(_CUT_OFF, in_header=in_header)
    return end


# Where the data is damaged.


class _CorruptError(Exception):
    """The data is damaged before what has been read."""


class _Code:
    """A prefix code, given by the length of each symbol's code; 0 if the symbol does not occur."""

    def __init__(self, lengths: Sequence[int], at_least: int = 0) -> None:
        used = [length for length in lengths if length]
        self.symbols: Final[dict[tuple[int, int], int]] = {}
        self.shortest = max(min(used, default=0), at_least)
        self.longest: Final = max(used, default=0)
        code = 0
        for length in range(1, self.longest + 1):
            code <<= 1
            for symbol, own in enumerate(lengths):
                if own == length:
                    self.symbols[length, _reversed(code, length)] = symbol
                    code += 1
        is_degenerate = code == 1 and self.longest == 1
        if used and code != 1 << self.longest and not is_degenerate:
            raise _CorruptError


def _reversed(code: int, length: int) -> int:
    return int(f"{code:0{length}b}"[::-1], 2)


_FIXED_LITERALS: Final = _Code([8] * 144 + [9] * 112 + [7] * 24 + [8] * 8)
_FIXED_DISTANCES: Final = _Code([5] * 32)
_LENGTH_ORDER: Final = (16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15)
_END_OF_BLOCK: Final = 256
_MOST_LITERALS, _MOST_DISTANCES, _WINDOW = 286, 30, 1 << 15


class _BitReader:
    """Reads bits from the lowest of each byte upwards, and a byte only when it is needed."""

    def __init__(self, data: bytes) -> None:
        self.data: Final = data
        self.offset = 0
        self.bits = self.count = 0

    def need(self, count: int) -> None:
        while self.count < count:
            if self.offset == len(self.data):
                raise GzipError(_CUT_OFF)
            self.bits |= self.data[self.offset] << self.count
            self.offset += 1
            self.count += 8

    def take(self, count: int) -> int:
        self.need(count)
        value = self.bits & ((1 << count) - 1)
        self.bits >>= count
        self.count -= count
        return value

    def symbol(self, code: _Code) -> int:
        length = code.shortest
        while True:
            self.need(length)
            lengths = (own for own in range(1, code.longest + 1) if (own, self.bits & ((1 << own) - 1)) in code.symbols)
            length = next(lengths, 0)
            if length == 0:
                raise _CorruptError
            if length <= self.count:
                return code.symbols[length, self.take(length)]

    def skip_bytes(self, count: int) -> bytes:
        found = self.data[self.offset : self.offset + count]
        self.offset += len(found)
        if len(found) < count:
            raise GzipError(_CUT_OFF)
        return found


def _damage(data: bytes) -> str:
    """Why compressed data cannot be read, in the words of the original."""
    reader = _BitReader(data)
    try:
        _read_blocks(reader)
    except _CorruptError:
        return f"flate: corrupt input before offset {reader.offset}"
    except GzipError as error:
        return str(error)
    return "flate: corrupt input"


def _read_blocks(reader: _BitReader) -> None:
    written, is_final = 0, False
    while not is_final:
        reader.need(3)
        is_final, kind = bool(reader.take(1)), reader.take(2)
        if kind == 0:
            reader.bits = reader.count = 0
            sizes = reader.skip_bytes(4)
            size = int.from_bytes(sizes[:2], "little")
            if size ^ int.from_bytes(sizes[2:], "little") != 0xFFFF:
                raise _CorruptError
            written += len(reader.skip_bytes(size))
        elif kind == 1:
            written = _read_block(reader, _FIXED_LITERALS, _FIXED_DISTANCES, written)
        elif kind == 2:
            written = _read_block(reader, *_read_codes(reader), written)
        else:
            raise _CorruptError


def _read_codes(reader: _BitReader) -> tuple[_Code, _Code]:
    reader.need(14)
    literals, distances, count = reader.take(5) + 257, reader.take(5) + 1, reader.take(4) + 4
    if literals > _MOST_LITERALS or distances > _MOST_DISTANCES:
        raise _CorruptError
    lengths = [0] * len(_LENGTH_ORDER)
    for position in _LENGTH_ORDER[:count]:
        lengths[position] = reader.take(3)
    code = _Code(lengths)
    found: list[int] = []
    while len(found) < literals + distances:
        symbol = reader.symbol(code)
        if symbol < 16:
            found.append(symbol)
            continue
        if symbol == 16 and not found:
            raise _CorruptError
        value = found[-1] if symbol == 16 else 0
        width, least = {16: (2, 3), 17: (3, 3), 18: (7, 11)}[symbol]
        found += [value] * (least + reader.take(width))
        if len(found) > literals + distances:
            raise _CorruptError
    return _Code(found[:literals], found[_END_OF_BLOCK]), _Code(found[literals:])


def _read_block(reader: _BitReader, literals: _Code, distances: _Code, written: int) -> int:
    """Read the symbols of a block, and return how much has been written then."""
    while (symbol := reader.symbol(literals)) != _END_OF_BLOCK:
        if symbol < _END_OF_BLOCK:
            written += 1
            continue
        if symbol >= _MOST_LITERALS:
            raise _CorruptError
        length = _extended(reader, symbol - 257, 4, 3) if symbol < 285 else 258
        distance = reader.symbol(distances)
        if distance >= _MOST_DISTANCES:
            raise _CorruptError
        if _extended(reader, distance, 2, 1) > min(written, _WINDOW):
            raise _CorruptError
        written += length
    return written


def _extended(reader: _BitReader, index: int, steps: int, first: int) -> int:
    """A length or distance. So many symbols in a row have extra bits of the same number, one more in each row after the
    second."""
    row = index // steps
    if row < 2:
        return first + index
    extra = row - 1
    return first + ((steps + index % steps) << extra) + reader.take(extra)
