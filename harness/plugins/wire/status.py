"""The outcome of a call: a status code, and a message where it failed."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Final
from urllib.parse import quote, unquote

__all__ = ["RpcError", "Status", "failure_in", "failure_trailers"]

Headers = list[tuple[str, str]]

_LONGEST_MESSAGE: Final = 8_000
"""Characters of a message that are sent. A header block has a limit, and a message must not break the connection."""

_UNESCAPED: Final = "".join(chr(code) for code in range(0x20, 0x7F) if chr(code) != "%")


class Status(IntEnum):
    """The published status codes."""

    OK = 0
    CANCELLED = 1
    UNKNOWN = 2
    INVALID_ARGUMENT = 3
    DEADLINE_EXCEEDED = 4
    NOT_FOUND = 5
    ALREADY_EXISTS = 6
    PERMISSION_DENIED = 7
    RESOURCE_EXHAUSTED = 8
    FAILED_PRECONDITION = 9
    ABORTED = 10
    OUT_OF_RANGE = 11
    UNIMPLEMENTED = 12
    INTERNAL = 13
    UNAVAILABLE = 14
    DATA_LOSS = 15
    UNAUTHENTICATED = 16


_STATUS_OF_HTTP: Final = {
    "400": Status.INTERNAL,
    "401": Status.UNAUTHENTICATED,
    "403": Status.PERMISSION_DENIED,
    "404": Status.UNIMPLEMENTED,
    "429": Status.UNAVAILABLE,
    "502": Status.UNAVAILABLE,
    "503": Status.UNAVAILABLE,
    "504": Status.UNAVAILABLE,
}


@dataclass
class RpcError(Exception):
    """A call without an answer. It is the only exception of the transport, whatever a peer sends."""

    status: Status
    message: str

    def __str__(self) -> str:
        return f"{self.status.name}: {self.message}"


def failure_trailers(failure: RpcError) -> Headers:
    """Return the headers that tell a peer of a failure. The text is percent-encoded, since headers are ASCII."""
    message = quote(failure.message[:_LONGEST_MESSAGE], safe=_UNESCAPED)
    return [("grpc-status", str(int(failure.status))), ("grpc-message", message)]


def failure_in(headers: dict[str, str]) -> RpcError | None:
    """Return the failure of which the headers of an answer tell, or None if they tell of success."""
    code = headers.get("grpc-status")
    if code is None:
        http = headers.get(":status", "")
        return RpcError(_STATUS_OF_HTTP.get(http, Status.UNKNOWN), f"the answer has no status (HTTP status {http!r})")
    if code == "0":
        return None
    message = unquote(headers.get("grpc-message", ""), errors="replace")
    try:
        return RpcError(Status(int(code)), message)
    except ValueError:
        return RpcError(Status.UNKNOWN, message or f"the status {code!r} is none")
