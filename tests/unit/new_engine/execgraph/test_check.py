"""A graph that cannot be run is rejected before anything runs, and cycles are reported in the words of the legacy
engine."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given

from new_engine.execgraph.builder import GraphBuilder
from new_engine.execgraph.check import cycles, operation_names, problems
from new_engine.execgraph.graph import ExecutionGraph, OperationNode, Ref, RefKind
from new_engine.execgraph.opcodes import Opcode
from tests.unit.new_engine.execgraph.examples import (
    PROVIDER,
    create_first_leg,
    create_leg,
    delete_leg,
    deposed_leg,
    forget_leg,
    graphs,
    instance,
    read_leg,
)


def r(index: int) -> Ref:
    return Ref(RefKind.OPERATION, index)


def test_operations_are_called_what_the_graph_engine_calls_its_vertices() -> None:
    builder = GraphBuilder()
    ends = [
        create_leg(builder, instance("a")).end,
        delete_leg(builder, instance("b")).end,
        create_first_leg(builder, instance("c"), "12345678").end,
        deposed_leg(builder, instance("c"), "12345678").end,
        read_leg(builder, instance("d")).end,
        forget_leg(builder, instance("e")).end,
        builder.forget(builder.deposed_meta(instance("f"), PROVIDER, "87654321", builder.waiter())),
    ]
    names = operation_names(builder.finish())
    assert [names[end.index] for end in ends] == [
        "terraform_data.a",
        "terraform_data.b (destroy)",
        "terraform_data.c",
        "terraform_data.c (destroy deposed 12345678)",
        "terraform_data.d",
        "terraform_data.e (forget)",
        "terraform_data.f (forget deposed 87654321)",
    ]


def test_both_legs_of_a_replacement_have_names_of_their_own() -> None:
    """They may share a waiter and begin with the same operands."""
    builder = GraphBuilder()
    waiter, prior = builder.waiter(), builder.prior(instance("a"))
    first, second = (builder.current_meta(instance("a"), PROVIDER, prior, waiter) for _ in range(2))
    builder.final_plan(first, None, prior)
    builder.final_plan(second, builder.desired(second), None)
    names = operation_names(builder.finish())
    assert names[first.index] == "terraform_data.a (destroy)"
    assert names[second.index] == "terraform_data.a"


def test_a_cycle_is_named_by_its_members_and_nothing_else() -> None:
    builder = GraphBuilder()
    created = create_leg(builder, instance("b"))
    deleted = delete_leg(builder, instance("a"))
    outside = create_leg(builder, instance("c"))
    builder.add(created.waiter, deleted.end)
    builder.add(deleted.waiter, created.end)
    builder.add(outside.waiter, created.end)
    graph = builder.finish()
    assert problems(graph) == ["Cycle: terraform_data.a (destroy), terraform_data.b"]
    assert cycles(graph) == [[r(0), r(1), r(2), r(3), r(5), r(6), r(7)]]
    assert "r[5] = " in graph.text()


def test_separate_cycles_are_separate_problems() -> None:
    builder = GraphBuilder()
    for name in "ab":
        leg = create_leg(builder, instance(name))
        builder.add(leg.waiter, leg.end)
    assert problems(builder.finish()) == ["Cycle: terraform_data.a", "Cycle: terraform_data.b"]


def test_a_cycle_of_ten_thousand_needs_no_deep_stack() -> None:
    builder = GraphBuilder()
    legs = [create_leg(builder, instance(f"n{number}")) for number in range(2_500)]
    for number, leg in enumerate(legs):
        builder.add(leg.waiter, legs[number - 1].end)
    (cycle,) = cycles(builder.finish())
    assert len(cycle) == 10_000


@given(graphs())
def test_what_waits_only_for_earlier_legs_has_no_problem(graph: ExecutionGraph) -> None:
    assert problems(graph) == []
    order = {ref: position for position, ref in enumerate(graph.order())}
    assert len(order) == len(graph.operations) + len(graph.waiters)
    assert all(order[before] < position for ref, position in order.items() for before in graph.predecessors(ref))


@given(graphs(acyclic=False))
def test_an_operation_is_on_a_cycle_exactly_if_it_waits_for_itself(graph: ExecutionGraph) -> None:
    members = {ref for cycle in cycles(graph) for ref in cycle}
    assert members == {r(index) for index in range(len(graph.operations)) if graph.precedes(r(index), r(index))}
    assert len(problems(graph)) == len(cycles(graph))


def one_leg() -> ExecutionGraph:
    builder = GraphBuilder()
    create_leg(builder, instance("a"))
    return builder.finish()


HAND_MADE = {
    "r[0] refers to instance[1], which does not exist": replace(
        one_leg(), operations=(OperationNode(Opcode.PRIOR, (Ref(RefKind.INSTANCE, 1),)),), results={}
    ),
    "r[0] takes r[0], which does not come before it": replace(
        one_leg(), operations=(OperationNode(Opcode.FORGET, (r(0),)),), results={}
    ),
    "r[0]: operand 1 of ManagedForget must be of type Metadata, not Waiter": replace(
        one_leg(), operations=(OperationNode(Opcode.FORGET, (Ref(RefKind.WAITER, 0),)),), results={}
    ),
    "r[0]: ResourceInstancePrior takes 1 operands, not 0": replace(
        one_leg(), operations=(OperationNode(Opcode.PRIOR, ()),), results={}
    ),
    "w[0] refers to r[7], which is no operation of the graph": replace(one_leg(), waiters=((r(7),),)),
    "the result of terraform_data.a refers to w[0], which is no operation of the graph": replace(
        one_leg(), results={instance("a"): Ref(RefKind.WAITER, 0)}
    ),
    "the deletion of terraform_data.a refers to r[9], which is no operation of the graph": replace(
        one_leg(), deletions={(instance("a"), None): r(9)}
    ),
}


@pytest.mark.parametrize("message", HAND_MADE)
def test_a_graph_made_by_hand_is_not_believed(message: str) -> None:
    assert problems(HAND_MADE[message]) == [message]
