"""Ephemeral resources: opened with known configuration, visible to expressions, closed, and never stored."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
import trio

from shared_nodes.addresses.module import ROOT_INSTANCE
from shared_nodes.addresses.provider import BUILTIN
from shared_nodes.addresses.resource import AbsResource, Resource, ResourceMode
from shared_nodes.context.expander import Repetition
from shared_nodes.context.node_context import NodeContext
from shared_nodes.context.operation import Operation
from shared_nodes.lang.diagnostics import Diagnostic
from shared_nodes.nodes.resource.ephemeral import EphemeralOpen, close_ephemeral, open_ephemeral
from shared_nodes.plan.events import EventType
from shared_nodes.providers.contract import OpenedEphemeral
from shared_nodes.providers.schema import ResourceSchema, SchemaAttribute, SchemaBlock
from shared_nodes.values.marks import EPHEMERAL, SENSITIVE
from shared_nodes.values.types import STRING
from shared_nodes.values.value import Value, object_of, string
from tests.unit.shared_nodes.nodes.block_runner import FAILURE, PROVIDER, BlockRunner, FaultyProvider

SECRET = Resource(ResourceMode.EPHEMERAL, "terraform_secret", "s")
ADDRESS = AbsResource(ROOT_INSTANCE, SECRET).instance(None)
BLOCK = SchemaBlock(
    {"name": SchemaAttribute(STRING, required=True), "token": SchemaAttribute(STRING, computed=True, sensitive=True)}
)
TEXT = 'ephemeral "terraform_secret" "s" {\n  name = "n"\n}\nresource "terraform_data" "a" {}\n'


class Vault(FaultyProvider):
    """A provider with one secret."""

    problems: Sequence[Diagnostic] = ()
    closed: tuple[bytes, ...] = ()

    async def validate_ephemeral_config(self, type_name: str, config: Value) -> Sequence[Diagnostic]:
        assert (type_name, config.deep_marks()) == (SECRET.type, frozenset())
        return []

    async def open_ephemeral(self, type_name: str, config: Value) -> OpenedEphemeral:
        assert type_name == SECRET.type
        value = object_of({"name": config.payload["name"], "token": string("t")})
        return OpenedEphemeral(value, b"lease", self.problems)

    async def close_ephemeral(self, type_name: str, private: bytes) -> Sequence[Diagnostic]:
        assert type_name == SECRET.type
        self.closed = (*self.closed, private)
        return []


@pytest.fixture
def runner(tmp_path: Path) -> BlockRunner:
    runner = BlockRunner(tmp_path)
    runner.provider = Vault(runner.world)
    return runner


def opened(runner: BlockRunner, text: str = TEXT) -> tuple[NodeContext, list[Diagnostic]]:
    context = runner.context(text, Operation.PLAN)
    offered = runner.provider.schema
    context.schemas = {BUILTIN: replace(offered, ephemeral={SECRET.type: ResourceSchema(BLOCK)})}
    block = context.config.module.resources[SECRET]

    async def work() -> list[Diagnostic]:
        request = EphemeralOpen(ADDRESS, context.config, block, PROVIDER, Repetition.single())
        return await open_ephemeral(context, request)

    return context, trio.run(work)


def close(context: NodeContext) -> list[Diagnostic]:
    async def work() -> list[Diagnostic]:
        return await close_ephemeral(context, ADDRESS)

    return trio.run(work)


def test_opened_seen_and_closed(runner: BlockRunner) -> None:
    context, problems = opened(runner)
    assert problems == []
    value = context.scope(ROOT_INSTANCE).names.resource(SECRET)
    assert value.marks == {EPHEMERAL}
    assert value.payload["token"].marks == {SENSITIVE}
    assert close(context) == []
    assert isinstance(runner.provider, Vault)
    assert runner.provider.closed == (b"lease",)
    assert context.working.current(ADDRESS) is None
    start, end = EventType.EPHEMERAL_START, EventType.EPHEMERAL_COMPLETE
    assert [event.type for event in runner.events] == [start, end, start, end]


def test_unknown_configuration_opens_nothing(runner: BlockRunner) -> None:
    context, problems = opened(runner, TEXT.replace('"n"', "terraform_data.a.id"))
    assert problems == []
    assert not context.scope(ROOT_INSTANCE).names.resource(SECRET).is_known
    assert close(context) == []
    assert runner.events == []


def test_failure(runner: BlockRunner) -> None:
    assert isinstance(runner.provider, Vault)
    runner.provider.problems = [FAILURE]
    context, problems = opened(runner)
    assert [problem.address for problem in problems] == ["ephemeral.terraform_secret.s"]
    assert context.working.current(ADDRESS) is None
    assert runner.events[-1].type is EventType.EPHEMERAL_ERRORED
