"""One message in the body of a request or an answer: a byte that says whether it is compressed, four that hold its
length, and the message.

A body holds exactly one message, because all calls of the plugin protocol are unary. `MessageReader` refuses a message
when its length is announced, before any memory is taken for it.
"""

from __future__ import annotations

import struct
from typing import Final

from harness.plugins.wire.status import RpcError, Status

__all__ = ["LONGEST_MESSAGE", "MessageReader", "framed"]

LONGEST_MESSAGE: Final = 256 * 2**20
"""Bytes of the longest message that is accepted or sent. The schema of the largest known provider has five million."""

_PREFIX: Final = struct.Struct(">BI")


def framed(message: bytes) -> bytes:
    """Return the body of a message. RpcError says that it is too long."""
    if len(message) > LONGEST_MESSAGE:
        raise _too_long(len(message))
    return _PREFIX.pack(0, len(message)) + message


class MessageReader:
    """Collects the body of one message."""

    __slots__ = ("_body", "_length")

    def __init__(self) -> None:
        self._body = bytearray()
        self._length: int | None = None

    def add(self, data: bytes) -> None:
        """Add a part. RpcError says why this can never become a message."""
        self._body += data
        if self._length is None and len(self._body) >= _PREFIX.size:
            flag, length = _PREFIX.unpack_from(self._body)
            if flag != 0:
                raise RpcError(Status.UNIMPLEMENTED, "the message is compressed, and no compression was agreed upon")
            if length > LONGEST_MESSAGE:
                raise _too_long(length)
            self._length = length
        if self._length is not None and len(self._body) > _PREFIX.size + self._length:
            raise RpcError(Status.INTERNAL, "there is more than one message, and the call takes one")

    def finish(self) -> bytes:
        """Return the message. RpcError says that it is not complete."""
        if self._length is None or len(self._body) < _PREFIX.size + self._length:
            raise RpcError(Status.INTERNAL, f"the message ends after {len(self._body)} bytes, before its end")
        return bytes(memoryview(self._body)[_PREFIX.size :])


def _too_long(length: int) -> RpcError:
    return RpcError(
        Status.RESOURCE_EXHAUSTED, f"the message has {length:,} bytes, and at most {LONGEST_MESSAGE:,} are allowed"
    )
