"""The mock of hashicorp/tfcoremock, as Terraform's equivalence tests use it: a directory with a configuration, a state
and objects as files, run with both engines. The results have the published form and values."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from harness.cli.engine.group import engine as engine_command

HEAD = """
terraform {
  required_providers {
    tfcoremock = {
      source  = "hashicorp/tfcoremock"
      version = "VERSION"
    }
  }
}
"""
SOURCE = "registry.terraform.io/hashicorp/tfcoremock"


@pytest.fixture(params=["legacy", "new"])
def engine(request: pytest.FixtureRequest) -> str:
    return str(request.param)


class Directory:
    """One equivalence test: the files in its directory, and what an engine makes of them."""

    def __init__(self, path: Path, engine: str) -> None:
        self.path = path
        self.engine = engine

    def configure(self, text: str, version: str = "0.1.1") -> None:
        (self.path / "main.tf").write_text(HEAD.replace("VERSION", version) + text)

    def define(self, **types: Any) -> None:
        (self.path / "dynamic_resources.json").write_text(json.dumps(types))

    def remember(self, *resources: tuple[str, dict[str, Any]]) -> None:
        state = {
            "version": 4,
            "terraform_version": "1.3.7",
            "serial": 3,
            "lineage": "6d9f0b3e-3f0b-4d0a-8a53-2f4ff6b1a4a0",
            "outputs": {},
            "resources": [_remembered(address, attributes) for address, attributes in resources],
            "check_results": None,
        }
        (self.path / "terraform.tfstate").write_text(json.dumps(state))

    def put(self, identifier: str, directory: str = "terraform.resource", **values: Any) -> None:
        (self.path / directory).mkdir(exist_ok=True)
        content = {"values": {"id": {"string": identifier}, **values}}
        (self.path / directory / f"{identifier}.json").write_text(json.dumps(content))

    def run(self, *words: str, fails: bool = False) -> str:
        command, *rest = words
        place = [] if command == "show" else [str(self.path)]
        result = CliRunner().invoke(engine_command, [self.engine, command, *place, *rest])
        assert (result.exit_code != 0) is fails, result.output
        return result.output

    def plan(self, *words: str) -> Any:
        self.run("plan", "--plan-json", str(self.path / "plan.json"), *words)
        return json.loads((self.path / "plan.json").read_text())

    def state(self) -> Any:
        document = json.loads(self.run("show", "--json", str(self.path / "terraform.tfstate")))
        return {one["address"]: one["values"] for one in document["values"]["root_module"]["resources"]}

    def object(self, identifier: str) -> Any:
        return json.loads((self.path / "terraform.resource" / f"{identifier}.json").read_text())["values"]


def _remembered(address: str, attributes: dict[str, Any]) -> Any:
    kind, name = address.split(".")
    instance = {"schema_version": 0, "attributes": attributes, "sensitive_attributes": []}
    provider = f'provider["{SOURCE}"]'
    return {"mode": "managed", "type": kind, "name": name, "provider": provider, "instances": [instance]}


@pytest.fixture
def directory(tmp_path: Path, engine: str) -> Directory:
    return Directory(tmp_path, engine)


def simple(**attributes: Any) -> dict[str, Any]:
    return {"bool": None, "float": None, "id": None, "integer": None, "number": None, "string": None} | attributes


def change_of(plan: Any, address: str) -> Any:
    (found,) = [one for one in plan["resource_changes"] if one["address"] == address]
    return found["change"]


def test_a_changed_file_is_drift_and_the_plan_undoes_it(directory: Directory) -> None:
    directory.configure('resource "tfcoremock_simple_resource" "a" { string = "wanted" }')
    directory.remember(("tfcoremock_simple_resource.a", simple(id="one", string="remembered")))
    directory.put("one", string={"string": "drifted"}, number={"number": "1.5e+06"})
    plan = directory.plan()
    assert plan["configuration"]["provider_config"] == {
        "tfcoremock": {"name": "tfcoremock", "full_name": SOURCE, "version_constraint": "0.1.1"}
    }
    (drift,) = plan["resource_drift"]
    assert drift["change"]["before"] == simple(id="one", string="remembered")
    assert drift["change"]["after"] == simple(id="one", string="drifted", number=1500000)
    change = change_of(plan, "tfcoremock_simple_resource.a")
    assert (change["actions"], change["after"], change["after_unknown"]) == (
        ["update"],
        simple(id="one", string="wanted"),
        {},
    )
    directory.run("apply")
    assert directory.object("one") == {"id": {"string": "one"}, "string": {"string": "wanted"}}
    assert directory.state() == {"tfcoremock_simple_resource.a": simple(id="one", string="wanted")}


def test_without_its_file_an_object_is_gone(directory: Directory) -> None:
    directory.configure('resource "tfcoremock_simple_resource" "a" { string = "a" }')
    directory.remember(("tfcoremock_simple_resource.a", simple(id="one", string="a")))
    change = change_of(directory.plan(), "tfcoremock_simple_resource.a")
    assert (change["actions"], change["after_unknown"]) == (["create"], {"id": True})


def test_objects_are_written_as_published_with_numbers_as_texts(directory: Directory) -> None:
    directory.configure(
        """
        resource "tfcoremock_complex_resource" "a" {
          id      = "complex"
          float   = 987654321.0
          integer = 999999
          list    = [{ string = "x" }, { set = [{ number = 0.00001 }] }]
          map     = { one = { bool = false } }
          set_block {
            string = "<in>"
          }
        }
        """
    )
    directory.run("apply")
    assert directory.object("complex") == {
        "float": {"number": "9.87654321e+08"},
        "id": {"string": "complex"},
        "integer": {"number": "999999"},
        "list": {
            "list": [
                {"object": {"string": {"string": "x"}}},
                {"object": {"set": {"set": [{"object": {"number": {"number": "1e-05"}}}]}}},
            ]
        },
        "list_block": {"list": []},
        "map": {"map": {"one": {"object": {"bool": {"boolean": False}}}}},
        "set_block": {
            "set": [
                {
                    "object": {
                        "list_block": {"list": []},
                        "set_block": {"set": []},
                        "string": {"string": "<in>"},
                    }
                }
            ]
        },
    }
    text = (directory.path / "terraform.resource" / "complex.json").read_text()
    assert text.startswith('{\n  "values": {\n    "float": {\n      "number": "9.87654321e+08"\n    },')
    assert "\\u003cin\\u003e" in text
    assert not text.endswith("\n")
    assert change_of(directory.plan(), "tfcoremock_complex_resource.a")["actions"] == ["no-op"]
    directory.run("destroy")
    assert list((directory.path / "terraform.resource").iterdir()) == []


REPLACED = {"type": "string", "required": True, "replace": True}


@pytest.mark.parametrize(
    ("kind", "before", "after", "path"),
    [
        ("list", [{"id": "a"}, {"id": "b"}], '[{ id = "a" }, { id = "c" }]', ["items", 1, "id"]),
        ("map", {"k": {"id": "b"}}, '{ k = { id = "c" } }', ["items", "k", "id"]),
        ("set", [{"id": "a"}, {"id": "b"}], '[{ id = "a" }, { id = "c" }]', ["items"]),
    ],
)
def test_replacement_is_asked_for_where_the_change_is(
    directory: Directory, kind: str, before: Any, after: str, path: list[Any]
) -> None:
    """An element of a set cannot be addressed, so the path is that of the whole set."""
    element = {"type": "object", "object": {"id": REPLACED}}
    directory.define(
        tfcoremock_thing={"attributes": {"items": {"type": kind, "required": True, kind: element}}},
    )
    directory.configure(f'resource "tfcoremock_thing" "a" {{\n id = "one"\n items = {after}\n}}')
    directory.remember(("tfcoremock_thing.a", {"id": "one", "items": before}))

    def stored(part: dict[str, str]) -> Any:
        return {"object": {"id": {"string": part["id"]}}}

    is_map = isinstance(before, dict)
    content: Any = {key: stored(one) for key, one in before.items()} if is_map else [stored(one) for one in before]
    directory.put("one", items={kind: content})
    change = change_of(directory.plan(), "tfcoremock_thing.a")
    assert (change["actions"], change["replace_paths"]) == (["delete", "create"], [path])
    directory.run("apply")
    assert directory.object("one")["items"] != {kind: content}


def test_another_id_is_another_object(directory: Directory) -> None:
    directory.configure('resource "tfcoremock_simple_resource" "a" { id = "two" }')
    directory.remember(("tfcoremock_simple_resource.a", simple(id="one")))
    directory.put("one")
    change = change_of(directory.plan(), "tfcoremock_simple_resource.a")
    assert (change["actions"], change["replace_paths"]) == (["delete", "create"], [["id"]])
    directory.run("apply")
    assert [file.name for file in (directory.path / "terraform.resource").iterdir()] == ["two.json"]


COMPUTED = {
    "attributes": {
        "given": {"type": "string", "optional": True},
        "fixed": {"type": "list", "computed": True, "list": {"type": "integer"}, "value": {"list": [{"number": "7"}]}},
        "empty": {"type": "list", "computed": True, "list": {"type": "string"}},
    }
}


def test_computed_attributes_have_the_value_of_their_definition_and_keep_it(directory: Directory) -> None:
    directory.define(tfcoremock_thing=COMPUTED)
    directory.configure('resource "tfcoremock_thing" "a" { given = "a" }', "~> 0.2")
    unknown = change_of(directory.plan(), "tfcoremock_thing.a")["after_unknown"]
    assert unknown == {"id": True, "fixed": True, "empty": True}
    directory.run("apply")
    (values,) = directory.state().values()
    assert (values["fixed"], values["empty"]) == ([7], None)
    directory.configure('resource "tfcoremock_thing" "a" { given = "b" }', "~> 0.2")
    change = change_of(directory.plan(), "tfcoremock_thing.a")
    assert (change["after"]["fixed"], change["after_unknown"]) == ([7], {"empty": True, "fixed": [False]})


def test_early_releases_compute_empty_values_instead_of_null(directory: Directory) -> None:
    directory.define(tfcoremock_thing=COMPUTED)
    directory.configure('resource "tfcoremock_thing" "a" {}', "0.1.1")
    directory.run("apply")
    (values,) = directory.state().values()
    assert (values["fixed"], values["empty"]) == ([7], [])


@pytest.mark.parametrize(("version", "is_null"), [("0.1.1", True), ("0.1.3", False)])
def test_data_sources_are_computed_only_since_a_release(directory: Directory, version: str, is_null: bool) -> None:
    """Published recordings were made with the previous release, in whose plans attributes of data sources are null."""
    directory.configure(
        """
        resource "terraform_data" "later" {}
        data "tfcoremock_simple_resource" "read" { id = terraform_data.later.id }
        """,
        version,
    )
    change = change_of(directory.plan(), "data.tfcoremock_simple_resource.read")
    others = {"bool", "float", "integer", "number", "string"}
    assert change["after_unknown"].keys() == ({"id"} if is_null else {"id", *others})


def test_data_sources_read_their_own_directory(directory: Directory) -> None:
    directory.configure(
        """
        data "tfcoremock_simple_resource" "read" { id = "there" }
        output "found" { value = data.tfcoremock_simple_resource.read.integer + 1 }
        """
    )
    directory.put("there", "terraform.data", integer={"number": "41"})
    assert directory.plan()["output_changes"]["found"]["after"] == 42
    (directory.path / "terraform.data" / "there.json").unlink()
    output = " ".join(directory.run("plan", fails=True).replace("│", "").split())
    assert "failed to read data source" in output
    assert "open terraform.data/there.json: no such file or directory" in output


def test_directories_and_failures_are_configured(directory: Directory) -> None:
    directory.configure(
        """
        provider "tfcoremock" {
          resource_directory = "cloud"
          fail_on_create     = ["never"]
          fail_on_delete     = ["kept"]
        }
        resource "tfcoremock_simple_resource" "kept" { id = "kept" }
        resource "tfcoremock_simple_resource" "never" { id = "never" }
        """,
        "0.5.0",
    )
    output = directory.run("apply", fails=True)
    assert "failed to create resource" in output
    assert "forced failure" in output
    assert [file.name for file in (directory.path / "cloud").iterdir()] == ["kept.json"]
    assert list(directory.state()) == ["tfcoremock_simple_resource.kept"]
    assert "failed to delete resource" in directory.run("destroy", fails=True)
    assert list(directory.state()) == ["tfcoremock_simple_resource.kept"]


def test_an_object_of_somebody_else_is_not_overwritten(directory: Directory) -> None:
    directory.configure('resource "tfcoremock_simple_resource" "a" { id = "theirs" }')
    directory.put("theirs", string={"string": "theirs"})
    assert "likely already exists" in " ".join(directory.run("apply", fails=True).split())
    assert directory.object("theirs")["string"] == {"string": "theirs"}


def test_with_only_the_state_nothing_is_written_and_nothing_drifts(directory: Directory) -> None:
    directory.configure(
        """
        provider "tfcoremock" { use_only_state = true }
        resource "tfcoremock_simple_resource" "a" { string = "a" }
        """
    )
    directory.run("apply")
    assert not (directory.path / "terraform.resource").exists()
    assert change_of(directory.plan(), "tfcoremock_simple_resource.a")["actions"] == ["no-op"]


def test_objects_can_be_imported_by_id(directory: Directory) -> None:
    directory.configure(
        """
        import {
          to = tfcoremock_simple_resource.a
          id = "one"
        }
        resource "tfcoremock_simple_resource" "a" { string = "here" }
        """
    )
    directory.put("one", string={"string": "here"})
    directory.run("apply")
    assert directory.state() == {"tfcoremock_simple_resource.a": simple(id="one", string="here")}


def test_a_saved_plan_is_applied_with_the_types_it_was_made_with(directory: Directory) -> None:
    directory.define(tfcoremock_thing={"attributes": {"size": {"type": "integer", "required": True}}})
    directory.configure('resource "tfcoremock_thing" "a" {\n id = "one"\n size = 1\n}')
    saved = directory.path / "saved.plan"
    directory.run("plan", "--out", str(saved))
    state = str(directory.path / "terraform.tfstate")
    command = [directory.engine, "apply", str(saved), "--state", state]
    (directory.path / "main.tf").unlink()
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(directory.path)
        result = CliRunner().invoke(engine_command, command)
        assert result.exit_code == 0, result.output
    assert directory.object("one") == {"id": {"string": "one"}, "size": {"number": "1"}}


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ("[]", "the document must be an object by name"),
        ('{"tfcoremock_a": {"attributes": {"id": {"type": "string"}}}}', "every resource type has it"),
        ('{"tfcoremock_a": {"attributes": {"x": {"type": "text"}}}}', "tfcoremock_a.x: type must be one of boolean"),
        ('{"tfcoremock_a": {"attributes": {"x": {"type": "list"}}}}', "which says what its elements are"),
        ('{"tfcoremock_a": {"blocks": {"x": {"mode": "map"}}}}', "tfcoremock_a.x: mode must be list or set"),
        ('{"tfcoremock_a": {"attribute": {}}}', "tfcoremock_a has an unknown key attribute"),
    ],
)
def test_faulty_definitions_are_a_problem_and_not_a_crash(directory: Directory, content: str, complaint: str) -> None:
    (directory.path / "dynamic_resources.json").write_text(content)
    directory.configure('resource "tfcoremock_simple_resource" "a" {}')
    output = " ".join(directory.run("plan", fails=True).replace("│", "").split())
    assert "Invalid dynamic resources" in output
    assert complaint in output


def test_integers_are_whole(directory: Directory) -> None:
    directory.configure('resource "tfcoremock_complex_resource" "a" { list = [{ integer = 1.5 }] }')
    output = " ".join(directory.run("validate", fails=True).replace("│", "").split())
    assert "Int64 Type Validation Error" in output
    assert "Value 1.5 is not an integer." in output


def test_a_file_that_is_no_object_is_reported_and_the_object_kept(directory: Directory) -> None:
    directory.configure('resource "tfcoremock_simple_resource" "a" {}')
    directory.remember(("tfcoremock_simple_resource.a", simple(id="one")))
    directory.put("one", number={"number": 1})
    output = " ".join(directory.run("plan", fails=True).replace("│", "").split())
    assert "failed to read resource" in output
    assert "a number is the text of a number" in output
