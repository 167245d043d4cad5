"""The installed trio has the internals that deterministic schedules depend on."""

from __future__ import annotations

from random import Random

import pytest
import trio
import trio._core._run as trio_scheduler

from harness.engines.trio_internals import SCHEDULER_VARIABLES, run_in_trio, seeded_scheduler

NAMES = "abcdefgh"


def order_of_tasks(seed: int) -> str:
    order: list[str] = []

    async def work(name: str) -> None:
        await trio.lowlevel.checkpoint()
        order.append(name)

    async def main() -> None:
        async with trio.open_nursery() as nursery:
            for name in NAMES:
                nursery.start_soon(work, name)

    with seeded_scheduler(seed):
        trio.run(main)
    return "".join(order)


def test_the_variables_exist_and_have_the_expected_kinds() -> None:
    switch, generator = (vars(trio_scheduler)[name] for name in SCHEDULER_VARIABLES)
    assert isinstance(switch, bool)
    assert isinstance(generator, Random)


def test_the_seed_alone_decides_about_the_order() -> None:
    assert [order_of_tasks(3) for _ in range(3)] == [order_of_tasks(3)] * 3
    assert len({order_of_tasks(seed) for seed in range(20)}) > 1


def test_the_scheduler_is_left_as_it_was_found() -> None:
    """Other event loops of the program, and Hypothesis, use the same global random generator."""
    variables = vars(trio_scheduler)
    before = variables["_r"], variables["_r"].getstate(), variables["_ALLOW_DETERMINISTIC_SCHEDULING"]

    async def fails() -> None:
        assert variables["_r"] is not before[0]
        raise RuntimeError

    with pytest.raises(RuntimeError):
        run_in_trio(1, fails, 10)
    assert (variables["_r"], variables["_r"].getstate(), variables["_ALLOW_DETERMINISTIC_SCHEDULING"]) == before
