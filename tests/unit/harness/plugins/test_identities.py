"""Identities of objects: OpenTofu's flavour asks plugins for them and keeps them, Terraform's does neither."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

import pytest
from click.testing import CliRunner

pytest.importorskip("h2")
pytest.importorskip("msgpack")
pytest.importorskip("google.protobuf")

import msgpack

from harness.cli import commands
from harness.plugins.wire.methods import Major
from tests.scripted_plugin import IDENTIFIED, ScriptedPlugin, reattach_variable, served

CONFIG: Final = """
terraform {
  required_providers {
    fake = { source = "dh.test/x/fake" }
  }
}
resource "fake_thing" "a" {
  name  = "a"
  value = "VALUE"
}
"""
IMPORT: Final = 'import {\n  to       = fake_thing.a\n  identity = { name = "a" }\n}\n'


@pytest.fixture(params=["legacy", "new"])
def engine(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.delenv("TF_CLI_CONFIG_FILE", raising=False)
    return str(request.param)


def run(plugin: ScriptedPlugin, place: Path, monkeypatch: pytest.MonkeyPatch, *arguments: str) -> Any:
    """Run a command of an engine, and return the identities that the plugin was given meanwhile, by call."""
    plugin.requests.clear()
    with served(plugin, place) as address:
        monkeypatch.setenv("TF_REATTACH_PROVIDERS", reattach_variable(address, plugin.major))
        engine, command, *options = arguments
        line = ["engine", engine, command, str(place), "--allow-exec", *options]
        ran = CliRunner().invoke(commands, line, input="yes\n")
    assert ran.exit_code == 0, ran.output
    fields = ("current_identity", "prior_identity", "planned_identity", "identity")
    return [
        (call, msgpack.unpackb(getattr(request, field).identity_data.msgpack)["name"])
        for call, request in plugin.requests
        for field in fields
        if field in request.DESCRIPTOR.fields_by_name and request.HasField(field)
    ]


def identity_in(place: Path) -> Any:
    (resource,) = json.loads((place / "terraform.tfstate").read_text())["resources"]
    (instance,) = resource["instances"]
    return {name: part for name, part in instance.items() if name.startswith("identity")}


@pytest.mark.parametrize("major", Major)
def test_a_life_with_an_identity(tmp_path: Path, engine: str, major: Major, monkeypatch: pytest.MonkeyPatch) -> None:
    """Imported by its identity and updated, planned from an older version of it, and destroyed."""
    plugin = ScriptedPlugin(IDENTIFIED, major)
    opentofu = ("--flavour", "opentofu-1.12")
    (tmp_path / "main.tf").write_text(CONFIG.replace("VALUE", "v") + IMPORT)
    document = tmp_path / "plan.json"
    given = run(plugin, tmp_path, monkeypatch, engine, "plan", *opentofu, "--plan-json", str(document))
    assert given == [("ImportResourceState", "a"), ("ReadResource", "a"), ("PlanResourceChange", "a")]
    planned = json.loads(document.read_text())
    (change,) = planned["resource_changes"]
    identity = {"name": "a", "number": None}
    assert change["change"]["importing"] == {"identity": identity}
    assert change["change"]["before_identity"] == change["change"]["after_identity"] == identity
    (record,) = planned["planned_values"]["root_module"]["resources"]
    assert (record["identity"], record["identity_schema_version"]) == (identity, 1)

    given = run(plugin, tmp_path, monkeypatch, engine, "apply", *opentofu)
    assert ("ApplyResourceChange", "a") in given
    assert identity_in(tmp_path) == {"identity": identity, "identity_schema_version": 1}

    state = json.loads((tmp_path / "terraform.tfstate").read_text())
    state["resources"][0]["instances"][0] |= {"identity": {"label": "b"}, "identity_schema_version": 0}
    (tmp_path / "terraform.tfstate").write_text(json.dumps(state))
    (tmp_path / "main.tf").write_text(CONFIG.replace("VALUE", "w"))
    given = run(plugin, tmp_path, monkeypatch, engine, "plan", *opentofu)
    assert given == [("ReadResource", "b"), ("PlanResourceChange", "b")]
    given = run(plugin, tmp_path, monkeypatch, engine, "destroy", *opentofu)
    assert given == [("ReadResource", "b"), ("PlanResourceChange", "b")]


def test_an_import_waits_for_what_its_identity_refers_to(
    tmp_path: Path, engine: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    named = 'variable "name" {\n  default = "a"\n}\n' + IMPORT.replace('"a"', "var.name")
    (tmp_path / "main.tf").write_text(CONFIG.replace("VALUE", "v") + named)
    options = ("--flavour", "opentofu-1.12", "--parallelism", "1")
    given = run(ScriptedPlugin(IDENTIFIED), tmp_path, monkeypatch, engine, "plan", *options)
    assert given[0] == ("ImportResourceState", "a")


def test_terraform_knows_no_identities(tmp_path: Path, engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    plugin = ScriptedPlugin(IDENTIFIED)
    (tmp_path / "main.tf").write_text(CONFIG.replace("VALUE", "v"))
    given = run(plugin, tmp_path, monkeypatch, engine, "apply", "--flavour", "terraform-1.11")
    assert given == []
    assert "GetResourceIdentitySchemas" not in [call for call, _ in plugin.requests]
    assert identity_in(tmp_path) == {}
