"""Violations of the provider contract: recorded messages, word by word; and answers that keep to it are accepted."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared_nodes.flavour import TERRAFORM_1_11
from shared_nodes.nodes.provider.conformance import compatibility_problems, plan_problems, prefixed, write_only_values
from shared_nodes.providers.schema import BlockType, Nesting, SchemaAttribute, SchemaBlock, implied_type
from shared_nodes.values.marks import SENSITIVE
from shared_nodes.values.refinement import Refinement
from shared_nodes.values.sets import set_of
from shared_nodes.values.types import NUMBER, STRING, SetType
from shared_nodes.values.value import Value, list_of, null, object_of, string, unknown
from tests.strategies import KNOWN, Ingredients, types, values_of
from tests.unit.shared_nodes.nodes.recorded import recorded_object, rows, schema

BLOCK = schema("plans")


def problems_of(block: SchemaBlock, planned: Value, actual: Value) -> list[str]:
    return compatibility_problems(block, planned, actual, TERRAFORM_1_11)


@pytest.mark.parametrize("row", rows("plans"))
def test_problems_with_plans_are_those_of_the_original(row: dict[str, Any]) -> None:
    prior, config = recorded_object(BLOCK, row["prior"]), recorded_object(BLOCK, row["config"])
    planned = recorded_object(BLOCK, {**row["config"], **row["planned"]})
    problems = plan_problems(BLOCK, prior, config, planned)
    assert sorted(problems) == row["problems"]


@pytest.mark.parametrize("row", rows("results"))
def test_problems_with_results_are_those_of_the_original(row: dict[str, Any]) -> None:
    planned = recorded_object(BLOCK, row["planned"])
    actual = recorded_object(BLOCK, {**row["planned"], **row["actual"]})
    assert sorted(problems_of(BLOCK, planned, actual)) == row["problems"]


def holding(ty: Any) -> SchemaBlock:
    return SchemaBlock({"x": SchemaAttribute(ty, optional=True)})


@given(st.data())
def test_a_known_value_is_compatible_with_itself_alone(data: st.DataObject) -> None:
    ty = data.draw(types)
    block = holding(ty)
    value, other = data.draw(values_of(ty, KNOWN)), data.draw(values_of(ty, KNOWN))
    assert problems_of(block, object_of({"x": value}), object_of({"x": value})) == []
    if problems_of(block, object_of({"x": value}), object_of({"x": other})) == []:
        assert problems_of(block, object_of({"x": other}), object_of({"x": value})) == []


@given(st.data())
def test_an_unknown_may_become_anything_of_its_type(data: st.DataObject) -> None:
    ty = data.draw(types)
    value = data.draw(values_of(ty, KNOWN))
    assert problems_of(holding(ty), object_of({"x": unknown(ty)}), object_of({"x": value})) == []


@given(st.data())
def test_planning_what_is_configured_is_valid(data: st.DataObject) -> None:
    ty = data.draw(types)
    given_values = values_of(ty, Ingredients(marks=False))
    prior, config = data.draw(values_of(ty, KNOWN)), data.draw(given_values)
    whole = object_of({"x": config})
    assert plan_problems(holding(ty), object_of({"x": prior}), whole, whole) == []
    assert plan_problems(holding(ty), null(whole.type), whole, whole) == []


@pytest.mark.parametrize(
    ("planned", "actual", "problem"),
    [
        (
            unknown(STRING, Refinement(not_null=True, prefix="a-")),
            string("b"),
            '.x: final value cty.StringVal("b") does not conform to planning placeholder '
            'cty.UnknownVal(cty.String).Refine().NotNull().StringPrefixFull("a-").NewValue()',
        ),
        (
            unknown(STRING, Refinement(not_null=True)),
            null(STRING),
            ".x: final value cty.NullVal(cty.String) does not conform to planning placeholder "
            "cty.UnknownVal(cty.String).RefineNotNull()",
        ),
        (string("a"), unknown(STRING), ".x: was known, but now unknown"),
        (
            list_of(STRING, [string("a")]).mark(SENSITIVE),
            list_of(STRING, []),
            ".x: inconsistent values for sensitive attribute",
        ),
    ],
)
def test_results_that_break_the_plan(planned: Value, actual: Value, problem: str) -> None:
    assert problems_of(holding(planned.type), object_of({"x": planned}), object_of({"x": actual})) == [problem]


def test_secrets_inside_blocks_are_not_shown() -> None:
    block = SchemaBlock({}, {"b": BlockType(Nesting.LIST, holding(STRING))})
    planned = object_of({"b": list_of(implied_type(holding(STRING)), [object_of({"x": string("a").mark(SENSITIVE)})])})
    actual = object_of({"b": list_of(implied_type(holding(STRING)), [object_of({"x": string("b")})])})
    assert problems_of(block, planned, actual) == [".b[0].x: inconsistent values for sensitive attribute"]


def test_a_whole_object_has_no_path() -> None:
    block = holding(STRING)
    there, gone = object_of({"x": string("a")}), null(implied_type(block))
    assert problems_of(block, there, gone) == ["Root object was present, but now absent"]
    assert problems_of(block, gone, there) == ["Root object was absent, but now present"]
    (problem,) = plan_problems(block, gone, there, gone)
    assert prefixed("t.a", problem) == "t.a: planned for absence but config wants existence"
    assert prefixed("t.a", ".x: wrong") == "t.a.x: wrong"


def test_sets_may_shrink_but_not_grow() -> None:
    block = holding(SetType(STRING))
    pair = set_value("a", "b")
    assert problems_of(block, pair, set_value("a", "b", "c")) == [
        '.x: actual set element cty.StringVal("c") does not correlate with any element in plan',
        ".x: length changed from 2 to 3",
    ]
    open_pair = object_of({"x": Value(SetType(STRING), (string("a"), unknown(STRING)))})
    assert problems_of(block, open_pair, set_value("a")) == []


def set_value(*texts: str) -> Value:
    return object_of({"x": set_of(STRING, map(string, texts))})


def test_values_of_write_only_attributes_are_found_at_any_depth() -> None:
    inner = SchemaBlock(
        {"w": SchemaAttribute(STRING, optional=True, write_only=True), "n": SchemaAttribute(NUMBER, optional=True)}
    )
    block = SchemaBlock(
        {"w": SchemaAttribute(STRING, optional=True, write_only=True)}, {"b": BlockType(Nesting.LIST, inner)}
    )
    element = object_of({"w": string("x"), "n": null(NUMBER)})
    empty = object_of({"w": null(STRING), "n": null(NUMBER)})
    value = object_of({"w": string("x"), "b": list_of(implied_type(inner), [empty, element])})
    assert write_only_values(block, value) == [".w", ".b[1].w"]
