"""Instances that are no longer declared: destroyed with the right reason, or dropped if they are gone already."""

from __future__ import annotations

from pathlib import Path

import pytest
import trio

from shared_nodes.context.operation import Operation
from shared_nodes.lang.diagnostics import Diagnostic
from shared_nodes.nodes.resource.orphan import OrphanPlan, plan_orphan
from shared_nodes.plan.change import Action
from shared_nodes.providers.contract import PlanRequest, PlanResponse, ReadObject
from shared_nodes.values.value import Value, null, object_of, string
from tests.unit.shared_nodes.nodes.block_runner import FAILURE, ONE, PROVIDER, BlockRunner, Walk, apply_text, instance

COUNTED = ONE.replace("{", "{\n  count = 2", 1)


@pytest.fixture
def runner(tmp_path: Path) -> BlockRunner:
    return BlockRunner(tmp_path)


@pytest.mark.parametrize(
    ("before", "after", "reasons"),
    [
        (ONE, "", {"terraform_data.a": "delete delete_because_no_resource_config"}),
        (
            COUNTED,
            COUNTED.replace("2", "1"),
            {"terraform_data.a[0]": "no-op", "terraform_data.a[1]": "delete delete_because_count_index"},
        ),
        (
            ONE.replace("{", '{\n  for_each = toset(["x"])', 1),
            ONE.replace("{", "{\n  for_each = {}", 1),
            {'terraform_data.a["x"]': "delete delete_because_each_key"},
        ),
        (
            COUNTED,
            ONE,
            {
                "terraform_data.a": "create",
                "terraform_data.a[0]": "delete delete_because_wrong_repetition",
                "terraform_data.a[1]": "delete delete_because_wrong_repetition",
            },
        ),
    ],
)
def test_reasons(runner: BlockRunner, before: str, after: str, reasons: dict[str, str]) -> None:
    apply_text(runner, before)
    plan = runner.plan(after)
    assert plan.problems == []
    assert plan.actions == reasons


def planned(runner: BlockRunner, request: OrphanPlan) -> Walk:
    walk = Walk(runner.context("", Operation.PLAN))

    async def work() -> list[Diagnostic]:
        return await plan_orphan(walk.context, request)

    walk.problems += trio.run(work)
    return walk


def test_object_that_was_moved_here(runner: BlockRunner) -> None:
    apply_text(runner, ONE)
    plan = planned(runner, OrphanPlan(instance(), PROVIDER, instance(0)))
    assert plan.actions == {"terraform_data.a": "delete delete_because_no_move_target"}
    assert plan.change().previous_address == instance(0)


def test_forgotten_without_asking_the_provider(runner: BlockRunner) -> None:
    apply_text(runner, ONE)
    runner.events.clear()
    plan = planned(runner, OrphanPlan(instance(), PROVIDER, removed_destroys=False))
    assert plan.change().action is Action.FORGET
    assert plan.object() is None


def test_gone_already(runner: BlockRunner) -> None:
    apply_text(runner, ONE)
    runner.provider.bend_read = lambda current: ReadObject(null(current.type))
    plan = runner.plan("")
    assert plan.actions == {}
    assert plan.object() is None
    assert plan.context.refreshed.current(instance()) is None


def test_refresh_only_keeps_it(runner: BlockRunner) -> None:
    apply_text(runner, ONE)
    plan = runner.plan("", refresh_only=True)
    assert plan.actions == {}
    assert plan.object() is not None


def test_prevent_destroy_protects_as_long_as_there_is_a_block(runner: BlockRunner) -> None:
    apply_text(runner, COUNTED)
    protected = COUNTED.replace("2", "1").replace("input", "lifecycle {\n    prevent_destroy = true\n  }\n  input")
    plan = runner.plan(protected)
    assert plan.summaries == ["Instance cannot be destroyed"]
    assert plan.change(1).action is Action.DELETE
    assert runner.plan("").summaries == []


def test_the_end_of_an_object_is_planned_before_it_is_read(runner: BlockRunner) -> None:
    """The real Terraform calls a provider in this order. So the planned removal shows the stored object, and a refused
    deletion leaves the object unread."""
    apply_text(runner, ONE)
    asked: list[str] = []

    def plan(request: PlanRequest, answer: PlanResponse) -> PlanResponse:
        asked.append("plan")
        assert request.prior.payload["input"].payload == "one"
        return answer

    def read(current: Value) -> ReadObject:
        asked.append("read")
        return ReadObject(object_of({**current.payload, "input": string("drifted")}))

    runner.provider.bend_plan, runner.provider.bend_read = plan, read
    found = planned(runner, OrphanPlan(instance(), PROVIDER))
    assert asked == ["plan", "read"]
    assert found.change().before.payload["input"].payload == "one"
    runner.provider.bend_plan = lambda _request, _answer: PlanResponse(None, problems=[FAILURE])
    assert [problem.summary for problem in planned(runner, OrphanPlan(instance(), PROVIDER)).problems] == ["Failed"]
    assert asked == ["plan", "read"]
