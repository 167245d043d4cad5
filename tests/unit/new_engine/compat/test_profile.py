"""Intended changes: off by default, each does what docs/intended-changes.md says and nothing else.

Every change has a case in corpus/intended-changes. Without the change both engines do the same with it; with the change
they differ in the documented fields, and in no others.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import fields, replace
from pathlib import Path
from typing import Final, cast

import pytest
from click.testing import CliRunner

from harness.case.case import read_case
from harness.cli import commands
from harness.compare.observations import compare_observations, compare_places
from harness.engines.providers import SCHEMAS
from harness.engines.scheduling import run_deterministically
from harness.play.case_runner import CaseRunner, Observations
from harness.play.schedule import PlanTransfer, Schedule
from new_engine.compat.profile import KNOWN_CHANGES, Adopted, CompatProfile, adopted_by, profile_of
from shared_nodes.addresses.module import ROOT_INSTANCE
from shared_nodes.flavour import TERRAFORM_1_11
from shared_nodes.lang.diagnostics import Diagnostic
from shared_nodes.plan.document import plan_document
from shared_nodes.plan.events import Event, EventSink, EventType
from shared_nodes.plan.options import Options
from shared_nodes.values.json import Tree
from tests.unit.new_engine.operating import ENGINES, Place

ROOT: Final = Path(__file__).parents[4]
CASES: Final = ROOT / "corpus" / "intended-changes"
DOCUMENT: Final = (ROOT / "docs" / "intended-changes.md").read_text(encoding="utf-8")
LONGER_THAN_ANY_S: Final = 60

SHOWS: Final[Mapping[str, Mapping[str, tuple[str, ...]]]] = {
    "C01": {
        "validate v1": ("diagnostics",),
        "validate v2": ("diagnostics",),
        "step 1 (validate v1)": ("diagnostics",),
        "step 2 (plan v2)": ("diagnostics",),
        "step 3 (plan v3)": ("diagnostics",),
    },
    "C02": {
        "validate v1": ("ok", "diagnostics"),
        "step 1 (validate v1)": ("ok", "diagnostics"),
        "step 2 (plan v1)": ("plan", "plan_summary"),
    },
    "C03": {"step 1 (apply v1)": ("state.resources.managed terraform_data b.instances..dependencies",)},
    "C04": {
        "step 1 (apply v1)": (
            "ok",
            "diagnostics",
            "plan.errored",
            "apply_summary",
            "events",
            "calls",
            "state",
            "provider_data",
        ),
        "step 2 (apply v1)": (
            "ok",
            "diagnostics",
            "plan.resource_changes.terraform_data.a.change.actions[0]",
            "plan_summary.add",
            "plan_events",
            "apply_summary",
            "events",
            "calls",
            "state",
            "provider_data",
        ),
    },
    "C05": {"step 2 (plan v1)": ("plan.resource_changes.terraform_data.a",)},
    "C06": {"step 1 (apply v1)": ("state.resources.module.m managed terraform_data a.provider",)},
    "C07": {},
    "C08": {},
    "C09": {
        "step 1 (apply v1)": (
            "ok",
            "diagnostics",
            "plan.resource_changes.terraform_data.x[0]",
            "plan_summary.add",
            "apply_summary",
            "events",
            "calls",
            "state",
            "provider_data",
        )
    },
}
"""The fields in which the engines differ, by place, each up to its first difference."""

every_change: Final = pytest.mark.parametrize("change", KNOWN_CHANGES)


def observe_case(
    change: str, directory: Path, engine: str, changes: frozenset[str], schedule: Schedule = Schedule()
) -> Observations:
    case = read_case(CASES / change)
    return CaseRunner.of(case, directory, case.configurations).run(engine, schedule, LONGER_THAN_ANY_S, changes)


def differences(expected: Observations, got: Observations) -> dict[str, tuple[str, ...]]:
    """Return the fields in which the engines differ, by place: the first difference of each document."""
    found: dict[str, dict[str, str]] = {}
    for place, difference in compare_places(expected, got, compare_observations):
        document = re.split(r"[.\[]", difference.field, maxsplit=1)[0]
        found.setdefault(place, {}).setdefault(document, difference.field)
    return {place: tuple(documents.values()) for place, documents in found.items()}


# The profile


def test_nothing_is_changed_by_default() -> None:
    assert profile_of(()) == CompatProfile()
    assert not any(getattr(CompatProfile(), toggle.name) for toggle in fields(CompatProfile))
    assert tuple(f"C0{number}" for number in range(1, 10)) == KNOWN_CHANGES


@every_change
def test_a_change_switches_one_toggle(change: str) -> None:
    profile = profile_of([change])
    assert [toggle.metadata["id"] for toggle in fields(profile) if getattr(profile, toggle.name)] == [change]


@every_change
def test_a_change_is_documented_with_its_case(change: str) -> None:
    (name,) = [toggle.name for toggle in fields(CompatProfile) if toggle.metadata["id"] == change]
    section = re.search(rf"^## {change}: (.+?)\n(.+?)(?=^## |\Z)", DOCUMENT, re.MULTILINE | re.DOTALL)
    assert section is not None
    assert section[1].replace("-", " ") == name.replace("_", " ")
    assert f"| `{name}` |" in DOCUMENT
    assert f"`corpus/intended-changes/{change}`" in section[2]
    for part in ("Without", "With", "Why", "Case", "Shows in"):
        assert f"**{part}:**" in section[2]
    shown = {field.partition(".")[0] for place in SHOWS[change].values() for field in place}
    assert all(f"`{field}`" in section[2] for field in shown), shown


@pytest.mark.parametrize("engine", ENGINES)
def test_an_unknown_change_is_one_clear_error(engine: str, tmp_path: Path) -> None:
    place = Place(tmp_path)
    place.write('resource "terraform_data" "a" {\n}\n')
    options = Options(changes=frozenset(["C77", "D1"]))
    for problems in (place.validate(ENGINES[engine], options), list(place.plan(ENGINES[engine], options).diagnostics)):
        (problem,) = problems
        assert problem.summary == "Unknown intended change"
        assert "C77, D1" in problem.detail


def test_the_engine_that_is_compared_with_knows_no_change(tmp_path: Path) -> None:
    place = Place(tmp_path)
    place.write('resource "terraform_data" "a" {\n}\n')
    result = place.plan(ENGINES["legacy"], Options(changes=frozenset(["C03"])))
    assert result.plan is None
    assert [problem.summary for problem in result.diagnostics] == ["Unknown intended change"]


def test_the_command_line_takes_changes() -> None:
    directory = str(CASES / "C02" / "v1")
    without = CliRunner().invoke(commands, ["engine", "new", "validate", directory, "--json"])
    with_it = CliRunner().invoke(commands, ["engine", "new", "validate", directory, "--json", "--change", "C02"])
    unknown = CliRunner().invoke(commands, ["engine", "new", "validate", directory, "--change", "C10"])
    assert (without.exit_code, with_it.exit_code, unknown.exit_code) == (0, 1, 1)
    assert "Self-referential block" in with_it.output
    assert "no intended change named C10" in unknown.output


# The cases


@every_change
def test_without_it_the_engines_do_the_same(change: str, tmp_path: Path) -> None:
    legacy, new = (observe_case(change, tmp_path, engine, frozenset()) for engine in ("legacy", "new"))
    assert differences(legacy, new) == {}


@every_change
def test_with_it_they_differ_just_where_it_is_documented(change: str, tmp_path: Path) -> None:
    legacy = observe_case(change, tmp_path, "legacy", frozenset())
    assert differences(legacy, observe_case(change, tmp_path, "new", frozenset([change]))) == SHOWS[change]


@every_change
def test_a_saved_plan_is_applied_with_the_changes_it_was_made_with(change: str, tmp_path: Path) -> None:
    """The process that applies the plan gets no changes from outside."""
    schedules = [
        Schedule(handover=handover) for handover in (PlanTransfer.MEMORY, PlanTransfer.FILE, PlanTransfer.PROCESS)
    ]
    memory, *others = (observe_case(change, tmp_path, "new", frozenset([change]), schedule) for schedule in schedules)
    for other in others:
        found = {place: set(fields) - {"diagnostics"} for place, fields in differences(memory, other).items()}
        assert not any(found.values()), "warnings about the configuration are repeated; nothing else may differ"


def test_what_a_plan_says_of_changes_is_not_believed() -> None:
    """Malicious files: every invalid value results in the same diagnostic."""
    good = Adopted(frozenset(["C04", "C03"]), frozenset(["terraform_data.b"]))
    assert adopted_by(cast("Tree", good.tree)) == good
    assert adopted_by(None) == adopted_by({"version": None}) == adopted_by([]) == Adopted()
    hostile: list[Tree] = [{"changes": None}, {"changes": ["C04"]}, {"changes": ["C99"], "put_off": []}]
    hostile += [{"changes": [["C04"]], "put_off": []}, {"changes": ["C04"], "put_off": [None]}, {"changes": "C04"}]
    for tree in hostile:
        problem = adopted_by(tree)
        assert isinstance(problem, Diagnostic), tree
        assert problem.summary == "Unknown intended change in plan file"


# C01


def test_other_words_are_for_outputs_of_modules_only(tmp_path: Path) -> None:
    """A missing attribute of any other object is still reported as such."""
    place = Place(tmp_path)
    place.write('locals {\n  object = { a = 1 }\n}\noutput "o" {\n  value = local.object.missing\n}\n')
    (problem,) = place.plan(ENGINES["new"], Options(changes=frozenset(["C01"]))).diagnostics
    assert problem.summary == "Unsupported attribute"


def test_the_rule_that_refuses_a_value_is_still_named(tmp_path: Path) -> None:
    observations = observe_case("C01", tmp_path, "new", frozenset(["C01"]))
    (problem,) = cast("list[dict[str, str]]", observations["step 3 (plan v3)"]["diagnostics"])
    assert problem["detail"] == "One is not enough.\n\nThe rule that refuses the value stands at main.tf:4,3-13."


# C02


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("input = terraform_data.b.id", 0),
        ("input = terraform_data.x.id", 2),
        ("count = 2\n  input = length(terraform_data.x)", 2),
        ("count = length(terraform_data.x)", 1),
        ("for_each = terraform_data.x", 1),
        ('provisioner "local-exec" {\n    command = "echo ${self.id}"\n  }', 0),
    ],
)
def test_validation_finds_what_planning_would(tmp_path: Path, body: str, expected: int) -> None:
    place = Place(tmp_path)
    place.write(f'resource "terraform_data" "b" {{\n}}\nresource "terraform_data" "x" {{\n  {body}\n}}\n')
    found = place.validate(ENGINES["new"], Options(changes=frozenset(["C02"])))
    assert [problem.summary for problem in found] == ["Self-referential block"] * expected
    assert place.validate(ENGINES["new"]) == []


# C05

UNCHANGED: Final = """
resource "terraform_data" "plain" {
}
resource "terraform_data" "checked" {
  lifecycle {
    postcondition {
      condition     = self.id != ""
      error_message = "no id"
    }
  }
}
resource "terraform_data" "NAME" {
}
resource "terraform_data" "user" {
  input = terraform_data.plain.id
}
output "id" {
  value = terraform_data.plain.id
}
MOVED
"""


def test_a_plan_of_changes_lists_what_has_to_be_done_all_the_same(tmp_path: Path) -> None:
    """These are moved objects and objects with conditions. Objects that are not listed still provide their values."""
    place, changes = Place(tmp_path), Options(changes=frozenset(["C05"]))
    place.write(UNCHANGED.replace("NAME", "old").replace("MOVED", ""))
    place.apply(ENGINES["new"], changes)
    moved = "moved {\n  from = terraform_data.old\n  to = terraform_data.new\n}"
    place.write(UNCHANGED.replace("NAME", "new").replace("MOVED", moved))
    plan = place.plan(ENGINES["new"], changes).plan
    assert plan is not None
    assert [str(change.address) for change in plan.changes.in_order()] == [
        "terraform_data.checked",
        "terraform_data.new",
    ]
    before = place.state.outputs
    assert place.apply(ENGINES["new"], changes).ok
    assert place.state.outputs == before
    assert len(list(place.state.instances())) == 4


def test_a_plan_without_changes_can_be_shown(tmp_path: Path) -> None:
    place = Place(tmp_path)
    place.write('resource "terraform_data" "a" {\n}\n')
    place.apply(ENGINES["new"])
    result = place.plan(ENGINES["new"], Options(changes=frozenset(["C05"])))
    request, _ = place.request(Options())
    assert result.plan is not None
    assert request is not None
    document = plan_document(result.plan, request.config, SCHEMAS, TERRAFORM_1_11)
    assert "resource_changes" not in document
    assert document["applyable"] is False


# C07

CHAIN: Final = """
variable "n" {
  default = 2
}
variable "z" {
  default = "1"
}
resource "terraform_data" "z" {
  input = var.z
}
resource "terraform_data" "foo" {
  count = var.n
  input = terraform_data.z.input
}
resource "terraform_data" "bar" {
  input = join(",", terraform_data.foo[*].id)
}
"""


def apply_and_list(place: Place, changes: frozenset[str], **variables: str) -> list[str]:
    """Apply, and return the addresses of the changes in the order they began."""
    events: list[Event] = []
    request, problems = place.request(Options(changes=changes), **variables)
    assert request is not None, problems
    request = replace(request, events=EventSink(events.append))
    planned = run_deterministically(0, ENGINES["new"].plan, request)
    assert run_deterministically(0, ENGINES["new"].apply, replace(request, plan=planned.plan)).ok
    return [str(event.address) for event in events if event.type is EventType.APPLY_START]


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ((), ["terraform_data.foo[1]", "terraform_data.bar"]),
        (("C07",), ["terraform_data.bar", "terraform_data.foo[1]"]),
    ],
)
def test_the_order_of_scaling_in(tmp_path: Path, changes: tuple[str, ...], expected: list[str]) -> None:
    place = Place(tmp_path)
    place.write(CHAIN)
    place.apply(ENGINES["new"])
    assert apply_and_list(place, frozenset(changes), n="1") == expected


def test_an_order_that_would_go_round_in_circles_is_left_as_it_was(tmp_path: Path) -> None:
    """z may change only after foo[1] is destroyed, and bar only after z has changed: so bar cannot come before
    foo[1]."""
    place = Place(tmp_path)
    place.write(CHAIN)
    place.apply(ENGINES["new"])
    order = apply_and_list(place, frozenset(["C07"]), n="1", z="2")
    assert order[0] == "terraform_data.foo[1]"
    assert order[-1] == "terraform_data.bar"


def test_in_the_case_only_the_order_differs(tmp_path: Path) -> None:
    legacy, new = (
        observe_case("C07", tmp_path, "legacy", frozenset()),
        observe_case("C07", tmp_path, "new", frozenset(["C07"])),
    )
    last = "step 2 (apply v1)"
    before, after = (cast("list[list[str]]", observations[last]["events"]) for observations in (legacy, new))
    assert [event[1] for event in before] == ["terraform_data.foo[1]"] * 2 + ["terraform_data.bar"] * 2
    assert [event[1] for event in after] == ["terraform_data.bar"] * 2 + ["terraform_data.foo[1]"] * 2


# C08


def test_outputs_of_modules_are_in_no_state(tmp_path: Path) -> None:
    place = Place(tmp_path)
    place.write(
        {"main.tf": (CASES / "C08/v1/main.tf").read_text(), "m/main.tf": (CASES / "C08/v1/m/main.tf").read_text()}
    )
    module = ROOT_INSTANCE.child("m")
    for changes, expected in ((frozenset[str](), {module}), (frozenset(["C08"]), set())):
        options = Options(changes=changes)
        planned = place.plan(ENGINES["new"], options)
        assert planned.plan is not None
        assert planned.plan.planned_state.module_outputs.keys() == expected
        result = place.apply(ENGINES["new"], options)
        assert result.state.module_outputs.keys() == expected
        assert result.state.outputs["o"].value.payload == "kept"


# C09


@pytest.mark.parametrize(
    ("command", "count", "expected"),
    [
        ("echo ${self.id}", "", []),
        ("echo ${terraform_data.b.id}", "", []),
        ("echo ${terraform_data.x.id}", "", ["Cycle: terraform_data.x"]),
        ("echo ${terraform_data.x[1].id}", "count = 2", ["Cycle: terraform_data.x[1]"]),
        ('echo ${join("", terraform_data.x[*].id)}', "count = 2", ["Cycle: terraform_data.x[0], terraform_data.x[1]"]),
    ],
)
def test_an_object_called_by_name_by_its_own_provisioner(
    tmp_path: Path, command: str, count: str, expected: list[str]
) -> None:
    place = Place(tmp_path)
    place.write(
        'resource "terraform_data" "b" {\n}\nresource "terraform_data" "x" {\n'
        f'  {count}\n  provisioner "local-exec" {{\n    command = "{command}"\n  }}\n}}\n'
    )
    result = place.plan(ENGINES["new"], Options(changes=frozenset(["C09"])))
    assert [problem.summary for problem in result.diagnostics] == expected
