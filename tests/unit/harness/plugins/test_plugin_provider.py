"""The provider contract over a plugin: good answers, no answers, and nonsense."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("h2")
pytest.importorskip("msgpack")
pytest.importorskip("google.protobuf")

import msgpack
import trio
import trio.testing
from google.protobuf.message import Message

from harness.plugins.driving.function_caller import FunctionCaller
from harness.plugins.driving.handshake import PluginStartError
from harness.plugins.driving.locate import RunningElsewhere
from harness.plugins.driving.plugin_process import attach_plugin, start_plugin
from harness.plugins.driving.plugin_provider import PluginProvider
from harness.plugins.driving.resolve import resolve_plugin
from harness.plugins.wire import framing
from harness.plugins.wire import protocol_pb2 as pb
from harness.plugins.wire.address import Address, listen
from harness.plugins.wire.methods import CALLS, Major, response_type
from harness.plugins.wire.status import RpcError, Status
from shared_nodes.flavour import TERRAFORM_1_11
from shared_nodes.lang.diagnostics import has_errors
from shared_nodes.lang.function import ArgumentError, FunctionError
from shared_nodes.providers.contract import ApplyRequest, MoveRequest, PlanRequest, Provider, ReadDataRequest
from shared_nodes.providers.schema import ProviderSchema, empty_value, implied_type
from shared_nodes.values.value import Value, null, object_of, string
from shared_nodes.world import Files, World
from tests.scripted_plugin import FAKE, IDENTIFIED_SCHEMA, SCHEMA, THING, Answer, ScriptedPlugin, served

ROOT = Path(__file__).parent.parent.parent.parent.parent
CONFIG = empty_value(SCHEMA.provider)
BLOCK = SCHEMA.managed["fake_thing"].block
EMPTY = empty_value(BLOCK)
NAMED = object_of({**EMPTY.payload, "name": string("a")})
NOTHING = null(THING)
LOOKUP = object_of({**empty_value(SCHEMA.data["fake_thing"].block).payload, "name": string("d")})
STORED: dict[str, Any] = {"name": "a", "id": "i", "part": []}

Call = Callable[[Provider], Awaitable[Any]]

EVERY_CALL: Mapping[str, Call] = {
    "ValidateProviderConfig": lambda one: one.validate_provider_config(CONFIG),
    "ValidateResourceConfig": lambda one: one.validate_resource_config("fake_thing", NAMED),
    "ValidateDataResourceConfig": lambda one: one.validate_data_config("fake_thing", LOOKUP),
    "ValidateEphemeralResourceConfig": lambda one: one.validate_ephemeral_config("fake_thing", LOOKUP),
    "ConfigureProvider": lambda one: one.configure(CONFIG),
    "UpgradeResourceState": lambda one: one.upgrade("fake_thing", 0, STORED),
    "ReadResource": lambda one: one.read("fake_thing", NAMED, b"private"),
    "PlanResourceChange": lambda one: one.plan(PlanRequest("fake_thing", NOTHING, NAMED, NAMED)),
    "ApplyResourceChange": lambda one: one.apply(ApplyRequest("fake_thing", NOTHING, NAMED, NAMED)),
    "ImportResourceState": lambda one: one.import_object("fake_thing", "id"),
    "UpgradeResourceIdentity": lambda one: one.upgrade_identity("fake_thing", 0, {"label": "a"}),
    "MoveResourceState": lambda one: one.move(MoveRequest("a/b/c", "other", 0, STORED, b"", "fake_thing")),
    "ReadDataSource": lambda one: one.read_data(ReadDataRequest("fake_thing", LOOKUP)),
    "OpenEphemeralResource": lambda one: one.open_ephemeral("fake_thing", LOOKUP),
    "RenewEphemeralResource": lambda one: one.renew_ephemeral("fake_thing", b"p"),
    "CloseEphemeralResource": lambda one: one.close_ephemeral("fake_thing", b"p"),
}


def problems_of(answer: Any) -> Sequence[Any]:
    return answer if isinstance(answer, Sequence) else answer.problems


def ask(
    directory: Path,
    calls: Sequence[Call],
    answers: Mapping[str, Answer] | None = None,
    major: Major = Major.SIX,
    schema: ProviderSchema = SCHEMA,
) -> tuple[list[Any], ScriptedPlugin]:
    """Make calls to one instance, in order, and return the answers."""
    plugin = ScriptedPlugin(answers, major)
    with served(plugin, directory) as address:

        async def scenario() -> list[Any]:
            provider = PluginProvider(schema, (), partial(attach_plugin, RunningElsewhere(address, major)), "1.2.3")
            try:
                with trio.fail_after(60):
                    return [await call(provider) for call in calls]
            finally:
                await provider.close()

        return trio.run(scenario), plugin


@pytest.mark.parametrize("major", Major)
def test_a_life_of_an_object(tmp_path: Path, major: Major) -> None:
    async def create(provider: Provider) -> Value:
        planned = await provider.plan(PlanRequest("fake_thing", NOTHING, NAMED, NAMED))
        assert planned.private == b"planned"
        assert planned.value is not None
        assert not planned.value.payload["id"].is_known
        request = ApplyRequest("fake_thing", NOTHING, planned.value, NAMED, planned.private)
        applied = await provider.apply(request)
        assert (applied.private, applied.problems) == (b"applied", [])
        assert applied.value is not None
        return applied.value

    (configured, created, read), plugin = ask(
        tmp_path,
        [EVERY_CALL["ConfigureProvider"], create, lambda one: one.read("fake_thing", NAMED, b"kept")],
        major=major,
    )
    assert configured == []
    assert created.payload["id"] == string("id-a")
    assert (read.value, read.private) == (NAMED, b"kept")
    configure = next(request for call, request in plugin.requests if call == "ConfigureProvider")
    assert configure.terraform_version == "1.2.3"
    assert configure.client_capabilities.write_only_attributes_allowed
    apply = next(request for call, request in plugin.requests if call == "ApplyResourceChange")
    assert apply.planned_private == b"planned"


@pytest.mark.parametrize("call", EVERY_CALL)
@pytest.mark.parametrize(
    ("status", "summary"),
    [
        (Status.UNAVAILABLE, "Plugin did not respond"),
        (Status.INTERNAL, "Plugin error"),
        (Status.UNIMPLEMENTED, "Unsupported plugin method"),
    ],
)
def test_a_call_without_an_answer_is_reported(tmp_path: Path, call: str, status: Status, summary: str) -> None:
    def fail(_request: Message) -> Message:
        raise RpcError(status, "boom")

    (answer,), _ = ask(tmp_path, [EVERY_CALL[call]], {call: fail})
    (problem,) = problems_of(answer)
    assert (problem.summary, problem.attribute) == (summary, None)
    assert f"plugin6.(*GRPCProvider).{call}" in problem.detail


def test_three_hundred_hostile_answers_are_answers_or_problems(tmp_path: Path) -> None:
    """Bytes that are no message, messages of other calls, and good answers with a few bytes changed: whatever comes,
    the call ends with a value of the right type, or with a problem."""
    chance = random.Random("hostile")
    recorded: dict[str, bytes] = {}
    well = ScriptedPlugin()

    def spoil(call: str) -> Answer:
        def answer(request: Message) -> bytes:
            good: Any = well._answers.get(call, lambda _request: b"")(request)
            data = bytearray(good if isinstance(good, bytes) else good.SerializeToString())
            recorded[call] = bytes(data)
            match chance.randrange(4):
                case 0:
                    return chance.randbytes(chance.randrange(1, 60))
                case 1:
                    return chance.choice([*recorded.values()])
                case 2:
                    return bytes(data[: chance.randrange(len(data) + 1)])
            for _ in range(chance.randrange(1, 4)):
                if data:
                    data[chance.randrange(len(data))] = chance.randrange(256)
            return bytes(data)

        return answer

    calls = [chance.choice([*EVERY_CALL]) for _ in range(300)]
    answers, _ = ask(tmp_path, [EVERY_CALL[call] for call in calls], {call: spoil(call) for call in EVERY_CALL})
    assert len(answers) == 300
    types = {"ReadDataSource": LOOKUP.type, "OpenEphemeralResource": LOOKUP.type}
    for call, answer in zip(calls, answers, strict=True):
        value = getattr(answer, "value", None)
        if value is not None:
            assert value.type == types.get(call, THING)
        elif hasattr(answer, "value"):
            assert has_errors(problems_of(answer))


VALUES: Mapping[str, tuple[str, Any]] = {
    "UpgradeResourceState": ("upgraded_state", THING),
    "ReadResource": ("new_state", THING),
    "PlanResourceChange": ("planned_state", THING),
    "ApplyResourceChange": ("new_state", THING),
    "MoveResourceState": ("target_state", THING),
    "ReadDataSource": ("state", LOOKUP.type),
    "OpenEphemeralResource": ("result", LOOKUP.type),
}
"""The calls that are answered by an object, with the name of its field and its type."""


def hostile_values(ty: Any, other: str = "id") -> Mapping[str, pb.DynamicValue]:
    """Return values that no object of a type is, by what is wrong with them. The type has the attributes `name` and
    `other`."""
    whole = dict.fromkeys(ty.attributes)
    packed = {
        "a text": "text",
        "a list": [1, 2],
        "an attribute of another type": {**whole, "name": [1]},
        "a missing attribute": {name: None for name in whole if name != other},
        "an attribute too many": {**whole, "zork": None},
        "another attribute": {**{name: None for name in whole if name != other}, "zork": None},
        "a key that is no text": {**{name: None for name in whole if name != other}, 1: None},
        "an extension that is unknown": {**whole, "name": msgpack.ExtType(12, b"\xc1\xc1")},
    }
    good = msgpack.packb(whole)
    raw = {
        "a part": good[:-1],
        "an endless list": b"\xdd\xff\xff\xff\xff",
        "a deep list": b"\x91" * 100_000,
    }
    return {
        **{name: pb.DynamicValue(msgpack=msgpack.packb(value)) for name, value in packed.items()},
        **{name: pb.DynamicValue(msgpack=value) for name, value in raw.items()},
        "JSON that is none": pb.DynamicValue(json=b"{"),
        "JSON that is deep": pb.DynamicValue(json=b"[" * 100_000),
        "JSON of another type": pb.DynamicValue(json=b'{"name": []}'),
    }


@pytest.mark.parametrize("major", Major)
@pytest.mark.parametrize("call", VALUES)
def test_a_value_that_is_no_object_of_the_type_is_one_clear_problem(tmp_path: Path, call: str, major: Major) -> None:
    field, ty = VALUES[call]
    hostile = hostile_values(ty)
    remaining = iter(hostile.values())

    def answer(_request: Message) -> Message:
        return response_type(call, major)(**{field: next(remaining)})

    answers, _ = ask(tmp_path, [EVERY_CALL[call]] * len(hostile), {call: answer}, major)
    for name, one in zip(hostile, answers, strict=True):
        (problem,) = one.problems
        assert (one.value, has_errors([problem])) == (None, True), name
        assert problem.summary.removesuffix(" ")[-1:] not in ("", ":"), name


IDENTITIES: Mapping[str, Callable[[pb.ResourceIdentityData], Message]] = {
    "ReadResource": lambda identity: pb.ReadResourceResponse(new_identity=identity),
    "PlanResourceChange": lambda identity: pb.PlanResourceChangeResponse(planned_identity=identity),
    "ApplyResourceChange": lambda identity: pb.ApplyResourceChangeResponse(new_identity=identity),
    "ImportResourceState": lambda identity: pb.ImportResourceStateResponse(
        imported_resources=[pb.ImportResourceStateResponse.ImportedResource(type_name="fake_thing", identity=identity)]
    ),
    "UpgradeResourceIdentity": lambda identity: pb.UpgradeResourceIdentityResponse(upgraded_identity=identity),
}
"""Answers with an identity, by call."""


@pytest.mark.parametrize("call", IDENTITIES)
def test_an_identity_that_is_none_is_one_clear_problem(tmp_path: Path, call: str) -> None:
    schema = IDENTIFIED_SCHEMA.managed["fake_thing"].identity
    assert schema is not None
    remaining = iter(hostile_values(schema.type, "number").values())

    def answer(_request: Message) -> Message:
        return IDENTITIES[call](pb.ResourceIdentityData(identity_data=next(remaining)))

    count = len(hostile_values(schema.type, "number"))
    answers, _ = ask(tmp_path, [EVERY_CALL[call]] * count, {call: answer}, schema=IDENTIFIED_SCHEMA)
    for one in answers:
        (problem,) = one.problems
        assert has_errors([problem])


@pytest.mark.parametrize("major", Major)
@pytest.mark.parametrize("call", EVERY_CALL)
def test_bytes_that_are_no_message_are_one_clear_problem(tmp_path: Path, call: str, major: Major) -> None:
    spoilt = [b"\xff", b"\x0a\xff\x01", b"\x0a"]
    remaining = iter(spoilt)

    def answer(_request: Message) -> bytes:
        return next(remaining)

    answers, plugin = ask(tmp_path, [EVERY_CALL[call]] * len(spoilt), {call: answer}, major)
    package = "plugin" if major is Major.FIVE else "plugin6"
    for one in answers:
        (problem,) = problems_of(one)
        assert problem.summary == "Plugin error"
        assert f"{package}.(*GRPCProvider).{call}: rpc error: code = Internal" in problem.detail
    assert [name for name, _ in plugin.requests] == [call] * len(spoilt)


@pytest.mark.parametrize("call", EVERY_CALL)
def test_a_message_that_is_too_long_is_one_clear_problem(
    tmp_path: Path, call: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(framing, "LONGEST_MESSAGE", 10_000)
    (answer,), _ = ask(tmp_path, [EVERY_CALL[call]], {call: lambda _request: bytes(10_001)})
    (problem,) = problems_of(answer)
    assert "code = ResourceExhausted desc = the message has 10,001 bytes" in problem.detail


@pytest.mark.parametrize("major", Major)
def test_a_connection_that_ends_ends_every_call(tmp_path: Path, major: Major) -> None:
    """Calls under way, and those that are made later."""

    async def scenario() -> dict[str, list[Any]]:
        listener, place = await listen(Address("unix", str(tmp_path / "s")))
        start = partial(attach_plugin, RunningElsewhere(place, major))
        provider = PluginProvider(SCHEMA, (), start, "1.2.3")
        found: dict[str, list[Any]] = {name: [] for name in EVERY_CALL}

        async def make(name: str) -> None:
            found[name].append(await EVERY_CALL[name](provider))

        async def close_when_all_wait() -> None:
            async with listener, await listener.accept() as connection:
                await connection.receive_some()
                await trio.testing.wait_all_tasks_blocked(0.05)

        with trio.fail_after(30):
            for _round in range(2):
                async with trio.open_nursery() as nursery:
                    if _round == 0:
                        nursery.start_soon(close_when_all_wait)
                    for name in EVERY_CALL:
                        nursery.start_soon(make, name)
            await provider.close()
        return found

    for name, answers in trio.run(scenario).items():
        for answer in answers:
            (problem,) = problems_of(answer)
            assert (problem.summary, f"{name} call" in problem.detail) == ("Plugin did not respond", True)


@pytest.mark.parametrize("call", EVERY_CALL)
def test_empty_answers_are_valid_messages(tmp_path: Path, call: str) -> None:
    (answer,), _ = ask(tmp_path, [EVERY_CALL[call]], {call: lambda _request: b""})
    expected = ["Provider returned no identity after upgrade"] if call == "UpgradeResourceIdentity" else []
    assert [problem.summary for problem in problems_of(answer)] == expected


def test_a_plugin_that_hangs_can_be_given_up(tmp_path: Path) -> None:
    async def hang(_request: Message) -> Message:
        await trio.sleep_forever()
        raise AssertionError

    async def give_up(provider: Provider) -> bool:
        with trio.move_on_after(0.2) as scope:
            await provider.plan(PlanRequest("fake_thing", NOTHING, NAMED, NAMED))
        await provider.stop()
        return scope.cancelled_caught

    (given_up,), plugin = ask(tmp_path, [give_up], {"PlanResourceChange": hang})
    assert given_up
    assert plugin.requests[-1][0] == "StopProvider"


_DEFERRED = pb.Deferred(reason=pb.Deferred.RESOURCE_CONFIG_UNKNOWN)


def test_a_deferral_is_passed_on(tmp_path: Path) -> None:
    def defer(request: Any) -> Message:
        return pb.ReadResourceResponse(new_state=request.current_state, deferred=_DEFERRED)

    (answer,), _ = ask(tmp_path, [EVERY_CALL["ReadResource"]], {"ReadResource": defer})
    assert answer.deferred


def test_every_call_of_the_protocol_is_made_or_known() -> None:
    others = {"GetMetadata", "GetProviderSchema", "GetResourceIdentitySchemas", "GetFunctions", "StopProvider"}
    assert set(CALLS) - others - {"CallFunction"} == set(EVERY_CALL)
    assert all(response_type(call, Major.SIX).FromString(b"") is not None for call in CALLS)


# Schemas and functions


def resolve(address: Any, major: Major = Major.SIX) -> Any:
    world = World(Files(Path("/")))
    return resolve_plugin(FAKE, RunningElsewhere(address, major), world)


@pytest.mark.parametrize("major", Major)
def test_a_plugin_says_what_it_offers(tmp_path: Path, major: Major) -> None:
    with served(ScriptedPlugin(major=major), tmp_path) as address:
        resolved = resolve(address, major)
        assert (resolved.problems, resolved.schema) == ((), SCHEMA)
        made = resolved.make(World(Files(Path("/"))), TERRAFORM_1_11)
        (echo,) = made.functions
        assert echo.call([string("x")]) == string("x")
    assert implied_type(resolved.schema.managed["fake_thing"].block) == THING


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (lambda _request: b"", "missing provider schema"),
        (lambda _request: b"\xff", "proto: cannot parse invalid wire-format data"),
        (
            lambda _request: pb.GetProviderSchemaResponse(
                diagnostics=[pb.Diagnostic(severity=pb.Diagnostic.ERROR, summary="own", detail="d")]
            ),
            "own: d",
        ),
        (
            lambda _request: pb.GetProviderSchemaResponse(
                provider=pb.Schema(block=pb.Block(attributes=[pb.Attribute(name="a", type=b'"zork"')]))
            ),
            'invalid primitive type name "zork"',
        ),
    ],
)
def test_a_plugin_without_a_schema_cannot_be_used(tmp_path: Path, answer: Answer, reason: str) -> None:
    with served(ScriptedPlugin({"GetProviderSchema": answer}), tmp_path) as address:
        (problem,) = resolve(address).problems
    assert problem.summary == "Failed to load plugin schemas"
    assert reason in problem.detail


def test_a_plugin_that_is_gone_cannot_be_used(tmp_path: Path) -> None:
    with served(ScriptedPlugin(), tmp_path) as address:
        pass
    (problem,) = resolve(address).problems
    assert "Plugin did not respond: The plugin encountered an error" in problem.detail


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (lambda _request: pb.CallFunctionResponse(error=pb.FunctionError(text="no")), FunctionError),
        (
            lambda _request: pb.CallFunctionResponse(error=pb.FunctionError(text="no", function_argument=0)),
            ArgumentError,
        ),
        (lambda _request: pb.CallFunctionResponse(result=pb.DynamicValue(msgpack=b"\x01")), FunctionError),
        (lambda _request: b"\xff", FunctionError),
    ],
)
def test_a_failed_call_of_a_function_is_an_error_of_the_call(
    tmp_path: Path, answer: Answer, kind: type[FunctionError]
) -> None:
    with served(ScriptedPlugin({"CallFunction": answer}), tmp_path) as address:
        (echo,) = resolve(address).make(World(Files(Path("/"))), TERRAFORM_1_11).functions
        with pytest.raises(FunctionError) as caught:
            echo.call([string("x")])
    assert type(caught.value) is kind


def test_a_function_of_a_program_that_does_not_start_fails() -> None:
    async def start() -> Any:
        raise PluginStartError("no")

    signature = pb.Function(returns=pb.Function.Return(type=b'"string"'))
    with pytest.raises(FunctionError, match="failed to launch provider plugin: no"):
        FunctionCaller(start).function("f", signature).call([])


# Processes

PROGRAM = f"""#!{sys.executable}
import os, sys
sys.path.insert(0, {str(ROOT)!r})
import trio
import trio.testing
from harness.plugins.wire.address import Address, listen
from harness.plugins.wire.rpc_server import serve_connections
from tests.scripted_plugin import ScriptedPlugin

