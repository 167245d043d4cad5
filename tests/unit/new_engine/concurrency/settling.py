"""Sessions of promises in virtual time, so that a hang is detected at once and waiting takes no time."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final, TypeVar

import trio
from trio.testing import MockClock

from new_engine.concurrency.promises import PromiseSession, run_session

__all__ = ["PATIENCE_S", "settle"]

T = TypeVar("T")

PATIENCE_S: Final = 1_000_000
"""Seconds of the virtual clock, which jumps to the next deadline when nothing can run: a hang raises TooSlowError at
once."""


def settle(main: Callable[[PromiseSession], Awaitable[T]], seed: int = 0) -> T:
    async def guarded() -> T:
        with trio.fail_after(PATIENCE_S):
            return await run_session(seed, main)

    return trio.run(guarded, clock=MockClock(autojump_threshold=0))
