"""Interrupts while an engine works: the first asks it to stop, the second ends the program.

After the first interrupt no new operation starts, running operations may finish, and the state is saved. The second one
exits at once. It can lose only the operations that were running: the state file is replaced as a whole after each
change.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final

import click

from shared_nodes.plan.events import EventSink

__all__ = ["INTERRUPTED", "interrupted_by_termination", "stopping_on_interrupt"]

INTERRUPTED: Final = 130
"""Exit code: 128 plus the number of the signal, as in shells."""


@contextmanager
def interrupted_by_termination() -> Iterator[None]:
    """Treat a request to terminate, as `timeout` makes one, like an interrupt, so that what is there can be written."""
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


@contextmanager
def stopping_on_interrupt(events: EventSink) -> Iterator[None]:
    def handle_interrupt(_signal: int, _frame: FrameType | None) -> None:
        if events.stopping:
            click.echo("\nTwo interrupts received. Exiting at once.", err=True)
            sys.stderr.flush()
            os._exit(INTERRUPTED)
        events.stop()
        click.echo("\nInterrupt received. Waiting for what runs to end; interrupt again to exit at once.", err=True)

    before = signal.signal(signal.SIGINT, handle_interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
