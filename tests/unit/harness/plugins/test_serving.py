"""Simulated providers behind a connection: answers, failures and instances are those of the provider in process."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar

import pytest
import trio

pytest.importorskip("h2")

from google.protobuf.message import Message

from harness.case.case import Case, read_case
from harness.engines.external import find_binary
from harness.engines.registry import EngineNotFoundError
from harness.engines.simulated_providers import simulated_providers
from harness.play.case_runner import prepare_runner
from harness.play.schedule import Schedule
from harness.plugins.serving.background import serve_in_background
from harness.plugins.serving.calls import ANSWERS, ServedProvider
from harness.plugins.serving.reattach import REATTACH
from harness.plugins.wire import protocol_pb2 as pb
from harness.plugins.wire.address import Address
from harness.plugins.wire.methods import CALLS, SHUTDOWN, Major, method_path, response_type
from harness.plugins.wire.rpc_client import Channel, open_channel
from harness.plugins.wire.schemas import identity_schemas_from_message, provider_schema_from_message
from harness.plugins.wire.status import RpcError, Status
from harness.plugins.wire.values import value_from_message, value_message
from harness.record.recording import recorded_by
from harness.simulation.simcloud.faults import Fault, FaultKind, Phase, Verb
from harness.simulation.simcloud.sim import SIM, SimProvider
from harness.simulation.simcloud.simcloud import SIMCLOUD, SIMCLOUD_SCHEMA
from harness.simulation.simcloud.simulation import Simulation
from harness.simulation.simcloud.thing import SIM_SCHEMA, THING, thing_from_json
from shared_nodes.flavour import FLAVOURS
from shared_nodes.providers.schema import implied_type
from shared_nodes.values.json import dumps
from shared_nodes.values.types import STRING
from shared_nodes.values.value import Value, null, object_of, string, unknown
from shared_nodes.world import Files, World

_Result = TypeVar("_Result")
_THING = implied_type(THING)


def _maker(simulation: Simulation, source: Any = SIM) -> Callable[[], ServedProvider]:
    factory = simulated_providers(simulation).factory(World(Files(Path("/"))), FLAVOURS["terraform-1.11"])

    def make() -> ServedProvider:
        provider = factory(source)
        assert provider is not None
        return ServedProvider(provider)

    return make


def _asking(
    tmp_path: Path, simulation: Simulation, ask: Callable[[Channel], Awaitable[_Result]], source: Any = SIM
) -> _Result:
    """Serve a provider in the background, and ask it over one connection."""
    with serve_in_background({source: _maker(simulation, source)}, tmp_path) as variables:
        entry = json.loads(variables[REATTACH])[str(source)]

        async def scenario() -> _Result:
            with trio.fail_after(30):
                async with open_channel(Address(entry["Addr"]["Network"], entry["Addr"]["String"])) as channel:
                    return await ask(channel)

        return trio.run(scenario)


async def _call(channel: Channel, call: str, request: Message) -> Any:
    answer = await channel.call(method_path(call, Major.SIX), request.SerializeToString())
    return response_type(call, Major.SIX).FromString(answer)


def _creation(name: str) -> pb.ApplyResourceChangeRequest:
    planned = thing_from_json({"name": name})
    return pb.ApplyResourceChangeRequest(
        type_name="sim_thing",
        prior_state=value_message(null(_THING), _THING),
        planned_state=value_message(planned, _THING),
        config=value_message(planned, _THING),
    )


def _thing(message: pb.DynamicValue) -> Value:
    return value_from_message(message, _THING)


@pytest.mark.parametrize(("source", "schema"), [(SIM, SIM_SCHEMA), (SIMCLOUD, SIMCLOUD_SCHEMA)])
def test_the_schema_arrives_as_it_is(tmp_path: Path, source: Any, schema: Any) -> None:
    async def ask(channel: Channel) -> tuple[Any, Any]:
        identities = await _call(channel, "GetResourceIdentitySchemas", pb.GetResourceIdentitySchemasRequest())
        return await _call(channel, "GetProviderSchema", pb.GetProviderSchemaRequest()), identities

    message, identities = _asking(tmp_path, Simulation(), ask, source)
    assert identity_schemas_from_message(provider_schema_from_message(message), identities) == schema
    assert message.server_capabilities.get_provider_schema_optional


@pytest.mark.parametrize(("source", "schema"), [(SIM, SIM_SCHEMA), (SIMCLOUD, SIMCLOUD_SCHEMA)])
def test_a_provider_can_be_configured_with_nothing_that_is_known(tmp_path: Path, source: Any, schema: Any) -> None:
    """OpenTofu's new runtime does that with a configuration that is invalid. The harness once crashed then."""
    ty = implied_type(schema.provider)
    config = value_message(unknown(ty), ty)

    async def ask(channel: Channel) -> Any:
        return await _call(channel, "ConfigureProvider", pb.ConfigureProviderRequest(config=config))

    assert not _asking(tmp_path, Simulation(), ask, source).diagnostics


