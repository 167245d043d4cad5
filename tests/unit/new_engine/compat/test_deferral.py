"""Deferred actions (C04): what cannot be planned is left out together with everything computed from it, and nothing
else.

Each configuration converges after some runs, to the state it would have had if everything had been known at once.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

import pytest

from shared_nodes.addresses.provider import BUILTIN
from shared_nodes.plan.change import DeferralReason
from shared_nodes.plan.file import SavedPlan, read_plan, write_plan
from shared_nodes.plan.options import Mode, Options
from shared_nodes.plan.plan import Plan
from shared_nodes.providers.builtin import BUILTIN_SCHEMA
from shared_nodes.state.file import StateMeta
from tests.unit.new_engine.operating import ENGINES, Place

NEW: Final = ENGINES["new"]
DEFERRING: Final = Options(changes=frozenset(["C04"]))
UNKNOWN: Final = DeferralReason.INSTANCES_UNKNOWN
FOLLOWS: Final = DeferralReason.PREREQUISITE

SOURCE: Final = 'resource "terraform_data" "a" {\n  input = 2\n}\n'


def make_plan(place: Place, options: Options = DEFERRING) -> Plan:
    result = place.plan(NEW, options)
    assert result.ok, result.diagnostics
    assert result.plan is not None
    return result.plan


def deferred_names(plan: Plan) -> dict[str, DeferralReason]:
    return {change.address.replace("terraform_data.", ""): change.reason for change in plan.deferred}


def changed_names(plan: Plan) -> list[str]:
    changes = plan.changes.in_order()
    return [str(each.address).replace("terraform_data.", "") for each in changes if each.action != "no-op"]


def make_place(directory: Path, files: Mapping[str, str] | str) -> Place:
    place = Place(directory)
    place.write(files)
    return place


def existing_names(place: Place) -> set[str]:
    return {str(address).replace("terraform_data.", "") for address, _ in place.state.instances()}


ROWS: Final[Mapping[str, tuple[str, dict[str, DeferralReason], list[str]]]] = {
    "count": ("count = terraform_data.a.output", {"x[*]": UNKNOWN}, ["a"]),
    "for_each of a map": (
        'for_each = terraform_data.a.id == "" ? tomap({}) : tomap({ k = 1 })',
        {"x[*]": UNKNOWN},
        ["a"],
    ),
    "for_each of a set": ("for_each = toset([terraform_data.a.id])", {"x[*]": UNKNOWN}, ["a"]),
    "unknown values under known keys": ("for_each = { k = terraform_data.a.id }", {}, ["a", 'x["k"]']),
    "an unknown argument": ("input = terraform_data.a.id", {}, ["a", "x"]),
}


@pytest.mark.parametrize(("body", "deferred", "changes"), ROWS.values(), ids=list(ROWS))
def test_only_an_unknown_number_of_instances_is_put_off(
    tmp_path: Path, body: str, deferred: dict[str, DeferralReason], changes: list[str]
) -> None:
    plan = make_plan(make_place(tmp_path, f'{SOURCE}resource "terraform_data" "x" {{\n  {body}\n}}\n'))
    assert deferred_names(plan) == deferred
    assert changed_names(plan) == changes
    assert plan.complete is not bool(deferred)
    assert plan.applyable


@pytest.mark.parametrize(
    "body",
    [
        "count = -1",
        "for_each = sensitive(toset([terraform_data.a.id]))",
        "for_each = [terraform_data.a.id]",
        "count = terraform_data.x.id",
        "count = terraform_data.missing.id",
        "count = 1000001",
    ],
)
def test_a_mistake_is_still_one(tmp_path: Path, body: str) -> None:
    """Mistakes in a count or for_each that are independent of unknown values are reported with the usual messages."""
    place = make_place(tmp_path, f'{SOURCE}resource "terraform_data" "x" {{\n  {body}\n}}\n')
    found = place.plan(NEW, DEFERRING).diagnostics
    assert [str(each) for each in found] == [str(each) for each in place.plan(NEW).diagnostics]
    assert found


DEPENDENTS: Final = (
    SOURCE
    + """
