"""Which of the things known of a step its order is read from."""

from __future__ import annotations

from typing import Any

import pytest

from harness.observe.evaluation import BlockReferences
from harness.observe.step_order import order_of_step
from shared_nodes.values.json import loads

PLAN = '{"resource_changes": [{"address": "box.a", "change": {"actions": ["create"]}}]}'
EVENTS = """{"items": [["apply_start", "box.b", "delete", "b"], ["apply_complete", "box.b", "delete", "b"]],
             "before": [[0, 1]]}"""
OPERATIONS = """
r[0] = ResourceInstanceCurrentMeta(box.c, nil);
r[1] = ResourceInstanceDesired(r[0]);
r[2] = ManagedFinalPlan(r[0], r[1], nil, v[0]);
r[3] = ManagedApply(r[2], nil, await());
"""
STEP: Any = {"plan": loads(PLAN), "events": loads(EVENTS), "graph": '"[root] box.a" [x]', "execution_graph": OPERATIONS}


@pytest.mark.parametrize(
    ("absent", "effects"),
    [
        ((), [["box.c", "create"]]),
        (("execution_graph",), [["box.a", "create"]]),
        (("execution_graph", "graph"), [["box.b", "delete"]]),
    ],
)
def test_the_closest_source_is_used(absent: tuple[str, ...], effects: list[list[str]]) -> None:
    step = {name: found for name, found in STEP.items() if name not in absent}
    found = order_of_step(step, {"box.c": BlockReferences()}, {})
    assert found is not None
    assert (found["effects"], found["before"]) == (effects, [])


@pytest.mark.parametrize("step", [{}, {"execution_graph": "nonsense"}, {"graph": "", "plan": None}, {"events": None}])
def test_a_step_of_which_nothing_is_known_has_no_order(step: Any) -> None:
    assert order_of_step(step, {}, {}) is None


def test_a_drawn_graph_without_its_plan_says_nothing() -> None:
    assert order_of_step({"graph": STEP["graph"], "plan": None}, {}, {}) is None
