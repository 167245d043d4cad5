"""Values of users are compared, normalised, masked and explained as values, whatever their names are."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.compare.documents import keyed
from harness.compare.observations import compare_observations, compare_step
from harness.findings.explanations.differing_values import differing_values
from harness.findings.secrets.masking import secrets_of
from harness.observe.document_layout import OBSERVATION
from harness.observe.normalise import Names
from shared_nodes.values.json import JsonNumber, Tree

NAMES_OF_THE_FORMAT: Final = (
    *("resources", "instances", "objects", "checks", "check_results", "outputs", "output_changes", "attributes"),
    *("resource_changes", "resource_drift", "relevant_attributes", "dependencies", "depends_on", "replace_paths"),
    *("sensitive_attributes", "before", "after", "after_unknown", "before_sensitive", "after_sensitive", "change"),
    *("sensitive", "value", "type", "values", "sensitive_values", "inventory", "deposed", "index_key", "address"),
    *("root_module", "child_modules", "module", "mode", "name", "status", "id"),
)
_PLAIN: Final = ("things", "kind")
names = st.sampled_from((*NAMES_OF_THE_FORMAT, *_PLAIN))
leaves = st.one_of(
    st.none(), st.booleans(), st.integers(0, 3).map(lambda number: JsonNumber(str(number))), names, st.just("(absent)")
)
values: st.SearchStrategy[Tree] = st.recursive(
    leaves, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=3), max_leaves=8
)


def observation(value: Tree, marks: Tree = False) -> dict[str, Tree]:
    """Return an observation with a value of a user in every place where one can be."""
    change: Tree = {
        "actions": ["create"],
        "before": None,
        "after": {"input": value},
        "after_unknown": {"input": marks},
        "before_sensitive": False,
        "after_sensitive": {"input": marks},
    }
    address: Tree = {"address": "a.b", "mode": "managed", "type": "a", "name": "b"}
    output: Tree = {"actions": ["create"], "before": value, "after": value, "after_unknown": False}
    instance: Tree = {"attributes": {"input": value}, "sensitive_attributes": [], "dependencies": []}
    return {
        "op": "apply",
        "ok": True,
        "diagnostics": [],
        "plan": {
            "resource_changes": [{**address, "change": change}],  # type: ignore[dict-item]
            "output_changes": {"o": output},
            "relevant_attributes": [],
        },
        "state": {
            "outputs": {"o": {"value": value, "type": "dynamic"}},
            "resources": [{"mode": "managed", "type": "a", "name": "b", "instances": [instance]}],
            "check_results": None,
        },
        "inventory": [{"type": "a", "input": value}],
    }


@given(values, values)
def test_every_difference_of_a_value_is_found(one: Tree, other: Tree) -> None:
    expected, got = observation(one), observation(other)
    for compare in (compare_observations, compare_step):
        found = compare(expected, got)
        roots = {re.split(r"[.\[]", difference.field)[0] for difference in found}
        assert roots == (set() if one == other else {"plan", "state", "inventory"})
        for difference in found:
            assert not set(NAMES_OF_THE_FORMAT) & set(_names_of_value(difference.shape)), difference.shape


def _names_of_value(shape: str) -> list[str]:
    """Return what a shape says about the inside of the value."""
    for attribute in (".attributes.input", ".after.input", "inventory[].input", ".before", ".after", ".value"):
        if attribute in shape:
            return shape.partition(attribute)[2].replace("[]", "").strip(".*").split(".")
    return [] if shape in ("plan", "state", "inventory") else [shape]


@given(values)
def test_a_value_is_neither_reordered_nor_renamed(value: Tree) -> None:
    whole = observation(value, marks={"resources": [False]})
    now = datetime(2026, 1, 1, tzinfo=UTC)
    normalised = Names("", now, now).normalised(whole, "/nowhere")
    assert normalised == whole
    found = keyed(whole, OBSERVATION)
    assert isinstance(found, dict)
    state = found["state"]
    assert isinstance(state, dict)
    assert state["resources"] == {
        "managed a b": {
            "mode": "managed",
            "type": "a",
            "name": "b",
            "instances": {"": {"attributes": {"input": value}, "sensitive_attributes": [], "dependencies": []}},
        }
    }


@given(values, values, values)
def test_a_value_has_no_effect_on_what_is_sensitive(one: Tree, other: Tree, marks: Tree) -> None:
    """Nothing is marked here, so nothing is hidden; marks of any form break nothing."""
    places = {"step 1": observation(one)}
    assert secrets_of(None, {"legacy": places}).places == frozenset()
    secrets_of(None, {"legacy": {"step 1": observation(one, marks)}})
    for name in ("plan", "state"):
        found = differing_values(name, observation(one), observation(other))
        assert bool(found) is (one != other)


def test_deposed_values_of_a_user_keep_their_order() -> None:
    value: Tree = [{"deposed": "<deposed b>"}, {"deposed": "<deposed a>"}]
    now = datetime(2026, 1, 1, tzinfo=UTC)
    assert Names("", now, now).normalised(observation(value), "/nowhere") == observation(value)


@pytest.mark.parametrize("name", NAMES_OF_THE_FORMAT)
def test_the_shape_of_a_difference_does_not_depend_on_the_name(name: str) -> None:
    """One bug has one signature, however users call what it is about."""

    def shapes(called: str) -> list[str]:
        one, other = ({called: [{called: number}]} for number in ("1", "2"))
        marks: tuple[Tree, Tree] = ({called: [True]}, {called: [False]})
        return [each.shape for each in compare_step(observation(one, marks[0]), observation(other, marks[1]))]  # type: ignore[arg-type]

    assert shapes(name) == shapes("things")
