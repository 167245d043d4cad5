"""Tapes: what is recorded, what is hidden, and what a replay says when it was asked something else."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import trio
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from harness.case.case import CaseError, read_case
from harness.cli.record import record
from harness.play.case_runner import CaseRunner
from harness.play.schedule import PlanTransfer, Schedule
from harness.plugins.extra import has_extra
from harness.plugins.tapes.recording_provider import TapeRecorder
from harness.plugins.tapes.replayed_provider import ReplayedProvider
from harness.plugins.tapes.secrets import filled, fits
from harness.plugins.tapes.tape import Tape, read_tape, read_tapes, tape_text, write_tapes
from harness.plugins.tapes.tape_error import TapeError
from harness.record.taping import taped_by
from shared_nodes.addresses.provider import ProviderSource
from shared_nodes.lang.diagnostics import Diagnostic
from shared_nodes.providers.contract import (
    ApplyRequest,
    ApplyResponse,
    OpenedEphemeral,
    PlanRequest,
    PlanResponse,
    ReadObject,
    StoredAttributes,
)
from shared_nodes.providers.defaults import DefaultProvider
from shared_nodes.providers.schema import ProviderSchema, ResourceSchema, SchemaAttribute, SchemaBlock, implied_type
from shared_nodes.values.json import JsonNumber, Tree
from shared_nodes.values.number import parse
from shared_nodes.values.types import NUMBER, STRING, MapType
from shared_nodes.values.value import Value, map_of, null, number, object_of, string

SOURCE = ProviderSource("registry.terraform.io", "test", "vault")
BLOCK = SchemaBlock(
    {
        "name": SchemaAttribute(STRING, optional=True),
        "url": SchemaAttribute(STRING, optional=True, computed=True),
        "password": SchemaAttribute(STRING, optional=True, computed=True, sensitive=True),
        "pin": SchemaAttribute(NUMBER, optional=True, sensitive=True),
        "labels": SchemaAttribute(MapType(STRING), optional=True),
    }
)
TYPE = implied_type(BLOCK)
SCHEMA = ProviderSchema(
    managed={"vault": ResourceSchema(BLOCK)}, ephemeral={"vault": ResourceSchema(BLOCK)}, plans_destroy=True
)


def vault(**parts: Value) -> Value:
    return object_of({name: parts.get(name, null(ty)) for name, ty in TYPE.attributes.items()})


class VaultProvider(DefaultProvider):
    """Plans what is proposed, and makes a password where none is given. Every object gets another one."""

    schema = SCHEMA

    def __init__(self) -> None:
        self.made = 0

    async def plan(self, request: PlanRequest) -> PlanResponse:
        return PlanResponse(request.proposed, private=b'{"plan":1}')

    async def apply(self, request: ApplyRequest) -> ApplyResponse:
        parts = dict(request.planned.payload)
        if parts["password"].is_null:
            self.made += 1
            parts["password"] = string(f"generated-{self.made}")
        parts["url"] = string(f"https://user:{parts['password'].payload}@host")
        return ApplyResponse(object_of(parts), f'{{"key":"{parts["password"].payload}"}}'.encode())

    async def upgrade(self, _type_name: str, _version: int, _attributes: StoredAttributes) -> ReadObject:
        raise AssertionError

    async def open_ephemeral(self, _type_name: str, config: Value) -> OpenedEphemeral:
        return OpenedEphemeral(object_of({**config.payload, "url": string("one-time-token")}), b"one-time-token!")

    async def import_object(self, _type_name: str, _identifier: str) -> Any:
        raise AssertionError

    async def read_data(self, _request: object) -> Any:
        raise AssertionError


def creation(value: Value) -> ApplyRequest:
    return ApplyRequest("vault", null(TYPE), value, value, owner="vault.a")


def taped(*values: Value, secrets: tuple[str, ...] = ()) -> Tape:
    """Return the tape of the creation of these objects, each followed by a read of what was made."""
    recorder = TapeRecorder()
    provider = recorder.record(SOURCE, VaultProvider(), "1.2.3", 5)

    async def record() -> None:
        for value in values:
            applied = await provider.apply(creation(value))
            assert applied.value is not None
            await provider.read("vault", applied.value, applied.private)

    trio.run(record)
    (tape,) = recorder.tapes(secrets)
    return tape


def replay(tape: Tape) -> ReplayedProvider:
    return ReplayedProvider(read_tape(tape_text(tape)), Counter())


def problems_of(answer: Any) -> Diagnostic:
    (problem,) = answer.problems
    assert isinstance(problem, Diagnostic)
    return problem


def test_a_tape_says_what_it_is_of() -> None:
    tape = json.loads(tape_text(taped(vault(name=string("a")))))
    assert (tape["provider"], tape["version"], tape["protocol"]) == ("registry.terraform.io/test/vault", "1.2.3", 5)
    assert tape["schema"]["managed"]["vault"]["attributes"]["pin"] == {
        "type": "number",
        "optional": True,
        "sensitive": True,
    }
    assert "ephemeral" not in tape["schema"], "types that were not used are left out"
    assert [exchange["method"] for exchange in tape["exchanges"]] == ["read", "apply"]


def test_recording_again_leaves_the_file_as_it_is() -> None:
    values = [vault(name=string(name), password=string(f"password of {name}")) for name in "bca"]
    assert tape_text(taped(*values)) == tape_text(taped(*values))
    in_another_order = tape_text(taped(*reversed(values)))
    assert in_another_order == tape_text(taped(*values))


# Requests that were not recorded


def test_the_nearest_request_is_compared_attribute_by_attribute() -> None:
    tape = taped(vault(name=string("a")), vault(name=string("b"), labels=map_of(STRING, {"x": string("1")})))
    asked = vault(name=string("b"), labels=map_of(STRING, {"x": string("2"), "y": string("3")}))
    problem = problems_of(trio.run(replay(tape).apply, creation(asked)))
    assert problem.summary == "Not on the tape"
    assert problem.detail == (
        "The tape registry.terraform.io+test+vault.json has no answer to this request: apply of vault. The nearest of "
        '2 recorded requests differs in:\n  - config.labels.x: recorded "1", asked "2"\n  - config.labels.y: recorded '
        'nothing, asked "3"\n  - planned.labels.x: recorded "1", asked "2"\n  - planned.labels.y: recorded nothing, '
        'asked "3"\n\nIf the configuration was changed on purpose, the tape has to be recorded again.'
    )


def test_a_method_that_was_not_recorded_is_named() -> None:
    asked = PlanRequest("vault", null(TYPE), vault(), vault())
    problem = problems_of(trio.run(replay(taped(vault())).plan, asked))
    assert (
        "this request: plan of vault. No request of this kind was recorded: the tape has apply of vault, read of"
        in (problem.detail)
    )


def test_a_difference_does_not_show_a_secret() -> None:
    tape = taped(vault(name=string("a"), password=string("hunter2hunter2")))
    asked = creation(vault(name=string("a"), password=null(STRING)))
    detail = problems_of(trio.run(replay(tape).apply, asked)).detail
    assert "config.password: recorded (sensitive value), asked nothing" in detail


def test_what_has_no_form_is_a_problem() -> None:
    huge = parse("1e2000000")
    assert huge is not None
    answer = trio.run(replay(taped(vault())).apply, creation(vault(pin=number(huge))))
    assert problems_of(answer).summary == "Cannot be replayed"

    async def record() -> Any:
        return await TapeRecorder().record(SOURCE, VaultProvider()).apply(creation(vault(pin=number(huge))))

    assert problems_of(trio.run(record)).summary == "Cannot be recorded"


# Secrets


def test_secrets_are_replaced_wherever_they_occur() -> None:
    tape = taped(vault(name=string("a"), password=string("hunter2hunter2"), pin=number(parse("4711"))))
    text = tape_text(tape)
    assert "hunter2" not in text
    assert "4711" not in text
    apply = json.loads(text)["exchanges"][-1]
    assert apply["request"]["config"] == {"name": "a", "password": {"$secret": 1}, "pin": {"$secret": 2}}
    assert apply["answers"][0]["value"]["url"] == {"$text": ["https://user:", 1, "@host"]}
    assert apply["answers"][0]["private"] == {"$text": ['{"key":"', 1, '"}']}


def test_a_replay_fits_other_secrets_and_answers_with_them() -> None:
    provider = replay(taped(vault(password=string("hunter2hunter2"))))
    answer = trio.run(provider.apply, creation(vault(password=string("dummy"))))
    assert not answer.problems
    assert answer.value == vault(password=string("dummy"), url=string("https://user:dummy@host"))
    assert answer.private == b'{"key":"dummy"}'
    again = trio.run(provider.read, "vault", answer.value, answer.private)
    assert (again.value, again.problems) == (answer.value, [])


def test_equal_secrets_stay_equal_and_different_ones_different() -> None:
    recorded: Tree = [{"$secret": JsonNumber("1")}, {"$secret": JsonNumber("2")}]
    assert fits(recorded, ["x", "y"]) == {1: "x", 2: "y"}
    assert fits(recorded, ["x", "x"]) is None
    assert fits([recorded, recorded], [["x", "y"], ["x", "z"]]) is None


def test_secrets_of_the_provider_are_made_up() -> None:
    tape = taped(vault(name=string("a")), vault(name=string("b")))
    assert "generated-" not in tape_text(tape)
    provider = replay(tape)

    async def ask() -> None:
        found = set()
        for name in "ab":
            answer = await provider.apply(creation(vault(name=string(name))))
            assert answer.value is not None
            password = answer.value.payload["password"].payload
            assert answer.value.payload["url"] == string(f"https://user:{password}@host")
            read = await provider.read("vault", answer.value, answer.private)
            assert read.value == answer.value
            found.add(password)
        assert len(found) == 2

    trio.run(ask)


def test_values_that_the_caller_calls_secret() -> None:
    text = tape_text(taped(vault(name=string("the pass phrase is open sesame")), secrets=("open sesame",)))
    assert "open sesame" not in text
    assert '{"$text": ["the pass phrase is ", 1, ""]}' in text


def test_an_ephemeral_object_leaves_only_its_configuration() -> None:
    recorder = TapeRecorder()
    provider = recorder.record(SOURCE, VaultProvider())
    trio.run(provider.open_ephemeral, "vault", vault(name=string("lock")))
    text = tape_text(recorder.tapes()[0])
    assert '"name": "lock"' in text
    assert "one-time" not in text


@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=6, max_size=12), st.text(min_size=1, max_size=12))
def test_filling_undoes_masking(secret: str, other: str) -> None:
    (secret,) = [string(secret).payload]
    tape = taped(vault(password=string(secret)))
    exchange = next(each for each in tape.exchanges if each.method == "apply")
    same = fits(
        dict(exchange.request), {"config": {"password": secret}, "planned": {"password": secret}, "prior": None}
    )
    assert same == {1: secret}
    (answer,) = exchange.answers
    assert filled(answer["value"], same) == {"password": secret, "url": f"https://user:{secret}@host"}
    assert filled(answer["value"], {1: other}) == {"password": other, "url": f"https://user:{other}@host"}


# Files


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "not a tape: invalid JSON"),
        ("{}", "not a tape of format 1"),
        ('{"format": 1, "exchanges": []}', "provider: must be a source"),
        ('{"format": 1, "provider": "a/b/c", "exchanges": [], "schema": []}', "The form of the schema"),
        ('{"format": 1, "provider": "a/b/c", "exchanges": [{}], "protocol": 6}', "exchange 1: method: must be one of"),
        (
            '{"format": 1, "provider": "a/b/c", "exchanges": [{"method": "plan", "request": {}, "answers": []}]}',
            "exchange 1: answers: must be a list with at least one",
        ),
        ('{"format": 1, "provider": "a/b/c", "protocol": 4, "exchanges": []}', "protocol: must be 5 or 6"),
        (
            '{"format": 1, "provider": "a/b/c", "exchanges": [], "schema": {"managed": {"a": {"attributes": {"b": '
            '{"type": "text"}}}}}}',
            "A type in the schema on the tape is invalid",
        ),
    ],
)
def test_what_is_no_tape_is_refused(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "tapes").mkdir()
    file = tmp_path / "tapes" / "a+b+c.json"
    file.write_text(text)
    with pytest.raises(TapeError) as caught:
        read_tapes(tmp_path)
    assert str(caught.value).startswith(f"{file}: {message}")


def test_an_answer_that_does_not_fit_the_schema_is_a_problem() -> None:
    tape = read_tape(tape_text(taped(vault(name=string("a")))).replace('"url"', '"uri"'))
    answer = trio.run(ReplayedProvider(tape, Counter()).apply, creation(vault(name=string("a"))))
    assert problems_of(answer).summary in ("Cannot be replayed", "Not on the tape")


# Cases

CONFIGURATION = """
terraform {
  required_providers {
    random     = { source = "hashicorp/random" }
    tfcoremock = { source = "hashicorp/tfcoremock" }
  }
}

