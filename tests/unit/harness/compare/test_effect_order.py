"""The order of effects as a relation: what is reported about it, and what counts as a difference."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from harness.compare.difference import Difference, DifferenceKind
from harness.compare.effect_order import add_orders, compare_orders, compare_with_orders, constraints_of
from harness.compare.observations import compare_with_binary
from harness.observe.event_order import order_of_events
from shared_nodes.plan.order import Effect, EffectOrder, effect_order
from shared_nodes.values.json import JsonNumber, Tree

A, B, C = (["t.a", "create"], ["t.b", "create"], ["t.c", "delete"])


def make_observation(effects: Iterable[list[str]], *pairs: tuple[int, int]) -> dict[str, Tree]:
    before: list[Tree] = [[JsonNumber(str(first)), JsonNumber(str(second))] for first, second in pairs]
    return {"order": {"effects": [list[Tree](effect) for effect in effects], "before": before}}


def test_relation_is_closed_transitively() -> None:
    found = constraints_of(make_observation([A, B, C], (0, 1), (1, 2)))
    assert found is not None
    assert (("t.a", "create"), ("t.c", "delete")) in found.before
    assert found.nearest == [(("t.a", "create"), ("t.b", "create")), (("t.b", "create"), ("t.c", "delete"))]


def test_equal_relations_written_otherwise_are_equal() -> None:
    assert (
        compare_orders(make_observation([A, B, C], (0, 1), (1, 2)), make_observation([C, B, A], (2, 1), (1, 0))) == []
    )


def test_missing_edge_is_one_difference_whatever_follows_from_it() -> None:
    (found,) = compare_orders(make_observation([A, B, C], (0, 1), (1, 2)), make_observation([A, B, C], (0, 1)))
    assert found == Difference(
        "order",
        "t.b (create) before t.c (delete)",
        "no order between them",
        shape="constraints[create before delete]",
        kind=DifferenceKind.ORDER,
    )


def test_surplus_edge_is_a_difference() -> None:
    (found,) = compare_orders(make_observation([A, B]), make_observation([A, B], (0, 1)))
    assert (found.expected, found.got) == ("no order between them", "t.a (create) before t.b (create)")


def test_halves_of_one_replacement_have_a_shape_of_their_own() -> None:
    old = ["t.a", "delete"]
    (found,) = compare_orders(make_observation([A, old], (1, 0)), make_observation([A, old], (0, 1)))
    assert found.shape == "constraints[delete before create of one instance]"


def test_effects_of_one_side_alone_are_left_to_plans_that_differ() -> None:
    """An order may still lead through such an effect: here a is before c because of b."""
    others = [Difference("plan.x", "", "")]
    assert add_orders(others, make_observation([A, B, C], (0, 1), (1, 2)), make_observation([A, C], (0, 1))) == others


def test_effects_of_one_side_alone_are_a_difference_where_plans_are_equal() -> None:
    """Otherwise an engine with other names for its effects would have no order that could be wrong."""
    (found,) = compare_orders(
        make_observation([A, B, C], (0, 1), (1, 2)), make_observation([A, C, ["t.b", "delete"]], (0, 1))
    )
    assert (found.field, found.shape) == ("order", "effects[create]")
    assert (found.expected, found.got) == ("t.b (create)", "t.b (delete)")


def test_effects_that_did_not_happen_are_not_missed_in_an_order_read_off_events() -> None:
    happened = order_of_events({"items": [["apply_start", *A], ["apply_start", *C]], "before": []})
    planned = make_observation([A, B, C], (0, 1), (1, 2))
    for sides in ((planned, {"order": happened}), ({"order": happened}, planned)):
        (found,) = compare_orders(*sides)
        assert "t.a (create) before t.c (delete)" in (found.expected, found.got)


@pytest.mark.parametrize("without", [{}, {"order": None}])
def test_engines_that_tell_no_order_are_not_compared_in_it(without: dict[str, Tree]) -> None:
    assert compare_orders(make_observation([A, B], (0, 1)), without) == []


def test_order_comes_after_the_plan_and_before_what_applying_did() -> None:
    others = [Difference("diagnostics", "", ""), Difference("plan.x", "", ""), Difference("events", "", "")]
    compared = add_orders(others, make_observation([A, B], (0, 1)), make_observation([A, B]))
    assert [found.field for found in compared] == ["plan.x", "order", "diagnostics", "events"]


def test_order_of_a_graph_leaves_out_what_follows() -> None:
    """Vertices without effects pass the order on. The edge c -> a is dropped, because it follows from c -> value -> b
    -> a."""
    edges = {"a": [], "b": ["a"], "value": ["b"], "c": ["value", "a"]}
    effects = {name: Effect(name, "create") for name in "abc"}
    order = effect_order(effects, effects, edges, edges.__getitem__)
    assert order == EffectOrder(tuple(effects.values()), ((), (0,), (1,)))


def test_effects_that_begin_and_end_apart_come_after_what_their_beginning_waits_for() -> None:
    """A dependency of the end alone guarantees nothing about the beginning."""
    edges: dict[str, list[str]] = {"a": [], "begin": [], "end": ["begin", "a"], "late": ["end"]}
    one, two, three = (Effect(name, "create") for name in ("1", "2", "3"))
    order = effect_order(
        {"a": one, "begin": two, "late": three}, {"a": one, "end": two, "late": three}, edges, edges.__getitem__
    )
    assert order.nearest == ((), (), (0, 1))


def with_keys(observation: dict[str, Tree], **more: Tree) -> dict[str, Tree]:
    order = observation["order"]
    assert isinstance(order, dict)
    return {"order": {**order, **more}}


def shapes(found: Iterable[Difference]) -> list[str]:
    return [each.shape for each in found]


def test_pairs_of_one_shape_are_one_difference() -> None:
    d = ["t.d", "create"]
    found = compare_orders(make_observation([A, B, C, d], (0, 1), (0, 3), (0, 2)), make_observation([A, B, C, d]))
    assert shapes(found) == ["constraints[create before create]", "constraints[create before delete]"]
    assert found[0].expected == "t.a (create) before t.b (create); t.a (create) before t.d (create)"


def test_missing_and_surplus_pairs_are_differences_of_their_own() -> None:
    found = compare_orders(make_observation([A, B, C], (0, 1)), make_observation([A, B, C], (0, 2)))
    assert shapes(found) == ["constraints[create before create]", "extra constraints[create before delete]"]


def test_shape_names_which_object_uses_which() -> None:
    uses: Tree = {"t.c": ["t.a", "t.b"]}
    first = with_keys(make_observation([A, B, C], (2, 0), (1, 2)), uses=uses)
    assert shapes(compare_orders(first, make_observation([A, B, C]))) == [
        "constraints[create before delete of its user]",
        "constraints[delete before create of what it uses]",
    ]


def test_instances_are_related_as_their_resources_are() -> None:
    some: list[list[str]] = [["t.a[0]", "create"], ['t.b["x"]', "create"]]
    first = with_keys(make_observation(some, (0, 1)), uses={"t.b": ["t.a"]})
    assert shapes(compare_orders(first, make_observation(some))) == ["constraints[create before create of its user]"]


def test_pairs_that_only_evaluation_keeps_are_still_missing() -> None:
    """The pair a before c is missing, too, and follows from b before c, which evaluation keeps."""
    second = with_keys(make_observation([A, B, C], (0, 1)), evaluation=[[JsonNumber("1"), JsonNumber("2")]])
    found = compare_orders(make_observation([A, B, C], (0, 1), (1, 2)), second)
    assert shapes(found) == ["constraints[create before delete, kept by evaluation]"]


def test_cycle_is_a_difference_whatever_else_is_equal() -> None:
    lines: list[Tree] = ["r[0] = A(r[1]);", "r[1] = B(r[0]);"]
    plain = make_observation([A, B], (0, 1))
    (found,) = compare_orders(plain, with_keys(plain, cycles=[lines]))
    assert found == Difference(
        "order",
        "no cycle",
        "r[0] = A(r[1]);\nr[1] = B(r[0]);",
        shape="cycle[evaluation]",
        kind=DifferenceKind.ORDER,
    )


def test_cycles_of_both_sides_are_not_compared() -> None:
    plain = make_observation([A, B], (0, 1))
    assert compare_orders(with_keys(plain, cycles=[["r[0] = A();"]]), with_keys(plain, cycles=[["r[1] = A();"]])) == []


def test_binaries_are_compared_in_their_orders() -> None:
    some: dict[str, Tree] = {"op": "apply", "ok": True, "diagnostics": []}
    found = compare_with_orders(
        {**some, **make_observation([A, B], (0, 1))}, {**some, **make_observation([A, B])}, compare_with_binary
    )
    assert shapes(found) == ["constraints[create before create]"]
