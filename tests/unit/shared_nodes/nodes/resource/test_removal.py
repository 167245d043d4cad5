"""`destroy = false`: objects that are forgotten where they would be destroyed."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared_nodes.flavour import OPENTOFU_1_12, TERRAFORM_1_11
from shared_nodes.nodes.resource.removal import decide_removal
from shared_nodes.nodes.statements.removed import all_forgotten_warning
from shared_nodes.plan.change import ActionReason
from shared_nodes.plan.events import EventType
from shared_nodes.state.model import InstanceObject, ObjectStatus
from tests.unit.shared_nodes.nodes.block_runner import (
    ONE,
    REPLACED,
    BlockRunner,
    apply_text,
    instance,
    lifecycle,
)

KEPT = lifecycle(ONE, "destroy = false")


@pytest.fixture
def runner(tmp_path: Path) -> BlockRunner:
    return BlockRunner(tmp_path, flavour=OPENTOFU_1_12)


@given(was_kept=st.booleans(), removed_destroys=st.none() | st.booleans())
def test_a_removed_block_decides_and_else_the_record(was_kept: bool, removed_destroys: bool | None) -> None:
    stored = InstanceObject(ObjectStatus.READY, skip_destroy=was_kept)
    removal, problems = decide_removal(None, stored, removed_destroys)
    assert problems == []
    assert removal.forgets is (was_kept if removed_destroys is None else not removed_destroys)
    assert (removal.reason is ActionReason.FORGOT_BY_STATE) is (removal.forgets and was_kept)


def test_the_state_records_it_without_any_change(runner: BlockRunner) -> None:
    apply_text(runner, ONE)
    plan = runner.plan(KEPT)
    assert plan.actions == {"terraform_data.a": "no-op"}
    kept = plan.context.refreshed.current(instance())
    assert kept is not None
    assert kept.skip_destroy


@pytest.mark.parametrize(
    ("after", "reason"),
    [
        ("", "forgot_because_lifecycle_destroy_in_state"),
        (lifecycle(ONE, "destroy = false\n    enabled = false"), "forgot_because_lifecycle_destroy_in_config"),
        (lifecycle(ONE, "destroy = true\n    enabled = false"), "forgot_because_lifecycle_destroy_in_state"),
    ],
)
def test_reasons(runner: BlockRunner, after: str, reason: str) -> None:
    apply_text(runner, KEPT)
    plan = runner.plan(after)
    assert plan.actions == {"terraform_data.a": f"forget {reason}"}
    assert plan.summaries == ["Resource will be removed from the state"]


def test_everything_destroyed_has_no_warning(runner: BlockRunner) -> None:
    apply_text(runner, KEPT)
    plan = runner.plan_destroy(KEPT)
    assert plan.actions == {"terraform_data.a": "forget forgot_because_lifecycle_destroy_in_config"}
    assert plan.problems == []


@pytest.mark.parametrize("further", ["", "create_before_destroy = true"])
def test_a_replacement_forgets_and_creates_in_any_order(runner: BlockRunner, further: str) -> None:
    apply_text(runner, KEPT)
    plan = runner.plan(lifecycle(REPLACED, f"destroy = false\n    {further}"))
    assert plan.actions == {"terraform_data.a": "forget-create replace_because_cannot_update"}


@pytest.mark.parametrize("value", ["var.x", '"false"', "null", "0", "tobool(false)"])
def test_only_a_constant_is_accepted_when_it_is_needed(runner: BlockRunner, value: str) -> None:
    text = f'variable "x" {{\n  default = false\n}}\n{lifecycle(ONE, f"destroy = {value}")}'
    [problem] = runner.plan(text).problems
    assert problem.summary == "Invalid lifecycle destroy expression"
    assert problem.subject is not None
    assert problem.subject.text == value


def test_it_is_read_before_its_removal_is_planned(runner: BlockRunner) -> None:
    apply_text(runner, KEPT)
    runner.events.clear()
    runner.plan("")
    assert [event.type for event in runner.events] == [EventType.REFRESH_START, EventType.REFRESH_COMPLETE]


def test_one_warning_lists_all_where_each_has_none() -> None:
    assert not all_forgotten_warning([], TERRAFORM_1_11)
    assert not all_forgotten_warning([instance()], OPENTOFU_1_12)
    [problem] = all_forgotten_warning([instance(0), instance()], TERRAFORM_1_11)
    assert "not delete them:\n - terraform_data.a[0]\n - terraform_data.a\n\nAfter applying" in problem.detail