variable "token" {
  type      = string
  sensitive = true
  default   = "correct horse"
}

resource "random_pet" "name" {
  keepers = { version = "%s" }
}

resource "random_password" "key" {
  length = 12
}

resource "tfcoremock_simple_resource" "user" {
  id     = "user"
  string = "${random_pet.name.id} ${var.token}"
  number = %s
}

output "key" {
  value     = random_password.key.result
  sensitive = true
}
"""
CASE = """
description: recorded from models of providers
steps:
  - {op: apply, config: v1}
  - {op: plan, config: v1}
  - {op: apply, config: v2}
  - {op: destroy, config: v2}
"""


@pytest.fixture
def directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The directory of a case, where no plugins are installed."""
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    for name in ("TF_CLI_CONFIG_FILE", "TF_REATTACH_PROVIDERS", "TF_PLUGIN_CACHE_DIR"):
        monkeypatch.delenv(name, raising=False)
    place = tmp_path / "area" / "taped"
    for name, number_ in (("v1", "1"), ("v2", "2.5")):
        (place / name).mkdir(parents=True)
        (place / name / "main.tf").write_text(CONFIGURATION % (name, number_))
    (place / "case.yaml").write_text(CASE)
    return place


def played(directory: Path, scratch: Path, engine: str, schedule: Schedule, flavour: str = "") -> dict[str, Any]:
    scratch.mkdir()
    return dict(CaseRunner.of(read_case(directory, flavour), scratch, ["v1", "v2"]).run(engine, schedule, 60))


