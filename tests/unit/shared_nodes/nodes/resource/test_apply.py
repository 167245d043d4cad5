"""What the state contains after an apply that failed in one of many ways: no object that may exist gets lost."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from shared_nodes.plan.change import Action
from shared_nodes.plan.events import EventType
from shared_nodes.providers.contract import ApplyRequest, ApplyResponse
from shared_nodes.state.model import ObjectStatus
from shared_nodes.values.types import STRING
from shared_nodes.values.value import string, unknown
from tests.unit.shared_nodes.nodes.block_runner import (
    CREATED_FIRST,
    FAILURE,
    ONE,
    REPLACED,
    TWO,
    BlockRunner,
    apply_text,
    attribute,
    instance,
    refuse_creation,
    with_attribute,
)


@pytest.fixture
def runner(tmp_path: Path) -> BlockRunner:
    return BlockRunner(tmp_path)


class TestCreating:
    def test_creates_and_tells(self, runner: BlockRunner) -> None:
        walk = runner.apply(ONE, runner.plan(ONE))
        found = walk.object()
        assert found is not None
        assert found.status is ObjectStatus.READY
        assert [event.type for event in runner.events] == [EventType.APPLY_START, EventType.APPLY_COMPLETE]
        assert runner.events[1].identifier == attribute(found, "id").payload
        assert walk.actions == {}, "a change that is done is taken out of the plan"

    def test_failure_without_object_leaves_nothing(self, runner: BlockRunner) -> None:
        runner.provider.bend_apply = refuse_creation
        walk = runner.apply(ONE, runner.plan(ONE))
        assert walk.object() is None
        (problem,) = walk.problems
        assert problem.address == "terraform_data.a"
        assert problem.subject is not None
        assert str(problem.subject) == "main.tf:1,31-31"
        assert runner.events[-1].type is EventType.APPLY_ERRORED

    def test_failure_with_object_taints_it(self, runner: BlockRunner) -> None:
        runner.provider.bend_apply = lambda _request, answer: replace(answer, problems=[FAILURE])
        walk = runner.apply(ONE, runner.plan(ONE))
        found = walk.object()
        assert found is not None
        assert found.status is ObjectStatus.TAINTED
        assert runner.plan(ONE).actions == {"terraform_data.a": "delete-create replace_because_tainted"}

    def test_unknown_result_is_stored_as_null(self, runner: BlockRunner) -> None:
        runner.provider.bend_apply = lambda _request, answer: replace(
            answer, value=with_attribute(answer.value, "id", unknown(STRING))
        )
        walk = runner.apply(ONE, runner.plan(ONE))
        assert walk.summaries == ["Provider returned invalid result object after apply"]
        assert "for terraform_data.a.id. All values" in walk.problems[0].detail
        found = walk.object()
        assert found is not None
        assert attribute(found, "id").is_null
        assert found.status is ObjectStatus.TAINTED

    def test_result_that_differs_from_the_plan(self, runner: BlockRunner) -> None:
        runner.provider.bend_apply = lambda _request, answer: replace(
            answer, value=with_attribute(answer.value, "input", string("other"))
        )
        walk = runner.apply(ONE, runner.plan(ONE))
        assert walk.summaries == ["Provider produced inconsistent result after apply"]
        assert 'provider "provider[\\"terraform.io/builtin/terraform\\"]" produced' in walk.problems[0].detail

    def test_nothing_returned(self, runner: BlockRunner) -> None:
        runner.provider.bend_apply = lambda _request, _answer: ApplyResponse(None)
        walk = runner.apply(ONE, runner.plan(ONE))
        assert walk.summaries == ["Provider produced invalid object"]
        assert walk.object() is None


class TestUpdating:
    def test_failure_with_null_keeps_the_old_object(self, runner: BlockRunner) -> None:
        apply_text(runner, ONE)
        runner.provider.bend_apply = refuse_creation
        walk = runner.apply(TWO, runner.plan(TWO))
        found = walk.object()
        assert found is not None
        assert found.status is ObjectStatus.READY
        assert attribute(found, "input") == string("one")

    def test_failure_never_taints(self, runner: BlockRunner) -> None:
        apply_text(runner, ONE)
        runner.provider.bend_apply = lambda _request, answer: replace(answer, problems=[FAILURE])
        found = runner.apply(TWO, runner.plan(TWO)).object()
        assert found is not None
        assert found.status is ObjectStatus.READY
        assert attribute(found, "input") == string("two")

    def test_sensitivity_alone_is_no_business_of_the_provider(self, runner: BlockRunner) -> None:
        apply_text(runner, ONE)
        asked: list[ApplyRequest] = []

        def spy(request: ApplyRequest, answer: ApplyResponse) -> ApplyResponse:
            asked.append(request)
            return answer

        runner.provider.bend_apply = spy
        text = ONE.replace('"one"', 'sensitive("one")')
        plan = runner.plan(text)
        assert plan.change().action is Action.UPDATE
        found = runner.apply(text, plan).object()
        assert asked == []
        assert found is not None
        assert attribute(found, "input").marks
        assert runner.plan(text).change().action is Action.NO_OP


class TestReplacing:
    def test_delete_first(self, runner: BlockRunner) -> None:
        apply_text(runner, ONE)
        runner.events.clear()
        apply_text(runner, REPLACED)
        emitted = [(event.type, event.action) for event in runner.events if event.type is not EventType.REFRESH_START]
        assert emitted[1:] == [
            (EventType.APPLY_START, Action.DELETE),
            (EventType.APPLY_COMPLETE, Action.DELETE),
            (EventType.APPLY_START, Action.CREATE),
            (EventType.APPLY_COMPLETE, Action.CREATE),
        ]

    def test_failed_creation_brings_the_deposed_object_back(self, runner: BlockRunner) -> None:
        apply_text(runner, ONE)
        runner.provider.bend_apply = refuse_creation
        runner.apply(CREATED_FIRST, runner.plan(CREATED_FIRST))
        found = runner.state.instance(instance())
        assert found is not None
        assert found.current is not None
        assert not found.deposed
        assert found.current.status is ObjectStatus.READY

    def test_partial_creation_leaves_both(self, runner: BlockRunner) -> None:
        apply_text(runner, ONE)
        runner.provider.bend_apply = lambda _request, answer: replace(answer, problems=[FAILURE])
        runner.apply(CREATED_FIRST, runner.plan(CREATED_FIRST))
        found = runner.state.instance(instance())
        assert found is not None
        assert found.current is not None
        assert found.current.status is ObjectStatus.TAINTED
        assert list(found.deposed) == ["0ddba11a"]
        runner.provider.bend_apply = lambda _request, answer: answer
        assert runner.plan(CREATED_FIRST).actions == {
            "terraform_data.a": "create-delete replace_because_tainted",
            "terraform_data.a 0ddba11a": "delete",
        }

    def test_failed_precondition_leaves_the_old_object_deposed(self, runner: BlockRunner) -> None:
        """Deposing comes first, and only a failed creation undoes it."""
        apply_text(runner, ONE)
        plan = runner.plan(CREATED_FIRST)
        checked = CREATED_FIRST.replace(
            "lifecycle {", 'lifecycle {\n    precondition {\n condition = path.module == "x"\n error_message = "no"\n }'
        )
        walk = runner.apply(checked, plan)
        assert walk.summaries == ["Resource precondition failed"]
        found = runner.state.instance(instance())
        assert found is not None
        assert found.current is None
        assert list(found.deposed) == ["0ddba11a"]


class TestAgreementWithThePlan:
    def test_other_value_than_planned(self, runner: BlockRunner) -> None:
        walk = runner.apply(TWO, runner.plan(ONE))
        assert walk.summaries == ["Provider produced inconsistent final plan"]
        assert 'provider "terraform.io/builtin/terraform" produced an invalid new value for .input: was' in (
            walk.problems[0].detail
        )
        assert walk.object() is None

    def test_other_action_than_planned(self, runner: BlockRunner) -> None:
        apply_text(runner, ONE)
        walk = runner.apply(REPLACED, runner.plan(TWO))
        assert "changed the planned action from Update to DeleteThenCreate." in walk.problems[0].detail

    def test_update_that_turns_out_unnecessary(self, runner: BlockRunner) -> None:
        apply_text(runner, ONE)
        plan = runner.plan(TWO)
        change = plan.change()
        plan.context.changes.record(replace(change, after=with_attribute(change.after, "input", unknown(STRING))))
        runner.events.clear()
        walk = runner.apply(ONE, plan)
        assert walk.problems == []
        assert runner.events == []


class TestPostconditions:
    def test_failure_does_not_taint(self, runner: BlockRunner) -> None:
        text = ONE.replace(
            "}", '  lifecycle {\n    postcondition {\n condition = self.id == "x"\n error_message = "no"\n }\n }\n}'
        )
        walk = runner.apply(text, runner.plan(text))
        assert walk.summaries == ["Resource postcondition failed"]
        found = walk.object()
        assert found is not None
        assert found.status is ObjectStatus.READY
