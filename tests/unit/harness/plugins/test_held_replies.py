"""Held replies decide the order in which things are completed, and show what was under way."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import pytest
import trio

pytest.importorskip("h2")

from harness.engines.external import ExternalBinary, Surrounding, find_binary, run_binary
from harness.engines.registry import EngineNotFoundError
from harness.engines.simulated_providers import simulated_providers
from harness.plugins.serving.background import serve_in_background
from harness.plugins.serving.calls import ServedProvider
from harness.plugins.serving.held_replies import HeldReplies
from harness.simulation.simcloud.sim import SIM
from harness.simulation.simcloud.simulation import Simulation
from shared_nodes.flavour import FLAVOURS
from shared_nodes.world import Files, World

_DIAMOND = """
terraform {
  required_providers {
    sim = { source = "dh.test/diffharness/sim" }
  }
}
resource "sim_thing" "a" {
  name = "a"
}
resource "sim_thing" "b" {
  name  = "b"
  value = sim_thing.a.id
}
resource "sim_thing" "c" {
  name  = "c"
  value = sim_thing.a.id
}
resource "sim_thing" "d" {
  name  = "d"
  value = "${sim_thing.b.id} ${sim_thing.c.id}"
}
resource "sim_thing" "e" {
  name = "e"
}
"""


@pytest.mark.parametrize(
    ("choose", "expected"),
    [(min, ["a", "b", "c"]), (max, ["c", "b", "a"])],
)
def test_the_chosen_reply_is_the_next(choose: Callable[[Sequence[str]], str], expected: list[str]) -> None:
    replies, finished = HeldReplies(choose, quiet_s=0), list[str]()

    async def call(name: str) -> None:
        await replies.hold(name)
        finished.append(name)

    async def scenario() -> None:
        async with trio.open_nursery() as nursery:
            for name in "bca":
                nursery.start_soon(call, name)

    trio.run(scenario)
    assert finished == expected
    assert [len(frontier) for frontier in replies.frontiers] == [3, 2, 1]


def test_a_call_that_is_given_up_keeps_no_other_from_its_reply() -> None:
    replies = HeldReplies(quiet_s=0)

    async def scenario() -> None:
        async with trio.open_nursery() as nursery:
            with trio.move_on_after(0):
                await replies.hold("a")
            nursery.start_soon(replies.hold, "b")

    trio.run(scenario)
    assert replies.frontiers == [("b",)]


@pytest.mark.terraform
@pytest.mark.parametrize(
    ("choose", "expected"),
    [
        (min, ["a e", "b c e", "c e", "d e", "e"]),
        (max, ["a e", "a", "b c", "b", "d"]),
    ],
)
def test_a_schedule_is_forced_on_a_binary(
    choose: Callable[[Sequence[str]], str], expected: list[str], tmp_path: Path
) -> None:
    """At each moment everything is under way whose dependencies are done, and nothing else."""
    try:
        binary = find_binary("terraform")
    except EngineNotFoundError as problem:
        pytest.skip(str(problem))
    for name in ("home", "scratch", "configuration"):
        (tmp_path / name).mkdir()
    (tmp_path / "configuration" / "main.tf").write_text(_DIAMOND)
    surrounding = Surrounding(tmp_path / "home", tmp_path / "scratch")
    replies = HeldReplies(choose, quiet_s=0.3)
    providers = simulated_providers(Simulation()).through(replies.between)
    factory = providers.factory(World(Files(tmp_path)), FLAVOURS["terraform-1.11"])

    def make() -> ServedProvider:
        provider = factory(SIM)
        assert provider is not None
        return ServedProvider(provider)

    with serve_in_background({SIM: make}, surrounding.scratch) as variables:
        served = ExternalBinary(binary.name, binary.program, environment=variables)
        ask = partial(run_binary, directory=tmp_path / "configuration", surrounding=surrounding, timeout_s=60)
        for arguments in (["init", "-input=false"], ["apply", "-auto-approve", "-input=false"]):
            assert ask(served, arguments).status == 0
    assert [" ".join(part.removeprefix("create ") for part in each) for each in replies.frontiers] == expected
