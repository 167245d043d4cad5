"""The guarantees of promises, one by one: what settles them, what each failure reports, and that nothing is left
behind."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from typing import Any

import pytest
import trio
from trio.testing import MockClock

from new_engine.concurrency.promises import (
    Crashed,
    Once,
    Promise,
    PromiseFailure,
    PromiseSession,
    SelfDependency,
    run_session,
)
from shared_nodes import tasks
from shared_nodes.lang.source import Source
from shared_nodes.operations.engine import EngineCrash
from tests.unit.new_engine.concurrency.settling import settle

Graph = Mapping[str, Sequence[str]]


def make_promises(session: PromiseSession, graph: Graph) -> dict[str, Once[int]]:
    """Return a promise per name. It waits for its dependencies all at once, and its value is the length of the longest
    path below."""
    onces: dict[str, Once[int]] = {}

    def function(others: Sequence[str]) -> Callable[[], Awaitable[int]]:
        async def count() -> int:
            promises = [onces[other].promise for other in others]
            await session.settled(promises)
            return max((promise.result for promise in promises), default=-1) + 1

        return count

    for name, others in graph.items():
        onces[name] = session.once(name, function(others))
    return onces


def outcome(promise: Promise[Any]) -> Any:
    """Return the value, the names in a circle, or the type of any other failure."""
    try:
        return promise.result
    except SelfDependency as circle:
        return tuple(member.name for member in circle.members)
    except PromiseFailure as failure:
        return type(failure)


def outcomes(graph: Graph, seed: int = 0) -> dict[str, Any]:
    async def main(session: PromiseSession) -> dict[str, Any]:
        onces = make_promises(session, graph)
        promises = session.begin(list(onces.values()))
        await session.settled(promises)
        return {promise.name: outcome(promise) for promise in promises}

    return settle(main, seed)


# Values


def test_a_value_passes_from_who_owes_it_to_all_who_ask() -> None:
    assert outcomes({"a": ["b", "c"], "b": ["c"], "c": []}) == {"a": 2, "b": 1, "c": 0}


def test_once_runs_once_however_many_ask() -> None:
    calls = []

    async def main(session: PromiseSession) -> list[int]:
        async def compute() -> int:
            calls.append(1)
            await trio.sleep(1)
            return 42

        shared = session.once("shared", compute)
        results = await session.gather([(f"asker {number}", shared.get) for number in range(1_000)])
        return [*results, await shared.get()]

    assert settle(main) == [42] * 1_001
    assert len(calls) == 1


def test_what_nobody_asks_for_never_runs() -> None:
    async def main(session: PromiseSession) -> None:
        async def never() -> None:
            raise AssertionError("it was not asked for")

        session.once("never", never)

    settle(main)


def test_gather_gives_results_in_the_order_given_whatever_the_order_of_ending() -> None:
    async def main(session: PromiseSession) -> list[int]:
        def after(delay_s: int) -> Callable[[], Awaitable[int]]:
            async def wait() -> int:
                await trio.sleep(delay_s)
                return delay_s

            return wait

        return await session.gather([(str(delay_s), after(delay_s)) for delay_s in (3, 1, 2)])

    assert settle(main) == [3, 1, 2]


def test_all_of_a_gather_end_before_its_failure_comes_out() -> None:
    ended = []

    async def main(session: PromiseSession) -> None:
        circle = make_promises(session, {"a": ["a"]})["a"]

        async def slow() -> int:
            await trio.sleep(100)
            ended.append("slow")
            return 0

        with pytest.raises(SelfDependency):
            await session.gather([("quick", circle.get), ("slow", slow)])
        assert ended == ["slow"]

    settle(main)


def test_the_first_settling_counts() -> None:
    async def main(session: PromiseSession) -> str:
        async def settled_early() -> str:
            once.promise.resolve("first")
            return "second"

        once: Once[str] = session.once("early", settled_early)
        return await once.get()

    assert settle(main) == "first"


def test_a_result_is_not_given_before_there_is_one() -> None:
    async def main(session: PromiseSession) -> None:
        async def later() -> None:
            return None

        promise = session.once("later", later).promise
        with pytest.raises(AssertionError, match="later is asked for too early"):
            _ = promise.result

    settle(main)


def test_truth_values_are_joined_and_cycles_are_passed_on() -> None:
    async def main(session: PromiseSession) -> tuple[bool, bool, bool, int]:
        async def give(value: bool) -> bool:
            return value

        async def circular() -> bool:
            return await once.get()

        once: Once[bool] = session.once("circular", circular)
        yes, no = (session.once(str(value), partial(give, value)).promise for value in (True, False))
        cycles: list[SelfDependency] = []
        return (
            await session.all_true([yes], cycles.append),
            await session.all_true([yes, no], cycles.append),
            await session.all_true([yes, once.promise], cycles.append),
            len(cycles),
        )

    assert settle(main) == (True, False, False, 1)


def test_trio_still_has_what_is_read_of_its_internals() -> None:
    async def main(_session: PromiseSession) -> None:
        outside = tasks.cancel_status()
        with trio.CancelScope():
            assert tasks.cancel_status() != outside
        assert outside is not None

    settle(main)


def test_one_seed_is_one_order_of_beginning_and_seeds_differ() -> None:
    def order(seed: int) -> list[int]:
        begun: list[int] = []

        async def main(session: PromiseSession) -> None:
            async def note(number: int) -> None:
                begun.append(number)

            await session.gather([(str(number), partial(note, number)) for number in range(20)])

        settle(main, seed)
        return begun

    assert order(1) == order(1)
    assert sorted(order(1)) == list(range(20))
    assert len({tuple(order(seed)) for seed in range(10)}) > 1


# Circles


def test_a_promise_that_asks_for_itself_is_a_circle_of_one() -> None:
    assert outcomes({"a": ["a"], "b": ["a"]}) == {"a": ("a",), "b": ("a",)}


def test_every_member_of_a_circle_fails_with_the_whole_circle_by_name() -> None:
    circle = ("a", "b", "c")
    assert outcomes({"c": ["b"], "b": ["a"], "a": ["c"]}) == {"a": circle, "b": circle, "c": circle}


def test_who_asks_a_circle_without_being_asked_by_it_is_no_member() -> None:
    found = outcomes({"outside": ["a", "fine"], "a": ["b"], "b": ["a", "fine"], "fine": []})
    assert found == {"outside": ("a", "b"), "a": ("a", "b"), "b": ("a", "b"), "fine": 0}


def test_disjoint_circles_are_found_at_once_each_for_itself() -> None:
    graph = {"a": ["b"], "b": ["a"], "c": ["d"], "d": ["e"], "e": ["c"], "f": ["f"]}
    found = outcomes(graph)
    assert found == dict.fromkeys("ab", ("a", "b")) | dict.fromkeys("cde", ("c", "d", "e")) | {"f": ("f",)}


def test_circles_that_share_a_promise_are_one() -> None:
    """A figure of eight: no single loop contains all members, but each member waits for all others."""
    everybody = ("a", "b", "c", "d", "e")
    found = outcomes({"a": ["b"], "b": ["c", "e"], "c": ["a"], "e": ["d"], "d": ["b"]})
    assert found == dict.fromkeys(everybody, everybody)


def test_a_circle_behind_a_circle_is_not_part_of_it() -> None:
    found = outcomes({"a": ["b"], "b": ["a", "c"], "c": ["d"], "d": ["c"]})
    assert found == {"a": ("a", "b"), "b": ("a", "b"), "c": ("c", "d"), "d": ("c", "d")}


def test_a_circle_runs_through_a_gather() -> None:
    """A worker waits for everything it fans out to, so a circle can lead through a gather as through any other wait."""

    async def main(session: PromiseSession) -> Any:
        async def three() -> int:
            return 3

        async def first() -> int:
            return (await block.get())[0]

        async def fan_out() -> list[int]:
            return await session.gather([("part 1", three), ("part 2", first)])

        block: Once[list[int]] = session.once("block", fan_out)
        await session.settled([block.promise])
        return outcome(block.promise)

    assert settle(main) == ("block", "part 2")


def test_a_circle_runs_through_gathers_within_gathers() -> None:
    async def main(session: PromiseSession) -> Any:
        async def innermost() -> Any:
            return await outer.get()

        async def inner() -> list[Any]:
            return await session.gather([("innermost", innermost)])

        async def middle() -> list[Any]:
            return await session.gather([("inner", inner)])

        outer: Once[Any] = session.once("outer", middle)
        await session.settled([outer.promise])
        return outcome(outer.promise)

    assert settle(main) == ("inner", "innermost", "outer")


def test_who_catches_the_failure_of_its_circle_goes_on_and_stays_failed() -> None:
    """The circle has been reported with this member in it, so its value comes too late. It may still wait for other
    promises."""
    went_on = []

    async def main(session: PromiseSession) -> Any:
        async def stubborn() -> int:
            with pytest.raises(SelfDependency):
                await once.get()
            went_on.append(await fine.get())
            return 1

        async def five() -> int:
            return 5

        fine = session.once("fine", five)
        once: Once[int] = session.once("stubborn", stubborn)
        await session.settled([once.promise])
        return outcome(once.promise)

    assert settle(main) == ("stubborn",)
    assert went_on == [5]


def test_no_verdict_while_somebody_works() -> None:
    """A call to the outside delays the verdict but does not change it."""

    async def main(session: PromiseSession) -> float:
        onces = make_promises(session, {"a": ["b"], "b": ["a"]})

        async def outside() -> None:
            await trio.sleep(60)

        session.begin([session.once("outside", outside)])
        await session.settled(session.begin(list(onces.values())))
        return trio.current_time()

    async def timed(session: PromiseSession) -> float:
        begin = trio.current_time()
        return await main(session) - begin

    assert settle(timed) == 60


def test_a_circle_that_nobody_asked_for_ends_the_session_all_the_same() -> None:
    async def main(session: PromiseSession) -> list[Promise[int]]:
        return session.begin(list(make_promises(session, {"a": ["b"], "b": ["a"]}).values()))

    assert [outcome(promise) for promise in settle(main)] == [("a", "b"), ("a", "b")]


def test_a_circle_names_the_places_it_comes_from() -> None:
    source = Source("main.tf", "\nlocals {}\n")

    async def main(session: PromiseSession) -> None:
        async def ask() -> Any:
            return await once.get()

        once: Once[Any] = session.once("local.a", ask, source.range(1, 7))
        await once.get()

    with pytest.raises(SelfDependency, match=r"^local\.a \(main\.tf:2\)$"):
        settle(main)


# What breaks in the engine itself


def test_a_crash_names_the_promise_and_carries_its_cause() -> None:
    cause = ValueError("boom")

    async def main(session: PromiseSession) -> None:
        async def crash() -> None:
            raise cause

        crashing = session.once("local.a", crash, Source("main.tf", "x = 1").range(0, 1))

        async def ask() -> None:
            await crashing.get()

        asker = session.once("local.b", ask).promise
        await session.settled([asker])
        assert outcome(asker) is Crashed, "a worker fails with the failure of the promise it asks for"

    with pytest.raises(
        EngineCrash, match=r"the engine broke in local\.a \(main\.tf:1\): ValueError\('boom'\)"
    ) as crashed:
        settle(main)
    assert crashed.value.__cause__ is cause


def test_a_crash_of_the_operation_itself_is_a_crash_like_any_other() -> None:
    cause = ValueError("boom")

    async def main(session: PromiseSession) -> None:
        _ = session.once("slow", partial(trio.sleep, 10)).promise
        raise cause

    with pytest.raises(EngineCrash, match=r"the engine broke in operation: ValueError\('boom'\)") as crashed:
        settle(main)
    assert crashed.value.__cause__ is cause


def test_a_crash_comes_out_whatever_was_made_of_it() -> None:
    async def main(session: PromiseSession) -> str:
        async def crash() -> None:
            raise ValueError

        await session.settled([session.once("crashing", crash).promise])
        return "as if nothing had happened"

    with pytest.raises(EngineCrash):
        settle(main)


def test_work_that_does_not_depend_on_a_crash_goes_on() -> None:
    ended = []

    async def main(session: PromiseSession) -> None:
        async def crash() -> None:
            raise ValueError

        async def slow() -> None:
            await trio.sleep(10)
            ended.append("slow")

        await session.gather([("crashing", crash), ("slow", slow)])

    with pytest.raises(EngineCrash):
        settle(main)
    assert ended == ["slow"]


# Cancellation


def test_a_cancelled_session_leaves_nothing_running() -> None:
    left: list[int] = []

    async def main(session: PromiseSession) -> None:
        async def work(number: int) -> None:
            try:
                if number % 2:
                    await sleeper.get()
                else:
                    await trio.sleep_forever()
            finally:
                left.append(number)

        sleeper = session.once("sleeper", trio.sleep_forever)
        await session.gather([(str(number), partial(work, number)) for number in range(20)])

    async def cancelled() -> None:
        before = trio.lowlevel.current_statistics().tasks_living
        with trio.move_on_after(5) as scope:
            await run_session(0, main)
        assert scope.cancelled_caught
        assert trio.lowlevel.current_statistics().tasks_living == before

    trio.run(cancelled, clock=MockClock(autojump_threshold=0))
    assert sorted(left) == list(range(20))


# Size


def test_chains_of_any_length_need_no_stack() -> None:
    length = 10_000
    graph = {str(number): [str(number - 1)] if number else [] for number in range(length)}
    assert outcomes(graph)[str(length - 1)] == length - 1


@pytest.mark.parametrize("seed", range(3))
def test_many_that_wait_for_each_other_and_for_the_outside(seed: int) -> None:
    """There are more concurrent calls than turns between two checkpoints, so workers are constantly carried by
    different tasks."""

    async def main(session: PromiseSession) -> int:
        async def below(number: int) -> int:
            await trio.sleep(number % 7)
            behind = [onces[other].promise for other in {number // 2, number // 3, number - 1} if 0 <= other < number]
            await session.settled(behind)
            await trio.sleep(number % 3)
            return 1 + max((promise.result for promise in behind), default=0)

        onces = [session.once(str(number), partial(below, number)) for number in range(600)]
        promises = session.begin(onces)
        await session.settled(promises)
        return max(promise.result for promise in promises)

    assert settle(main, seed) == 600


def test_a_long_circle_is_found_whole() -> None:
    length = 3_000
    names = tuple(sorted(map(str, range(length))))
    found = outcomes({name: [str((int(name) + 1) % length)] for name in names})
    assert found == dict.fromkeys(names, names)


def test_a_wide_circle_is_found_whole() -> None:
    """One promise waits for a thousand others, each of which waits for it."""
    names = tuple(sorted(map(str, range(1_000))))
    everybody = (*names, "hub")
    assert outcomes({"hub": names, **dict.fromkeys(names, ("hub",))}) == dict.fromkeys(everybody, everybody)


def test_waiting_inside_a_scope_of_ones_own_is_told_at_once() -> None:
    """Scopes belong to the task that carries a worker: waiting inside one would leave it open for the next worker."""

    async def main(session: PromiseSession) -> None:
        async def value() -> int:
            await trio.lowlevel.checkpoint()
            return 1

        once = session.once("value", value)
        with trio.move_on_after(1):
            await once.get()

    with pytest.raises(EngineCrash, match="operation waits for a promise inside a cancel scope"):
        trio.run(run_session, 0, main)
