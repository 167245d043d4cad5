"""Both engines with real plugins, held against the real binary: plans, states, events and diagnostics are equal.

Most stories use a plugin of our own, which answers as a test dictates. The others need hashicorp/time and
hashicorp/random, plugins made by others, in a mirror directory (`DIFFHARNESS_PLUGIN_MIRROR`, by default
/opt/tf-plugins), and are skipped without them.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import pytest
from click.testing import CliRunner

pytest.importorskip("h2")
pytest.importorskip("msgpack")
pytest.importorskip("google.protobuf")

import msgpack
from google.protobuf.message import Message

from harness.cli import commands
from harness.plugins.wire import protocol_pb2 as pb
from harness.plugins.wire.methods import Major
from harness.plugins.wire.status import RpcError, Status
from tests.scripted_plugin import Answer, ScriptedPlugin, reattach_variable, served

TERRAFORM: Final = shutil.which("terraform")
ENGINES: Final = ("legacy", "new")
MIRROR: Final = Path(os.environ.get("DIFFHARNESS_PLUGIN_MIRROR", "/opt/tf-plugins"))

pytestmark = [
    pytest.mark.terraform,
    pytest.mark.skipif(TERRAFORM is None, reason="needs a terraform binary on PATH"),
]

CONFIG: Final = """
terraform {
  required_providers {
    fake = { source = "dh.test/x/fake" }
  }
}
resource "fake_thing" "first" {
  name = "first"
}
resource "fake_thing" "a" {
  name   = "a"
  value  = "v-${fake_thing.first.id}"
  secret = "s"
  part {
    label = "one"
  }
}
resource "fake_thing" "after" {
  name = "x-${fake_thing.a.id}"
}
data "fake_thing" "d" {
  name = "d"
}
output "f" {
  value = provider::fake::echo(data.fake_thing.d.id)
}
"""


@pytest.fixture(autouse=True)
def _environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("TF_CLI_CONFIG_FILE", raising=False)
    monkeypatch.setenv("CHECKPOINT_DISABLE", "1")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def outcome(engine: str, command: str, place: Path) -> dict[str, Any]:
    """Run one command, and return what it leaves, without what differs between any two runs."""
    if engine == "terraform":
        lines, plan, is_failure = _run_binary(command, place)
    else:
        lines, plan, is_failure = _run_engine(engine, command, place)
    diagnostics = [line["diagnostic"] for line in lines if "diagnostic" in line]
    events = [line for line in lines if "diagnostic" not in line and line["type"] != "version"]
    for event in events:
        event.pop("@timestamp", None)
        event.pop("@module", None)
        event["@message"] = re.sub(r" after \w+", "", event["@message"])
        event.get("hook", {}).pop("elapsed_seconds", None)
    found: dict[str, Any] = {"failed": is_failure, "diagnostics": _unordered(diagnostics), "events": _unordered(events)}
    if plan is not None:
        plan.pop("timestamp", None)
        plan["relevant_attributes"] = _unordered(plan.get("relevant_attributes", []))
        found["plan"] = plan
    state = place / "terraform.tfstate"
    if state.exists():
        document = json.loads(state.read_text())
        found["state"] = {key: document[key] for key in ("outputs", "resources", "check_results")}
    return found


def _differences(wanted: Any, got: Any, path: str = "") -> Iterator[str]:
    """Yield the paths at which two documents differ, with both values: an unequal plan is too long to read."""
    if isinstance(wanted, dict) and isinstance(got, dict):
        for key in sorted(wanted.keys() | got.keys()):
            yield from _differences(wanted.get(key), got.get(key), f"{path}.{key}")
    elif isinstance(wanted, list) and isinstance(got, list) and len(wanted) == len(got):
        for position, (left, right) in enumerate(zip(wanted, got, strict=True)):
            yield from _differences(left, right, f"{path}[{position}]")
    elif wanted != got:
        yield f"{path}: terraform has {wanted!r}, the engine has {got!r}"


def _unordered(items: list[Any]) -> list[str]:
    return sorted(json.dumps(item, sort_keys=True) for item in items)


def _run_binary(command: str, place: Path) -> tuple[list[Any], Any, bool]:
    def terraform(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([str(TERRAFORM), *arguments], cwd=place, capture_output=True, text=True, check=False)

    plan = None
    options = ["-out=p"] if command == "plan" else ["-auto-approve"]
    ran = terraform(command, "-json", *options)
    if (place / "p").exists():
        shown = terraform("show", "-json", "p").stdout
        plan = json.loads(shown) if shown.strip() else None
        (place / "p").unlink()
    lines = [json.loads(line) for line in ran.stdout.splitlines()]
    return lines, plan, ran.returncode != 0


def _run_engine(engine: str, command: str, place: Path) -> tuple[list[Any], Any, bool]:
    events, document = place / "events", place / "plan.json"
    options = ["--plan-json", str(document)] if command == "plan" else []
    arguments = ["engine", engine, command, str(place), "--allow-exec", "--events", str(events), *options]
    ran = CliRunner().invoke(commands, arguments, input="yes\n")
    assert ran.exception is None or isinstance(ran.exception, SystemExit), ran.exception
    plan = json.loads(document.read_text()) if document.exists() else None
    document.unlink(missing_ok=True)
    return [json.loads(line) for line in events.read_text().splitlines()], plan, ran.exit_code != 0


def init(place: Path) -> None:
    subprocess.run([str(TERRAFORM), "init"], cwd=place, capture_output=True, check=True)


# A plugin that gives the answers of a script


def fail_with(status: Status) -> Answer:
    def fail(_request: Message) -> Message:
        raise RpcError(status, "boom")

    return fail


def raw(content: object) -> pb.DynamicValue:
    return pb.DynamicValue(msgpack=msgpack.packb(content))


def thing(**parts: object) -> pb.DynamicValue:
    whole = {
        "name": "a",
        "value": "v",
        "size": None,
        "id": "i",
        "rules": None,
        "secret": None,
        "part": [{"label": "one"}],
    }
    return raw({**whole, **parts})


_NAME: Final = pb.AttributePath(steps=[pb.AttributePath.Step(attribute_name="name")])
_LABEL: Final = pb.AttributePath(
    steps=[
        pb.AttributePath.Step(attribute_name="part"),
        pb.AttributePath.Step(element_key_int=0),
        pb.AttributePath.Step(attribute_name="label"),
    ]
)
_DEFERRED: Final = pb.Deferred(reason=pb.Deferred.RESOURCE_CONFIG_UNKNOWN)
_PROBLEMS: Final = [
    pb.Diagnostic(severity=pb.Diagnostic.ERROR, summary="own", detail="d", attribute=_NAME),
    pb.Diagnostic(severity=pb.Diagnostic.WARNING, summary="remark", attribute=_LABEL),
    pb.Diagnostic(severity=pb.Diagnostic.ERROR, summary="whole"),
]

FAULTS: Final[Mapping[str, Mapping[str, Answer]]] = {
    "none": {},
    "validate": {"ValidateResourceConfig": lambda _: pb.ValidateResourceConfigResponse(diagnostics=_PROBLEMS)},
    "configure": {"ConfigureProvider": lambda _: pb.ConfigureProviderResponse(diagnostics=_PROBLEMS[2:])},
    "plan-gone": {"PlanResourceChange": fail_with(Status.UNAVAILABLE)},
    "plan-error": {"PlanResourceChange": lambda _: pb.PlanResourceChangeResponse(diagnostics=_PROBLEMS)},
    "plan-type": {"PlanResourceChange": lambda _: pb.PlanResourceChangeResponse(planned_state=thing(name=[1]))},
    "plan-missing": {"PlanResourceChange": lambda _: pb.PlanResourceChangeResponse(planned_state=raw({"name": "a"}))},
    "plan-invalid": {"PlanResourceChange": lambda _: pb.PlanResourceChangeResponse(planned_state=thing(name="z"))},
    "plan-deferred": {"PlanResourceChange": lambda _: pb.PlanResourceChangeResponse(deferred=_DEFERRED)},
    "apply-error": {"ApplyResourceChange": lambda _: pb.ApplyResourceChangeResponse(diagnostics=_PROBLEMS)},
    "apply-tainted": {
        "ApplyResourceChange": lambda _: pb.ApplyResourceChangeResponse(
            new_state=thing(name="first", part=[]), diagnostics=_PROBLEMS[:1]
        )
    },
    "apply-wrong": {"ApplyResourceChange": lambda _: pb.ApplyResourceChangeResponse(new_state=thing(name="z"))},
    "apply-nothing": {"ApplyResourceChange": lambda _: b""},
    "apply-internal": {"ApplyResourceChange": fail_with(Status.INTERNAL)},
    "data": {"ReadDataSource": lambda _: pb.ReadDataSourceResponse(diagnostics=_PROBLEMS[:1])},
    "data-null": {"ReadDataSource": lambda _: pb.ReadDataSourceResponse(state=raw(None))},
    "function": {
        "CallFunction": lambda _: pb.CallFunctionResponse(error=pb.FunctionError(text="no", function_argument=0))
    },
    "schema": {"GetProviderSchema": fail_with(Status.UNAVAILABLE)},
}


_RULES: Final = """
resource "fake_thing" "blocks" {
  name = "blocks"
  rules {
    port = "1"
    to {
      a = "x"
    }
    to {
    }
  }
  rules {
    port = 2
  }
}
resource "fake_thing" "dynamic" {
  name = "dynamic"
  dynamic "rules" {
    for_each = [1, 2]
    content {
      port = rules.value
      to {
        a = fake_thing.blocks.id
      }
    }
  }
}
resource "fake_thing" "referring" {
  name = "referring"
  rules {
    port = 1
    to {
      a = fake_thing.dynamic.id
    }
  }
}
resource "fake_thing" "argument" {
  name  = "argument"
  rules = []
}
"""


def test_lists_of_objects_may_be_written_as_blocks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _compare(tmp_path, monkeypatch, CONFIG + _RULES, {}, "plan", "apply", "plan")


@pytest.mark.parametrize("mistake", ["port = true", "zork = 1", "to = 1", "to { b = 1 }", "rules { }"])
def test_mistakes_in_blocks_that_are_arguments(mistake: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = f'resource "fake_thing" "wrong" {{\n  name = "x"\n  rules {{\n    {mistake}\n  }}\n}}\n'
    _compare(tmp_path, monkeypatch, CONFIG + wrong, {}, "plan")


_JSON_RULES: Final = {
    "one block": {"port": "1", "to": {"a": "x"}},
    "several blocks": [{"port": 1, "to": [{"a": "x"}, {}]}, {"port": "${1 + 1}"}],
    "no blocks": [],
    "null": None,
    "an expression": "${[{port = 1, to = []}]}",
    "a text": "x",
    "a number": 1,
    "a list of texts": ["x"],
    "an unknown argument": [{"zork": 1}],
    "an argument of the wrong type": [{"port": True}],
    "a block that is none": [{"to": 1}],
    "lists in lists": [[{"port": 1}]],
}


@pytest.mark.parametrize("form", _JSON_RULES)
def test_lists_of_objects_in_json_syntax(form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """There a property may be meant as an argument or as blocks, and only its value says which."""
    resources = {"fake_thing": {"x": {"name": "x", "rules": _JSON_RULES[form]}}}
    for engine in ("terraform", *ENGINES):
        (tmp_path / engine).mkdir()
        (tmp_path / engine / "more.tf.json").write_text(json.dumps({"resource": resources}))
    _compare(tmp_path, monkeypatch, CONFIG, {}, "plan", "apply", "plan")


@pytest.mark.parametrize("fault", FAULTS)
def test_a_new_directory_with_a_fault(fault: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _compare(tmp_path, monkeypatch, CONFIG, FAULTS[fault], "plan", "apply")


def test_a_plugin_of_protocol_5(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _compare(tmp_path, monkeypatch, CONFIG, {}, "plan", "apply", "destroy", major=Major.FIVE)


REFRESH_FAULTS: Final[Mapping[str, Mapping[str, Answer]]] = {
    "none": {},
    "read-error": {"ReadResource": lambda _: pb.ReadResourceResponse(diagnostics=_PROBLEMS)},
    "read-gone": {"ReadResource": lambda _: pb.ReadResourceResponse(new_state=raw(None))},
    "read-unknown": {
        "ReadResource": lambda _: pb.ReadResourceResponse(new_state=thing(size=msgpack.ExtType(0, b"\0")))
    },
    "read-deferred": {
        "ReadResource": lambda request: pb.ReadResourceResponse(new_state=request.current_state, deferred=_DEFERRED)
    },
    "upgrade-error": {"UpgradeResourceState": lambda _: pb.UpgradeResourceStateResponse(diagnostics=_PROBLEMS)},
    "upgrade-nothing": {"UpgradeResourceState": lambda _: b""},
}


@pytest.mark.parametrize("fault", REFRESH_FAULTS)
def test_objects_that_exist_with_a_fault(fault: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _compare(tmp_path, monkeypatch, CONFIG, {}, "apply")
    _compare(tmp_path, monkeypatch, CONFIG, REFRESH_FAULTS[fault], "plan")


_FLAT_STATE: Final = {
    "version": 4,
    "terraform_version": "1.11.4",
    "serial": 1,
    "lineage": "00000000-0000-4000-8000-000000000001",
    "outputs": {},
    "resources": [
        {
            "mode": "managed",
            "type": "fake_thing",
            "name": name,
            "provider": 'provider["dh.test/x/fake"]',
            "instances": [{"schema_version": version, "attributes_flat": {"name": name, "part.#": "0", "id": "i"}}],
        }
        for name, version in (("first", 0), ("gone", 1))
    ],
    "check_results": None,
}


def _upgrade_flat(request: pb.UpgradeResourceStateRequest) -> Message:
    """Upgrade an object from the texts by dotted name, which must have come as the state has them."""
    assert not request.raw_state.json
    texts = request.raw_state.flatmap
    assert set(texts) == {"name", "part.#", "id"}
    return pb.UpgradeResourceStateResponse(upgraded_state=thing(name=texts["name"], part=[]))


def test_objects_of_states_before_version_4(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The provider gets them as they are stored, whatever their schema version, and afterwards they are as others."""
    for engine in ("terraform", *ENGINES):
        (tmp_path / engine).mkdir()
        (tmp_path / engine / "terraform.tfstate").write_text(json.dumps(_FLAT_STATE))
    _compare(tmp_path, monkeypatch, CONFIG, {"UpgradeResourceState": _upgrade_flat}, "plan", "apply")
    _compare(tmp_path, monkeypatch, CONFIG, {}, "plan")


