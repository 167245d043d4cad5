"""Forgetting removes objects from the state without calling a provider to destroy them."""

from __future__ import annotations

from pathlib import Path

import trio

from shared_nodes.context.operation import Operation
from shared_nodes.lang.diagnostics import Diagnostic
from shared_nodes.nodes.resource.forget import ForgetDeposedRequest, ForgetRequest, forget_deposed, forget_instance
from shared_nodes.state.model import InstanceObject, ObjectStatus
from tests.unit.shared_nodes.nodes.block_runner import ONE, PROVIDER, BlockRunner, Walk, apply_text, instance


def test_instance_goes_with_everything_deposed(tmp_path: Path) -> None:
    runner = BlockRunner(tmp_path)
    apply_text(runner, ONE)
    current = runner.state.current(instance())
    for key in ("00000001", "00000002"):
        runner.state.put_deposed(instance(), key, PROVIDER, current)
    runner.events.clear()
    walk = Walk(runner.context("", Operation.APPLY))

    async def work() -> list[Diagnostic]:
        await forget_deposed(walk.context, ForgetDeposedRequest(instance(), PROVIDER, "00000001"))
        left = walk.context.working.instance(instance())
        assert left is not None
        assert list(left.deposed) == ["00000002"]
        return await forget_instance(walk.context, ForgetRequest(instance()))

    assert trio.run(work) == []
    assert walk.context.working.instance(instance()) is None
    assert runner.events == []


def test_what_cannot_be_read_cannot_be_forgotten(tmp_path: Path) -> None:
    runner = BlockRunner(tmp_path)
    runner.state.put(instance(), PROVIDER, InstanceObject(ObjectStatus.READY, stored={}, stored_version=9))
    walk = Walk(runner.context("", Operation.APPLY))

    async def work() -> list[Diagnostic]:
        return await forget_instance(walk.context, ForgetRequest(instance()))

    (problem,) = trio.run(work)
    assert problem.summary == "Resource instance managed by newer provider version"
    assert walk.context.working.instance(instance()) is not None


def test_deposed_object_is_read_also_when_its_instance_was_forgotten_first(tmp_path: Path) -> None:
    """The two are not ordered, and the calls to the provider must not depend on which runs first."""
    runner = BlockRunner(tmp_path)
    unreadable = InstanceObject(ObjectStatus.READY, stored={}, stored_version=9)
    runner.state.put_deposed(instance(), "00000001", PROVIDER, unreadable)
    walk = Walk(runner.context("", Operation.APPLY))

    async def work() -> list[Diagnostic]:
        assert await forget_instance(walk.context, ForgetRequest(instance())) == []
        return await forget_deposed(walk.context, ForgetDeposedRequest(instance(), PROVIDER, "00000001"))

    (problem,) = trio.run(work)
    assert problem.summary == "Resource instance managed by newer provider version"
