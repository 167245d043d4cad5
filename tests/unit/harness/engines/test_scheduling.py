"""One seed is one schedule: whatever an engine leaves to chance is the same again with the same seed."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from harness.engines.providers import BUILTIN_PROVIDERS
from harness.engines.registry import DEFAULT_ENGINES
from harness.engines.scheduling import interleaved, run_deterministically
from shared_nodes import tasks
from shared_nodes.addresses.provider import BUILTIN
from shared_nodes.flavour import TERRAFORM_1_11
from shared_nodes.providers.contract import Provider
from shared_nodes.values.value import string
from shared_nodes.world import World


async def _order_of_tasks() -> list[int]:
    order: list[int] = []

    async def note(number: int) -> None:
        for _ in range(2):
            await tasks.checkpoint()
            order.append(number)

    async with tasks.open_nursery() as nursery:
        for number in range(8):
            nursery.start_soon(note, number)
    return order


def test_tasks_that_could_all_run_are_ordered_by_the_seed() -> None:
    first = [run_deterministically(seed, _order_of_tasks) for seed in range(20)]
    assert [run_deterministically(seed, _order_of_tasks) for seed in range(20)] == first
    assert len(set(map(tuple, first))) == 20


def test_the_order_is_the_same_in_trio() -> None:
    """`tests/laws/test_task_loop_laws.py` compares the two in general."""
    for seed in range(20):
        assert run_deterministically(seed, _order_of_tasks, in_trio=True) == run_deterministically(
            seed, _order_of_tasks
        )


@pytest.mark.parametrize("in_trio", [False, True])
def test_waiting_has_an_end(in_trio: bool) -> None:
    with pytest.raises(tasks.TooSlowError):
        run_deterministically(0, tasks.sleep_forever, timeout_s=0.01, in_trio=in_trio)


@pytest.mark.parametrize("seed", range(12))
def test_turns_that_no_task_could_use_are_left_out_unnoticed(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Calls begin and end in the same order with and without them, whatever else there is to do."""

    async def calls() -> list[str]:
        provider = interleaved(BUILTIN_PROVIDERS.factory(World.real(Path()), TERRAFORM_1_11), seed)(BUILTIN)
        assert provider is not None
        noted: list[str] = []

        async def call(name: str, times: int) -> None:
            for number in range(times):
                noted.append(f"{name}{number} begins")
                await provider.read("terraform_data", string(name), b"")
                noted.append(f"{name}{number} ends")

        await call("alone", 3)
        async with tasks.open_nursery() as nursery:
            for name, times in (("a", 1), ("b", 4), ("c", 2)):
                nursery.start_soon(call, name, times)
        await call("again", 2)
        return noted

    turns: list[int] = []
    checkpoint = tasks.shielded_checkpoint

    async def counted() -> None:
        turns.append(1)
        await checkpoint()

    monkeypatch.setattr(tasks, "shielded_checkpoint", counted)
    without = run_deterministically(seed, calls)
    fewer = len(turns)
    monkeypatch.setattr("harness.engines.scheduling._runs_alone", lambda: False)
    assert run_deterministically(seed, calls) == without
    assert len(turns) - fewer > fewer + 3


async def _reads_begun_before_the_first_ended(provider: Provider, count: int) -> int:
    begun, ended = 0, 0
    most = 0

    async def read() -> None:
        nonlocal begun, ended, most
        begun += 1
        answer = await provider.read("terraform_data", string("as it is"), b"")
        assert answer.value == string("as it is")
        if not ended:
            most = begun
        ended += 1

    async with tasks.open_nursery() as nursery:
        for _ in range(count):
            nursery.start_soon(read)
    return most


def test_calls_of_providers_that_never_wait_still_overlap(tmp_path: Path) -> None:
    world = World.confined(tmp_path, 0, World.real(tmp_path).now())
    factory = BUILTIN_PROVIDERS.factory(world, TERRAFORM_1_11)
    plain, wrapped = factory(BUILTIN), interleaved(factory, seed=1)(BUILTIN)
    assert plain is not None
    assert wrapped is not None
    assert wrapped.schema is plain.schema
    assert run_deterministically(1, _reads_begun_before_the_first_ended, plain, 8) == 1
    assert run_deterministically(1, _reads_begun_before_the_first_ended, wrapped, 8) > 1


def test_a_provider_that_is_not_there_is_still_not_there() -> None:
    assert interleaved(lambda _source: None, seed=1)(BUILTIN) is None


MANY = """
resource "terraform_data" "each" {
  for_each = toset(["a", "b", "c", "d", "e", "f"])
  input    = each.key
}
resource "terraform_data" "after" {
  count = 3
  input = terraform_data.each["a"].id
}
"""


def _order_of_events(directory: Path, engine: str, seed: int, hash_seed: int) -> list[tuple[str, str]]:
    (directory / "terraform.tfstate").unlink(missing_ok=True)
    program = [sys.executable, "-c", "from harness.cli import main; main()", "engine", engine]
    arguments = ["apply", ".", "--seed", str(seed), "--events", "events"]
    environment = {"PYTHONHASHSEED": str(hash_seed), "PYTHONPATH": ":".join(sys.path)}
    subprocess.run([*program, *arguments], check=True, cwd=directory, env=environment, capture_output=True, timeout=120)
    events = map(json.loads, (directory / "events").read_text(encoding="utf-8").splitlines())
    return [(event["type"], event["hook"]["resource"]["addr"]) for event in events if "hook" in event]


@pytest.mark.parametrize("engine", DEFAULT_ENGINES)
def test_one_seed_is_one_order_of_events_in_every_process(tmp_path: Path, engine: str) -> None:
    """Python hashes texts differently in every process, so sets have another order."""
    (tmp_path / "main.tf").write_text(MANY, encoding="utf-8")
    first = _order_of_events(tmp_path, engine, seed=1, hash_seed=1)
    assert len(first) == 2 * 9
    assert _order_of_events(tmp_path, engine, seed=1, hash_seed=2) == first
    assert _order_of_events(tmp_path, engine, seed=2, hash_seed=1) != first
