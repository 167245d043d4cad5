"""The 64-bit cyclic redundancy check of ISO 3309. The original sorts sets of paths by it, and neither the standard
library nor any dependency provides it."""

from __future__ import annotations

from functools import cache
from typing import Final

__all__ = ["signed_crc64"]

_POLYNOMIAL: Final = 0xD800000000000000
_ALL_ONES: Final = (1 << 64) - 1


@cache
def _row(index: int) -> int:
    for _ in range(8):
        index = (index >> 1) ^ (_POLYNOMIAL if index & 1 else 0)
    return index


def signed_crc64(data: bytes) -> int:
    """Return the checksum as a signed 64-bit number, which is how the original compares it."""
    checksum = _ALL_ONES
    for byte in data:
        checksum = _row((checksum ^ byte) & 0xFF) ^ (checksum >> 8)
    checksum ^= _ALL_ONES
    return checksum - (1 << 64) if checksum >> 63 else checksum
