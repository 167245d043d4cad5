"""The dependencies of values, exact by instance and branch: never more than the references, never fewer than the
truth.

What an instance waits for is read from the execution graph of a plan made with exact dependencies (C03).
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.case.case import find_cases, read_case, read_golden
from harness.compare.observations import compare_places, compare_step
from harness.play.case_runner import CaseRunner, recorded_observations, recorded_validations
from harness.play.schedule import Schedule
from new_engine.compat.exact_dependencies.marks import (
    DEFERRED,
    InstanceMark,
    is_deferred,
    marked_instances,
    without_dependency_marks,
)
from new_engine.execgraph.codec import dump, load
from new_engine.execgraph.graph import ExecutionGraph
from shared_nodes.addresses.module import ROOT_INSTANCE
from shared_nodes.addresses.provider import BUILTIN
from shared_nodes.addresses.resource import AbsResource, Resource, ResourceMode
from shared_nodes.lang.diagnostics import Diagnostic
from shared_nodes.plan.options import Options
from shared_nodes.plan.plan import Plan
from shared_nodes.providers.builtin import BUILTIN_SCHEMA, BuiltinProvider
from shared_nodes.providers.registry import ProviderFactory
from shared_nodes.providers.schema import SchemaAttribute, SchemaBlock
from shared_nodes.values.json import Tree
from shared_nodes.values.marks import SENSITIVE
from shared_nodes.values.types import STRING
from shared_nodes.values.value import object_of, string, tuple_of
from shared_nodes.world import World
from tests.unit.new_engine.operating import ENGINES, Place

CORPUS: Final = Path(__file__).parents[4] / "corpus"
SCENARIOS: Final = CORPUS / "conformance" / "scenarios"
CASES: Final = CORPUS / "cases"
EXACT: Final = Options(changes=frozenset(["C03"]))

A: Final = AbsResource(ROOT_INSTANCE, Resource(ResourceMode.MANAGED, "terraform_data", "a"))


def make_plan(directory: Path, files: dict[str, str] | str, options: Options = EXACT) -> Plan:
    place = Place(directory)
    place.write(files)
    result = place.plan(ENGINES["new"], options)
    assert result.ok, result.diagnostics
    assert result.plan is not None
    return result.plan


def graph_of(plan: Plan) -> ExecutionGraph:
    graph = load(plan.execution_tree)
    assert isinstance(graph, ExecutionGraph), graph
    return graph


def instances_before(plan: Plan, address: str) -> set[str]:
    """Return the short names of the instances that are done before this one begins."""
    graph = graph_of(plan)
    results = {str(instance): ref for instance, ref in graph.results.items()}
    before = {other for other, ref in results.items() if other != address and graph.precedes(ref, results[address])}
    return {other.replace("terraform_data.", "") for other in before}


BASE: Final = """
resource "terraform_data" "a" {
  count = 2
  input = count.index
}
resource "terraform_data" "z" {
  input = "z"
}
locals {
  list   = [terraform_data.a[0].id, terraform_data.a[1].id]
  object = { first = terraform_data.a[0].id, other = terraform_data.z.id }
  known  = { z = 1 }
}
"""

EXPRESSIONS: Final = [
    ("length(terraform_data.a)", ""),
    ("terraform_data.a[1].output", "a[1]"),
    ('true ? "k" : terraform_data.a[0].id', ""),
    ('"${true ? "k" : terraform_data.a[0].id}!"', ""),
    ("false ? terraform_data.a[0].id : terraform_data.a[1].id", "a[1]"),
    ('terraform_data.z.id == "" ? terraform_data.a[0].id : "k"', "a[0] z"),
    ('terraform_data.z.input == "z" ? "k" : terraform_data.a[0].id', "z"),
    ("local.list[1]", "a[1]"),
    ("local.object.other", "z"),
    ("length(local.list)", ""),
    ("terraform_data.a[*].id", "a[0] a[1]"),
    ("[for each in terraform_data.a : each.id]", "a[0] a[1]"),
    ("[for each in terraform_data.a : each.id][1]", "a[1]"),
    ("concat(terraform_data.a[*].id, [terraform_data.z.id])[2]", "z"),
    ('upper("${terraform_data.a[0].id}-${terraform_data.z.id}")', "a[0] z"),
    ("merge(local.object, local.known)", "a[0] z"),
    ("merge(local.object, local.known).other", "z"),
    # Dependencies that marks for sensitivity would lose.
    ("local.known[terraform_data.z.input]", "z"),
    ("{ z = 1 }[terraform_data.z.input]", "z"),
    ("tomap({ z = 1 })[terraform_data.z.id]", "z"),
    ('try(terraform_data.z.id, "k")', "z"),
    ('try(terraform_data.z.input.missing, "k")', "z"),
    ("can(terraform_data.z.input.missing)", "z"),
    ('[for each in ["z"] : { z = 1 }[terraform_data.z.input]]', "z"),
    ("[for each in terraform_data.a : each.id if terraform_data.z.id != each.id]", "a[0] a[1] z"),
]


@pytest.mark.parametrize(("expression", "expected"), EXPRESSIONS, ids=[row[0] for row in EXPRESSIONS])
def test_an_instance_waits_for_those_its_value_was_made_from(tmp_path: Path, expression: str, expected: str) -> None:
    plan = make_plan(tmp_path, f'{BASE}\nresource "terraform_data" "x" {{\n  input = {expression}\n}}\n')
    assert instances_before(plan, "terraform_data.x") == set(expected.split())


BLOCKS: Final = {
    "depends_on": ("depends_on = [terraform_data.a[0]]", "x", "a[0]"),
    "depends_on of all": ("depends_on = [terraform_data.a]", "x", "a[0] a[1]"),
    "depends_on of a value": ("depends_on = [local.list]", "x", "a[0] a[1]"),
    "count": ("count = terraform_data.a[1].input\n  input = count.index", "x[0]", "a[1]"),
    "count of a length": ("count = length(terraform_data.a)", "x[0]", ""),
    "for_each": (
        "for_each = { p = terraform_data.a[0].id, q = terraform_data.a[1].id }\n  input = each.value",
        'x["p"]',
        "a[0]",
    ),
    "for_each of a set": ("for_each = toset([terraform_data.z.input])\n  input = each.key", 'x["z"]', "z"),
    "replace_triggered_by": ("lifecycle {\n    replace_triggered_by = [terraform_data.a[1]]\n  }", "x", "a[1]"),
    "precondition": (
        'lifecycle {\n    precondition {\n      condition = terraform_data.a[0].id != ""\n'
        '      error_message = "empty"\n    }\n  }',
        "x",
        "a[0]",
    ),
    "provisioner": (
        'provisioner "local-exec" {\n    command = "echo ${self.id} ${terraform_data.a[1].id}"\n  }',
        "x",
        "a[1]",
    ),
    "destroy-time provisioner": (
        'provisioner "local-exec" {\n    when = destroy\n    command = "echo ${self.id}"\n  }',
        "x",
        "",
    ),
}


@pytest.mark.parametrize(("body", "instance", "expected"), BLOCKS.values(), ids=list(BLOCKS))
def test_everything_that_configures_an_instance_counts(tmp_path: Path, body: str, instance: str, expected: str) -> None:
    plan = make_plan(tmp_path, f'{BASE}\nresource "terraform_data" "x" {{\n  {body}\n}}\n')
    assert instances_before(plan, f"terraform_data.{instance}") == set(expected.split())


MODULE: Final = """
variable "given" {
  default = null
}
resource "terraform_data" "own" {
}
resource "terraform_data" "made" {
  input = var.given
}
output "constant" {
  value = "k"
}
output "given" {
  value = var.given
}
output "own" {
  value = terraform_data.own.id
}
"""


def test_values_keep_their_origin_through_modules(tmp_path: Path) -> None:
    root = f"""{BASE}