def test_a_call_works_in_the_cloud_of_the_harness_and_is_recorded(tmp_path: Path) -> None:
    simulation = Simulation()
    simulation.phase = Phase.APPLY

    async def ask(channel: Channel) -> Value:
        return _thing((await _call(channel, "ApplyResourceChange", _creation("x"))).new_state)

    made = _asking(tmp_path, simulation, ask)
    assert made == simulation.cloud.find("x-1")
    assert simulation.record.summary(Phase.APPLY) == {"items": [["apply-create", "sim_thing", "x"]]}


def test_a_failure_is_a_diagnostic_and_a_crash_is_no_answer_from_then_on(tmp_path: Path) -> None:
    simulation = Simulation()
    simulation.begin_step(
        [Fault(0, "a", FaultKind.ERROR, Verb.CREATE), Fault(0, "b", FaultKind.CRASH_AFTER, Verb.CREATE)]
    )

    async def ask(channel: Channel) -> tuple[list[str], list[Status]]:
        failed = await _call(channel, "ApplyResourceChange", _creation("a"))
        assert _thing(failed.new_state).is_null
        statuses: list[Status] = []
        for name in ("b", "c"):
            with pytest.raises(RpcError) as caught:
                await _call(channel, "ApplyResourceChange", _creation(name))
            statuses.append(caught.value.status)
        return [one.summary for one in failed.diagnostics], statuses

    assert _asking(tmp_path, simulation, ask) == (["Create failed"], [Status.UNAVAILABLE, Status.UNAVAILABLE])
    assert list(simulation.cloud.things) == ["b-1"]


def test_functions_are_called_and_fail_at_their_argument(tmp_path: Path) -> None:
    async def ask(channel: Channel) -> tuple[Value, int, str]:
        joined = pb.CallFunctionRequest(
            name="joined", arguments=[value_message(string(part), STRING) for part in ("a", "b")]
        )
        number = pb.DynamicValue(msgpack=b"\x00")
        wrong = pb.CallFunctionRequest(name="identifier", arguments=[value_message(string("a"), STRING), number])
        answer = await _call(channel, "CallFunction", joined)
        failure = (await _call(channel, "CallFunction", wrong)).error
        return value_from_message(answer.result, STRING), failure.function_argument, failure.text

    result = _asking(tmp_path, Simulation(), ask, SIMCLOUD)
    assert result == (string("a-b"), 1, "creates are counted from 1")


def test_every_call_is_answered_or_known_to_be_left_out() -> None:
    assert {*CALLS} - {*ANSWERS} == {"GetMetadata"}


def test_services_of_every_plugin_are_answered(tmp_path: Path) -> None:
    async def ask(channel: Channel) -> tuple[bytes, bytes, Status]:
        healthy = await channel.call("/grpc.health.v1.Health/Check", b"")
        stayed = await channel.call(SHUTDOWN, b"")
        with pytest.raises(RpcError) as caught:
            await channel.call("/plugin.GRPCStdio/StreamStdio", b"")
        return healthy, stayed, caught.value.status

    assert _asking(tmp_path, Simulation(), ask) == (b"\x08\x01", b"", Status.UNIMPLEMENTED)


def test_bytes_that_are_no_request_are_refused(tmp_path: Path) -> None:
    async def ask(channel: Channel) -> list[Status]:
        statuses: list[Status] = []
        wrong = pb.ReadResourceRequest(type_name="sim_thing", current_state=pb.DynamicValue(msgpack=b"\x01"))
        for data in (b"\xff\xff", wrong.SerializeToString()):
            with pytest.raises(RpcError) as caught:
                await channel.call(method_path("ReadResource", Major.SIX), data)
            statuses.append(caught.value.status)
        return statuses

    assert _asking(tmp_path, Simulation(), ask) == [Status.INVALID_ARGUMENT] * 2


def test_a_mistake_of_ours_is_raised_where_the_binary_was_run(tmp_path: Path) -> None:
    """The binary sees a failed call; the harness must not take that for the outcome of the case."""
    request = pb.ReadResourceRequest(type_name="no_such_type")

    async def ask(channel: Channel) -> None:
        with pytest.raises(RpcError):
            await _call(channel, "ReadResource", request)

    with pytest.raises(KeyError, match="no_such_type"):
        _asking(tmp_path, Simulation(), ask)


def test_a_lookup_by_an_unknown_name_has_no_answer(tmp_path: Path) -> None:
    """The new runtime of OpenTofu asks that early. It gets the failure that its recordings have."""
    lookup = implied_type(SIM_SCHEMA.data["sim_lookup"].block)
    config = object_of({"name": unknown(STRING), "result": null(STRING)})

    request = pb.ReadDataSourceRequest(type_name="sim_lookup", config=value_message(config, lookup))

    async def ask(channel: Channel) -> RpcError:
        with pytest.raises(RpcError) as failure:
            await _call(channel, "ReadDataSource", request)
        return failure.value

    failure = _asking(tmp_path, Simulation(), ask)
    assert failure.status is Status.UNKNOWN
    assert failure.message == 'TypeError: can only concatenate str (not "Unknown") to str'


