"""Values that differ, in sentences: no document is quoted as a whole."""

from __future__ import annotations

from dataclasses import replace

import pytest

from harness.findings.explanations.context import FindingContext, Side
from harness.findings.explanations.values import explain_values
from shared_nodes.values.json import Tree
from tests.unit.harness.findings.sample_results import finding


def explained(document: str, left: Tree, right: Tree) -> list[str]:
    found = replace(finding(document), field=document)
    return list(explain_values(FindingContext(found, Side("old", {document: left}), Side("new", {document: right}))))


def planned(*actions: str) -> Tree:
    change: Tree = {"actions": [*actions], "before": {"id": "x" * 80}}
    return {"resource_changes": [{"address": "t.a", "mode": "managed", "change": change}]}


@pytest.mark.parametrize(
    ("left", "right", "sentence"),
    [
        (planned("no-op"), {"resource_changes": []}, "Only the plan of old lists t.a, which does not change."),
        ({"resource_changes": []}, planned("delete", "create"), "Only new has a plan for t.a: to delete, then create."),
    ],
)
def test_an_object_that_only_one_plan_has(left: Tree, right: Tree, sentence: str) -> None:
    assert explained("plan", left, right) == [sentence]


def test_a_large_part_that_only_one_side_has() -> None:
    large: Tree = {f"key{number}": "value" for number in range(9)}
    assert explained("state", {"x": large}, {}) == ["state.x: only old has it."]
    assert explained("state", {"x": ["y"]}, {}) == ['state.x: old has ["y"], new nothing.']


def test_a_part_of_an_object_in_the_cloud() -> None:
    found = finding("inventory[].parent", field="inventory[1].parent", expected='"a"', got="null")
    sides = Side("old", {"inventory": [{"id": "a"}, {"id": "b"}]}), Side("new", {"inventory": [{"id": "a"}]})
    assert list(explain_values(FindingContext(found, *sides))) == ['inventory, b, parent: old has "a", new null.']
