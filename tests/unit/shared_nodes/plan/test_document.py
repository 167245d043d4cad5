"""The published form of changes in a plan. Whole plans are compared with recordings in the corpus."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from shared_nodes.addresses.module import ROOT_INSTANCE
from shared_nodes.config.loading import load_configuration
from shared_nodes.plan.change import Action, OutputChange, ResourceChange
from shared_nodes.plan.document import (
    drawing_document,
    output_change_document,
    plan_document,
    resource_change_document,
)
from shared_nodes.plan.drift import drift_between
from shared_nodes.plan.options import Mode
from shared_nodes.plan.plan import Plan
from shared_nodes.state.model import InstanceObject, ObjectStatus, State
from shared_nodes.state.stored_addresses import parse_instance
from shared_nodes.values.json import Tree, dumps
from shared_nodes.values.marks import SENSITIVE
from shared_nodes.values.number import parse
from shared_nodes.values.types import STRING
from shared_nodes.values.value import (
    DYNAMIC_UNKNOWN,
    NULL_DYNAMIC,
    Value,
    integer,
    list_of,
    null,
    number,
    object_of,
    string,
    tuple_of,
    unknown,
)
from shared_nodes.world import Files
from tests.unit.shared_nodes.plan.making import NEW_ID, PROVIDER, SCHEMAS, TYPE, change, plan_of, thing


def document(plan: Plan, directory: Path, config: str = "") -> dict[str, Tree]:
    (directory / "main.tf").write_text(config)
    tree, problems = load_configuration(Files(directory))
    assert tree is not None, problems
    return plan_document(plan, tree, SCHEMAS)


def change_text(change: ResourceChange) -> str:
    return dumps(resource_change_document(change, SCHEMAS)["change"])


@pytest.mark.parametrize(
    ("given", "after", "after_unknown", "after_sensitive"),
    [
        (integer(1), '"input":1', "", ""),
        (DYNAMIC_UNKNOWN, "", '"input":true,', ""),
        (tuple_of([integer(1), unknown(STRING)]), '"input":[1,null]', '"input":[false,true],', '"input":[false,false]'),
        (object_of({"a": string("x").mark(SENSITIVE)}), '"input":{"a":"x"}', '"input":{},', '"input":{"a":true}'),
        (list_of(STRING, []).mark(SENSITIVE), '"input":[]', '"input":[],', '"input":true'),
        (object_of({"a": unknown(STRING)}), '"input":{}', '"input":{"a":true},', '"input":{}'),
    ],
    ids=["known", "unknown", "tuple", "sensitive-part", "sensitive", "unknown-part"],
)
def test_one_value_is_three_shapes(given: Value, after: str, after_unknown: str, after_sensitive: str) -> None:
    text = change_text(change("terraform_data.a", after=thing(NEW_ID, given, unknown(STRING))))
    comma = "," if after else ""
    assert text == (
        '{"actions":["create"],"before":null,'
        f'"after":{{{after}{comma}"triggers_replace":null}},'
        f'"after_unknown":{{"id":true,{after_unknown}"output":true}},'
        f'"before_sensitive":false,"after_sensitive":{{{after_sensitive}}}}}'
    )


def test_what_goes_has_no_after() -> None:
    assert change_text(change("terraform_data.a", Action.DELETE, thing("1"))) == (
        '{"actions":["delete"],"before":{"id":"1","input":null,"output":null,"triggers_replace":null},"after":null,'
        '"after_unknown":{},"before_sensitive":{},"after_sensitive":false}'
    )


@pytest.mark.parametrize(
    ("after", "expected"),
    [
        (integer(1), '"after":1,"after_unknown":false'),
        (NULL_DYNAMIC, '"after":null,"after_unknown":false'),
        (DYNAMIC_UNKNOWN, '"after_unknown":true'),
        (tuple_of([unknown(STRING)]), '"after":[null],"after_unknown":[true]'),
    ],
    ids=repr,
)
def test_outputs_say_false_where_objects_say_nothing(after: Value, expected: str) -> None:
    text = dumps(output_change_document(OutputChange(ROOT_INSTANCE, "o", Action.CREATE, NULL_DYNAMIC, after, True)))
    assert text == f'{{"actions":["create"],"before":null,{expected},"before_sensitive":true,"after_sensitive":true}}'


def test_order_and_omissions(tmp_path: Path) -> None:
    """Changes are sorted by address, planned resources by its text. Deleted data sources are omitted everywhere,
    forgotten objects are planned without values."""
    plan = plan_of(
        [
            *(change(f"terraform_data.a[{index}]", after=thing(NEW_ID)) for index in (10, 2)),
            change("module.m.terraform_data.x", Action.FORGET, thing("1")),
            change("data.terraform_remote_state.d", Action.DELETE),
            change("terraform_data.b", Action.DELETE, thing("1"), deposed="deadbeef"),
            change("terraform_data.b", after=thing(NEW_ID)),
        ]
    )
    tree = document(plan, tmp_path)
    changes = tree["resource_changes"]
    assert isinstance(changes, list)
    assert [(c["address"], c.get("deposed")) for c in changes if isinstance(c, dict)] == [
        ("terraform_data.a[2]", None),
        ("terraform_data.a[10]", None),
        ("terraform_data.b", None),
        ("terraform_data.b", "deadbeef"),
        ("module.m.terraform_data.x", None),
    ]
    planned = dumps(tree["planned_values"])
    assert planned.index('"terraform_data.a[10]"') < planned.index('"terraform_data.a[2]"')
    assert '"address":"module.m.terraform_data.x"' in planned
    assert planned.count('"values":') == 3


def test_variables_are_shown_as_given(tmp_path: Path) -> None:
    """`-var n=3` is text, whatever the type; defaults are converted; ephemeral values are omitted."""
    config = """
        variable "n" { type = number }
        variable "d" {
          type    = number
          default = "5"
        }
        variable "e" {
          ephemeral = true
          default   = 1
        }
    """
    plan = replace(plan_of(), variables={"n": string("3")}, apply_time_variables=frozenset(["e"]))
    assert dumps(document(plan, tmp_path, config)["variables"]) == '{"d":{"value":5},"n":{"value":"3"}}'


def state_of(identifier: str, value: Value | None = None, *, create_before_destroy: bool = False) -> State:
    state = State()
    value = thing(identifier) if value is None else value
    stored = InstanceObject(ObjectStatus.READY, value, create_before_destroy=create_before_destroy)
    state.put(parse_instance("terraform_data.a"), PROVIDER, stored)
    return state


def test_drift_is_a_change_of_value_or_place() -> None:
    address, old = parse_instance("terraform_data.a"), parse_instance("terraform_data.old")
    one, other = state_of("1"), state_of("2")

    def actions(refreshed: State, *, moved: bool = False) -> list[Action]:
        return [each.action for each in drift_between(one, refreshed, SCHEMAS, {address: old} if moved else {})]

    assert actions(one) == []
    assert actions(one, moved=True) == [Action.NO_OP]
    assert actions(other) == [Action.UPDATE]
    assert actions(State()) == [Action.DELETE]
    assert actions(state_of("1", create_before_destroy=True)) == []
    assert drift_between(one, State(), SCHEMAS, {})[0].after == null(TYPE)


@pytest.mark.parametrize(("mode", "count"), [(Mode.NORMAL, 0), (Mode.REFRESH_ONLY, 1)])
def test_mere_moves_are_drift_only_where_nothing_is_planned(tmp_path: Path, mode: Mode, count: int) -> None:
    moved = change("terraform_data.a", Action.NO_OP, thing("1"), thing("1"), previous="terraform_data.b")
    drift = document(plan_of(mode=mode, drift=[moved]), tmp_path).get("resource_drift", [])
    assert isinstance(drift, list)
    assert len(drift) == count


def refresh_only(previous: State, prior: State) -> Plan:
    return replace(plan_of(mode=Mode.REFRESH_ONLY), previous_state=previous, prior_state=prior)


def test_refreshing_is_worth_applying_if_anything_is_recorded_differently() -> None:
    precise, rounded = parse("1"), integer(1)
    assert precise is not None
    numbers = [thing("1", number(precise)), thing("1", rounded)]
    assert not refresh_only(state_of("1"), state_of("1")).applyable
    assert refresh_only(state_of("1"), state_of("2")).applyable
    assert refresh_only(state_of("1"), state_of("1", create_before_destroy=True)).applyable
    assert refresh_only(*(state_of("1", value) for value in numbers)).applyable, "numbers count with their precision"
    assert not replace(refresh_only(state_of("1"), state_of("2")), errored=True).applyable
    assert not replace(refresh_only(state_of("1"), state_of("2")), mode=Mode.NORMAL).applyable


def test_a_plan_is_complete_without_errors_and_targets() -> None:
    assert plan_of().complete
    assert not replace(plan_of(), errored=True).complete
    assert not replace(plan_of(), targets=("module.m",)).complete


def test_a_plan_is_drawn_from_parts_of_its_published_form(tmp_path: Path) -> None:
    """The prior state is not among these parts, so a plan whose prior objects cannot be read can still be drawn."""
    output = OutputChange(ROOT_INSTANCE, "o", Action.CREATE, NULL_DYNAMIC, string("x"))
    plan = plan_of([change("terraform_data.a", after=thing(NEW_ID, integer(1)))], [output])
    published, drawn = document(plan, tmp_path), drawing_document(plan, SCHEMAS)
    assert drawn.keys() == {"resource_changes", "output_changes", "errored"}
    assert drawn == {name: published[name] for name in drawn}
