"""Every resource type of simcloud with both engines: what it provokes must happen, and both engines must agree."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import pytest

from harness.case.case import read_case
from harness.compare.observations import compare_observations, compare_places
from harness.engines.registry import ENGINES
from harness.observe.observation import Observation
from harness.play.case_runner import CaseRunner
from harness.play.schedule import Schedule
from harness.simulation.simcloud.data_sources import DATA_SOURCES
from harness.simulation.simcloud.resource_types import RESOURCE_TYPES
from shared_nodes.values.json import Tree, dumps

REQUIRED = 'terraform {\n  required_providers {\n    simcloud = { source = "dh.test/diffharness/simcloud" }\n  }\n}\n'
THERE_AND_BACK = "[{op: apply, config: v1}, {op: apply, config: v2}, {op: plan, config: v2}, {op: destroy, config: v2}]"


def play(text: str, files: Mapping[str, str] | None = None, **configurations: str) -> list[Observation]:
    """Return what both engines make of it, after checking that it is the same."""
    with tempfile.TemporaryDirectory() as place:
        directory = Path(place) / "area" / "case"
        for name, configuration in configurations.items():
            (directory / name).mkdir(parents=True)
            (directory / name / "main.tf").write_text(REQUIRED + configuration)
        for name, content in (files or {}).items():
            (directory / name).write_text(content)
        (directory / "case.yaml").write_text(f"description: x\n{text}\n")
        theatre = CaseRunner.of(read_case(directory), Path(place), ())
        courses = [theatre.run(engine, Schedule(), 60) for engine in ENGINES]
    assert compare_places(courses[0], courses[1], compare_observations) == []
    return list(courses[0].values())


def actions(step: Observation) -> dict[str, str]:
    plan = cast("Mapping[str, list[Mapping[str, Mapping[str, list[str]]]]]", step["plan"])
    return {str(change["address"]): "+".join(change["change"]["actions"]) for change in plan["resource_changes"]}


def problems(step: Observation) -> list[str]:
    """Return each problem once, since planning repeats what validation reports."""
    found = cast("list[Mapping[str, str]]", step["diagnostics"])
    return list(dict.fromkeys(f"{problem['summary']}: {problem['detail']}" for problem in found))


def live(step: Observation) -> list[Mapping[str, object]]:
    """Return the live object, with numbers as Python numbers."""
    inventory = cast("list[dict[str, Tree]]", step["inventory"])
    return [json.loads(dumps(item["object"])) for item in inventory]


def outputs(step: Observation) -> Mapping[str, Tree]:
    state = cast("Mapping[str, Mapping[str, Mapping[str, Tree]]]", step["state"])
    return {name: json.loads(dumps(output["value"])) for name, output in state["outputs"].items()}


@dataclass(frozen=True, slots=True)
class Life:
    """Two versions of a resource, what the second one plans, and parts of the resulting object."""

    first: str
    second: str
    action: str
    leads_to: Mapping[str, object]


PART = {"key": "k", "amount": 1}

LIVES = {
    "updated": Life('value = "x"', 'value = "y"', "update", {"id": "a-1", "value": "y", "revision": 2}),
    "replaced": Life('value = "x"', 'value = "y"', "delete+create", {"id": "a-2", "value": "y"}),
    "replaced_by_several": Life('zone = "x"\nsize = 1', 'zone = "y"\nsize = 2', "delete+create", {"id": "a-2"}),
    "replaced_by_nested": Life(
        'placement = { rack = "1" }\ndisk {\n  kind = "x"\n}',
        'placement = { rack = "2" }\ndisk {\n  kind = "y"\n}',
        "delete+create",
        {"id": "a-2", "placement": {"rack": "2", "zone": None}},
    ),
    "computed": Life(
        "",
        'trigger = "t"',
        "update",
        {"text": "a-1.text", "number": 2, "flag": True, "list": ["a-1.list.0", "a-1.list.1"]},
    ),
    "defaulted": Life(
        "",
        "network = { mtu = 5 }",
        "update",
        {"size": 10, "zone": "zone-a", "network": {"mtu": 5, "range": "a-1.network.range"}},
    ),
    "sensitive": Life('secret = "x"', 'secret = "y"', "update", {"secret": "y", "token": "a-1.token"}),
    "write_only": Life('secret = "x"', 'secret = "y"\nsecret_version = 2', "update", {"secret": None}),
    "block_deep": Life(
        "",
        'outer {\n  middle {\n    inner {\n      key = "k"\n    }\n  }\n}',
        "update",
        {
            "outer": [
                {
                    "key": None,
                    "middle": [
                        {"key": None, "inner": {"key": "k", "amount": None, "made": "a-1.outer.0.middle.0.inner.made"}}
                    ],
                }
            ]
        },
    ),
    "objects": Life("", 'set = [{ key = "k", amount = 1 }]', "update", {"set": [PART]}),
    "dynamic": Life(
        'input = [1, "x"]',
        "input = { x = true }",
        "update",
        {"output": {"value": {"x": True}, "type": ["object", {"x": "bool"}]}},
    ),
    "deprecated": Life('old_value = "x"', "old_part {}", "update", {"old_value": None}),
    "deprecated_type": Life("", 'value = "x"', "update", {"value": "x"}),
    "parent": Life("", 'value = "x"', "delete+create", {"id": "a-2"}),
    "cascading_parent": Life("", 'value = "x"', "delete+create", {"id": "a-2"}),
    "unique": Life("", 'value = "x"', "delete+create", {"id": "a-2"}),
    "singleton": Life("", 'value = "x"', "delete+create", {"id": "a-2"}),
    "protected": Life("protected = true", "protected = false", "update", {"protected": False}),
    "normalised": Life('text = " A "', 'text = "a"', "no-op", {"text": "a"}),
    "normalised_legacy": Life('text = " A "', 'text = "B"', "update", {"text": "b"}),
    "eventual": Life('value = "x"', 'value = "y"', "update", {"value": "y"}),
    "private": Life('value = "x"', 'value = "y"', "update", {"value": "y"}),
    "meta": Life('value = "x"', 'value = "y"', "update", {"module_name": ""}),
    "unimportable": Life("", 'value = "x"', "update", {"value": "x"}),
    "overcautious": Life('label = "x"', 'label = "y"', "update", {"id": "a-1", "label": "y"}),
    "renamed": Life("", 'value = "x"', "update", {"value": "x"}),
    "upgraded": Life("capacity = 1", "capacity = 2", "update", {"capacity": 2, "unit": "GB"}),
    "upgrade_failing": Life("", 'value = "x"', "update", {"value": "x"}),
    "identified": Life('value = "x"', 'zone = "y"', "delete+create", {"id": "a-2", "zone": "y"}),
    "block_single": Life("", 'part {\n  key = "k"\n}', "update", {}),
    "block_group": Life("", 'part {\n  key = "k"\n}', "update", {}),
    "block_list": Life("part {}", 'part {\n  key = "k"\n}\npart {}', "update", {}),
    "block_limited": Life("part {}", 'part {\n  key = "k"\n}\npart {}', "update", {}),
    "block_set": Life("", 'part {\n  key = "k"\n}\npart {\n  key = "l"\n}', "update", {}),
    "block_map": Life("", 'part "x" {\n  key = "k"\n}', "update", {}),
    "nested_single": Life("", 'part = { key = "k" }', "update", {}),
    "nested_list": Life('part = [{ key = "k" }]', 'part = [{ key = "k" }, {}]', "update", {}),
    "nested_set": Life("", 'part = [{ key = "k" }, { key = "l" }]', "update", {}),
    "nested_map": Life("", 'part = { x = { key = "k" } }', "update", {}),
}


def test_every_type_has_a_life_here() -> None:
    """`child` needs a parent and has its own tests."""
    assert {f"simcloud_{name}" for name in LIVES} | {"simcloud_child"} == RESOURCE_TYPES.keys()


@pytest.mark.parametrize("name", sorted(LIVES))
def test_the_life_of_each_type(name: str) -> None:
    life = LIVES[name]
    versions = [
        f'resource "simcloud_{name}" "a" {{\n  name = "a"\n  {body}\n}}\n' for body in (life.first, life.second)
    ]
    first, second, after, end = play(f"steps: {THERE_AND_BACK}", v1=versions[0], v2=versions[1])
    address = f"simcloud_{name}.a"
    assert actions(first) == {address: "create"}
    assert actions(second) == {address: life.action}
    (found,) = live(second)
    assert {key: found[key] for key in life.leads_to} == life.leads_to
    assert actions(after) == {address: "update" if name == "eventual" else "no-op"}
    assert live(end) == []


# Behaviour that needs more than one resource


def test_every_path_that_replaces_is_told() -> None:
    text = (
        'resource "simcloud_replaced_by_nested" "a" {\n  name = "a"\n  placement = { zone = "%s" }\n'
        '  disk {\n    kind = "%s"\n  }\n}\n'
    )
    _, second = play(
        "steps: [{op: apply, config: v1}, {op: plan, config: v2}]", v1=text % ("a", "x"), v2=text % ("b", "y")
    )
    plan = cast("Mapping[str, list[Mapping[str, Mapping[str, Tree]]]]", second["plan"])
    paths = json.loads(dumps(plan["resource_changes"][0]["change"]["replace_paths"]))
    assert paths == [["disk", 0, "kind"], ["placement", "zone"]]


FAMILY = """
resource "simcloud_%s" "p" {
  name  = "p"
  value = "%s"
}

