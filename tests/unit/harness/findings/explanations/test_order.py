"""Explanations of orders that real binaries differ in: with the way through the drawn graph, and with operations in the
notation of the execution graph."""

from __future__ import annotations

from typing import Final

from harness.compare.effect_order import compare_orders
from harness.compare.ruling import Ruling
from harness.findings.explanations.context import FindingContext, Side
from harness.findings.explanations.order import explain_order
from harness.findings.finding import Finding
from harness.findings.signature import Signature
from shared_nodes.values.json import Tree, loads

CHANGES: Final = """{"resource_changes": [
    {"address": "box.base", "change": {"actions": ["update"]}},
    {"address": "box.user", "change": {"actions": ["delete"]}}]}"""

OPERATIONS: Final = """
r[0] = ResourceInstancePrior(box.base);
r[1] = ResourceInstanceCurrentMeta(box.base, r[0]);
r[2] = ResourceInstanceDesired(r[1]);
r[3] = ManagedFinalPlan(r[1], r[2], r[0], v[0]);
r[4] = ManagedApply(r[3], nil, await());
r[5] = ResourceInstancePrior(box.user);
r[6] = ResourceInstanceCurrentMeta(box.user, r[5]);
r[7] = ManagedFinalPlan(r[6], nil, r[5], v[1]);
r[8] = ManagedApply(r[7], nil, await());
"""

EFFECTS: Final = '"effects": [["box.base", "update"], ["box.user", "delete"]]'
DRAWN: Final = (
    r'"[root] box.base" -> "[root] box.base (expand)"'
    + "\n"
    + (r'"[root] box.base (expand)" -> "[root] box.user (destroy)"')
)


def observation(order: str, **more: str) -> dict[str, Tree]:
    return {"order": loads(order), "plan": loads(CHANGES), **more}


def explain(expected: dict[str, Tree], got: dict[str, Tree]) -> list[str]:
    (found,) = compare_orders(expected, got)
    signature = Signature("b", "apply", Ruling.DIFFERS, found.shape, str(found.kind))
    finding = Finding(signature, ("a",), "step 1 (apply v1)", found.field, found.expected, found.got)
    return list(explain_order(FindingContext(finding, Side("a", expected), Side("b", got))))


def test_lost_order_is_shown_in_the_notations_of_both_engines() -> None:
    said = explain(
        observation(f'{{{EFFECTS}, "before": [[1, 0]], "uses": {{"box.user": ["box.base"]}}}}', graph=DRAWN),
        observation(f'{{{EFFECTS}, "before": []}}', execution_graph=OPERATIONS),
    )
    assert "a always has box.user (delete) before box.base (update); b may do them in any order." in said
    assert "In its graph box.base waits for box.base (expand), that for box.user (destroy)." in said
    assert (
        "b plans them as r[8] = ManagedApply(r[7], nil, await()) and r[4] = ManagedApply(r[3], nil, await())." in said
    )


def test_order_that_evaluation_keeps_is_said_to_be_kept() -> None:
    said = explain(
        observation(f'{{{EFFECTS}, "before": [[0, 1]]}}'),
        observation(f'{{{EFFECTS}, "before": [], "evaluation": [[0, 1]]}}'),
    )
    assert said[-1] == "b keeps that order only because evaluating the later one waits for the earlier one."


def test_only_pairs_of_the_shape_are_explained() -> None:
    effects = '"effects": [["box.a", "create"], ["box.b", "create"], ["box.c", "delete"]]'
    expected = observation(f'{{{effects}, "before": [[0, 1], [0, 2]]}}')
    got = observation(f'{{{effects}, "before": []}}')
    for found in compare_orders(expected, got):
        signature = Signature("b", "apply", Ruling.DIFFERS, found.shape, str(found.kind))
        finding = Finding(signature, ("a",), "step 1 (apply v1)", found.field, found.expected, found.got)
        said = explain_order(FindingContext(finding, Side("a", expected), Side("b", got)))
        forced = [sentence for sentence in said if sentence.startswith("a always has")]
        assert forced == [f"a always has {found.expected}; b may do them in any order."]


def test_cycle_is_shown_operation_by_operation() -> None:
    (said,) = explain(
        observation(f'{{{EFFECTS}, "before": []}}'),
        observation(f'{{{EFFECTS}, "before": [], "cycles": [["r[1] = A(r[2]);", "r[2] = B(r[1]);"]]}}'),
    )
    assert said.startswith("b has planned operations that wait for each other without end")
    assert "r[1] = A(r[2]); r[2] = B(r[1]);" in said
