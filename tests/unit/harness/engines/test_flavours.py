"""Differences between the products: the same configuration and state, planned in each flavour.

The behaviour of Terraform is recorded elsewhere and repeated here only for contrast; that of OpenTofu follows its
sources.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import pytest
import trio

from harness.engines.providers import SCHEMAS
from harness.engines.registry import DEFAULT_ENGINES, engine_named
from harness.engines.saved_inputs import saved_inputs
from harness.engines.session import EngineSession, Planned
from harness.observe.plan_document import observable_plan, published_plan
from shared_nodes.config.inputs import VarText
from shared_nodes.config.loading import load_configuration
from shared_nodes.flavour import OPENTOFU_1_12, TERRAFORM_1_11, Flavour
from shared_nodes.lang.diagnostics import Diagnostic
from shared_nodes.plan.events import EventSink
from shared_nodes.plan.options import Options
from shared_nodes.state.file import read_state
from shared_nodes.state.model import State
from shared_nodes.world import World


@dataclass(frozen=True)
class Scenario:
    directory: Path
    files: dict[str, str]
    existing: tuple[str, ...] = ()
    """Addresses of objects in the state: `terraform_data.NAME`, optionally in a module and with a key."""

    tainted: frozenset[str] = field(default_factory=frozenset)

    def plan(self, flavour: Flavour) -> Planned:
        for name, text in self.files.items():
            (self.directory / name).parent.mkdir(exist_ok=True)
            (self.directory / name).write_text(text)
        world = World.confined(self.directory, 1, datetime(2026, 1, 2, tzinfo=UTC))
        session = EngineSession(engine_named("legacy"), world, flavour)
        return trio.run(session.plan, self._state(), Options(), EventSink())

    def _state(self) -> State:
        resources = [_record(address, address in self.tainted) for address in self.existing]
        text = json.dumps({"version": 4, "serial": 1, "lineage": "l", "outputs": {}, "resources": resources})
        state, _, problems = read_state(text)
        assert not problems
        return state


def _record(address: str, is_tainted: bool) -> dict[str, object]:
    module, _, rest = address.rpartition("terraform_data.")
    name, _, key = rest.rstrip("]").partition("[")
    attributes = {"id": address, "input": None, "output": None, "triggers_replace": None}
    instance: dict[str, object] = {"schema_version": 0, "attributes": attributes}
    instance |= {"index_key": int(key)} if key else {}
    instance |= {"status": "tainted"} if is_tainted else {}
    return {
        "module": module.rstrip("."),
        "mode": "managed",
        "type": "terraform_data",
        "name": name,
        "provider": 'provider["terraform.io/builtin/terraform"]',
        "instances": [instance],
    }


def summaries_of(diagnostics: list[Diagnostic]) -> list[str]:
    return sorted({problem.summary for problem in diagnostics})


def actions(planned: Planned) -> dict[str, str]:
    assert planned.plan is not None
    return {str(change.address): change.action.value for change in planned.plan.changes.in_order()}


def summaries(scenario: Scenario) -> list[list[str]]:
    """Return the summaries of Terraform, and those of OpenTofu."""
    return [summaries_of(scenario.plan(flavour).diagnostics) for flavour in (TERRAFORM_1_11, OPENTOFU_1_12)]


def details(scenario: Scenario) -> list[str]:
    return [scenario.plan(flavour).diagnostics[0].detail for flavour in (TERRAFORM_1_11, OPENTOFU_1_12)]


def main(text: str) -> dict[str, str]:
    return {"main.tf": text}


CHILD = 'resource "terraform_data" "a" {}\n'


@pytest.mark.parametrize(
    ("call", "before", "after"),
    [
        ("count = 1", "module.m.terraform_data.a", "module.m[0].terraform_data.a"),
        ("", "module.m[0].terraform_data.a", "module.m.terraform_data.a"),
    ],
)
def test_the_only_instance_of_a_module_moves_by_itself(tmp_path: Path, call: str, before: str, after: str) -> None:
    text = f'module "m" {{\n  source = "./m"\n  {call}\n}}\n'
    scenario = Scenario(tmp_path, {"main.tf": text, "m/main.tf": CHILD}, (before,))
    assert actions(scenario.plan(TERRAFORM_1_11)) == {before: "delete", after: "create"}
    planned = scenario.plan(OPENTOFU_1_12)
    assert actions(planned) == {after: "no-op"}
    assert planned.plan is not None
    assert [str(change.previous_address) for change in planned.plan.changes.in_order()] == [before]


def test_a_module_that_a_statement_mentions_does_not_move_by_itself(tmp_path: Path) -> None:
    text = 'module "m" {\n  source = "./m"\n  count = 2\n}\nmoved {\n  from = module.m\n  to = module.m[1]\n}\n'
    scenario = Scenario(tmp_path, {"main.tf": text, "m/main.tf": CHILD}, ("module.m.terraform_data.a",))
    assert actions(scenario.plan(OPENTOFU_1_12)) == {
        "module.m[0].terraform_data.a": "create",
        "module.m[1].terraform_data.a": "no-op",
    }


def test_removed_without_lifecycle_forgets_and_warns(tmp_path: Path) -> None:
    scenario = Scenario(tmp_path, main("removed {\n  from = terraform_data.a\n}\n"), ("terraform_data.a",))
    assert actions(scenario.plan(TERRAFORM_1_11)) == {"terraform_data.a": "delete"}
    assert actions(scenario.plan(OPENTOFU_1_12)) == {"terraform_data.a": "forget"}
    assert summaries(scenario) == [
        [],
        ["Missing lifecycle from the removed block", "Resource will be removed from the state"],
    ]


def test_forgotten_objects_are_told_together_or_one_by_one(tmp_path: Path) -> None:
    text = "removed {\n  from = terraform_data.a\n  lifecycle {\n    destroy = false\n  }\n}\n"
    scenario = Scenario(tmp_path, main(text), ("terraform_data.a[0]", "terraform_data.a[1]"))
    assert [len(scenario.plan(flavour).diagnostics) for flavour in (TERRAFORM_1_11, OPENTOFU_1_12)] == [1, 2]


@pytest.mark.parametrize(
    ("text", "terraform", "opentofu"),
    [
        (
            "removed {\n  from = terraform_data.a\n  lifecycle {\n    destroy = false\n  }\n}\n"
            'resource "terraform_data" "a" {}\n',
            "Removed resource still exists",
            "Removed resource block still exists",
        ),
        (
            'resource "terraform_data" "a" {\n  for_each = toset([1])\n}\n',
            "Invalid for_each set argument",
            "Invalid for_each argument",
        ),
        (
            'variable "e" {\n  default = "x"\n  ephemeral = true\n}\nresource "terraform_data" "a" {\n'
            "  input = var.e\n}\n",
            "Invalid use of ephemeral value",
            "Ephemeral value used in non-ephemeral context",
        ),
        (
            'variable "e" {\n  default = "x"\n  ephemeral = true\n}\noutput "a" {\n  value = var.e\n}\n',
            "Ephemeral value not allowed",
            "Output does not allow ephemeral value",
        ),
        (
            'output "a" {\n  value = 1\n  ephemeral = true\n}\n',
            "Ephemeral output not allowed",
            "Invalid output configuration",
        ),
    ],
)
def test_the_same_mistake_in_other_words(tmp_path: Path, text: str, terraform: str, opentofu: str) -> None:
    assert summaries(Scenario(tmp_path, main(text))) == [[terraform], [opentofu]]


def test_an_ephemeral_argument_of_a_module(tmp_path: Path) -> None:
    text = 'variable "e" {\n  default = "x"\n  ephemeral = true\n}\nmodule "m" {\n  source = "./m"\n  v = var.e\n}\n'
    scenario = Scenario(tmp_path, {"main.tf": text, "m/main.tf": 'variable "v" {}\n'})
    assert summaries(scenario) == [["Ephemeral value not allowed"], ["Variable does not allow ephemeral value"]]


def test_protected_objects(tmp_path: Path) -> None:
    text = 'resource "terraform_data" "a" {\n  lifecycle {\n    prevent_destroy = true\n  }\n}\n'
    scenario = Scenario(tmp_path, main(text), ("terraform_data.a",), frozenset({"terraform_data.a"}))
    assert summaries(scenario) == [["Instance cannot be destroyed"], ["Resource instance cannot be destroyed"]]


def test_a_new_object_triggers_replacement(tmp_path: Path) -> None:
    text = (
        'resource "terraform_data" "n" {}\nresource "terraform_data" "a" {\n  lifecycle {\n'
        "    replace_triggered_by = [terraform_data.n]\n  }\n}\n"
    )
    scenario = Scenario(tmp_path, main(text), ("terraform_data.a",))
    assert actions(scenario.plan(TERRAFORM_1_11))["terraform_data.a"] == "no-op"
    assert actions(scenario.plan(OPENTOFU_1_12))["terraform_data.a"] == "delete-create"


def test_a_count_may_look_at_its_own_resource(tmp_path: Path) -> None:
    scenario = Scenario(tmp_path, main('resource "terraform_data" "a" {\n  count = length(terraform_data.a) + 1\n}\n'))
    assert summaries(scenario) == [["Self-referential block"], []]


def test_undeclared_resources(tmp_path: Path) -> None:
    assert details(Scenario(tmp_path, main('output "o" {\n  value = terraform_data.x.id\n}\n'))) == [
        'A managed resource "terraform_data" "x" has not been declared in the root module.',
        'There is no managed resource "terraform_data" "x" definition in the root module.',
    ]


@pytest.mark.parametrize("argument", ["count = length(terraform_data.n.id)", "for_each = toset([terraform_data.n.id])"])
def test_what_to_do_about_unknown_instances(tmp_path: Path, argument: str) -> None:
    text = f'resource "terraform_data" "n" {{}}\nresource "terraform_data" "a" {{\n  {argument}\n}}\n'
    terraform, opentofu = details(Scenario(tmp_path, main(text)))
    assert "-target" in terraform
    assert "-exclude=terraform_data.a to first apply without this object" in opentofu
    assert "Terraform" not in opentofu


def test_unknown_instances_of_a_module(tmp_path: Path) -> None:
    text = (
        'resource "terraform_data" "n" {}\nmodule "m" {\n  source = "./m"\n  count = length(terraform_data.n.id)\n}\n'
    )
    _, opentofu = details(Scenario(tmp_path, {"main.tf": text, "m/main.tf": ""}))
    assert "-exclude='' to first" in opentofu


@pytest.mark.parametrize("engine", DEFAULT_ENGINES)
def test_excluding_an_instance_leaves_its_siblings_and_no_dependent_of_any(tmp_path: Path, engine: str) -> None:
    (tmp_path / "main.tf").write_text(
        'resource "terraform_data" "a" {\n  count = 2\n}\n'
        'resource "terraform_data" "b" {\n  input = terraform_data.a[1].id\n}\n'
        'resource "terraform_data" "c" {}\n'
    )
    session = EngineSession(
        engine_named(engine), World.confined(tmp_path, 1, datetime(2026, 1, 2, tzinfo=UTC)), OPENTOFU_1_12
    )
    options = Options(excludes=("terraform_data.a[0]",))
    plan = trio.run(session.plan, State(), options, EventSink()).plan
    assert plan is not None
    assert [str(change.address) for change in plan.changes.in_order()] == ["terraform_data.a[1]", "terraform_data.c"]


def test_validations_of_secrets_keep_them(tmp_path: Path) -> None:
    text = (
        'variable "s" {\n  default = "x"\n  sensitive = true\n  validation {\n    condition = var.s == "y"\n'
        '    error_message = "not ${var.s}"\n  }\n}\n'
    )
    scenario = Scenario(tmp_path, main(text))
    assert summaries(scenario) == [
        ["Invalid value for variable"],
        ["Error message refers to sensitive values", "Invalid value for variable"],
    ]
    assert not any("not x" in problem.detail for problem in scenario.plan(OPENTOFU_1_12).diagnostics)


def test_only_terraform_says_in_the_plan_whether_applying_does_anything(tmp_path: Path) -> None:
    scenario = Scenario(tmp_path, main('resource "terraform_data" "a" {}\n'))
    documents = []
    for flavour in (TERRAFORM_1_11, OPENTOFU_1_12):
        planned = scenario.plan(flavour)
        assert planned.plan is not None
        assert planned.request is not None
        document = published_plan(planned.plan, planned.request.config, flavour)
        assert isinstance(document, dict)
        documents.append({"applyable", "complete"} & document.keys())
    assert documents == [{"applyable", "complete"}, set()]


def test_what_is_observed_of_a_plan_is_what_is_published(tmp_path: Path) -> None:
    resource = 'resource "terraform_data" "a" {\n  input = 1\n}\n'
    output = 'output "o" {\n  value = terraform_data.a.output\n}\n'
    check = 'check "c" {\n  assert {\n    condition = terraform_data.a.input == 1\n    error_message = "m"\n  }\n}\n'
    scenario = Scenario(tmp_path, main(resource + output + check))
    for flavour in (TERRAFORM_1_11, OPENTOFU_1_12):
        planned = scenario.plan(flavour)
        assert planned.plan is not None
        assert planned.request is not None
        published = published_plan(planned.plan, planned.request.config, flavour)
        observable = observable_plan(planned.plan, flavour, SCHEMAS)
        assert isinstance(published, dict)
        assert isinstance(observable, dict)
        assert {"resource_changes", "output_changes", "checks", "errored"} <= observable.keys()
        assert {name: published[name] for name in observable} == observable


UNDECLARED = """
resource "terraform_data" "a" {}