resource "simcloud_child" "c" {
  name   = "c"
  parent = %s
}
"""


def test_a_child_needs_a_parent() -> None:
    (step,) = play("steps: [{op: apply, config: v1}]", v1=FAMILY % ("parent", "x", '"nobody"'))
    assert problems(step) == ['Create refused: There is no parent "nobody".']


def test_a_parent_is_replaced_with_its_children_and_never_before_them() -> None:
    reference = "simcloud_parent.p.id"
    _, second = play(
        "steps: [{op: apply, config: v1}, {op: apply, config: v2}]",
        v1=FAMILY % ("parent", "x", reference),
        v2=FAMILY % ("parent", "y", reference),
    )
    assert problems(second) == []
    assert [item["id"] for item in live(second)] == ["c-2", "p-2"]


def test_a_parent_stays_where_nobody_knows_of_its_child() -> None:
    orphan = FAMILY.partition('resource "simcloud_child"')[0] % ("parent", "x")
    text = "cloud: [{type: simcloud_parent, name: p, id: p-1}, {type: simcloud_child, name: c, parent: p-1}]"
    taken = 'import {\n  to = simcloud_parent.p\n  id = "p-1"\n}\n'
    _, second = play(
        f"{text}\nsteps: [{{op: apply, config: v1}}, {{op: destroy, config: v1}}]",
        v1=orphan.replace("value", "# value") + taken,
    )
    assert problems(second) == ['Delete refused: Object "p-1" is the parent of "c-1".']


def test_children_of_a_cascading_parent_are_gone_before_their_own_deletion() -> None:
    reference = '"p-1"'
    _, second, third = play(
        "steps: [{op: apply, config: v0}, {op: apply, config: v1}, {op: destroy, config: v1}]",
        v0=(FAMILY % ("cascading_parent", "x", reference)).partition('resource "simcloud_child"')[0],
        v1=FAMILY % ("cascading_parent", "x", reference),
    )
    assert [item["id"] for item in live(second)] == ["p-1", "c-1"]
    assert problems(third) == []
    assert live(third) == []


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("unique", 'Create refused: The name "a" is taken by object "a-1".'),
        ("singleton", 'Create refused: There can be only one simcloud_singleton, and "a-1" is it.'),
    ],
)
def test_what_can_be_there_once_collides_with_its_own_replacement(name: str, message: str) -> None:
    text = (
        f'resource "simcloud_{name}" "a" {{\n  name = "a"\n  value = "%s"\n'
        "  lifecycle {\n    create_before_destroy = true\n  }\n}\n"
    )
    _, second = play("steps: [{op: apply, config: v1}, {op: apply, config: v2}]", v1=text % "x", v2=text % "y")
    assert problems(second) == [message]
    assert [item["id"] for item in live(second)] == ["a-1"]


def test_what_is_protected_cannot_even_be_planned_to_go() -> None:
    text = 'resource "simcloud_protected" "a" {\n  name      = "a"\n  protected = true\n}\n'
    _, second = play("steps: [{op: apply, config: v1}, {op: plan, config: v2}]", v1=text, v2="")
    assert problems(second) == ['Deletion refused: Object "a-1" is protected from deletion.']


def test_another_spelling_is_drift_and_no_change() -> None:
    text = 'resource "simcloud_normalised" "a" {\n  name = "a"\n  text = " ABC "\n  tags = ["b", "a"]\n}\n'
    first, second = play("steps: [{op: apply, config: v1}, {op: plan, config: v1}]", v1=text)
    assert problems(first) == []
    assert actions(second) == {"simcloud_normalised.a": "no-op"}
    drift = cast("Mapping[str, list[Mapping[str, Mapping[str, Mapping[str, Tree]]]]]", second["plan"])["resource_drift"]
    assert (drift[0]["change"]["before"]["text"], drift[0]["change"]["after"]["text"]) == (" ABC ", "abc")


def test_what_is_written_only_is_seen_by_the_server_alone() -> None:
    text = 'resource "simcloud_write_only" "a" {\n  name = "a"\n  secret = "%s"\n  secret_version = %d\n}\n'
    first, second, third = play(
        "steps: [{op: apply, config: v1}, {op: apply, config: v2}, {op: apply, config: v3}]",
        v1=text % ("hidden-one", 1),
        v2=text % ("hidden-two", 1),
        v3=text % ("hidden-two", 2),
    )
    prints = [live(step)[0]["fingerprint"] for step in (first, second, third)]
    assert prints[0] == prints[1] != prints[2]
    assert all("hidden" not in dumps(dict(step)) for step in (first, second, third))


STATE = """{"version": 4, "terraform_version": "1.11.4", "serial": 1, "lineage": "x", "outputs": {}, "resources": [
  {"mode": "managed", "type": "simcloud_%s", "name": "a", "provider": "provider[\\"dh.test/diffharness/simcloud\\"]",
   "instances": [{"schema_version": %d, "attributes": %s}]}]}"""


@pytest.mark.parametrize(("version", "size"), [(0, '"10GB"'), (1, "10")])
def test_objects_of_older_versions_are_upgraded_step_by_step(version: int, size: str) -> None:
    """All attributes reach the upgrade; only in the current version, attributes unknown to the schema are dropped
    first."""
    attributes = f'{{"id": "a-1", "name": "a", "size": {size}}}'
    (step,) = play(
        "prior_state: old.json\ncloud: [{type: simcloud_upgraded, name: a, id: a-1, capacity: 10}]\n"
        "steps: [{op: plan, config: v1}]",
        {"old.json": STATE % ("upgraded", version, attributes)},
        v1='resource "simcloud_upgraded" "a" {\n  name     = "a"\n  capacity = 10\n}\n',
    )
    assert problems(step) == []
    assert actions(step) == {"simcloud_upgraded.a": "no-op"}
    assert "resource_drift" not in cast("Mapping[str, Tree]", step["plan"])


@pytest.mark.parametrize(
    ("name", "attributes", "message"),
    [
        (
            "upgraded",
            '{"id": "a-1", "name": "a", "size": "much"}',
            "Upgrade failed: The size 'much' is not a number of GB.",
        ),
        ("upgrade_failing", '{"id": "a-1", "name": "a"}', "Upgrade failed: Objects of version 0 have no successor."),
    ],
)
def test_an_upgrade_can_fail(name: str, attributes: str, message: str) -> None:
    (step,) = play(
        "prior_state: old.json\nsteps: [{op: plan, config: v1}]",
        {"old.json": STATE % (name, 0, attributes)},
        v1=f'resource "simcloud_{name}" "a" {{\n  name = "a"\n}}\n',
    )
    assert problems(step) == [message]


def test_private_data_that_do_not_come_back_are_missed() -> None:
    """A state without them is what an engine that loses them would leave."""
    (step,) = play(
        "prior_state: old.json\ncloud: [{type: simcloud_private, name: a, id: a-1}]\nsteps: [{op: plan, config: v1}]",
        {"old.json": STATE % ("private", 0, '{"id": "a-1", "name": "a"}')},
        v1='resource "simcloud_private" "a" {\n  name = "a"\n}\n',
    )
    assert problems(step) == ['Private data lost: The private data of object "a-1" did not come back.']


def test_a_renamed_type_takes_objects_over_where_they_are() -> None:
    moved = "moved {\n  from = simcloud_updated.a\n  to   = simcloud_renamed.a\n}\n"
    _, second = play(
        "steps: [{op: apply, config: v1}, {op: apply, config: v2}]",
        v1='resource "simcloud_updated" "a" {\n  name = "a"\n}\n',
        v2='resource "simcloud_renamed" "a" {\n  name = "a"\n}\n' + moved,
    )
    assert actions(second) == {"simcloud_renamed.a": "no-op"}
    assert [item["id"] for item in live(second)] == ["a-1"]


def test_what_cannot_be_imported() -> None:
    (step,) = play(
        "cloud: [{type: simcloud_unimportable, name: a}]\nsteps: [{op: plan, config: v1}]",
        v1='resource "simcloud_unimportable" "a" {\n  name = "a"\n}\n'
        'import {\n  to = simcloud_unimportable.a\n  id = "a-1"\n}\n',
    )
    assert problems(step) == ["Import not supported: simcloud_unimportable cannot be imported."]


def test_deprecations_are_told_at_the_argument() -> None:
    (step,) = play(
        "steps: [{op: plan, config: v1}]",
        v1='resource "simcloud_deprecated" "a" {\n  name = "a"\n  old_value = "x"\n}\n',
    )
    assert problems(step) == ["Argument is deprecated: Use value instead of old_value."]
    found = cast("list[Mapping[str, Mapping[str, Mapping[str, Tree]]]]", step["diagnostics"])
    assert dumps(found[0]["range"]["start"]["line"]) == "8"


# The provider itself


def test_regions_are_clouds_of_their_own() -> None:
    aliases = 'provider "simcloud" {\n  alias  = "%s"\n  region = "%s"\n}\n'
    resources = 'resource "simcloud_unique" "%s" {\n  provider = simcloud.%s\n  name     = "a"\n}\n'
    (step,) = play(
        "steps: [{op: apply, config: v1}]",
        v1="".join(aliases % (name, name) + resources % (name, name) for name in ("east", "west")),
    )
    assert problems(step) == []
    assert [item["id"] for item in live(step)] == ["east.a-1", "west.a-1"]


@pytest.mark.parametrize(
    ("configuration", "message"),
    [
        ('refuse = "validate"', "Invalid configuration: The provider refuses to validate this configuration."),
        ('refuse = "configure"', 'Configure failed: The cloud refused the provider configuration for region "".'),
        (
            "region = terraform_data.a.id\n  require_known = true",
            "Unknown region: The region must be known before anything can be done.",
        ),
    ],
)
def test_provider_configurations_that_fail(configuration: str, message: str) -> None:
    (step,) = play(
        "steps: [{op: plan, config: v1}]",
        v1=f'provider "simcloud" {{\n  {configuration}\n}}\nresource "terraform_data" "a" {{}}\n'
        'resource "simcloud_updated" "a" {\n  name = "a"\n}\n',
    )
    assert problems(step) == [message]


def test_a_region_from_a_resource_is_enough_to_plan_and_there_to_destroy() -> None:
    steps = "steps: [{op: apply, config: v1}, {op: plan, config: v1}, {op: destroy, config: v1}]"
    first, second, third = play(
        steps,
        v1='provider "simcloud" {\n  alias  = "inner"\n  region = simcloud_updated.a.id\n}\n'
        'resource "simcloud_updated" "a" {\n  name = "a"\n}\n'
        'resource "simcloud_updated" "b" {\n  provider = simcloud.inner\n  name = "b"\n}\n',
    )
    assert [item["id"] for item in live(first)] == ["a-1", "a-1.b-1"]
    assert actions(second) == {"simcloud_updated.a": "no-op", "simcloud_updated.b": "no-op"}
    assert live(third) == []


def test_data_sources() -> None:
    (step,) = play(
        "steps: [{op: apply, config: v1}]",
        v1="""
