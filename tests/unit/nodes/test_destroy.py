"""Destroy mode, and carrying out deletes: of current objects and of deposed ones."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from shared_nodes.plan.change import Action
from shared_nodes.plan.events import EventType
from shared_nodes.providers.contract import Applied
from shared_nodes.state.model import ObjectStatus
from tests.unit.nodes.staging import FAILURE, PROVIDER, Stage, instance
from tests.unit.nodes.test_managed_apply import ONE, applied
from tests.unit.nodes.test_managed_plan import lifecycle


@pytest.fixture
def stage(tmp_path: Path) -> Stage:
    return Stage(tmp_path)


def test_everything_goes_without_reason(stage: Stage) -> None:
    applied(stage, ONE)
    stage.events.clear()
    plan = stage.plan_destroy(ONE)
    assert plan.actions == {"terraform_data.a": "delete"}
    assert stage.events == [], "the plan before has refreshed"
    walk = stage.apply(ONE, plan)
    assert walk.problems == []
    assert walk.object() is None
    assert [event.type for event in stage.events] == [EventType.APPLY_START, EventType.APPLY_COMPLETE]
    assert stage.events[0].identifier is not None


def test_prevent_destroy(stage: Stage) -> None:
    applied(stage, ONE)
    plan = stage.plan_destroy(lifecycle(ONE, "prevent_destroy = true"))
    assert plan.summaries == ["Instance cannot be destroyed"]
    assert plan.change().action is Action.DELETE


def test_failure_keeps_object_status_and_knows_no_place(stage: Stage) -> None:
    applied(stage, ONE)
    stage.provider.bend_apply = lambda request, _answer: Applied(request.prior, problems=[FAILURE])
    walk = stage.apply(ONE, stage.plan_destroy(ONE))
    assert [(problem.summary, problem.address, problem.subject) for problem in walk.problems] == [
        ("Failed", None, None)
    ]
    found = walk.object()
    assert found is not None
    assert found.status is ObjectStatus.READY
    assert stage.events[-1].type is EventType.APPLY_ERRORED


def test_object_that_will_not_go(stage: Stage) -> None:
    applied(stage, ONE)
    stage.provider.bend_apply = lambda request, _answer: Applied(request.prior)
    walk = stage.apply(ONE, stage.plan_destroy(ONE))
    assert walk.summaries == ["Provider returned invalid result object after apply"]
    assert walk.problems[0].detail.startswith("After applying a Delete plan, the provider returned a non-null object")


class TestDeposed:
    @pytest.fixture
    def stage(self, tmp_path: Path) -> Stage:
        stage = Stage(tmp_path)
        applied(stage, ONE)
        current = stage.state.current(instance())
        assert current is not None
        stage.state.put_deposed(instance(), "0ddba11a", PROVIDER, current)
        return stage

    def test_goes_whatever_prevent_destroy_says(self, stage: Stage) -> None:
        text = lifecycle(ONE, "prevent_destroy = true")
        plan = stage.plan(text)
        assert plan.problems == []
        assert plan.actions == {"terraform_data.a": "no-op", "terraform_data.a 0ddba11a": "delete"}
        walk = stage.apply(text, plan)
        assert walk.problems == []
        found = stage.state.instance(instance())
        assert found is not None
        assert not found.deposed

    def test_failure_leaves_it_under_its_key(self, stage: Stage) -> None:
        stage.provider.bend_apply = lambda request, _answer: Applied(request.prior, problems=[FAILURE])
        walk = stage.apply(ONE, stage.plan(ONE))
        assert walk.summaries == ["Failed"]
        found = stage.state.instance(instance())
        assert found is not None
        assert list(found.deposed) == ["0ddba11a"]
        assert stage.events[-1].type is EventType.APPLY_START, "the end of a failed delete is not told here"

    def test_tainted_or_not_it_goes(self, stage: Stage) -> None:
        found = stage.state.instance(instance())
        assert found is not None
        found.deposed["0ddba11a"] = replace(found.deposed["0ddba11a"], status=ObjectStatus.TAINTED)
        walk = stage.apply(ONE, stage.plan(ONE))
        assert walk.problems == []