resource "terraform_data" "b" {
  count = terraform_data.a.output
}
resource "terraform_data" "direct" {
  input = terraform_data.b[*].id
}
resource "terraform_data" "indirect" {
  input = terraform_data.direct.output
}
locals {
  number = length(terraform_data.b)
}
resource "terraform_data" "by_local" {
  input = "there are ${local.number}"
}
resource "terraform_data" "ordered" {
  depends_on = [terraform_data.b]
}
resource "terraform_data" "untaken" {
  input = true ? "k" : terraform_data.b[0].id
}
output "number" {
  value = local.number
}
output "free" {
  value = "k"
}
"""
)


def test_what_is_made_from_it_is_put_off_too(tmp_path: Path) -> None:
    """Only values count: a branch that is not taken has no influence."""
    place = make_place(tmp_path, DEPENDENTS)
    plan = make_plan(place)
    followers = dict.fromkeys(("direct", "indirect", "by_local", "ordered"), FOLLOWS)
    assert deferred_names(plan) == {"b[*]": UNKNOWN, **followers}
    assert changed_names(plan) == ["a", "untaken"]
    assert [change.name for change in plan.changes.outputs.values()] == ["free"]


def test_another_run_does_what_was_put_off(tmp_path: Path) -> None:
    place = make_place(tmp_path, DEPENDENTS)
    place.apply(NEW, DEFERRING)
    assert existing_names(place) == {"a", "untaken"}
    assert place.state.outputs.keys() == {"free"}
    place.apply(NEW, DEFERRING)
    assert existing_names(place) == {"a", "untaken", "b[0]", "b[1]", "direct", "indirect", "by_local", "ordered"}
    assert place.state.outputs.keys() == {"free", "number"}
    plan = make_plan(place)
    assert plan.complete
    assert not plan.has_changes


def test_what_is_put_off_stays_as_it_is(tmp_path: Path) -> None:
    """This holds for objects, and for outputs computed from them, even while the object that decides their number is
    replaced."""
    place = make_place(tmp_path, DEPENDENTS)
    place.apply(NEW, DEFERRING)
    place.apply(NEW, DEFERRING)
    before = existing_names(place)
    place.write(DEPENDENTS.replace("input = 2", 'input = 1\n  triggers_replace = "now"'))
    plan = make_plan(place)
    assert changed_names(plan) == ["a"]
    place.apply(NEW, DEFERRING)
    assert existing_names(place) == before
    assert place.state.outputs["number"].value.payload == 2
    place.apply(NEW, DEFERRING)
    assert existing_names(place) == before - {"b[1]"}
    assert place.state.outputs["number"].value.payload == 1


MODULE: Final = """
resource "terraform_data" "own" {
}
resource "terraform_data" "many" {
  count = 2
}
module "inner" {
  source = "./inner"
}
output "id" {
  value = terraform_data.own.id
}
"""


def test_a_module_is_put_off_with_everything_in_it(tmp_path: Path) -> None:
    root = f"""{SOURCE}
module "m" {{
  source = "./m"
  count  = terraform_data.a.output
}}
resource "terraform_data" "user" {{
  input = module.m[*].id
}}
"""
    inner = 'resource "terraform_data" "x" {\n}\n'
    place = make_place(tmp_path, {"main.tf": root, "m/main.tf": MODULE, "m/inner/main.tf": inner})
    assert deferred_names(make_plan(place)) == {
        "module.m[*].own": UNKNOWN,
        "module.m[*].many[*]": UNKNOWN,
        "module.m[*].module.inner.x": UNKNOWN,
        "user": FOLLOWS,
    }
    place.apply(NEW, DEFERRING)
    assert existing_names(place) == {"a"}
    place.apply(NEW, DEFERRING)
    everything = existing_names(place)
    assert len(everything) == 2 + 2 * 4
    place.write({"main.tf": root.replace("input = 2", "input = 1")})
    assert changed_names(make_plan(place)) == ["a"], "which instances are gone is not known, so none is destroyed"
    place.apply(NEW, DEFERRING)
    assert existing_names(place) == everything
    place.apply(NEW, DEFERRING)
    assert len(existing_names(place)) == 2 + 4


def test_unknown_inside_a_module(tmp_path: Path) -> None:
    call = 'module "m" {\n  source = "./m"\n  n = terraform_data.a.output\n}\n'
    root = f'{SOURCE}{call}output "ids" {{\n  value = module.m.ids\n}}\n'
    module = (
        'variable "n" {\n}\nresource "terraform_data" "x" {\n  count = var.n\n}\n'
        'output "ids" {\n  value = terraform_data.x[*].id\n}\n'
    )
    place = make_place(tmp_path, {"main.tf": root, "m/main.tf": module})
    assert deferred_names(make_plan(place)) == {"module.m.x[*]": UNKNOWN}
    place.apply(NEW, DEFERRING)
    assert "ids" not in place.state.outputs
    place.apply(NEW, DEFERRING)
    assert existing_names(place) == {"a", "module.m.x[0]", "module.m.x[1]"}
    assert "ids" in place.state.outputs


@pytest.mark.parametrize("mode", [Mode.DESTROY, Mode.REFRESH_ONLY])
def test_other_modes_have_nothing_to_put_off(tmp_path: Path, mode: Mode) -> None:
    place = make_place(tmp_path, DEPENDENTS)
    place.apply(NEW, DEFERRING)
    place.apply(NEW, DEFERRING)
    plan = make_plan(place, Options(mode=mode, changes=DEFERRING.changes))
    assert plan.deferred == ()
    assert len(changed_names(plan)) == (8 if mode is Mode.DESTROY else 0)


def test_a_plan_file_keeps_what_was_put_off(tmp_path: Path) -> None:
    plan = make_plan(make_place(tmp_path, DEPENDENTS))
    schemas = {BUILTIN: BUILTIN_SCHEMA}
    write_plan(tmp_path / "plan", SavedPlan(plan, StateMeta(), {}), schemas)
    saved = read_plan(tmp_path / "plan")
    assert isinstance(saved, SavedPlan), saved
    assert saved.plan.deferred == plan.deferred
    assert not saved.plan.complete
