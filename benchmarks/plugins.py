"""What serving providers to a binary costs: the transport by itself, and whole cases.

    python benchmarks/plugins.py            both
    python benchmarks/plugins.py --calls 2000 --rounds 5

A call is an echo over a unix socket, with both ends in one process: sequential, and ten at a time. A case is applied
and destroyed by terraform with `terraform_data` alone, by terraform with served things, and by an engine in process
with the same things.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import click
import trio

from harness.case.case import read_case
from harness.play.case_runner import prepare_runner
from harness.play.schedule import Schedule
from harness.plugins.wire.address import Address, listen
from harness.plugins.wire.rpc_client import Channel, open_channel
from harness.plugins.wire.rpc_server import Handler, serve_connections

_ECHO: Final = "/benchmark.Service/Echo"
_AT_A_TIME: Final = 10
_SIZES: Final = (100, 10_000, 5_000_000)
_CASE: Final = """description: x
steps:
  - {op: apply, config: v1}
  - {op: destroy, config: v1}
"""
_SIM: Final = 'terraform {\n  required_providers {\n    sim = { source = "dh.test/diffharness/sim" }\n  }\n}\n'


class _Echo:
    def handler(self, _method: str) -> Handler:
        return _echo

    async def close(self) -> None:
        pass


async def _echo(request: bytes) -> bytes:
    return request


async def _measure_calls(number: int, size: int, place: str) -> tuple[float, float]:
    """Return the seconds of one call: sequential, and of ten at a time."""
    message = b"x" * size
    listener, address = await listen(Address("unix", place))

    async def ask(channel: Channel, times: int) -> None:
        for _ in range(times):
            await channel.call(_ECHO, message)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(serve_connections, listener, _Echo)
        async with open_channel(address) as channel:
            await channel.call(_ECHO, message)
            begun = time.perf_counter()
            await ask(channel, number)
            sequential = time.perf_counter() - begun
            begun = time.perf_counter()
            async with trio.open_nursery() as several:
                for _ in range(_AT_A_TIME):
                    several.start_soon(ask, channel, max(1, number // _AT_A_TIME))
            concurrent = time.perf_counter() - begun
        nursery.cancel_scope.cancel()
    return sequential / number, concurrent / (max(1, number // _AT_A_TIME) * _AT_A_TIME)


def _import_seconds(modules: str) -> float:
    """Return how much longer an interpreter takes if it imports these modules."""

    def start(code: str) -> float:
        begun = time.perf_counter()
        subprocess.run([sys.executable, "-c", code], check=True)
        return time.perf_counter() - begun

    return statistics.median(start(f"import trio, {modules}") - start("import trio") for _ in range(5))


@contextmanager
def _case(configuration: str) -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="diffharness-bench-") as place:
        directory = Path(place, "case")
        (directory / "v1").mkdir(parents=True)
        (directory / "case.yaml").write_text(_CASE)
        (directory / "v1" / "main.tf").write_text(configuration)
        yield directory


def _measure_case(configuration: str, engine: str, rounds: int) -> float:
    with _case(configuration) as directory, prepare_runner(read_case(directory)) as (runner, _):

        def run() -> None:
            observations = runner.run(engine, Schedule(), 600)
            assert all(observation.ok for observation in observations.values())

        return _median(run, rounds)


def _median(run: Callable[[], None], rounds: int) -> float:
    seconds: list[float] = []
    for _ in range(rounds):
        begun = time.perf_counter()
        run()
        seconds.append(time.perf_counter() - begun)
    return statistics.median(seconds)


def _things(number: int) -> str:
    return _SIM + "".join(f'resource "sim_thing" "a{at}" {{\n  name = "a{at}"\n}}\n' for at in range(number))


def _plain(number: int) -> str:
    return "".join(f'resource "terraform_data" "a{at}" {{\n  input = "a{at}"\n}}\n' for at in range(number))


@click.command()
@click.option("--calls", default=1000, help="How many calls of the smallest size.")
@click.option("--rounds", default=3, help="How often each case is run.")
@click.option("--resources", default=20, help="How many resources a case has.")
def main(calls: int, rounds: int, resources: int) -> None:
    """Measure the transport and whole cases."""
    print(f"import of h2 besides trio: {_import_seconds('h2.connection') * 1000:.0f} ms")
    with tempfile.TemporaryDirectory() as place:
        for size in _SIZES:
            number = max(3, calls * 100 // max(size, 100))
            sequential, concurrent = trio.run(_measure_calls, number, size, str(Path(place, "s")))
            print(f"call with {size:,} bytes: {sequential * 1000:.2f} ms, of ten at a time {concurrent * 1000:.2f} ms")
    alone = _measure_case(_plain(resources), "terraform", rounds)
    served = _measure_case(_things(resources), "terraform", rounds)
    ours = _measure_case(_things(resources), "legacy", rounds)
    print(f"{resources} resources, applied and destroyed:")
    print(f"  terraform_data in terraform   {alone:.2f} s")
    print(f"  served things in terraform    {served:.2f} s, {served / alone:.2f} times that")
    print(f"  things in an engine           {ours:.2f} s, {served / ours:.1f} times as fast as served")


if __name__ == "__main__":
    main()
