"""The permissive provider: configurations for unavailable providers can be validated, planned and applied in a dry run,
but only on request."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from harness.cli.engine.group import engine as engine_command
from harness.simulation.permissive.derived import derive
from shared_nodes.addresses.provider import ProviderSource
from shared_nodes.config.loading import load_configuration
from shared_nodes.providers.schema import SchemaBlock
from shared_nodes.state.model import State
from shared_nodes.world import Files

CLOUD = ProviderSource("registry.terraform.io", "acme", "cloud")
HEAD = 'terraform {\n required_providers {\n  cloud = { source = "acme/cloud" }\n }\n}\n'


@pytest.fixture(params=["legacy", "new"])
def engine(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def run(engine: str, directory: Path, command: str, *words: str, fails: bool = False) -> str:
    result = CliRunner().invoke(engine_command, [engine, command, str(directory), *words])
    assert (result.exit_code != 0) is fails, result.output
    return result.output


def planned(engine: str, directory: Path) -> Any:
    file = directory / "plan.json"
    run(engine, directory, "plan", "--permissive", "acme/cloud", "--plan-json", str(file))
    return json.loads(file.read_text())


def block_of(directory: Path, text: str, kind: str = "cloud_server") -> SchemaBlock:
    (directory / "main.tf").write_text(HEAD + text)
    config, problems = load_configuration(Files(directory), is_available=lambda _source: True)
    assert config is not None, problems
    return derive(CLOUD, config, State()).schema.managed[kind].block


def test_a_missing_provider_stays_missing_unless_asked_for(engine: str, tmp_path: Path) -> None:
    (tmp_path / "main.tf").write_text(HEAD + 'resource "cloud_server" "a" { size = 1 }')
    assert "acme/cloud" in run(engine, tmp_path, "validate", fails=True)
    assert "acme/cloud" in run(engine, tmp_path, "plan", "--permissive", "acme/other", fails=True)
    for wanted in ("acme/cloud", "registry.terraform.io/acme/cloud", "all"):
        assert "Success!" in run(engine, tmp_path, "validate", "--permissive", wanted)


def test_a_source_has_the_form_of_a_source(tmp_path: Path) -> None:
    assert "hashicorp/aws" in run("legacy", tmp_path, "plan", "--permissive", "aws", fails=True)


def test_arguments_are_optional_and_blocks_are_those_that_occur(tmp_path: Path) -> None:
    block = block_of(
        tmp_path,
        """
        resource "cloud_server" "a" {
          size = 1
          disk { name = "x" }
        }
        resource "cloud_server" "b" {
          name = "b"
          dynamic "disk" {
            for_each = []
            content { size = 1 }
          }
        }
        """,
    )
    assert {name: (one.optional, one.computed) for name, one in block.attributes.items()} == {
        "id": (True, True),
        "name": (True, False),
        "size": (True, False),
    }
    assert sorted(block.block_types["disk"].block.attributes) == ["name", "size"]


@pytest.mark.parametrize(
    "expression",
    [
        "cloud_server.a.address",
        "cloud_server.a[0].address",
        'cloud_server.a["k"].address',
        "cloud_server.a[*].address",
        "cloud_server.a.*.address",
        "[for one in cloud_server.a : one.address]",
        "{ for key, one in cloud_server.a : key => upper(one.address) }",
        'cloud_server.a[local.key].address["x"]',
    ],
)
def test_what_expressions_ask_for_is_computed(tmp_path: Path, expression: str) -> None:
    text = f'resource "cloud_server" "a" {{ size = 1 }}\nlocals {{\n key = "k"\n asked = {expression}\n}}'
    attribute = block_of(tmp_path, text).attributes["address"]
    assert (attribute.optional, attribute.computed) == (False, True)


def test_data_sources_answer_in_the_form_they_are_asked_in(engine: str, tmp_path: Path) -> None:
    (tmp_path / "main.tf").write_text(
        HEAD
        + """
        data "cloud_zones" "all" { state = "up" }
        output "second" { value = data.cloud_zones.all.names[1] }
        output "joined" { value = join(",", data.cloud_zones.all.ids) }
        output "deep" { value = data.cloud_zones.all.groups[0].name }
        """
    )
    outputs = {name: one["after"] for name, one in planned(engine, tmp_path)["output_changes"].items()}
    assert outputs == {
        "second": "cloud_zones-names-1",
        "joined": "cloud_zones-ids-0,cloud_zones-ids-1,cloud_zones-ids-2",
        "deep": "cloud_zones-groups-0-name",
    }


STORY = """
provider "cloud" {
  region = "north"
  defaults { tags = { a = "b" } }
}
resource "cloud_network" "net" { range = "10.0.0.0/16" }
resource "cloud_server" "web" {
  count   = 2
  network = cloud_network.net.id
  disk {
    size = 10
  }
}
output "disks" { value = cloud_server.web[*].disk[0].serial }
"""


def test_a_plan_can_be_carried_out_and_then_there_is_nothing_to_do(engine: str, tmp_path: Path) -> None:
    (tmp_path / "main.tf").write_text(HEAD + STORY)
    changes = {one["address"]: one["change"] for one in planned(engine, tmp_path)["resource_changes"]}
    assert changes["cloud_network.net"]["after_unknown"] == {"id": True}
    assert changes["cloud_server.web[0]"]["after"] == {"disk": [{"size": 10}]}
    assert changes["cloud_server.web[0]"]["after_unknown"] == {"disk": [{"serial": True}], "id": True, "network": True}
    run(engine, tmp_path, "apply", "--permissive", "acme/cloud")
    assert "No changes." in run(engine, tmp_path, "plan", "--permissive", "acme/cloud")
    (tmp_path / "main.tf").write_text(HEAD + STORY.replace("size = 10", "size = 20"))
    output = run(engine, tmp_path, "plan", "--permissive", "acme/cloud")
    assert "0 to add, 2 to change, 0 to destroy" in output
    (tmp_path / "main.tf").write_text(HEAD)
    output = run(engine, tmp_path, "apply", "--permissive", "acme/cloud")
    assert "0 added, 0 changed, 3 destroyed" in output


def test_a_state_of_the_real_provider_can_be_planned_with(engine: str, tmp_path: Path) -> None:
    """Its attributes have no types, it has more blocks than the configuration, and its schema has a version."""
    (tmp_path / "main.tf").write_text(
        HEAD + 'resource "cloud_server" "a" {\n size = 2\n tags = { a = "b" }\n disk {\n  size = 10\n }\n}'
    )
    attributes = {
        "id": "i-1",
        "arn": "arn:1",
        "size": 1,
        "tags": {"a": "b"},
        "disk": [{"size": 10, "serial": "s"}],
    }
    instance = {"schema_version": 2, "attributes": attributes, "sensitive_attributes": []}
    resource = {
        "mode": "managed",
        "type": "cloud_server",
        "name": "a",
        "provider": f'provider["{CLOUD}"]',
        "instances": [instance],
    }
    state = {"version": 4, "serial": 1, "lineage": "x", "terraform_version": "1.3.7", "resources": [resource]}
    (tmp_path / "terraform.tfstate").write_text(json.dumps(state))
    (change,) = [one["change"] for one in planned(engine, tmp_path)["resource_changes"]]
    assert change["actions"] == ["update"]
    assert change["before"] == {**attributes, "disk": [{"size": 10}]}
    assert change["after"] == {**attributes, "disk": [{"size": 10}], "size": 2}