@pytest.mark.parametrize("source", [SIM, SIMCLOUD])
def test_objects_of_states_before_version_4_are_refused(tmp_path: Path, source: Any) -> None:
    request = pb.UpgradeResourceStateRequest(
        type_name="sim_thing" if source is SIM else "simcloud_updated",
        raw_state=pb.RawState(flatmap={"id": "a-1", "name": "a"}),
    )

    async def ask(channel: Channel) -> Any:
        return await _call(channel, "UpgradeResourceState", request)

    (problem,) = _asking(tmp_path, Simulation(), ask, source).diagnostics
    assert problem.summary == "Unable to Read Previously Saved State for UpgradeResourceState"


def test_every_connection_has_an_instance_that_is_closed_in_the_end(tmp_path: Path) -> None:
    """A connection on which nothing is asked has none."""
    happened: list[str] = []

    class Watched(SimProvider):
        async def close(self) -> None:
            happened.append("closed")

    def make() -> ServedProvider:
        happened.append("made")
        return ServedProvider(Watched(Simulation()))

    with serve_in_background({SIM: make}, tmp_path) as variables:
        place = Address("unix", json.loads(variables[REATTACH])[str(SIM)]["Addr"]["String"])

        async def scenario() -> None:
            with trio.fail_after(30):
                async with open_channel(place), open_channel(place) as first, open_channel(place) as second:
                    for channel in (first, second, first):
                        await _call(channel, "GetFunctions", pb.GetFunctionsRequest())

        trio.run(scenario)
    assert happened == ["made", "made", "closed", "closed"]


def test_a_deep_directory_is_served_by_a_port(tmp_path: Path) -> None:
    deep = tmp_path / ("x" * 100)
    deep.mkdir()
    with serve_in_background({SIM: _maker(Simulation())}, deep) as variables:
        assert json.loads(variables[REATTACH])[str(SIM)]["Addr"]["Network"] == "tcp"


# With a real binary

_CASE = """
description: one fault at a create, and a crash of the provider
faults:
  - {step: 0, name: b, verb: create, kind: error}
  - {step: 1, name: b, verb: create, kind: crash}
  - {step: 2, name: b, verb: create, kind: latency, seconds: 600}
steps:
  - {op: apply, config: v1}
  - {op: apply, config: v1}
  - {op: apply, config: v1}
  - {op: destroy, config: v1}
"""
_MAIN = """
terraform {
  required_providers {
    sim = { source = "dh.test/diffharness/sim" }
  }
}
resource "sim_thing" "a" {
  name = "a"
}
resource "sim_thing" "b" {
  name  = "b"
  value = sim_thing.a.id
}
"""


@pytest.fixture
def case(tmp_path: Path) -> Case:
    try:
        find_binary("terraform")
    except EngineNotFoundError as problem:
        pytest.skip(str(problem))
    (tmp_path / "case" / "v1").mkdir(parents=True)
    (tmp_path / "case" / "case.yaml").write_text(_CASE)
    (tmp_path / "case" / "v1" / "main.tf").write_text(_MAIN)
    return read_case(tmp_path / "case")


@pytest.mark.terraform
def test_a_recording_has_the_calls_and_the_cloud(case: Case, tmp_path: Path) -> None:
    """The second half of the first step fails at `b`, so that only `a` exists then."""
    (tmp_path / "scratch").mkdir()
    steps = recorded_by(case, "terraform", tmp_path / "scratch", 60)["steps"]
    first = json.loads(dumps(steps))[0]
    assert ["apply-create", "sim_thing", "b"] in first["calls"]["items"]
    assert [each["id"] for each in first["inventory"]] == ["a-1"]


@pytest.mark.terraform
def test_a_binary_and_an_engine_see_the_same_provider(case: Case) -> None:
    """Events, calls, faults, state and cloud are the same; only the order of time is the binary's own."""
    with prepare_runner(case) as (runner, _):
        ours, theirs = (runner.run(engine, Schedule(), 60) for engine in ("legacy", "terraform"))
    assert list(ours) == list(theirs)
    for place, expected in ours.items():
        for name in ("ok", "plan_calls", "calls", "inventory", "state"):
            assert theirs[place].get(name) == expected.get(name), f"{place}: {name}"
        assert _summaries(theirs[place]) == _summaries(expected)
    assert "Plugin did not respond" in _summaries(theirs["step 2 (apply v1)"])


def _summaries(observation: Any) -> list[str]:
    return sorted(one["summary"] for one in observation["diagnostics"])