class Program(ScriptedPlugin):
    def handler(self, method):
        return shut_down if method == "/plugin.GRPCController/Shutdown" else super().handler(method)

async def shut_down(request):
    if os.environ.get("STUBBORN"):
        return b""
    os._exit(0)

async def main():
    if os.environ["TF_PLUGIN_MAGIC_COOKIE"][:4] != "d602":
        sys.exit(1)
    listener, address = await listen(Address("unix", os.environ["PLUGIN_UNIX_SOCKET_DIR"] + "/s"))
    print(f"1|6|unix|{{address.place}}|grpc|", flush=True)
    await serve_connections(listener, Program)

trio.run(main)
"""


@pytest.fixture
def program(tmp_path: Path) -> Path:
    file = tmp_path / "terraform-provider-fake"
    file.write_text(PROGRAM)
    file.chmod(0o755)
    return file


def has_ended(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return True
    return Path(f"/proc/{process}/stat").read_text().split(") ")[1][0] == "Z"


@pytest.mark.parametrize("environment", [{}, {"STUBBORN": "1"}])
def test_a_program_is_started_called_and_ended(program: Path, environment: dict[str, str]) -> None:
    """Even one that does not shut down when it is asked to."""

    async def scenario() -> tuple[int, str]:
        plugin = await start_plugin(program, program.parent, {**os.environ, **environment})
        assert plugin._process is not None
        assert plugin._sockets is not None
        number, directory = plugin._process.pid, plugin._sockets.name
        assert os.path.isdir(directory)
        await plugin.close()
        await trio.testing.wait_all_tasks_blocked()
        return number, directory

    number, directory = trio.run(scenario)
    assert has_ended(number)
    assert not os.path.exists(directory)


def test_a_program_ends_with_the_event_loop(program: Path) -> None:
    started: list[Any] = []

    async def scenario() -> None:
        started.append(await start_plugin(program, program.parent, os.environ))

    trio.run(scenario)
    assert has_ended(started[0]._process.pid)
    assert not os.path.exists(started[0]._sockets.name)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux ends children with their parent")
def test_a_program_ends_with_its_parent(program: Path) -> None:
    parent = f"""
