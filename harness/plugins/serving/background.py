"""Serves providers from a thread of its own, while this one waits for a binary.

    with serve_in_background({source: make}, directory) as variables:
        ...run the binary with these variables

When the block ends, every connection is closed and every instance as well: what the providers have recorded
can be read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import field
from functools import partial
from pathlib import Path
from typing import Final

import trio

from harness.plugins.serving.calls import ServedProvider
from harness.plugins.serving.provider_service import ProviderService
from harness.plugins.serving.reattach import REATTACH, reattach_text
from harness.plugins.wire.address import Address, listen
from harness.plugins.wire.rpc_server import serve_connections
from shared_nodes.addresses.provider import ProviderSource
from shared_nodes.record import record

__all__ = ["Makers", "serve_in_background", "serve_until_cancelled"]

Makers = Mapping[ProviderSource, Callable[[], ServedProvider]]
"""Make a new instance of a provider, for a new connection."""

_LONGEST_PATH: Final = 100
"""Bytes in the path of a unix socket. Systems allow a few more; where the directory is deeper, a port is used."""


@record(frozen=False)
class _Running:
    token: trio.lowlevel.TrioToken
    scope: trio.CancelScope
    variables: dict[str, str]
    failures: list[Exception] = field(default_factory=list)

    def stop(self) -> None:
        trio.from_thread.run_sync(self.scope.cancel, trio_token=self.token)


@contextmanager
def serve_in_background(makers: Makers, directory: Path) -> Iterator[dict[str, str]]:
    """Serve for the time of the block, and return the variables that tell a binary so. An exception of a provider is
    raised at the end of the block."""
    begun: Future[_Running] = Future()
    with ThreadPoolExecutor(1, thread_name_prefix="providers") as threads:
        ended = threads.submit(trio.run, _serve, makers, directory, begun)
        ended.add_done_callback(partial(_pass_on, begun))
        running = begun.result()
        try:
            yield running.variables
        finally:
            running.stop()
            ended.result()
    for failure in running.failures:
        raise failure


def _pass_on(begun: Future[_Running], ended: Future[None]) -> None:
    """Let a server that could not begin fail here."""
    if not begun.done():
        begun.set_exception(ended.exception() or RuntimeError("the server ended before it began"))


async def _serve(makers: Makers, directory: Path, begun: Future[_Running]) -> None:
    with trio.CancelScope() as scope:
        failures: list[Exception] = []

        def announce(variables: dict[str, str]) -> None:
            begun.set_result(_Running(trio.lowlevel.current_trio_token(), scope, variables, failures))

        await serve_until_cancelled(makers, directory, announce, failures.append)


async def serve_until_cancelled(
    makers: Makers,
    directory: Path,
    announce: Callable[[dict[str, str]], None],
    failed: Callable[[Exception], None],
) -> None:
    """Serve in this event loop. `announce` gets the variables as soon as all providers listen."""
    async with trio.open_nursery() as nursery:
        addresses: dict[ProviderSource, Address] = {}
        for number, (source, make) in enumerate(makers.items()):
            listener, addresses[source] = await listen(_place(directory, number))
            nursery.start_soon(serve_connections, listener, lambda make=make: ProviderService(make(), failed))
        announce({REATTACH: reattach_text(addresses)})
        await trio.sleep_forever()


def _place(directory: Path, number: int) -> Address:
    path = str(directory / f"p{number}")
    return Address("unix", path) if len(path.encode()) <= _LONGEST_PATH else Address("tcp", "127.0.0.1:0")
