"""The order of effects of an execution graph, with and without what evaluation waits for, and the cycles in it."""

from __future__ import annotations

from typing import Any

import pytest

from harness.observe.evaluation import BlockReferences
from harness.observe.execution_graph import RealExecutionGraph, UnreadableGraph, parse_execution_graph
from harness.observe.execution_order import evaluation_cycles, order_of_execution_graph

REPLACED_CHAIN = """
r[0] = ResourceInstancePrior(box.a);
r[1] = ResourceInstanceCurrentMeta(box.a, r[0]);
r[2] = ResourceInstanceDesired(r[1]);
r[3] = ManagedFinalPlan(r[1], r[2], nil, v[0]);
r[4] = ManagedFinalPlan(r[1], nil, r[0], v[1]);
r[5] = ManagedApply(r[4], nil, await(r[3], r[12]));
r[6] = ManagedApply(r[3], nil, await(r[5]));
r[7] = ResourceInstancePrior(box.b);
r[8] = ResourceInstanceCurrentMeta(box.b, r[7]);
r[9] = ResourceInstanceDesired(r[8]);
r[10] = ManagedFinalPlan(r[8], r[9], nil, v[2]);
r[11] = ManagedFinalPlan(r[8], nil, r[7], v[3]);
r[12] = ManagedApply(r[11], nil, await(r[10]));
r[13] = ManagedApply(r[10], nil, await(r[12], r[6]));

box.a = r[6];
box.b = r[13];
"""
"""Both are deleted first, `b` before `a`, and then made again."""

KINDS = """
r[0] = ResourceInstancePrior(box.first);
r[1] = ResourceInstanceCurrentMeta(box.first, r[0]);
r[2] = ResourceInstanceDesired(r[1]);
r[3] = ManagedFinalPlan(r[1], r[2], nil, v[0]);
r[4] = ManagedFinalPlan(r[1], nil, r[0], v[1]);
r[5] = ManagedPrepareDepose(r[4], "0a0b0c0d");
r[6] = ManagedPerformDepose(r[0], r[5], await(r[3]));
r[7] = ManagedApply(r[3], r[6], await());
r[8] = ManagedApply(r[5], nil, await(r[7]));
r[9] = ManagedAlreadyDeposed(box.left, "11112222");
r[10] = ManagedDesposedMeta(box.left, "11112222", r[9]);
r[11] = ManagedFinalPlan(r[10], nil, r[9], v[2]);
r[12] = ManagedApply(r[11], nil, await());
r[13] = ResourceInstancePrior(box.same);
r[14] = ResourceInstanceCurrentMeta(box.same, r[13]);
r[15] = ResourceInstanceDesired(r[14]);
r[16] = ManagedFinalPlan(r[14], r[15], r[13], v[3]);
r[17] = ManagedApply(r[16], nil, await(r[7]));
r[18] = ResourceInstanceCurrentMeta(data.box.look, nil);
r[19] = ResourceInstanceDesired(r[18]);
r[20] = DataRead(r[18], r[19], v[4], await(r[17]));
r[21] = ResourceInstancePrior(box.untouched);

box.first = r[7];
box.same = r[17];
box.untouched = r[21];
data.box.look = r[20];
"""


def order(text: str, **references: BlockReferences) -> Any:
    named = {f"box.{name}": block for name, block in references.items()}
    found = order_of_execution_graph(text, named or None)
    assert isinstance(found, dict), found
    return found


def read(text: str) -> RealExecutionGraph:
    graph = parse_execution_graph(text)
    assert isinstance(graph, RealExecutionGraph)
    return graph


def pairs(found: Any, key: str = "before") -> list[tuple[str, str]]:
    names = [" ".join(effect) for effect in found["effects"]]
    return [(names[int(first.text)], names[int(second.text)]) for first, second in found.get(key, [])]


def values(*resources: str) -> BlockReferences:
    return BlockReferences(values=frozenset(resources))


def test_every_kind_of_effect_has_its_verb() -> None:
    """Deposing an object changes no object, and reading a prior object changes nothing."""
    assert order(KINDS)["effects"] == [
        ["box.first", "create"],
        ["box.first", "delete", "new"],
        ["box.left", "delete", "11112222"],
        ["box.same", "update"],
        ["data.box.look", "read"],
    ]


def test_effects_wait_through_other_operations() -> None:
    assert pairs(order(KINDS)) == [
        ("box.first create", "box.first delete new"),
        ("box.first create", "box.same update"),
        ("box.same update", "data.box.look read"),
    ]
    assert pairs(order(REPLACED_CHAIN)) == [
        ("box.a delete", "box.a create"),
        ("box.b delete", "box.a delete"),
        ("box.a create", "box.b create"),
    ]


