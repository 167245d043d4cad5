"""Proposed values: recorded ones for all nesting modes, and properties that hold for any values."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared_nodes.nodes.resource.proposed import planned_data_value, proposed_value
from shared_nodes.providers.schema import (
    BlockType,
    NestedAttributes,
    Nesting,
    SchemaAttribute,
    SchemaBlock,
    empty_value,
    implied_type,
)
from shared_nodes.values.raw_equality import raw_equals, unrefined
from shared_nodes.values.types import STRING
from shared_nodes.values.value import Value, list_of, null, object_of, string, unknown
from tests.strategies import Ingredients, values_of
from tests.unit.shared_nodes.nodes.recorded import recorded_object, rows, schema

BLOCK = schema("proposed")


@pytest.mark.parametrize("row", rows("proposed"))
def test_proposals_are_those_of_the_original(row: dict[str, Any]) -> None:
    prior, config = recorded_object(BLOCK, row["prior"]), recorded_object(BLOCK, row["config"])
    wanted = recorded_object(BLOCK, {**row["config"], **row["proposed"]})
    assert raw_equals(unrefined(proposed_value(BLOCK, prior, config)), unrefined(wanted))


PARTS = {
    "given": SchemaAttribute(STRING, optional=True),
    "made": SchemaAttribute(STRING, computed=True),
    "either": SchemaAttribute(STRING, optional=True, computed=True),
}
INNER = SchemaBlock(PARTS)
NESTINGS = {nesting.value: nesting for nesting in Nesting}
SMALL = SchemaBlock(
    {
        **PARTS,
        **{
            f"of_{name}": SchemaAttribute(nested=NestedAttributes(nesting, PARTS), optional=True)
            for name, nesting in NESTINGS.items()
            if nesting is not Nesting.GROUP
        },
    },
    {name: BlockType(nesting, INNER) for name, nesting in NESTINGS.items()},
)


def _parts(*, configured: bool) -> st.SearchStrategy[Value]:
    """Objects that a configuration could write, or that a provider could have returned for one."""
    text = values_of(STRING, Ingredients(nulls=True, unknowns=configured, marks=False))
    made = st.just(null(STRING)) if configured else text
    return st.builds(lambda a, b, c: object_of({"given": a, "made": b, "either": c}), text, made, text)


def configurations(*, configured: bool) -> st.SearchStrategy[Value]:
    single = _parts(configured=configured)
    several = st.lists(single, max_size=3)
    inner = implied_type(INNER)
    return st.builds(
        lambda own, blocks, objects: object_of(
            {
                **empty_value(SMALL).payload,
                **own.payload,
                "list": list_of(inner, blocks),
                "of_list": list_of(inner, objects),
            }
        ),
        single,
        several,
        several,
    )


@given(configurations(configured=True))
def test_a_new_object_is_proposed_as_configured(config: Value) -> None:
    nothing = null(implied_type(SMALL))
    assert proposed_value(SMALL, nothing, config) == config


@given(configurations(configured=False), configurations(configured=True))
def test_what_is_configured_is_proposed_and_the_rest_is_kept(prior: Value, config: Value) -> None:
    proposed = proposed_value(SMALL, prior, config)
    assert proposed.type == config.type
    for name in ("given", "either"):
        if not config.payload[name].is_null:
            assert proposed.payload[name] == config.payload[name]
    assert proposed.payload["made"] == prior.payload["made"]
    assert len(proposed.payload["list"].payload) == len(config.payload["list"].payload)


@given(configurations(configured=False), configurations(configured=True))
def test_proposing_again_changes_nothing(prior: Value, config: Value) -> None:
    once = proposed_value(SMALL, prior, config)
    assert proposed_value(SMALL, once, config) == once


def test_to_delete_nothing_is_proposed_as_nothing() -> None:
    nothing = null(implied_type(SMALL))
    assert proposed_value(SMALL, nothing, nothing) == nothing


def test_data_that_is_read_later_is_unknown_where_nothing_is_configured() -> None:
    config = object_of({**empty_value(SMALL).payload, "given": string("x")})
    planned = planned_data_value(SMALL, config)
    assert planned.payload["given"] == string("x")
    assert planned.payload["made"] == unknown(STRING)
    assert planned.payload["either"] == unknown(STRING)
    assert planned.payload["single"].is_null
