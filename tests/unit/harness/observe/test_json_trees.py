"""What has another form than expected is empty."""

from __future__ import annotations

import pytest

from harness.observe.json_trees import as_items, as_number, as_object, as_objects, as_texts
from shared_nodes.values.json import JsonNumber, Tree


@pytest.mark.parametrize("tree", [None, True, "text", JsonNumber("1")])
def test_scalars_contain_nothing(tree: Tree) -> None:
    assert (as_object(tree), as_items(tree), as_objects(tree), as_texts(tree)) == ({}, [], [], [])


def test_lists_are_filtered() -> None:
    tree: Tree = ["a", {"b": None}, None, JsonNumber("1")]
    assert as_items(tree) == tree
    assert as_objects(tree) == [{"b": None}]
    assert as_texts(tree) == ["a"]


def test_numbers_are_whole() -> None:
    assert as_number(JsonNumber("12")) == 12
