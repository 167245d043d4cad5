"""Interrupts while an engine works: the first asks it to stop, the second ends the program.

After the first interrupt no new operation starts, running operations may finish, and the state is saved. The second one
exits at once. It loses nothing either: every change is in the journal of the state, and commands that still run are
ended by the guard of this process. A request to terminate counts as an interrupt, and so does the end of the terminal,
unless a program like `nohup` has asked to ignore that.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Final

from harness.cli.support.termination import STOPPING_SIGNALS
from shared_nodes.plan.events import EventSink

__all__ = ["INTERRUPTED", "stopping_on_interrupt"]

INTERRUPTED: Final = 130
"""Exit code: 128 plus the number of the signal, as in shells."""


@contextmanager
def stopping_on_interrupt(events: EventSink) -> Iterator[None]:
    is_first = True

    def handle(number: int, _frame: FrameType | None) -> None:
        nonlocal is_first
        if is_first:
            is_first = False
            events.stop()
            _say("\nInterrupt received. Waiting for what runs to end; interrupt again to exit at once.\n")
        elif number != signal.SIGHUP:
            _say("\nTwo interrupts received. Exiting at once.\n")
            os._exit(INTERRUPTED)

    heeded = [number for number in STOPPING_SIGNALS if signal.getsignal(number) is not signal.SIG_IGN]
    before = {number: signal.signal(number, handle) for number in heeded}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _say(text: str) -> None:
    """Write to standard error from a signal handler, which may interrupt any other write, and whose terminal may be
    gone."""
    with suppress(OSError):
        os.write(2, text.encode())