def record_case(directory: Path, scratch: Path) -> tuple[dict[str, Any], Path]:
    recorder = TapeRecorder()
    scratch.mkdir()
    runner = replace(CaseRunner.of(read_case(directory), scratch, ["v1", "v2"]), recorder=recorder)
    observations = runner.run("legacy", Schedule(handover=PlanTransfer.MEMORY), 60)
    for observation in observations.values():
        assert observation["ok"], observation["diagnostics"]
    write_tapes(recorder.tapes(), directory)
    return dict(observations), directory / "tapes"


@pytest.mark.parametrize("engine", ["legacy", "new"])
@pytest.mark.parametrize("handover", list(PlanTransfer))
def test_a_case_is_replayed_by_every_engine(
    directory: Path, tmp_path: Path, engine: str, handover: PlanTransfer
) -> None:
    recorded, tapes = record_case(directory, tmp_path / "recording")
    assert [file.name for file in sorted(tapes.iterdir())] == [
        "registry.terraform.io+hashicorp+random.json",
        "registry.terraform.io+hashicorp+tfcoremock.json",
    ]
    replayed = played(directory, tmp_path / "replay", engine, Schedule(3, handover=handover))
    for place, observation in replayed.items():
        assert observation["diagnostics"] == recorded[place]["diagnostics"], place
        assert observation.get("plan_summary") == recorded[place].get("plan_summary"), place
    names = [_outputs(each) for each in (recorded, replayed)]
    assert names[0] == names[1]