output "o" {
  value = [data.terraform_data.a, ephemeral.terraform_data.a, terraform_data.a.count]
}
"""


def test_a_namesake_of_another_mode_is_suggested(tmp_path: Path) -> None:
    scenario = Scenario(tmp_path, main(UNDECLARED))
    (terraform, opentofu) = (
        [each.detail for each in scenario.plan(flavour).diagnostics] for flavour in (TERRAFORM_1_11, OPENTOFU_1_12)
    )
    assert terraform == [
        'A data resource "terraform_data" "a" has not been declared in the root module.',
        'An ephemeral resource "terraform_data" "a" has not been declared in the root module.',
        'The special "count" attribute is no longer supported after Terraform v0.12. Instead, use '
        "length(terraform_data.a) to count resource instances.",
    ]
    suggestion = "\n\nDid you mean the resource resource terraform_data.a?"
    assert opentofu == [
        f'There is no data resource "terraform_data" "a" definition in the root module.{suggestion}',
        f'There is no ephemeral resource "terraform_data" "a" definition in the root module.{suggestion}',
        'The special "count" attribute is no longer supported after OpenTofu v0.12. Instead, use '
        "length(terraform_data.a) to count resource instances.",
    ]


RULES = (
    'variable "v" {\n  default = "x"\n  validation {\n    condition = var.v == "y"\n    error_message = MESSAGE\n  }\n'
    '  validation {\n    condition = var.v == "z"\n    error_message = "second"\n  }\n}\n'
)


@pytest.mark.parametrize(
    ("message", "terraform", "opentofu"),
    [
        ('"first"', ["Invalid value for variable"] * 2, ["Invalid value for variable"]),
        (
            '"${terraform_data.a.id}"',
            ["Invalid error message", "Invalid value for variable"],
            ["Invalid error message"],
        ),
    ],
)
def test_the_first_failed_rule_of_a_variable(
    tmp_path: Path, message: str, terraform: list[str], opentofu: list[str]
) -> None:
    text = RULES.replace("MESSAGE", message) + CHILD
    scenario = Scenario(tmp_path, main(text))
    for flavour, expected in ((TERRAFORM_1_11, terraform), (OPENTOFU_1_12, opentofu)):
        assert sorted(problem.summary for problem in scenario.plan(flavour).diagnostics) == expected


def test_values_of_the_wrong_type_are_reported_at_the_value_or_the_declaration(tmp_path: Path) -> None:
    text = 'module "m" {\n  source = "./m"\n  v = "x"\n}\n'
    scenario = Scenario(tmp_path, {"main.tf": text, "m/main.tf": 'variable "v" {\n  type = number\n}\n'})
    places = [scenario.plan(flavour).diagnostics[0].subject for flavour in (TERRAFORM_1_11, OPENTOFU_1_12)]
    assert [place.source.filename for place in places if place is not None] == ["main.tf", "m/main.tf"]


def test_a_deprecated_variable_warns_for_the_call_and_for_each_instance(tmp_path: Path) -> None:
    text = 'module "m" {\n  source = "./m"\n  count = 2\n  v = 1\n}\n'
    files = {"main.tf": text, "m/main.tf": 'variable "v" {\n  deprecated = "No."\n}\n'}
    found = Scenario(tmp_path, files).plan(OPENTOFU_1_12).diagnostics
    assert [problem.summary for problem in found] == ["Variable marked as deprecated by the module author"] * 3


@pytest.mark.parametrize(
    ("given", "terraform", "opentofu"),
    [
        ({}, ["No value for required variable"], ["No value for required variable"]),
        ({"secret": "s"}, [], []),
        ({"secret": "s", "number": "6"}, [], []),
        (
            {"secret": "s", "number": "7"},
            ["Can't change variable when applying a saved plan"],
            ["Mismatch between input and plan variable value"],
        ),
        ({"secret": "s", "other": "9"}, ["Can't change variable when applying a saved plan"], []),
    ],
)
def test_variables_given_to_a_saved_plan(
    tmp_path: Path, given: dict[str, str], terraform: list[str], opentofu: list[str]
) -> None:
    text = (
        'variable "secret" {\n  ephemeral = true\n}\nvariable "number" {\n  default = 5\n}\n'
        'variable "other" {\n  default = 5\n}\n'
    )
    (tmp_path / "main.tf").write_text(text)
    world = World.confined(tmp_path, 1, datetime(2026, 1, 2, tzinfo=UTC))
    for flavour, expected in ((TERRAFORM_1_11, terraform), (OPENTOFU_1_12, opentofu)):
        planned_with = (VarText("secret", "first"), VarText("number", "6"))
        plan = trio.run(
            EngineSession(engine_named("legacy"), world, flavour, planned_with).plan, State(), Options(), EventSink()
        ).plan
        assert plan is not None
        config, _ = load_configuration(world.files, flavour)
        assert config is not None
        _, problems = saved_inputs(config, [VarText(*one) for one in given.items()], world, plan)
        assert summaries_of(problems) == expected