_IMPORTED: Final = pb.ImportResourceStateResponse.ImportedResource

IMPORT_FAULTS: Final[Mapping[str, Callable[[Any], Any]]] = {
    "none": lambda _: pb.ImportResourceStateResponse(),
    "null": lambda _: pb.ImportResourceStateResponse(imported_resources=[_IMPORTED(type_name="fake_thing")]),
    "other-type": lambda _: pb.ImportResourceStateResponse(imported_resources=[_IMPORTED(type_name="zork")]),
    "several": lambda _: pb.ImportResourceStateResponse(
        imported_resources=[_IMPORTED(type_name="fake_thing", state=thing())] * 2
    ),
    "deferred": lambda _: pb.ImportResourceStateResponse(deferred=_DEFERRED),
}


@pytest.mark.parametrize("fault", IMPORT_FAULTS)
def test_an_import_with_a_fault(fault: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    imported = CONFIG + 'import {\n  to = fake_thing.a\n  id = "theirs"\n}\n'
    _compare(tmp_path, monkeypatch, imported, {"ImportResourceState": IMPORT_FAULTS[fault]}, "plan")


def _compare(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    config: str,
    answers: Mapping[str, Answer],
    *steps: str,
    major: Major = Major.SIX,
) -> None:
    found: dict[str, list[dict[str, Any]]] = {}
    for engine in ("terraform", *ENGINES):
        place = tmp_path / engine
        place.mkdir(exist_ok=True)
        (place / "main.tf").write_text(config)
        with served(ScriptedPlugin(answers, major), tmp_path) as address:
            monkeypatch.setenv("TF_REATTACH_PROVIDERS", reattach_variable(address, major))
            if engine == "terraform":
                init(place)
            found[engine] = [outcome(engine, step, place) for step in steps]
    for engine in ENGINES:
        assert list(_differences(found["terraform"], found[engine])) == [], engine


# A plugin made by others

_TIME: Final = """
terraform {
  required_providers {
    time = { source = "hashicorp/time", version = "< 1.0.0" }
  }
}
"""
_OBJECTS: Final = """
resource "time_offset" "b" {
  offset_days  = DAYS
  base_rfc3339 = "2020-01-01T00:00:00Z"
  triggers     = { key = "KEY" }
}
resource "time_static" "a" {
  rfc3339 = time_offset.b.rfc3339
}
resource "time_rotating" "r" {
  count         = 2
  rotation_days = 30 + count.index
  rfc3339       = "2090-01-01T00:00:00Z"
}
output "all" {
  value = [time_offset.b, time_static.a, time_rotating.r[*].rotation_rfc3339]
}
output "parsed" {
  value = provider::time::rfc3339_parse(time_static.a.rfc3339)
}
"""
_FAILURES: Final = """
resource "time_offset" "none" {
}
resource "time_offset" "bad" {
  offset_days  = 1
  base_rfc3339 = "not a time"
}
resource "time_sleep" "bad" {
  create_duration = "1 year"
}
output "f" {
  value = provider::time::rfc3339_parse("nonsense")
}
"""


def _objects(days: int, key: str) -> str:
    return _TIME + _OBJECTS.replace("DAYS", str(days)).replace("KEY", key)


_TIME_STORY: Final = [
    (_objects(3, "v"), ("plan", "apply", "plan")),
    (_objects(5, "v"), ("plan", "apply")),
    (_objects(5, "w"), ("plan", "apply")),
    (_TIME + _FAILURES, ("plan",)),
    (_objects(5, "w"), ("destroy",)),
]

_RANDOM: Final = """
terraform {
  required_providers {
    random = { source = "hashicorp/random" }
  }
}
"""
_DRAWN: Final = """
resource "random_integer" "port" {
  min     = 8000
  max     = 8099
  seed    = "seed"
  keepers = { key = "KEY" }
}
resource "random_shuffle" "zones" {
  input = ["a", "b", "c", random_integer.port.result]
  seed  = "seed"
}
resource "random_id" "imported" {
  byte_length = 4
  prefix      = "srv-"
}
resource "random_uuid" "imported" {
}
ephemeral "random_password" "never_saved" {
  length = random_integer.port.result > 0 ? 20 : 21
}
output "all" {
  value = [random_integer.port, random_shuffle.zones.result, random_id.imported.hex]
}
"""
_IMPORTS: Final = """
import {
  to = random_id.imported
  id = "srv-,p-9hUg"
}
import {
  to = random_uuid.imported
  id = "aabbccdd-eeff-0011-2233-445566778899"
}
"""
_WRONG: Final = """
import {
  to = random_integer.imported
  id = "1,2"
}
resource "random_integer" "imported" {
  min = 1
  max = 2
}
resource "random_string" "none" {
  length = 0
}
resource "random_password" "contradictory" {
  length    = 3
  min_lower = 4
}
"""
_IMPOSSIBLE: Final = """
resource "random_integer" "impossible" {
  min = 10
  max = 1
}
"""


def _drawn(key: str, more: str = "") -> str:
    return _RANDOM + _DRAWN.replace("KEY", key) + more


_RANDOM_STORY: Final = [
    (_drawn("v", _IMPORTS), ("plan", "apply", "plan")),
    (_drawn("w"), ("plan", "apply")),
    (_drawn("w", _WRONG), ("plan",)),
    (_drawn("w", _IMPOSSIBLE), ("apply",)),
    (_drawn("w"), ("destroy",)),
]


def _needs(name: str) -> pytest.MarkDecorator:
    """Skip where the plugin is not installed, since no test downloads one. The sessions with it that are on tapes in
    `corpus/cases/plugins` are replayed everywhere."""
    is_there = (MIRROR / "registry.terraform.io" / "hashicorp" / name).is_dir()
    return pytest.mark.skipif(not is_there, reason=f"needs the plugin hashicorp/{name}")


@pytest.mark.parametrize(
    "story",
    [
        pytest.param(_TIME_STORY, marks=_needs("time"), id="time"),
        pytest.param(_RANDOM_STORY, marks=_needs("random"), id="random"),
    ],
)
def test_a_plugin_made_by_others(
    story: list[tuple[str, tuple[str, ...]]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Create, import, read again, update, replace, fail, destroy."""
    rc = tmp_path / "rc"
    rc.write_text(f'provider_installation {{\n  filesystem_mirror {{\n    path = "{MIRROR}"\n  }}\n}}\n')
    monkeypatch.setenv("TF_CLI_CONFIG_FILE", str(rc))
    for config, steps in story:
        found = {}
        for engine in ("terraform", *ENGINES):
            place = tmp_path / engine
            place.mkdir(exist_ok=True)
            (place / "main.tf").write_text(config)
            init(place)
            found[engine] = [outcome(engine, step, place) for step in steps]
        for engine in ENGINES:
            assert list(_differences(found["terraform"], found[engine])) == [], engine
