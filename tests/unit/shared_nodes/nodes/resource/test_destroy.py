"""Destroy mode, and applying deletes of current and deposed objects."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from shared_nodes.plan.change import Action
from shared_nodes.plan.events import EventType
from shared_nodes.providers.contract import ApplyResponse
from shared_nodes.state.model import ObjectStatus
from tests.unit.shared_nodes.nodes.block_runner import (
    FAILURE,
    ONE,
    PROVIDER,
    BlockRunner,
    apply_text,
    instance,
    lifecycle,
)


@pytest.fixture
def runner(tmp_path: Path) -> BlockRunner:
    return BlockRunner(tmp_path)


def test_everything_goes_without_reason(runner: BlockRunner) -> None:
    apply_text(runner, ONE)
    runner.events.clear()
    plan = runner.plan_destroy(ONE)
    assert plan.actions == {"terraform_data.a": "delete"}
    assert runner.events == [], "the plan before has refreshed"
    walk = runner.apply(ONE, plan)
    assert walk.problems == []
    assert walk.object() is None
    assert [event.type for event in runner.events] == [EventType.APPLY_START, EventType.APPLY_COMPLETE]
    assert runner.events[0].identifier is not None


def test_prevent_destroy(runner: BlockRunner) -> None:
    apply_text(runner, ONE)
    plan = runner.plan_destroy(lifecycle(ONE, "prevent_destroy = true"))
    assert plan.summaries == ["Instance cannot be destroyed"]
    assert plan.change().action is Action.DELETE


def test_failure_keeps_object_status_and_knows_no_place(runner: BlockRunner) -> None:
    apply_text(runner, ONE)
    runner.provider.bend_apply = lambda request, _answer: ApplyResponse(request.prior, problems=[FAILURE])
    walk = runner.apply(ONE, runner.plan_destroy(ONE))
    assert [(problem.summary, problem.address, problem.subject) for problem in walk.problems] == [
        ("Failed", None, None)
    ]
    found = walk.object()
    assert found is not None
    assert found.status is ObjectStatus.READY
    assert runner.events[-1].type is EventType.APPLY_ERRORED


def test_object_that_will_not_go(runner: BlockRunner) -> None:
    apply_text(runner, ONE)
    runner.provider.bend_apply = lambda request, _answer: ApplyResponse(request.prior)
    walk = runner.apply(ONE, runner.plan_destroy(ONE))
    assert walk.summaries == ["Provider returned invalid result object after apply"]
    assert walk.problems[0].detail.startswith("After applying a Delete plan, the provider returned a non-null object")


class TestDeposed:
    @pytest.fixture
    def runner(self, tmp_path: Path) -> BlockRunner:
        runner = BlockRunner(tmp_path)
        apply_text(runner, ONE)
        current = runner.state.current(instance())
        assert current is not None
        runner.state.put_deposed(instance(), "0ddba11a", PROVIDER, current)
        return runner

    def test_goes_whatever_prevent_destroy_says(self, runner: BlockRunner) -> None:
        text = lifecycle(ONE, "prevent_destroy = true")
        plan = runner.plan(text)
        assert plan.problems == []
        assert plan.actions == {"terraform_data.a": "no-op", "terraform_data.a 0ddba11a": "delete"}
        walk = runner.apply(text, plan)
        assert walk.problems == []
        found = runner.state.instance(instance())
        assert found is not None
        assert not found.deposed

    def test_failure_leaves_it_under_its_key(self, runner: BlockRunner) -> None:
        runner.provider.bend_apply = lambda request, _answer: ApplyResponse(request.prior, problems=[FAILURE])
        walk = runner.apply(ONE, runner.plan(ONE))
        assert walk.summaries == ["Failed"]
        found = runner.state.instance(instance())
        assert found is not None
        assert list(found.deposed) == ["0ddba11a"]
        assert runner.events[-1].type is EventType.APPLY_START, "the end of a failed delete is not reported here"

    def test_tainted_or_not_it_goes(self, runner: BlockRunner) -> None:
        found = runner.state.instance(instance())
        assert found is not None
        found.deposed["0ddba11a"] = replace(found.deposed["0ddba11a"], status=ObjectStatus.TAINTED)
        walk = runner.apply(ONE, runner.plan(ONE))
        assert walk.problems == []