module "m" {{
  source = "./m"
  given  = local.list
}}
resource "terraform_data" "second" {{
  input = module.m.given[1]
}}
resource "terraform_data" "own" {{
  input = module.m.own
}}
resource "terraform_data" "constant" {{
  input = module.m.constant
}}
resource "terraform_data" "after" {{
  depends_on = [module.m]
}}
"""
    plan = make_plan(tmp_path, {"main.tf": root, "m/main.tf": MODULE})
    assert instances_before(plan, "module.m.terraform_data.made") == {"a[0]", "a[1]"}
    assert instances_before(plan, "module.m.terraform_data.own") == set()
    assert instances_before(plan, "terraform_data.second") == {"a[1]"}
    assert instances_before(plan, "terraform_data.own") == {"module.m.own"}
    assert instances_before(plan, "terraform_data.constant") == set()
    assert instances_before(plan, "terraform_data.after") == {"module.m.own", "module.m.made", "a[0]", "a[1]"}


def test_what_a_module_depends_on_holds_for_all_in_it_and_for_its_outputs(tmp_path: Path) -> None:
    """This includes constant outputs: a user of one waits for the dependencies of the module."""
    root = f"""{BASE}
module "m" {{
  source     = "./m"
  count      = length(terraform_data.a)
  depends_on = [terraform_data.z]
}}
resource "terraform_data" "constant" {{
  input = module.m[1].constant
}}
resource "terraform_data" "one" {{
  depends_on = [module.m[0]]
}}
"""
    plan = make_plan(tmp_path, {"main.tf": root, "m/main.tf": MODULE})
    assert instances_before(plan, "module.m[0].terraform_data.own") == {"z"}
    assert instances_before(plan, "terraform_data.constant") == {"z"}
    assert instances_before(plan, "terraform_data.one") == {"z", "module.m[0].own", "module.m[0].made"}


def test_undeclared_names_in_depends_on_are_nothing_to_wait_for(tmp_path: Path) -> None:
    """Whether other diagnostics are reported about them does not matter here."""
    names = "depends_on = [terraform_data.missing, module.missing, local.missing, var.missing]"
    root = f'module "m" {{\n  source = "./m"\n  {names}\n}}\noutput "o" {{\n  value = module.m.o\n  {names}\n}}\n'
    module = f'resource "terraform_data" "x" {{\n}}\noutput "o" {{\n  value = 1\n  {names}\n}}\n'
    place = Place(tmp_path)
    place.write({"main.tf": root, "m/main.tf": module})
    for changes in (frozenset(["C03"]), frozenset(["C04"])):
        found = place.plan(ENGINES["new"], Options(changes=changes)).diagnostics
        assert [str(each) for each in found] == [str(each) for each in place.plan(ENGINES["new"]).diagnostics]


def _configurable(world: World) -> ProviderFactory:
    class Configurable(BuiltinProvider):
        schema = replace(BUILTIN_SCHEMA, provider=SchemaBlock({"endpoint": SchemaAttribute(STRING, optional=True)}))

    return lambda source: Configurable(world) if source == BUILTIN else None


def test_what_a_provider_was_configured_with_counts_for_all_it_serves(tmp_path: Path) -> None:
    """The provider may compute any attribute from its configuration."""
    place = Place(tmp_path, _configurable)
    place.write(
        f"""{BASE}