import os, sys, trio
from pathlib import Path
from harness.plugins.driving.plugin_process import start_plugin
async def main():
    plugin = await start_plugin(Path({str(program)!r}), Path("/"), os.environ)
    print(plugin._process.pid, plugin._sockets.name, flush=True)
    await trio.sleep_forever()
trio.run(main)
"""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "TMPDIR": str(program.parent)}
    with subprocess.Popen(
        [sys.executable, "-c", parent], stdout=subprocess.PIPE, env=environment, text=True
    ) as running:
        assert running.stdout is not None
        number = int(running.stdout.readline().split()[0])
        assert not has_ended(number)
        running.send_signal(signal.SIGKILL)
    deadline = time.monotonic() + 30
    while not has_ended(number) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert has_ended(number)


@pytest.mark.parametrize(
    ("script", "message"),
    [
        ("echo garbage; sleep 9", "Unrecognized remote plugin message: garbage"),
        ("exit 0", "Failed to read any lines from plugin's stdout"),
        ('echo "1|7|unix|/tmp/x|grpc|"', "Incompatible API version with plugin. Plugin version: 7"),
    ],
)
def test_what_is_no_plugin_is_said_to_be_none(tmp_path: Path, script: str, message: str) -> None:
    file = tmp_path / "p"
    file.write_text(f"#!/bin/sh\n{script}\n")
    file.chmod(0o755)
    with pytest.raises(PluginStartError, match=r"(?s).") as caught:
        trio.run(start_plugin, file, tmp_path, os.environ)
    assert message in str(caught.value)


def test_a_file_that_is_not_executable_is_refused(tmp_path: Path) -> None:
    (tmp_path / "p").write_text("")
    with pytest.raises(PluginStartError, match="permission denied"):
        trio.run(start_plugin, tmp_path / "p", tmp_path, os.environ)
