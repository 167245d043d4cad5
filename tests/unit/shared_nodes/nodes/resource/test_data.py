"""Data resources: when they are read, and what a failure means."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import trio

from shared_nodes.addresses.module import ROOT_INSTANCE, ModuleInstance
from shared_nodes.addresses.resource import AbsResource, Resource, ResourceMode
from shared_nodes.context.expander import Repetition
from shared_nodes.context.operation import Operation
from shared_nodes.lang.diagnostics import Diagnostic
from shared_nodes.nodes.resource.data import DataApply, DataPlan, apply_data, plan_data
from shared_nodes.plan.change import Action, Changes, ResourceChange
from shared_nodes.plan.events import EventType
from shared_nodes.state.model import ObjectStatus
from shared_nodes.values.types import DYNAMIC
from shared_nodes.values.value import null
from tests.unit.shared_nodes.nodes.block_runner import ADDRESS, CONFIG_ADDRESS, PROVIDER, BlockRunner, Walk, attribute

DATA = Resource(ResourceMode.DATA, "terraform_remote_state", "r")
DATA_ADDRESS = AbsResource(ROOT_INSTANCE, DATA).instance(None)
READ = """data "terraform_remote_state" "r" {
  backend = "local"
  config  = { path = "other.tfstate" }
}
resource "terraform_data" "a" {}
"""
UNKNOWN = READ.replace('"other.tfstate"', "terraform_data.a.id")
ASSERTED = """  assert {
    condition     = true || terraform_data.a.id == ""
    error_message = "no"
  }
