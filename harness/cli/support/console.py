"""The console for tables and figures of a command. Only commands that print such import it."""

from __future__ import annotations

from typing import Final

from rich.console import Console

__all__ = ["make_console"]

_WIDTH: Final = 120
"""Columns of tables that are not printed on a terminal."""


class _PipedConsole(Console):
    def on_broken_pipe(self) -> None:
        """Raise instead of ending the program: `surviving_closed_pipe` decides."""
        raise BrokenPipeError


def make_console() -> Console:
    """Return a console as wide as the terminal."""
    return _PipedConsole(width=None if Console().is_terminal else _WIDTH)
