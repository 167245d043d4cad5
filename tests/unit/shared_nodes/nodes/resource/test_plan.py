"""Which change is planned for a managed object, and what each of the three states contains afterwards."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from shared_nodes.addresses.module import ROOT_PATH
from shared_nodes.addresses.resource import ConfigResource, Resource, ResourceMode
from shared_nodes.plan.change import Action
from shared_nodes.plan.events import EventType
from shared_nodes.providers.contract import PlanResponse, ReadObject
from shared_nodes.state.model import ObjectStatus
from shared_nodes.values.value import null, string
from tests.unit.shared_nodes.nodes.block_runner import (
    FAILURE,
    ONE,
    PROVIDER,
    REPLACED,
    TWO,
    BlockRunner,
    apply_text,
    attribute,
    instance,
    lifecycle,
    with_attribute,
)

OTHER = ConfigResource(ROOT_PATH, Resource(ResourceMode.MANAGED, "terraform_data", "other"))


@pytest.fixture
def runner(tmp_path: Path) -> BlockRunner:
    return BlockRunner(tmp_path)


class TestActions:
    def test_create(self, runner: BlockRunner) -> None:
        plan = runner.plan(ONE)
        assert plan.actions == {"terraform_data.a": "create"}
        planned = plan.object()
        assert planned is not None
        assert planned.status is ObjectStatus.PLANNED

    @pytest.mark.parametrize(
        ("text", "action"),
        [
            (ONE, "no-op"),
            (TWO, "update"),
            (REPLACED, "delete-create replace_because_cannot_update"),
            (lifecycle(REPLACED, "create_before_destroy = true"), "create-delete replace_because_cannot_update"),
            (lifecycle(TWO, "ignore_changes = [input]"), "no-op"),
            (lifecycle(TWO, "ignore_changes = all"), "no-op"),
        ],
    )
    def test_of_an_existing_object(self, runner: BlockRunner, text: str, action: str) -> None:
        apply_text(runner, ONE)
        assert runner.plan(text).actions == {"terraform_data.a": action}

    def test_forced_replacement_uses_the_configuration_although_ignored(self, runner: BlockRunner) -> None:
        apply_text(runner, ONE)
        text = lifecycle(TWO, "ignore_changes = [input]")
        plan = runner.plan(text, force_replace=frozenset([instance()]))
        assert plan.actions == {"terraform_data.a": "delete-create replace_by_request"}
        assert plan.change().after.payload["input"] == string("two")

    def test_tainted_wins_over_forced(self, runner: BlockRunner) -> None:
        apply_text(runner, ONE)
        found = runner.state.current(instance())
        assert found is not None
        runner.state.put(instance(), PROVIDER, replace(found, status=ObjectStatus.TAINTED))
        plan = runner.plan(ONE, force_replace=frozenset([instance()]))
        assert plan.actions == {"terraform_data.a": "delete-create replace_because_tainted"}
        assert plan.change().before == found.value

    def test_prevent_destroy_still_shows_the_change(self, runner: BlockRunner) -> None:
        apply_text(runner, ONE)
        plan = runner.plan(lifecycle(REPLACED, "prevent_destroy = true"))
        assert plan.summaries == ["Instance cannot be destroyed"]
        assert plan.change().action is Action.DELETE_THEN_CREATE

    def test_failed_precondition_plans_nothing(self, runner: BlockRunner) -> None:
        rule = 'precondition {\n condition = path.module == "x"\n error_message = "no"\n }'
        plan = runner.plan(lifecycle(ONE, rule))
        assert plan.summaries == ["Resource precondition failed"]
        assert plan.actions == {}

    def test_failed_postcondition_is_told_after_the_change(self, runner: BlockRunner) -> None:
        rule = 'postcondition {\n condition = self.input == "x"\n error_message = "no"\n }'
        plan = runner.plan(lifecycle(ONE, rule))
        assert plan.summaries == ["Resource postcondition failed"]
        assert plan.actions == {"terraform_data.a": "create"}

    def test_before_a_destroy_conditions_only_warn(self, runner: BlockRunner) -> None:
        rule = 'precondition {\n condition = path.module == "x"\n error_message = "no"\n }'
        plan = runner.plan(lifecycle(ONE, rule), pre_destroy_refresh=True)
        assert [problem.severity for problem in plan.problems] == ["warning"]
        assert plan.actions == {"terraform_data.a": "create"}


class TestSelfReference:
    def test_without_key_it_is_told_twice(self, runner: BlockRunner) -> None:
        plan = runner.plan('resource "terraform_data" "a" {\n  input = terraform_data.a.id\n}\n')
        assert [problem.detail for problem in plan.problems] == [
            "Configuration for terraform_data.a may not refer to itself."
        ] * 2

    def test_with_a_key_the_instance_is_named(self, runner: BlockRunner) -> None:
        plan = runner.plan('resource "terraform_data" "a" {\n  count = 1\n  input = terraform_data.a[0].id\n}\n')
        assert [problem.detail for problem in plan.problems] == [
            "Configuration for terraform_data.a[0] may not refer to itself."
        ]


class TestRefreshing:
    def test_drift_is_found(self, runner: BlockRunner) -> None:
        apply_text(runner, ONE)
        runner.provider.bend_read = lambda current: ReadObject(with_attribute(current, "input", string("drifted")))
        plan = runner.plan(ONE)
        assert plan.actions == {"terraform_data.a": "update"}
        before, found = (state.current(instance()) for state in (plan.context.previous, plan.context.refreshed))
        assert before is not None
        assert found is not None
        assert attribute(before, "input") == string("one")
        assert attribute(found, "input") == string("drifted")
        assert [event.type for event in runner.events[-2:]] == [EventType.REFRESH_START, EventType.REFRESH_COMPLETE]

    def test_what_is_gone_is_created_again(self, runner: BlockRunner) -> None:
        apply_text(runner, ONE)
        runner.provider.bend_read = lambda current: ReadObject(null(current.type))
        plan = runner.plan(ONE)
        assert plan.actions == {"terraform_data.a": "create"}
        assert plan.context.refreshed.current(instance()) is None

    def test_failing_read_plans_nothing(self, runner: BlockRunner) -> None:
        apply_text(runner, ONE)
        runner.provider.bend_read = lambda current: ReadObject(current, problems=[FAILURE])
        plan = runner.plan(ONE)
        assert plan.summaries == ["Failed"]
        assert plan.actions == {}
        assert plan.problems[0].address == "terraform_data.a"

    def test_refresh_only_records_no_change(self, runner: BlockRunner) -> None:
        apply_text(runner, ONE)
        runner.provider.bend_read = lambda current: ReadObject(with_attribute(current, "input", string("drifted")))
        plan = runner.plan(TWO, refresh_only=True)
        assert plan.actions == {}
        found = plan.object()
        assert found is not None
        assert attribute(found, "input") == string("drifted")

    def test_without_refreshing_nothing_is_read(self, runner: BlockRunner) -> None:
        apply_text(runner, ONE)
        runner.events.clear()
        assert runner.plan(ONE, refresh=False).actions == {"terraform_data.a": "no-op"}
        assert runner.events == []

    def test_marks_survive_reading(self, runner: BlockRunner) -> None:
        text = ONE.replace('"one"', 'sensitive("one")')
        apply_text(runner, text)
        plan = runner.plan(text)
        assert plan.actions == {"terraform_data.a": "no-op"}


class TestDependencies:
    def test_are_merged_until_applied(self, runner: BlockRunner) -> None:
        apply_text(runner, ONE)
        plan = runner.plan(TWO, dependencies=(OTHER,))
        found = plan.context.refreshed.current(instance())
        assert found is not None
        assert found.dependencies == (OTHER,)
        runner.apply(TWO, plan, dependencies=[OTHER])
        found = runner.plan(ONE, dependencies=()).context.refreshed.current(instance())
        assert found is not None
        assert found.dependencies == (OTHER,)

    def test_are_settled_when_nothing_changes(self, runner: BlockRunner) -> None:
        plan = runner.plan(ONE, dependencies=(OTHER,))
        runner.apply(ONE, plan, dependencies=[OTHER])
        found = runner.plan(ONE, dependencies=()).context.refreshed.current(instance())
        assert found is not None
        assert found.dependencies == ()

    def test_create_before_destroy_is_noted_at_once(self, runner: BlockRunner) -> None:
        apply_text(runner, ONE)
        text = lifecycle(ONE, "create_before_destroy = true")
        for refresh in (True, False):
            found = runner.plan(text, refresh=refresh).context.refreshed.current(instance())
            assert found is not None
            assert found.create_before_destroy


class TestBadPlans:
    def test_configured_value_must_be_kept(self, runner: BlockRunner) -> None:
        runner.provider.bend_plan = lambda _request, answer: replace(
            answer, value=with_attribute(answer.value, "input", string("invented"))
        )
        plan = runner.plan(ONE)
        assert plan.summaries == ["Provider produced invalid plan"]
        start = 'Provider "terraform.io/builtin/terraform" planned an invalid value for terraform_data.a.input: planned'
        assert plan.problems[0].detail.startswith(start)

    def test_forgiven_to_old_providers(self, runner: BlockRunner) -> None:
        runner.provider.bend_plan = lambda _request, answer: replace(
            answer, value=with_attribute(answer.value, "input", string("invented")), legacy_types=True
        )
        assert runner.plan(ONE).actions == {"terraform_data.a": "create"}

    def test_error_of_the_provider(self, runner: BlockRunner) -> None:
        runner.provider.bend_plan = lambda request, _answer: PlanResponse(request.proposed, problems=[FAILURE])
        plan = runner.plan(ONE)
        assert plan.summaries == ["Failed"]
        assert plan.actions == {}


class TestImporting:
    def test_takes_over_and_updates(self, runner: BlockRunner) -> None:
        plan = runner.plan(ONE, import_key="thing")
        assert plan.actions == {"terraform_data.a": "update"}
        assert plan.change().importing == "thing"
        assert plan.change().before.payload["id"] == string("thing")

    def test_what_is_in_the_state_is_not_imported(self, runner: BlockRunner) -> None:
        apply_text(runner, ONE)
        plan = runner.plan(ONE, import_key="thing")
        assert plan.actions == {"terraform_data.a": "no-op"}
        assert plan.change().importing is None

    def test_nothing_there(self, runner: BlockRunner) -> None:
        runner.provider.bend_read = lambda current: ReadObject(null(current.type))
        plan = runner.plan(ONE, import_key="thing")
        assert plan.summaries == ["Cannot import non-existent remote object"]

    def test_problems_of_reading_know_no_place(self, runner: BlockRunner) -> None:
        runner.provider.bend_read = lambda current: ReadObject(current, problems=[FAILURE])
        plan = runner.plan(ONE, import_key="thing")
        assert [(problem.address, problem.subject) for problem in plan.problems] == [(None, None)]
        assert plan.context.previous.current(instance()) is not None, "so that it shows as gone"
        assert plan.context.refreshed.current(instance()) is None