"""
CHECKED = f'check "c" {{\n{READ[: READ.index("resource")]}{ASSERTED}}}\n{READ[READ.index("resource") :]}'


@pytest.fixture
def runner(tmp_path: Path) -> BlockRunner:
    outputs = {"x": {"value": "y", "type": "string"}}
    state = {"version": 4, "terraform_version": "1.11.4", "serial": 1, "lineage": "l", "outputs": outputs}
    (tmp_path / "other.tfstate").write_text(json.dumps({**state, "resources": []}))
    return BlockRunner(tmp_path)


def make_data_plan(walk: Walk) -> DataPlan:
    block = walk.context.config.module.resources[DATA]
    return DataPlan(DATA_ADDRESS, walk.context.config, block, PROVIDER, Repetition.single())


def walk_plan(runner: BlockRunner, text: str, *pending: ResourceChange, **options: Any) -> Walk:
    given = {name: options.pop(name) for name in ("waits_for", "dependencies") if name in options}
    walk = Walk(runner.context(text, Operation.PLAN, **options))
    for change in pending:
        walk.context.changes.record(change)

    async def work() -> list[Diagnostic]:
        return await plan_data(walk.context, replace(make_data_plan(walk), **given))

    walk.problems += trio.run(work)
    return walk


def change_in(module: ModuleInstance, action: Action = Action.UPDATE) -> ResourceChange:
    address = AbsResource(module, ADDRESS.resource).instance(None)
    return ResourceChange(address, address, PROVIDER, action, null(DYNAMIC), null(DYNAMIC))


def test_read_at_once(runner: BlockRunner) -> None:
    walk = walk_plan(runner, READ)
    assert walk.problems == []
    assert walk.actions == {}
    found = walk.context.working.current(DATA_ADDRESS)
    assert found is not None
    assert found.status is ObjectStatus.READY
    assert attribute(found, "outputs").payload["x"].payload == "y"
    assert [(event.type, event.action) for event in runner.events] == [
        (EventType.APPLY_START, Action.READ),
        (EventType.APPLY_COMPLETE, Action.READ),
    ]


def test_unknown_configuration_waits(runner: BlockRunner) -> None:
    walk = walk_plan(runner, UNKNOWN)
    assert walk.actions == {"data.terraform_remote_state.r": "read read_because_config_unknown"}
    change = walk.context.changes.of(DATA_ADDRESS)
    assert change is not None
    assert change.before.is_null
    assert change.after.payload["backend"].payload == "local"
    assert not change.after.payload["outputs"].is_known
    found = walk.context.refreshed.current(DATA_ADDRESS)
    assert found is not None
    assert found.status is ObjectStatus.PLANNED


@pytest.mark.parametrize(
    ("change", "waits"),
    [
        (change_in(ROOT_INSTANCE), True),
        (change_in(ROOT_INSTANCE, Action.NO_OP), False),
        (replace(change_in(ROOT_INSTANCE, Action.DELETE), deposed="00000001"), False),
    ],
)
def test_pending_dependency_waits(runner: BlockRunner, change: ResourceChange, waits: bool) -> None:
    walk = walk_plan(runner, READ, change, waits_for=(CONFIG_ADDRESS,))
    reason = "read read_because_dependency_pending"
    assert walk.actions.get("data.terraform_remote_state.r") == (reason if waits else None)


def test_indirect_dependencies_matter_only_with_conditions(runner: BlockRunner) -> None:
    rule = 'lifecycle {\n    postcondition {\n condition = self.backend != ""\n error_message = "no"\n }\n  }\n}'
    pending = change_in(ROOT_INSTANCE)
    assert (
        "data.terraform_remote_state.r" not in walk_plan(runner, READ, pending, dependencies=(CONFIG_ADDRESS,)).actions
    )
    text = READ.replace("}\nresource", f"  {rule}\nresource", 1)
    assert "data.terraform_remote_state.r" in walk_plan(runner, text, pending, dependencies=(CONFIG_ADDRESS,)).actions


def test_refresh_only_defers_without_a_change(runner: BlockRunner) -> None:
    walk = walk_plan(runner, UNKNOWN, refresh_only=True)
    assert walk.actions == {}
    assert walk.context.working.current(DATA_ADDRESS) is None


def test_failure_has_a_beginning_and_no_end(runner: BlockRunner) -> None:
    walk = walk_plan(runner, READ.replace("other", "missing"))
    assert walk.summaries == ["Unable to find remote state"]
    assert walk.problems[0].address == "data.terraform_remote_state.r"
    assert [event.type for event in runner.events] == [EventType.APPLY_START]
    assert walk.context.working.current(DATA_ADDRESS) is None


def test_read_during_apply(runner: BlockRunner) -> None:
    plan = walk_plan(runner, READ, change_in(ROOT_INSTANCE), waits_for=(CONFIG_ADDRESS,))
    walk = Walk(runner.context(READ, Operation.APPLY))
    walk.context.changes = Changes(dict(plan.context.changes.resources))

    async def work() -> list[Diagnostic]:
        plan = make_data_plan(walk)
        return await apply_data(
            walk.context, DataApply(plan.address, plan.node, plan.block, plan.provider, plan.repetition)
        )

    assert trio.run(work) == []
    found = walk.context.working.current(DATA_ADDRESS)
    assert found is not None
    assert found.status is ObjectStatus.READY
    assert walk.context.changes.of(DATA_ADDRESS) is None


class TestInCheckBlocks:
    def test_is_read_again_during_apply(self, runner: BlockRunner) -> None:
        walk = walk_plan(runner, CHECKED)
        assert walk.problems == []
        assert walk.actions == {"data.terraform_remote_state.r": "read read_because_check_nested"}
        found = walk.context.working.current(DATA_ADDRESS)
        assert found is not None
        assert found.status is ObjectStatus.READY

    def test_failure_is_a_warning_and_unknown(self, runner: BlockRunner) -> None:
        walk = walk_plan(runner, CHECKED.replace("other", "missing"))
        assert [(problem.severity, problem.summary) for problem in walk.problems] == [
            ("warning", "Unable to find remote state")
        ]
        change = walk.context.changes.of(DATA_ADDRESS)
        assert change is not None
        assert not change.after.payload["outputs"].is_known
