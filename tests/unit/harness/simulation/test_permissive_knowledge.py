"""What the permissive provider learns from more than arguments: `self`, ignored names, labels, functions, uses, and
files that the user gives."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from harness.cli import commands
from harness.cli.engine.group import engine as engine_command
from harness.simulation.plausible import Form, form_of_name, write_text

HEAD = 'terraform {\n required_providers {\n  cloud = { source = "acme/cloud" }\n }\n}\n'


@pytest.fixture(params=["legacy", "new"])
def engine(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def applied(engine: str, directory: Path, text: str, *words: str) -> dict[str, Any]:
    """Apply a configuration, see that a second plan is empty, and return the outputs."""
    (directory / "main.tf").write_text(HEAD + text)
    state = directory / "terraform.tfstate"
    state.unlink(missing_ok=True)
    for command in ("apply", "plan"):
        words_of_command = [engine, command, str(directory), "--permissive", "acme/cloud", *words]
        ran = CliRunner().invoke(engine_command, words_of_command)
        assert ran.exit_code == 0, ran.output
    assert "No changes." in ran.output
    return {name: each["value"] for name, each in json.loads(state.read_text())["outputs"].items()}


def test_provider_meta_is_believed(engine: str, tmp_path: Path) -> None:
    applied(
        engine,
        tmp_path,
        'terraform {\n  provider_meta "cloud" {\n    module = "x"\n  }\n}\nresource "cloud_server" "a" {}\n',
    )


def test_names_in_ignore_changes_are_arguments(engine: str, tmp_path: Path) -> None:
    text = """
    resource "cloud_server" "a" {
      disk {
        size = 1
      }
      lifecycle {
        ignore_changes = [nodes, disk[0].encrypted, tags["x"]]
      }
    }
    """
    applied(engine, tmp_path, text)


def test_self_tells_what_is_computed(engine: str, tmp_path: Path) -> None:
    text = """
    resource "cloud_server" "a" {
      provisioner "local-exec" {
        command = "true ${self.public_ip}"
      }
      lifecycle {
        postcondition {
          condition     = length(self.zones) == 3 && self.body != ""
          error_message = "No."
        }
      }
    }
    """
    applied(engine, tmp_path, text)


def test_a_block_with_a_label_is_part_of_a_map(engine: str, tmp_path: Path) -> None:
    text = """
    resource "cloud_rule" "a" {
      equal "networks" {
        values = [1]
      }
      dynamic "rule" {
        for_each = [80]
        labels   = ["port-${rule.value}"]
        content {
          port = rule.value
        }
      }
    }
    output "o" {
      value = [cloud_rule.a.equal.networks.values, cloud_rule.a.rule["port-80"].port]
    }
    """
    assert applied(engine, tmp_path, text)["o"] == [[1], 80]


def test_functions_of_the_provider_are_invented_by_the_use_of_their_results(engine: str, tmp_path: Path) -> None:
    text = """
    output "o" {
      value = [
        provider::cloud::parse("a", null).account_id,
        provider::cloud::names()[*].first,
        provider::cloud::count([1]) + 1,
      ]
    }
    """
    found = applied(engine, tmp_path, text)["o"]
    assert (found[0], len(found[1]), found[2]) == ("123456789012", 3, 2)


def test_ephemeral_resources_open(engine: str, tmp_path: Path) -> None:
    text = """
    ephemeral "cloud_token" "t" {
      ttl = 1
    }
    resource "cloud_server" "a" {
      name = ephemeralasnull(ephemeral.cloud_token.t.value) == null ? "hidden" : "seen"
    }
    """
    applied(engine, tmp_path, text)


def test_a_use_decides_the_form_of_a_value(engine: str, tmp_path: Path) -> None:
    text = """
    resource "cloud_server" "a" {}
    output "o" {
      value = {
        decoded = base64decode(cloud_server.a.ca[0].data)
        yaml    = yamldecode(base64decode(cloud_server.a.kubeconfig)).clusters[0].server
        json    = jsondecode(cloud_server.a.policy).Statement[1].Effect
        sum     = cloud_server.a.replicas + 1
        subnet  = cidrsubnet(cloud_server.a.space, 4, 1)
        later   = timeadd(cloud_server.a.made, "1h")
        choice  = cloud_server.a.ready ? 1 : 2
        rows    = csvdecode(cloud_server.a.table)
      }
    }
    """
    found = applied(engine, tmp_path, text)["o"]
    identifier = found["decoded"].removesuffix("-ca-0-data")
    assert found["yaml"] == f"{identifier}-kubeconfig-clusters-0-server"
    assert found["json"].endswith("-policy-Statement-1-Effect")
    assert (found["sum"], found["choice"], found["later"]) == (2, 1, "2024-05-06T08:08:09Z")
    assert found["subnet"].startswith("10.")
    assert found["rows"] == [{"name": "a", "value": "1"}]


def test_local_values_and_each_lead_to_resources(engine: str, tmp_path: Path) -> None:
    text = """
    resource "cloud_server" "a" {
      for_each = toset(["x"])
    }
    resource "cloud_rule" "r" {
      for_each = cloud_server.a
      node     = each.value.node_id
    }
    locals {
      policy = jsondecode(cloud_server.a["x"].policy)
      kind   = local.policy.kind
    }
    output "o" {
      value = [cloud_rule.r["x"].node, local.kind, [for name, each in cloud_server.a : each.address_book]]
    }
    """
    found = applied(engine, tmp_path, text)["o"]
    assert found[0].endswith("-node_id")
    assert found[1].endswith("-policy-kind")
    assert found[2][0].endswith("-address_book")


def test_a_name_suggests_the_form_of_a_value(engine: str, tmp_path: Path) -> None:
    names = "arn account_id region cidr_block private_ip fqdn endpoint created_at name"
    outputs = "".join(f'output "{name}" {{\n  value = cloud_server.a.{name}\n}}\n' for name in names.split())
    found = applied(engine, tmp_path, f'resource "cloud_server" "a" {{}}\n{outputs}')
    assert found["arn"].startswith("arn:aws:service:eu-west-1:123456789012:thing/")
    assert (found["account_id"], found["region"]) == ("123456789012", "eu-west-1")
    assert found["endpoint"].startswith("https://")
    assert found["fqdn"].endswith(".example.com")
    assert found["name"].endswith("-name")


VALUES = """
cloud_server:
  public_ip: 192.0.2.1
  replicas: 5
