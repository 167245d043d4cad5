"""The one error for everything that cannot be translated from or to the wire."""

from __future__ import annotations

from typing import Final

from shared_nodes.values.paths import Path, Step, path_text

__all__ = ["WireError"]


class WireError(Exception):
    """The data has no meaning in the protocol. The message has no final period; `path` leads to the wrong part."""

    def __init__(self, message: str, path: Path = ()) -> None:
        super().__init__(message)
        self.message: Final = message
        self.path = path

    def below(self, step: Step) -> WireError:
        self.path = (step, *self.path)
        return self

    def __str__(self) -> str:
        """The text as engines report it: the path, if there is any, and the message."""
        return f"{path_text(self.path)}: {self.message}" if self.path else self.message
