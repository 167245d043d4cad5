"""Stored objects and the current schema."""

from __future__ import annotations

from pathlib import Path

import pytest

from shared_nodes.nodes.resource.upgrade import without_removed_attributes
from shared_nodes.state.model import InstanceObject, ObjectStatus
from shared_nodes.values.json import loads
from shared_nodes.values.paths import AttributeStep
from shared_nodes.values.types import STRING, ListType, MapType, ObjectType
from tests.unit.shared_nodes.nodes.block_runner import PROVIDER, BlockRunner, instance

PLAIN = 'resource "terraform_data" "a" {}\n'


@pytest.fixture
def runner(tmp_path: Path) -> BlockRunner:
    return BlockRunner(tmp_path)


def stored(text: str, version: int = 0) -> InstanceObject:
    sensitive = ((AttributeStep("id"),),)
    return InstanceObject(ObjectStatus.READY, stored=loads(text), stored_version=version, stored_sensitive=sensitive)


def test_unknown_attributes_go_and_missing_ones_are_null(runner: BlockRunner) -> None:
    runner.state.put(instance(), PROVIDER, stored('{"id": "x", "former": 1}'))
    plan = runner.plan(PLAIN)
    assert plan.problems == []
    found = plan.context.previous.current(instance())
    assert found is not None
    assert found.value is not None
    assert found.value.payload["id"].payload == "x"
    assert found.value.payload["id"].marks
    assert found.value.payload["input"].is_null


def test_newer_version(runner: BlockRunner) -> None:
    runner.state.put(instance(), PROVIDER, stored('{"id": "x"}', version=7))
    (problem,) = runner.plan(PLAIN).problems
    assert problem.summary == "Resource instance managed by newer provider version"
    assert problem.detail == (
        "The current state of terraform_data.a was created by a newer provider version than is currently selected. "
        "Upgrade the terraform provider to work with this state."
    )


def test_attributes_are_dropped_at_every_depth() -> None:
    inner = ObjectType({"kept": STRING})
    wanted = ObjectType({"list": ListType(inner), "map": MapType(inner)})
    given = loads('{"list": [{"kept": "a", "gone": 1}], "map": {"gone": {"kept": "b", "gone": 2}}, "gone": 3}')
    assert without_removed_attributes(given, wanted) == loads(
        '{"list": [{"kept": "a"}], "map": {"gone": {"kept": "b"}}}'
    )
