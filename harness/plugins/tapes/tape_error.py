"""The one exception of tapes."""

from __future__ import annotations

from typing import Final

__all__ = ["TapeError"]


class TapeError(Exception):
    """Something cannot be written to a tape, or a tape cannot be read. The message is a whole sentence without its
    final period."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message: Final = message