resource "simcloud_updated" "a" {
  name = "a"
}
data "simcloud_pure" "p" {
  name = "x"
}
data "simcloud_live" "l" {
  identifier = simcloud_updated.a.id
}
data "simcloud_listing" "all" {
  depends_on = [simcloud_updated.a]
  only {
    kind = "simcloud_updated"
  }
}
data "simcloud_slow" "s" {
  name    = "y"
  seconds = 100000
}
data "simcloud_secret" "s" {
  name = "z"
}
output "o" {
  value = [
    data.simcloud_pure.p.result, data.simcloud_live.l.exists, data.simcloud_listing.all.identifiers,
    data.simcloud_slow.s.result, nonsensitive(data.simcloud_secret.s.secret),
  ]
}
""",
    )
    assert outputs(step) == {"o": ["found-x", True, ["a-1"], "found-y", "secret-z"]}
    assert len(DATA_SOURCES) == 6


def test_a_data_source_that_always_fails() -> None:
    (step,) = play("steps: [{op: plan, config: v1}]", v1='data "simcloud_failing" "f" {\n  message = "No."\n}\n')
    assert problems(step) == ["Lookup failed: No."]


def test_functions() -> None:
    (step,) = play(
        "steps: [{op: apply, config: v1}]",
        v1="""