provider "terraform" {{
  alias    = "p"
  endpoint = local.list[1]
}}
resource "terraform_data" "x" {{
  provider = terraform.p
}}
"""
    )
    result = place.plan(ENGINES["new"], EXACT)
    assert result.plan is not None, result.diagnostics
    assert instances_before(result.plan, "terraform_data.x") == {"a[1]"}


def test_dependencies_reach_through_instances_that_do_not_change(tmp_path: Path) -> None:
    """Nothing is done for the instance in the middle, but the last one still waits for the first."""
    place = Place(tmp_path)
    chain = """
resource "terraform_data" "first" {
  input            = "same"
  triggers_replace = "VERSION"
}
resource "terraform_data" "middle" {
  input = terraform_data.first.input
}
resource "terraform_data" "last" {
  input = "${terraform_data.middle.input}VERSION"
}
"""
    place.write(chain.replace("VERSION", "1"))
    place.apply(ENGINES["new"], EXACT)
    place.write(chain.replace("VERSION", "2"))
    plan = place.plan(ENGINES["new"], EXACT).plan
    assert plan is not None
    assert "terraform_data.middle" not in {str(instance) for instance in graph_of(plan).results}
    assert instances_before(plan, "terraform_data.last") == {"first"}


def test_the_state_records_resources(tmp_path: Path) -> None:
    """The state records all direct and indirect dependencies as before, but for each instance its own."""
    place = Place(tmp_path)
    place.write(
        f"""{BASE}
