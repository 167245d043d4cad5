"""A refusal by the cloud, which is an answer and not a failure."""

from __future__ import annotations

from typing import Final

__all__ = ["CloudRefusal"]


class CloudRefusal(Exception):
    """A rule of the cloud forbids the request, and nothing has happened."""

    def __init__(self, summary: str, detail: str) -> None:
        super().__init__(f"{summary}: {detail}")
        self.summary: Final = summary
        self.detail: Final = detail
