"""Programs behave the same in the loop for engines and in trio's, turn by turn, whatever they do and with any seed."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from random import Random
from typing import Any

import pytest

from harness.engines.trio_internals import run_in_trio
from shared_nodes import tasks
from shared_nodes.task_loop import TaskLoop

DEEPEST = 3


class Program:
    """A program drawn from a seed: nurseries, turns, events, locks, places to park in, scopes, tasks of the system,
    calls from outside, waiting for the end of all work, failures. What it does is noted in `noted`."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.noted: list[str] = []
        self.events: list[tasks.Event] = []
        self.names = 0

    async def main(self) -> None:
        self.events = [tasks.Event() for _ in range(3)]
        self.lot, self.lock = tasks.ParkingLot(), tasks.Lock()
        self.call_soon = tasks.caller_of_this_loop()
        tasks.spawn_system_task(self.unpark_all)
        await self.work("main", 0)

    async def unpark_all(self) -> None:
        """A task that waits for something which no other one does goes on in the end."""
        while True:
            await tasks.wait_until_idle()
            self.note("idle")
            self.lot.unpark_all()
            for event in self.events:
                event.set()

    def note(self, what: str) -> None:
        self.noted.append(what)

    async def work(self, name: str, depth: int) -> None:
        random = Random(f"{name} {self.random.getstate()[1][:3]}")
        for number in range(random.randint(1, 5)):
            step: Callable[[Random, str, int], Awaitable[None]] = random.choice(
                [self.turn, self.turn, self.wait, self.park, self.lock_up, self.nest, self.nest, self.limit, self.act]
            )
            self.note(f"{name}.{number} {step.__name__}")
            await step(random, f"{name}.{number}", depth + 1)
        self.note(f"{name} ends")

    async def turn(self, random: Random, _name: str, _depth: int) -> None:
        await random.choice([tasks.checkpoint, tasks.shielded_checkpoint, tasks.checkpoint_if_cancelled])()

    async def wait(self, random: Random, _name: str, _depth: int) -> None:
        await random.choice(self.events).wait()

    async def park(self, _random: Random, _name: str, _depth: int) -> None:
        await self.lot.park()

    async def lock_up(self, random: Random, name: str, depth: int) -> None:
        async with self.lock:
            await self.turn(random, name, depth)
            self.note(f"{name} has the lock")

    async def nest(self, random: Random, name: str, depth: int) -> None:
        if depth > DEEPEST:
            return
        async with tasks.open_nursery() as nursery:
            for number in range(random.randint(0, 4)):
                nursery.start_soon(self.work, f"{name}-{number}", depth)
            await self.turn(random, name, depth)
            if random.random() < 0.1:
                raise ValueError(name)

    async def limit(self, random: Random, name: str, depth: int) -> None:
        """Some task of the nursery cancels the scope around it."""
        with tasks.cancel_scope() as scope:
            async with tasks.open_nursery() as nursery:
                for number in range(random.randint(1, 3)):
                    nursery.start_soon(self.work, f"{name}-{number}", depth + 1)
                for _ in range(random.randint(0, 3)):
                    await tasks.shielded_checkpoint()
                scope.cancel()
        self.note(f"{name} is over")

    async def act(self, random: Random, name: str, _depth: int) -> None:
        match random.randint(0, 4):
            case 0:
                random.choice(self.events).set()
            case 1:
                self.lot.unpark()
            case 2:
                self.call_soon(self.note, f"{name} calls")
            case 3:
                self.call_soon(tasks.spawn_system_task, tasks.checkpoint)
            case _:
                await tasks.wait_until_idle()


def leaves_of(problem: BaseException) -> list[str]:
    if isinstance(problem, BaseExceptionGroup):
        return sorted(leaf for one in problem.exceptions for leaf in leaves_of(one))
    return [repr(problem)]


def outcome_of(run: Callable[[Callable[[], Awaitable[Any]]], Any], seed: int) -> list[str]:
    program = Program(seed)
    try:
        run(program.main)
    except Exception as problem:  # the nurseries of a program raise groups
        return [*program.noted, *leaves_of(problem)]
    return program.noted


@pytest.mark.parametrize("first", range(0, 400, 50))
def test_both_loops_do_the_same_in_the_same_order(first: int) -> None:
    lengths = []
    for seed in range(first, first + 50):
        own = outcome_of(lambda main, seed=seed: TaskLoop(Random(f"scheduler {seed}")).run(main), seed)  # type: ignore[misc]
        assert own == outcome_of(lambda main, seed=seed: run_in_trio(seed, main, 60), seed)  # type: ignore[misc]
        lengths.append(len(own))
    assert max(lengths) > 100