resource "terraform_data" "x" {{
  count = 2
  input = count.index == 0 ? terraform_data.a[0].id : terraform_data.z.id
}}
resource "terraform_data" "y" {{
  input = terraform_data.x[0].id
}}
"""
    )
    place.apply(ENGINES["new"], EXACT)
    recorded = {
        str(address): [str(each) for each in instance.current.dependencies]
        for address, instance in place.state.instances()
        if instance.current is not None
    }
    assert recorded["terraform_data.x[0]"] == ["terraform_data.a"]
    assert recorded["terraform_data.x[1]"] == ["terraform_data.z"]
    assert recorded["terraform_data.y"] == ["terraform_data.a", "terraform_data.x"]


def test_a_graph_keeps_dependencies_of_instances_and_believes_no_others(tmp_path: Path) -> None:
    graph = graph_of(make_plan(tmp_path, f'{BASE}resource "terraform_data" "x" {{\n  input = local.list[0]\n}}\n'))
    tree = dump(graph)
    assert load(tree) == graph
    assert "instance terraform_data.x = create before destroy: false, depends on terraform_data.a\n" in graph.text()
    for hostile in (None, "terraform_data.a", [1], ["a b"], ["terraform_data.a[0]"]):
        record: dict[str, Tree] = {"create_before_destroy": False, "dependencies": cast("Tree", hostile)}
        assert isinstance(load({**tree, "instances": {"terraform_data.x": record}}), Diagnostic), hostile


def test_secrets_stay_secret(tmp_path: Path) -> None:
    """The marks of the language and those of the engine do not interfere."""
    text = """
resource "terraform_data" "a" {
  input = sensitive("a")
}
resource "terraform_data" "x" {
  input = [terraform_data.a.input, "plain"]
}
output "o" {
  value     = terraform_data.x.input
  sensitive = true
}
"""
    exact, static = make_plan(tmp_path, text), make_plan(tmp_path, text, Options())
    assert [change.after for change in exact.changes.in_order()] == [
        change.after for change in static.changes.in_order()
    ]
    assert instances_before(exact, "terraform_data.x") == {"a"}


# Marks


def test_marks_of_dependencies_can_be_told_and_taken_off() -> None:
    mark = InstanceMark(A.instance(0))
    value = object_of({"one": tuple_of([string("x").mark(mark)]), "two": string("y").mark(SENSITIVE)}).mark(DEFERRED)
    assert marked_instances(value.deep_marks()) == {A.instance(0)}
    assert is_deferred(value.deep_marks())
    plain = object_of({"one": tuple_of([string("x")]), "two": string("y").mark(SENSITIVE)})
    assert without_dependency_marks(value) == plain
    assert without_dependency_marks(plain) is plain


# Laws

NAMES: Final = st.sampled_from(["terraform_data.a[0]", "terraform_data.a[1]", "terraform_data.z"])


def _attribute(name: str) -> st.SearchStrategy[str]:
    return st.sampled_from([f"{name}.input", f"{name}.id", f'"${{{name}.input}}"'])


def _larger(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.one_of(
        st.builds("tostring({} == {} ? {} : {})".format, inner, inner, inner, inner),
        st.builds('join("-", [{}, {}])'.format, inner, inner),
        st.builds("[{}, {}][0]".format, inner, inner),
        st.builds("{{ u = {}, v = {} }}.v".format, inner, inner),
        st.builds('try({{ p = "1", q = "2" }}[{}], {})'.format, inner, inner),
        st.builds('lookup({{ p = {} }}, {}, "d")'.format, inner, inner),
        st.builds('tostring(length([for each in [{}, {}] : each if each == "p"]))'.format, inner, inner),
        st.builds("coalesce({}, {})".format, inner, inner),
        st.builds("upper({})".format, inner),
    )


EXPRESSION: Final = st.recursive(NAMES.flatmap(_attribute), _larger, max_leaves=6)
INPUTS: Final = st.lists(st.sampled_from(["p", "q", "u"]), min_size=3, max_size=3)

INSTANCES: Final = ("a[0]", "a[1]", "z")


def _configuration(expression: str, inputs: list[str]) -> str:
    first, second, third = inputs
    return f"""
