"""Recorded steps in the form of observations."""

from __future__ import annotations

from harness.observe.recorded_observation import observe_recorded_step
from shared_nodes.values.json import JsonNumber, Tree

ITEMS: Tree = [["apply_start", "t.a", "create"], ["apply_complete", "t.a", "create", "1"]]
STEP: dict[str, Tree] = {
    "op": "apply",
    "config": "v1",
    "ok": True,
    "diagnostics": [],
    "plan_events": {"items": [], "before": []},
    "events": {"items": ITEMS, "before": [[JsonNumber("0"), JsonNumber("1")]]},
}


def test_events_become_lists_and_the_pairs_an_order() -> None:
    observed = observe_recorded_step(STEP, "opentofu 1.13.0-dev")
    assert (observed["plan_events"], observed["events"]) == ([], ITEMS)
    assert observed["order"] == {"effects": [["t.a", "create"]], "before": [], "happened": True}


def test_pairs_of_an_engine_that_draws_no_graph_prove_no_order() -> None:
    assert "order" not in observe_recorded_step(STEP, "opentofu 1.13.0-dev with TOFU_X_EXPERIMENTAL_RUNTIME=1")


def test_a_step_that_applied_nothing_has_no_order() -> None:
    planned = {name: part for name, part in STEP.items() if name != "events"}
    assert observe_recorded_step(planned, "terraform 1.11.4") == {**planned, "plan_events": []}


def test_everything_else_stays_as_it_was_recorded() -> None:
    others: dict[str, Tree] = {
        "crash": {"phase": "apply", "panic": "p", "frame": "f"},
        "init": {"ok": False, "diagnostics": []},
        "unstable": ["events"],
        "execution_graph": "",
    }
    assert observe_recorded_step({**STEP, **others}, "").items() >= others.items()


OPERATIONS = """
r[0] = ResourceInstanceCurrentMeta(t.a, nil);
r[1] = ResourceInstanceDesired(r[0]);
r[2] = ManagedFinalPlan(r[0], r[1], nil, v[0]);
r[3] = ManagedApply(r[2], nil, await());
"""


def test_an_engine_with_a_switch_has_the_order_of_its_execution_graph() -> None:
    """A plan alone has none: nothing was applied that could have been in order."""
    release = "opentofu 1.13.0-dev with TOFU_X_EXPERIMENTAL_RUNTIME=1"
    applied: dict[str, Tree] = {
        "op": "apply",
        "config": "v1",
        "ok": True,
        "diagnostics": [],
        "execution_graph": OPERATIONS,
    }
    applied["execution_graph"] = OPERATIONS
    assert observe_recorded_step(applied, release)["order"] == {"effects": [["t.a", "create"]], "before": []}
    assert "order" not in observe_recorded_step({**applied, "op": "plan"}, release)
