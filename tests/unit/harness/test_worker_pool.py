"""Pools of worker processes: an interrupt finds them whole."""

from __future__ import annotations

import signal
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor

import pytest

from harness.worker_pool import start_pool


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_waits_until_a_process_is_started(monkeypatch: pytest.MonkeyPatch, number: signal.Signals) -> None:
    """The process once failed with a traceback when the pool was gone."""
    started: list[Callable[..., object]] = []

    def submit(_self: ProcessPoolExecutor, function: Callable[..., object]) -> Future[object]:
        signal.raise_signal(number)
        started.append(function)
        return Future()

    monkeypatch.setattr(ProcessPoolExecutor, "submit", submit)
    before = signal.signal(number, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            start_pool(1).submit(print)
        assert signal.getsignal(number) is signal.default_int_handler
    finally:
        signal.signal(number, before)
    assert started == [print]