resource "terraform_data" "a" {{
  count = 2
  input = ["{first}", "{second}"][count.index]
}}
resource "terraform_data" "z" {{
  input = "{third}"
}}
resource "terraform_data" "x" {{
  input = {expression}
}}
"""


@settings(max_examples=60)
@given(expression=EXPRESSION, before=INPUTS, after=st.sampled_from(["p", "q", "u", "w"]), which=st.integers(0, 2))
def test_what_changes_a_value_is_among_what_it_waits_for(
    tmp_path_factory: pytest.TempPathFactory, expression: str, before: list[str], after: str, which: int
) -> None:
    """The dependencies are sound: if a change of one instance's configuration changes the computed value, the instance
    was waited for, before and after."""
    directory = tmp_path_factory.mktemp("law")
    changed = [*before]
    changed[which] = after
    one = make_plan(directory, _configuration(expression, before))
    other = make_plan(directory, _configuration(expression, changed))
    values = [
        {str(change.address): change.after for change in plan.changes.in_order()}["terraform_data.x"]
        for plan in (one, other)
    ]
    if values[0] != values[1]:
        assert INSTANCES[which] in instances_before(one, "terraform_data.x")
        assert INSTANCES[which] in instances_before(other, "terraform_data.x")


Instances = dict[str, dict[str, Tree]]


def _instances(observation: Mapping[str, Tree]) -> Instances:
    """Return the instances in the state, by address and deposed key."""
    state = cast("dict[str, list[dict[str, Tree]]] | None", observation.get("state"))
    found: Instances = {}
    for resource in state["resources"] if state is not None else ():
        for instance in cast("list[dict[str, Tree]]", resource["instances"]):
            address = [resource.get(key) for key in ("module", "mode", "type", "name")]
            found[str([*address, instance.get("index_key"), instance.get("deposed")])] = instance
    return found


def _expect_fewer(recorded: Instances, found: Instances) -> None:
    """Check that the exact dependencies are a subset of the recorded ones, and replace the recorded ones by them."""
    for key, instance in found.items():
        allowed, exact = recorded[key].get("dependencies", []), instance.get("dependencies", [])
        assert set(cast("list[str]", exact)) <= set(cast("list[str]", allowed)), key
        recorded[key].pop("dependencies", None)
        if "dependencies" in instance:
            recorded[key]["dependencies"] = exact


@pytest.mark.parametrize("area", sorted(path.name for path in SCENARIOS.iterdir() if path.is_dir()))
def test_exact_dependencies_are_among_those_of_the_references(area: str, tmp_path: Path) -> None:
    """This holds for every recorded story, whose dependencies are those of the references. Nothing else differs, not
    even the order of events."""
    for directory in find_cases([SCENARIOS / area]):
        case = read_case(directory)
        golden = read_golden(case)
        assert golden is not None
        recorded = recorded_observations(case, golden)
        observations = CaseRunner.of(case, tmp_path, recorded_validations(golden)).run(
            "new", Schedule(), 60, EXACT.changes
        )
        for place in recorded:
            _expect_fewer(_instances(recorded[place]), _instances(observations[place]))
        assert compare_places(recorded, observations, compare_step) == [], directory.name


def test_nothing_waits_for_the_checks_of_a_module_where_it_ends_before_them() -> None:
    """Data in a check waits for every change, so a module with dependents would otherwise be part of a cycle."""
    directory = CASES / "checks" / "data_in_a_check_of_a_module_with_dependencies_opentofu"
    case = read_case(directory)
    with tempfile.TemporaryDirectory() as place:
        observations = CaseRunner.of(case, Path(place), ()).run("new", Schedule(), 60, frozenset(["C03"]))
    assert [observed["ok"] for observed in observations.values()] == [True, True]