def _outputs(observations: dict[str, Any]) -> list[Any]:
    """Return what the state has after each step, without what was secret."""
    states = [each["state"] for each in observations.values() if each.get("state")]
    return [
        [
            (one["type"], instance["attributes"].get("string"), instance["attributes"].get("number"))
            for one in state["resources"]
            for instance in one["instances"]
        ]
        for state in states
    ]


def test_a_case_with_a_broken_tape_cannot_be_read(directory: Path) -> None:
    (directory / "tapes").mkdir()
    (directory / "tapes" / "a+b+c.json").write_text("{")
    with pytest.raises(CaseError, match=r"a\+b\+c\.json: not a tape"):
        read_case(directory)


def test_a_tape_serves_both_registries(directory: Path, tmp_path: Path) -> None:
    record_case(directory, tmp_path / "recording")
    observations = played(directory, tmp_path / "replay", "new", Schedule(), "opentofu-1.12")
    assert all(observation["ok"] for observation in observations.values())


def test_a_changed_configuration_is_reported(directory: Path, tmp_path: Path) -> None:
    record_case(directory, tmp_path / "recording")
    file = directory / "v1" / "main.tf"
    file.write_text(file.read_text().replace("length = 12", "length = 13"))
    observations = played(directory, tmp_path / "replay", "legacy", Schedule())
    (problem,) = observations["validate v1"]["diagnostics"]
    assert problem["summary"] == "Not on the tape"
    assert "random_password" in problem["detail"]
    assert "config.length: recorded 12, asked 13" in problem["detail"]


@pytest.mark.skipif(shutil.which("terraform") is None or not has_extra(), reason="needs terraform and the extra")
def test_a_binary_is_recorded_and_replayed(directory: Path, tmp_path: Path) -> None:
    """A tape of what a binary asks answers an engine, and the other way round."""
    (tmp_path / "recording").mkdir()
    tapes = taped_by(read_case(directory), "terraform", tmp_path / "recording", 60, secrets=["user"])
    files = write_tapes(tapes, directory)
    assert len(files) == 2
    assert not any("correct horse" in file.read_text() for file in files)
    for engine in ("terraform", "new"):
        observations = played(directory, tmp_path / engine, engine, Schedule())
        assert [each["diagnostics"] for each in observations.values()] == [[]] * 6, engine
    record_case(directory, tmp_path / "in process")
    observations = played(directory, tmp_path / "binary", "terraform", Schedule())
    assert [each["diagnostics"] for each in observations.values()] == [[]] * 6


@pytest.mark.skipif(shutil.which("terraform") is None, reason="needs terraform")
def test_tapes_are_not_replaced_unasked(directory: Path, tmp_path: Path) -> None:
    record_case(directory, tmp_path / "recording")
    result = CliRunner().invoke(record, [str(directory), "--tape", "--allow-exec"])
    assert result.exit_code == 1
    assert f"there are tapes already: {directory / 'tapes'}; --force replaces them" in result.output