output "o" {
  value = [
    provider::simcloud::echo({ a = null }), provider::simcloud::identifier("a", 2),
    provider::simcloud::joined("a", "b"),
    provider::simcloud::length_or_null("abc"), provider::simcloud::length_or_null(null),
    try(provider::simcloud::fail("x"), "failed"),
  ]
}
""",
    )
    assert outputs(step) == {"o": [{"a": None}, "a-2", "a-b", 3, None, "failed"]}


def test_metadata_of_a_module_reach_the_server() -> None:
    (step,) = play(
        "steps: [{op: apply, config: v1}]",
        v1='terraform {\n  provider_meta "simcloud" {\n    module_name = "m"\n  }\n}\n'
        'resource "simcloud_meta" "a" {\n  name = "a"\n}\n',
    )
    assert live(step)[0]["module_name"] == "m"


def calls(step: Observation, verb: str) -> int:
    items = cast("Mapping[str, list[list[str]]]", step["calls"])["items"]
    return sum(call[0] == verb for call in items)


TOKEN = """
ephemeral "simcloud_token" "t" {
  name = "t"
}
resource "simcloud_write_only" "a" {
  name   = "a"
  secret = ephemeral.simcloud_token.t.token
}
resource "simcloud_updated" "other" {
  name = "other"
}
"""


@pytest.mark.parametrize(("failing", "closed"), [("other", 1), ("a", 0)])
def test_a_token_stays_open_only_where_somebody_who_uses_it_fails(failing: str, closed: int) -> None:
    """The original closes it when all users are done, and a failed one never is."""
    text = f"faults: [{{step: 0, name: {failing}, verb: create, kind: error}}]\nsteps: [{{op: apply, config: v1}}]"
    (step,) = play(text, v1=TOKEN)
    assert (calls(step, "open"), calls(step, "close")) == (1, closed)


def test_dropping_data_needs_no_provider() -> None:
    """If nothing else is left to destroy, no provider is configured."""
    data = 'data "simcloud_pure" "p" {\n  name = "x"\n}\n'
    _, second = play("steps: [{op: apply, config: v1}, {op: destroy, config: v1}]", v1=data)
    assert calls(second, "configure") == 0
