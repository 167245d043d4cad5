"""Requests to end the program from outside: they stop a command as gracefully as Ctrl-C does.

`kill`, `timeout`, service managers and CI send SIGTERM, a terminal that is closed sends SIGHUP. Every command of the
command line runs inside of `interrupted_by_termination`; one that has its own way to stop on an interrupt handles
`STOPPING_SIGNALS` there.
"""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

__all__ = ["STOPPING_SIGNALS", "interrupted_by_termination"]

STOPPING_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@contextmanager
def interrupted_by_termination() -> Iterator[None]:
    """Treat requests to terminate like an interrupt. A signal that is ignored stays so: `nohup` asks for that."""
    before = {number: signal.getsignal(number) for number in STOPPING_SIGNALS}
    for number, handler in before.items():
        if handler is not signal.SIG_IGN:
            signal.signal(number, signal.default_int_handler)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