TWO = """
r[0] = ResourceInstanceCurrentMeta(box.a[0], nil);
r[1] = ResourceInstanceDesired(r[0]);
r[2] = ManagedFinalPlan(r[0], r[1], nil, v[0]);
r[3] = ManagedApply(r[2], nil, await());
r[4] = ResourceInstanceCurrentMeta(box.b, nil);
r[5] = ResourceInstanceDesired(r[4]);
r[6] = ManagedFinalPlan(r[4], r[5], nil, v[1]);
r[7] = ManagedApply(r[6], nil, await());

box.a[0] = r[3];
box.b = r[7];
"""


@pytest.mark.parametrize("kind", ["instances", "values", "provider"])
def test_what_only_evaluation_orders_is_kept_apart(kind: str) -> None:
    found = order(TWO, b=BlockReferences(**{kind: frozenset(["box.a"])}))
    assert pairs(found) == []
    assert pairs(found, "evaluation") == [("box.a[0] create", "box.b create")]


def test_what_evaluation_does_not_wait_for_orders_nothing() -> None:
    assert "evaluation" not in order(TWO, b=BlockReferences(unasked=frozenset(["box.a"])))


def test_evaluation_of_what_the_graph_orders_adds_nothing() -> None:
    ordered = TWO.replace("r[7] = ManagedApply(r[6], nil, await());", "r[7] = ManagedApply(r[6], nil, await(r[3]));")
    assert pairs(order(ordered)) == [("box.a[0] create", "box.b create")]
    assert order(ordered, b=values("box.a")) == order(ordered)


def test_replacing_a_chain_is_a_cycle_that_evaluation_closes() -> None:
    """The deletion of b waits for the plan to make it again, that for the new a, that for the deletion of the old a,
    and that for the deletion of b."""
    (cycle,) = evaluation_cycles(read(REPLACED_CHAIN), {"box.b": values("box.a")})
    assert {operation.number for operation in cycle.operations} == {5, 6, 9, 10, 12}
    assert "r[9] = ResourceInstanceDesired(r[8]);" in cycle.lines
    assert cycle.lines[(cycle.lines.index("r[9] = ResourceInstanceDesired(r[8]);") + 1)] == "box.a = r[6];"
    assert order(REPLACED_CHAIN, b=values("box.a"))["cycles"] == [[*cycle.lines]]
    assert pairs(order(REPLACED_CHAIN, b=values("box.a"))) == pairs(order(REPLACED_CHAIN))


def test_graph_without_references_has_no_such_cycle() -> None:
    assert evaluation_cycles(read(REPLACED_CHAIN), {}) == ()
    assert evaluation_cycles(read(REPLACED_CHAIN), {"box.a": values("box.elsewhere")}) == ()


def test_deleting_an_object_may_ask_for_what_decides_its_instances() -> None:
    """No dependent is replaced here: `b` only goes, but its metadata wait for the new a because of its count."""
    text = """
r[0] = ResourceInstancePrior(box.a);
r[1] = ResourceInstanceCurrentMeta(box.a, r[0]);
r[2] = ResourceInstanceDesired(r[1]);
r[3] = ManagedFinalPlan(r[1], r[2], nil, v[0]);
r[4] = ManagedFinalPlan(r[1], nil, r[0], v[1]);
r[5] = ManagedApply(r[4], nil, await(r[3], r[10]));
r[6] = ManagedApply(r[3], nil, await(r[5]));
r[7] = ResourceInstancePrior(box.b[1]);
r[8] = ResourceInstanceCurrentMeta(box.b[1], r[7]);
r[9] = ManagedFinalPlan(r[8], nil, r[7], v[2]);
r[10] = ManagedApply(r[9], nil, await());

box.a = r[6];
"""
    (cycle,) = evaluation_cycles(read(text), {"box.b": BlockReferences(instances=frozenset(["box.a"]))})
    assert "r[8] = ResourceInstanceCurrentMeta(box.b[1], r[7]);" in cycle.lines
    assert evaluation_cycles(read(text), {"box.b": values("box.a")}) == ()


def test_instances_of_a_module_do_not_wait_for_each_other() -> None:
    text = TWO.replace("box.a[0]", 'module.m["x"].box.a').replace("box.b", 'module.m["y"].box.b')
    references = {"module.m.box.b": values("module.m.box.a")}
    assert "evaluation" not in as_dict(order_of_execution_graph(text, references))
    same = text.replace('module.m["y"]', 'module.m["x"]')
    assert "evaluation" in as_dict(order_of_execution_graph(same, references))


def as_dict(found: Any) -> dict[str, Any]:
    assert isinstance(found, dict)
    return found


def test_what_is_no_graph_or_waits_for_itself_has_no_order() -> None:
    assert isinstance(order_of_execution_graph("not a graph"), UnreadableGraph)
    ring = "r[0] = ManagedApply(r[1]);\nr[1] = ManagedFinalPlan(r[0]);"
    assert order_of_execution_graph(ring) == UnreadableGraph(
        "its operations wait for each other, whatever is evaluated"
    )
    assert evaluation_cycles(read(ring), {}) == ()
