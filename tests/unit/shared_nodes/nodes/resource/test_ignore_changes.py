"""`ignore_changes`: recorded configurations that reached a provider after something was ignored."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from shared_nodes.config.blocks import Lifecycle
from shared_nodes.nodes.body.decode import decode_body
from shared_nodes.nodes.resource.ignore_changes import apply_ignore_changes
from shared_nodes.providers.schema import implied_type
from shared_nodes.values.marks import SENSITIVE
from shared_nodes.values.raw_equality import raw_equals, unrefined
from shared_nodes.values.value import Value, null, object_of
from tests.strategies import Ingredients, values_of
from tests.unit.shared_nodes.nodes.decoding import read, scope_of
from tests.unit.shared_nodes.nodes.recorded import recorded_object, rows, schema

BLOCK = schema("plans")


def read_resource(text: str, ignore: str) -> tuple[Lifecycle, Value]:
    module, problems = read(
        f'resource "t_a" "a" {{\n{text}\n lifecycle {{\n  ignore_changes = {ignore}\n }}\n}}\n'
        'resource "terraform_data" "u" {}\n'
    )
    assert problems == []
    block = next(block for resource, block in module.resources.items() if resource.type == "t_a")
    config, problems = decode_body(scope_of(module, BLOCK), block.body, BLOCK)
    assert problems == []
    return block.lifecycle, config


@pytest.mark.parametrize("row", rows("ignored"))
def test_the_provider_is_told_what_the_original_tells_it(row: dict[str, Any]) -> None:
    lifecycle, config = read_resource(row["text"], row["ignore"])
    prior = recorded_object(BLOCK, row["prior"])
    kept = apply_ignore_changes(lifecycle, BLOCK, prior, config.unmark_deep()[0])
    assert raw_equals(unrefined(kept), unrefined(recorded_object(BLOCK, row["config"])))


def test_nothing_is_ignored_for_a_new_object() -> None:
    lifecycle, config = read_resource('a = "x"', "[a]")
    assert apply_ignore_changes(lifecycle, BLOCK, null(implied_type(BLOCK)), config) == config


def test_a_change_of_sensitivity_is_ignored_too() -> None:
    lifecycle, config = read_resource('a = "x"', "[a]")
    prior = object_of({**config.payload, "a": config.payload["a"].mark(SENSITIVE)})
    assert apply_ignore_changes(lifecycle, BLOCK, prior, config).payload["a"].marks == {SENSITIVE}


@given(values_of(implied_type(BLOCK).attributes["mp"], Ingredients(marks=False, unknowns=False)))
def test_ignoring_a_map_and_all_its_keys_is_the_same(configured: Value) -> None:
    _, config = read_resource('mp = {a = "1", b = "2"}', "[mp]")
    wanted = object_of({**config.payload, "mp": configured})
    whole, _ = read_resource("", "[mp]")
    assert apply_ignore_changes(whole, BLOCK, config, wanted) == config
    keys = sorted({*config.payload["mp"].payload, *(configured.payload if not configured.is_null else {})})
    if all(key.isidentifier() for key in keys):
        each, _ = read_resource("", "[" + ", ".join(f'mp["{key}"]' for key in keys) + "]")
        assert apply_ignore_changes(each, BLOCK, config, wanted) == config


def test_all_keeps_what_a_configuration_could_have_said() -> None:
    lifecycle, config = read_resource('a = "y"', "all")
    prior = object_of({**config.payload, "a": config.payload["sec"], "id": config.payload["a"]})
    kept = apply_ignore_changes(lifecycle, BLOCK, prior, config)
    assert kept.payload["id"].is_null
    assert kept.payload["a"] == prior.payload["a"]
