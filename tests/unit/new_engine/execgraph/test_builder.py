"""A graph is either built correctly or not at all, is the same every time, and is readable. What it says about order
and dependencies is exact, however long its chains."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from new_engine.execgraph.builder import GraphBuilder
from new_engine.execgraph.check import problems
from new_engine.execgraph.graph import ExecutionGraph, Ref, RefKind
from new_engine.execgraph.opcodes import SIGNATURES, Opcode, OperandType, operand_problem
from tests.unit.new_engine.execgraph.examples import (
    Leg,
    create_first_leg,
    create_leg,
    delete_leg,
    deposed_leg,
    forget_leg,
    instance,
    read_leg,
    resource,
)


def test_every_opcode_has_a_signature_and_unused_numbers_stay_free() -> None:
    assert set(SIGNATURES) == set(Opcode)
    assert not {6, 10} & {opcode.value for opcode in Opcode}


@pytest.mark.parametrize("opcode", Opcode)
def test_the_table_alone_decides_which_operands_fit(opcode: Opcode) -> None:
    right = tuple(operand.type for operand in SIGNATURES[opcode].operands)
    assert operand_problem(opcode, right) is None
    assert operand_problem(opcode, (*right, OperandType.WAITER)) is not None
    for position, operand in enumerate(SIGNATURES[opcode].operands):
        for other in (*OperandType, None):
            given = (*right[:position], other, *right[position + 1 :])
            fits = other is operand.type or (other is None and operand.optional)
            assert (operand_problem(opcode, given) is None) is fits


WRONG_OPERANDS: dict[str, Callable[[GraphBuilder, Leg], object]] = {
    "operand 1 of ManagedApply must be of type FinalPlan, not Object": lambda builder, leg: builder.apply(leg.end),
    "operand 1 of ResourceInstanceDesired must be of type Metadata, not Waiter": (
        lambda builder, leg: builder.desired(leg.waiter)
    ),
    "operand 3 of ManagedFinalPlan must be of type Object, not Metadata": (
        lambda builder, _: builder.final_plan(Ref(RefKind.OPERATION, 0), None, Ref(RefKind.OPERATION, 0))
    ),
    "only operations can be waited for": lambda builder, leg: builder.add(leg.waiter, leg.waiter),
    "already has a result": lambda builder, leg: builder.set_result(instance("a"), leg.end),
    r"there is no r\[9\]": lambda builder, leg: builder.add(leg.waiter, Ref(RefKind.OPERATION, 9)),
}


@pytest.mark.parametrize("message", WRONG_OPERANDS)
def test_a_wrong_call_fails_where_it_is_made(message: str) -> None:
    builder = GraphBuilder()
    leg = create_leg(builder, instance("a"))
    with pytest.raises(AssertionError, match=message):
        WRONG_OPERANDS[message](builder, leg)


def build_all_kinds() -> ExecutionGraph:
    builder = GraphBuilder()
    created = create_leg(builder, instance("a"))
    replaced = create_first_leg(builder, instance("b"), "12345678")
    deposed = deposed_leg(builder, instance("b"), "12345678")
    read = read_leg(builder, instance("c"))
    forgotten = forget_leg(builder, instance("d"))
    builder.add(created.waiter, forgotten.end)
    builder.add(replaced.waiter, created.end)
    builder.add(deposed.waiter, replaced.end)
    builder.add(read.waiter, replaced.end)
    builder.add(read.waiter, created.end)
    builder.add(read.waiter, replaced.end)
    builder.record_resource(resource("b"), [resource("a")])
    builder.record_instance(instance("b"), create_before_destroy=True)
    return builder.finish()


def test_the_text_is_a_line_an_element_each_after_what_it_waits_for() -> None:
    own = 'provider["terraform.io/builtin/terraform"]'
    aliased = 'module.m.provider["registry.terraform.io/hashicorp/null"].b["k"]'
    assert build_all_kinds().text().splitlines() == [
        "r[18] = ResourceInstancePrior(terraform_data.d)",
        "w[5] = after nothing",
        f"r[19] = ResourceInstanceCurrentMeta(terraform_data.d, {own}, r[18], w[5])",
        "r[20] = ManagedForget(r[19])",
        "w[0] = after r[20]",
        f"r[0] = ResourceInstanceCurrentMeta(terraform_data.a, {own}, nil, w[0])",
        "r[1] = ResourceInstanceDesired(r[0])",
        "r[2] = ManagedFinalPlan(r[0], r[1], nil)",
        "r[3] = ManagedApply(r[2], nil)",
        "r[4] = ResourceInstancePrior(terraform_data.b)",
        "w[1] = after r[3]",
        f"r[5] = ResourceInstanceCurrentMeta(terraform_data.b, {aliased}, r[4], w[1])",
        "r[6] = ResourceInstanceDesired(r[5])",
        "r[7] = ManagedPerformDepose(r[5], r[6], 12345678)",
        "w[2] = after nothing",
        f"r[8] = ResourceInstanceCurrentMeta(terraform_data.b, {aliased}, r[7], w[2])",
        "r[9] = ManagedFinalPlan(r[8], r[6], nil)",
        "r[10] = ManagedApply(r[9], r[7])",
        "w[3] = after r[10]",
        f"r[11] = ManagedDeposedMeta(terraform_data.b, {own}, 12345678, w[3])",
        "r[12] = ManagedAlreadyDeposed(r[11])",
        "r[13] = ManagedFinalPlan(r[11], nil, r[12])",
        "r[14] = ManagedApply(r[13], nil)",
        "w[4] = after r[10], r[3]",
        f"r[15] = ResourceInstanceCurrentMeta(terraform_data.c, {own}, nil, w[4])",
        "r[16] = ResourceInstanceDesired(r[15])",
        "r[17] = DataRead(r[15], r[16])",
        "result terraform_data.a = r[3]",
        "result terraform_data.b = r[10]",
        "deletion terraform_data.b deposed 12345678 = r[14]",
        "resource terraform_data.b = depends on terraform_data.a",
        "instance terraform_data.b = create before destroy: true",
    ]


def test_equal_calls_give_equal_graphs() -> None:
    assert build_all_kinds() == build_all_kinds()
    assert build_all_kinds().text() == build_all_kinds().text()


def test_a_finished_graph_stays_as_it_is() -> None:
    builder = GraphBuilder()
    create_leg(builder, instance("a"))
    graph = builder.finish()
    text = graph.text()
    delete_leg(builder, instance("b"))
    assert graph.text() == text


def test_order_is_known_between_any_two_operations() -> None:
    builder = GraphBuilder()
    first, second, third = (create_leg(builder, instance(name)) for name in "abc")
    builder.add(first.waiter, second.end)
    builder.add(second.waiter, third.end)
    graph = builder.finish()
    assert graph.precedes(third.end, first.end)
    assert not graph.precedes(first.end, third.end)
    assert not graph.precedes(first.end, first.end)


def test_recorded_dependencies_are_all_that_a_resource_depends_on_sorted_without_itself() -> None:
    builder = GraphBuilder()
    for name, depends_on in {"d": "cb", "c": "a", "b": "a", "x": "y", "y": "x"}.items():
        builder.record_resource(resource(name), map(resource, depends_on))
    graph = builder.finish()
    assert [str(each) for each in graph.dependencies_of(resource("d"))] == [
        "terraform_data.a",
        "terraform_data.b",
        "terraform_data.c",
    ]
    assert graph.dependencies_of(resource("x")) == (resource("y"),)
    assert graph.dependencies_of(resource("a")) == ()
    assert graph.dependencies_of(resource("unheard_of")) == ()


def test_a_long_chain_needs_no_deep_stack() -> None:
    builder = GraphBuilder()
    legs = [create_leg(builder, instance(f"n{number}")) for number in range(10_000)]
    for number in range(9_999):
        builder.add(legs[number].waiter, legs[number + 1].end)
        builder.record_resource(resource(f"n{number}"), [resource(f"n{number + 1}")])
    graph = builder.finish()
    assert problems(graph) == []
    assert graph.order()[0] == legs[-1].waiter
    assert graph.precedes(legs[-1].end, legs[0].end)
    assert len(graph.dependencies_of(resource("n0"))) == 9_999