cloud_server.b:
  public_ip: 192.0.2.2
data.cloud_image:
  tags: {os: linux}
provider::cloud::parse: [1, {a: true}]
"""


def test_values_that_the_user_knows_count_more(engine: str, tmp_path: Path) -> None:
    file = tmp_path / "values.yaml"
    file.write_text(VALUES)
    text = """
    resource "cloud_server" "a" {}
    resource "cloud_server" "b" {
      replicas = 1
    }
    data "cloud_image" "i" {}
    output "o" {
      value = [
        cloud_server.a.public_ip, cloud_server.b.public_ip, cloud_server.a.replicas + cloud_server.b.replicas,
        data.cloud_image.i.tags.os, provider::cloud::parse("x")[1].a,
      ]
    }
    """
    found = applied(engine, tmp_path, text, "--permissive-values", str(file))["o"]
    assert found == ["192.0.2.1", "192.0.2.2", 6, "linux", True]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("- a", "must be a mapping of types"),
        ("a b: {}", "a b: must be a type"),
        ("cloud_server: 5", "cloud_server: must be a mapping of attributes"),
        ("cloud_server: {made: 2026-01-02}", "cloud_server.made: 2026-01-02 is nothing that JSON could say"),
        ("cloud_server: {n: .inf}", "cloud_server.n"),
        ("a: [", "not YAML"),
    ],
)
def test_a_file_with_values_that_cannot_be_used_is_one_message(tmp_path: Path, text: str, said: str) -> None:
    file = tmp_path / "values.yaml"
    file.write_text(text)
    (tmp_path / "main.tf").write_text(HEAD)
    for words in (["run", str(tmp_path)], ["engine", "new", "validate", str(tmp_path)]):
        ran = CliRunner().invoke(commands, [*words, "--permissive-values", str(file)])
        assert ran.exit_code == 1
        assert said in ran.output


def text(kind: Any, **flags: bool) -> dict[str, Any]:
    return {"type": kind, **flags}


SCHEMAS = {
    "provider_schemas": {
        "registry.terraform.io/acme/cloud": {
            "provider": {"version": 0, "block": {"attributes": {"token": text("string", optional=True)}}},
            "resource_schemas": {
                "cloud_server": {
                    "version": 2,
                    "block": {
                        "attributes": {
                            "id": text("string", computed=True),
                            "name": text("string", required=True),
                            "replicas": text("number", computed=True, optional=True),
                            "ready": text("bool", computed=True),
                            "zones": text(["set", "string"], computed=True),
                            "tags": text(["map", "string"], computed=True, optional=True),
                            "secret": text("string", computed=True, sensitive=True),
                            "parts": {
                                "nested_type": {
                                    "nesting_mode": "list",
                                    "attributes": {"arn": text("string", computed=True)},
                                },
                                "computed": True,
                            },
                            "who": text(["object", {"n": "number"}], computed=True),
                        },
                        "block_types": {
                            "net": {
                                "nesting_mode": "list",
                                "block": {
                                    "attributes": {
                                        "cidr": text("string", required=True),
                                        "gateway": text("string", computed=True),
                                    }
                                },
                            },
                            "pool": {
                                "nesting_mode": "set",
                                "block": {"attributes": {"n": text("number", optional=True)}},
                            },
                            "labelled": {
                                "nesting_mode": "map",
                                "block": {"attributes": {"n": text("number", optional=True)}},
                            },
                            "timeouts": {
                                "nesting_mode": "single",
                                "block": {"attributes": {"create": text("string", optional=True)}},
                            },
                        },
                    },
                }
            },
        }
    }
}


def test_a_real_schema_decides_about_arguments_and_types(engine: str, tmp_path: Path) -> None:
    file = tmp_path / "schemas.json"
    file.write_text(json.dumps(SCHEMAS))
    body = """
    resource "cloud_server" "a" {
      name = "x"
      net {
        cidr = "10.0.0.0/8"
      }
      pool {
        n = 1
      }
      labelled "l" {
        n = 2
      }
      timeouts {
        create = "1h"
      }
    }
    output "o" {
      value = [
        cloud_server.a.replicas + cloud_server.a.who.n, cloud_server.a.ready, length(cloud_server.a.zones),
        cloud_server.a.parts[0].arn, cloud_server.a.net[0].gateway, cloud_server.a.labelled.l.n,
      ]
    }
    """
    found = applied(engine, tmp_path, body, "--provider-schemas", str(file))["o"]
    assert (*found[:3], found[5]) == (2, True, 1, 2)
    assert found[3].startswith("arn:")
    assert found[4].endswith("-net-0-gateway")
    (tmp_path / "main.tf").write_text(HEAD + 'resource "cloud_server" "a" {\n  nam = 1\n}\n')
    words = [engine, "validate", str(tmp_path), "--permissive", "all", "--provider-schemas", str(file)]
    refused = CliRunner().invoke(engine_command, words)
    assert 'The argument "name" is required' in refused.output
    assert 'Did you mean "name"?' in refused.output


@pytest.mark.parametrize("content", ["[", "{}", '{"provider_schemas": {"a/b/c": 5}}', "\udcff"])
def test_a_file_that_has_no_schemas_is_one_message(tmp_path: Path, content: str) -> None:
    file = tmp_path / "schemas.json"
    file.write_text(content, errors="surrogateescape")
    (tmp_path / "main.tf").write_text(HEAD)
    ran = CliRunner().invoke(commands, ["run", str(tmp_path), "--provider-schemas", str(file)])
    assert ran.exit_code == 1
    assert f"{file}: " in ran.output


def test_run_repeats_the_files_in_the_command_that_shows_it_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "area" / "case").mkdir(parents=True)
    (tmp_path / "values.yaml").write_text(VALUES)
    body = 'resource "cloud_server" "b" {}\noutput "o" {\n  value = cloud_server.b.public_ip\n}\n'
    (tmp_path / "area" / "case" / "main.tf").write_text(HEAD + body)
    words = ["run", "area/case", "--permissive", "all", "--permissive-values", "values.yaml", "--mutant", "M31"]
    ran = CliRunner().invoke(commands, [*words, "--jobs", "1", "--out", "out"])
    again = next(line for line in ran.output.splitlines() if line.startswith("again"))
    assert f"--permissive-values {tmp_path}/values.yaml" in again


# Plausible texts


@given(st.sampled_from(list(Form)), st.text(max_size=50))
def test_texts_have_the_form_they_are_asked_for(form: Form, owner: str) -> None:
    found = write_text(form, owner)
    assert found == write_text(form, owner)
    assert found.isascii()
    if form is Form.BASE64:
        base64.b64decode(found, validate=True).decode()


@pytest.mark.parametrize(
    ("name", "form"),
    [
        ("vpc_cidr_block", Form.CIDR),
        ("ipv6_cidr_block", Form.CIDR_6),
        ("private_ip", Form.IP),
        ("recipe", None),
        ("arn", Form.ARN),
        ("learn", None),
        ("availability_zone", Form.ZONE),
        ("hosted_zone_id", None),
        ("port", Form.NUMBER),
        ("report", None),
        ("name", None),
    ],
)
def test_a_name_is_only_taken_for_what_it_says(name: str, form: Form | None) -> None:
    assert form_of_name(name) is form


@pytest.mark.parametrize("form", [Form.ARN, Form.DOMAIN, Form.EMAIL, Form.URL])
def test_an_id_in_a_text_stays_whole(form: Form) -> None:
    """Ids are given names before two runs are compared: what is left of one would differ."""
    identifier = "0f6d1c9e-5a7b-4c3d-8e2f-1a2b3c4d5e6f"
    text = write_text(form, f"{identifier}-configuration-endpoint-0")
    assert identifier in text
    assert "configuration-endpoint" in text


def test_a_list_of_what_instances_have_is_no_list_of_each(engine: str, tmp_path: Path) -> None:
    """`one(cloud_server.a[*].name)` needs no list in each name; `flatten` of such a list does."""
    text = """
    resource "cloud_server" "a" {
      count = 2
    }
    locals {
      zones = cloud_server.a[*].zone
    }
    output "o" {
      value = {
        joined  = join(",", cloud_server.a[*].name)
        old     = element(concat(cloud_server.a.*.host, [""]), 0)
        indexed = one(slice(cloud_server.a[*]["label"], 0, 1))
        local   = contains(local.zones, "z")
        first   = local.zones[0]
        flat    = length(flatten(cloud_server.a[*].disks)) > 2
        itself  = length(cloud_server.a[0].ports) > 1
      }
    }
    """
    found = applied(engine, tmp_path, text)["o"]
    assert [type(found[name]) for name in ("joined", "old", "indexed", "local", "first")] == [str, str, str, bool, str]
    assert (found["flat"], found["itself"]) == (True, True)


def test_what_functions_take_out_is_followed(engine: str, tmp_path: Path) -> None:
    text = """
    data "cloud_account" "me" {
      count = 1
    }
    data "cloud_documents" "all" {}
    resource "cloud_server" "a" {
      for_each = data.cloud_documents.all.manifests
      body     = each.value.text
    }
    resource "cloud_server" "b" {
      for_each = toset(data.cloud_documents.all.names)
    }
    output "o" {
      value = {
        account = one(data.cloud_account.me).number
        first   = element(data.cloud_account.me, 0).zone
        hosts   = values(cloud_server.a)[*].host
        sorted  = sort(cloud_server.b[data.cloud_documents.all.names[0]].addresses)[0]
        tried   = nonsensitive(data.cloud_account.me[0]).label
      }
    }
    """
    found = applied(engine, tmp_path, text)["o"]
    assert {name: type(value) for name, value in found.items()} == {
        **dict.fromkeys(("account", "first", "sorted", "tried"), str),
        "hosts": list,
    }
    assert [type(host) for host in found["hosts"]] == [str]


def test_arguments_with_the_usual_ending_are_write_only(engine: str, tmp_path: Path) -> None:
    text = """
    variable "password" {
      ephemeral = true
      default   = "correct horse"
    }
    resource "cloud_secret" "a" {
      value_wo         = var.password
      value_wo_version = 1
      rotation {
        key_wo = var.password
      }
    }
    output "o" {
      value = cloud_secret.a.value_wo_version
    }
    """
    assert applied(engine, tmp_path, text)["o"] == 1
    assert "correct horse" not in (tmp_path / "terraform.tfstate").read_text()


def test_references_are_followed_into_modules_and_out_of_them(engine: str, tmp_path: Path) -> None:
    (tmp_path / "m").mkdir()
    (tmp_path / "m" / "main.tf").write_text(
        HEAD
        + """
        variable "network" {}
        variable "one" {}
        resource "cloud_subnet" "s" {
          for_each = toset(["a", "b"])
          range    = var.network.range
          port     = var.one.port + 1
        }
        output "subnets" {
          value = cloud_subnet.s
        }
        output "network" {
          value = var.network
        }
        """
    )
    text = """
    resource "cloud_network" "n" {}
    resource "cloud_thing" "t" {
      for_each = toset(["x"])
    }
    module "m" {
      source   = "./m"
      for_each = cloud_thing.t
      network  = cloud_network.n
      one      = each.value
    }
    output "o" {
      value = {
        links = [for subnet in module.m["x"].subnets : subnet.self_link]
        zone  = module.m["x"].network.zone
      }
    }
    """
    found = applied(engine, tmp_path, text)["o"]
    assert (len(found["links"]), type(found["zone"])) == (2, str)


def test_conditions_and_texts_inside_of_texts(engine: str, tmp_path: Path) -> None:
    text = """
    variable "ips" {
      default = ["10.0.0.1"]
      validation {
        condition     = alltrue([for ip in var.ips : provider::cloud::is_ip(ip)]) && provider::cloud::is_any(var.ips)
        error_message = "No."
      }
      validation {
        condition     = length([for ip in var.ips : ip if provider::cloud::is_new(ip)]) == 1
        error_message = "No."
      }
      validation {
        condition     = provider::cloud::is_list(var.ips)
        error_message = "No."
      }
    }
    resource "cloud_job" "a" {
      lifecycle {
        postcondition {
          condition     = length(regexall("x", jsondecode(self.result))) >= 0
          error_message = "No."
        }
      }
    }
    """
    applied(engine, tmp_path, text)
