"""Reading a file gives back exactly the graph that was written, byte for byte, or one diagnostic: never an
exception."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from new_engine.execgraph.builder import GraphBuilder
from new_engine.execgraph.check import problems
from new_engine.execgraph.codec import dump, load
from new_engine.execgraph.graph import ExecutionGraph
from shared_nodes.lang.diagnostics import Diagnostic
from shared_nodes.values.json import JsonNumber, Tree, dumps, loads
from tests.unit.new_engine.execgraph.examples import create_leg, delete_leg, graphs, instance, resource


@given(graphs())
def test_a_graph_comes_back_as_it_was(graph: ExecutionGraph) -> None:
    text = dumps(dump(graph))
    again = load(loads(text))
    assert again == graph
    assert isinstance(again, ExecutionGraph)
    assert dumps(dump(again)) == text
    assert again.text() == graph.text()


@given(graphs())
def test_equal_graphs_give_equal_bytes_whatever_order_their_records_came_in(graph: ExecutionGraph) -> None:
    shuffled = replace(
        graph,
        resources=dict(reversed([*graph.resources.items()])),
        instance_records=dict(reversed([*graph.instance_records.items()])),
        results=dict(reversed([*graph.results.items()])),
        deletions=dict(reversed([*graph.deletions.items()])),
    )
    assert shuffled == graph
    assert dumps(dump(shuffled)) == dumps(dump(graph))


def small() -> ExecutionGraph:
    builder = GraphBuilder()
    deleted = delete_leg(builder, instance("a"))
    created = create_leg(builder, instance("b"))
    builder.add(deleted.waiter, created.end)
    builder.record_resource(resource("b"), [resource("a")])
    builder.record_instance(instance("b"), create_before_destroy=True)
    return builder.finish()


def test_the_form_in_the_file_is_fixed() -> None:
    """Plan files outlive the process that wrote them: a change of this text requires a new version number."""
    assert dumps(dump(small())) == (
        '{"version":1,"elements":[{"instance":"terraform_data.a"},{"instance":"terraform_data.b"},'
        '{"provider":"provider[\\"terraform.io/builtin/terraform\\"]"},[3,0],{"waiter":[]},[1,1,2,null,4],[2,5],'
        '[4,5,6,null],[5,7,null],{"waiter":[8]},[1,0,2,3,9],[4,10,null,3],[5,11,null]],'
        '"operations":[3,10,11,12,5,6,7,8],"waiters":[9,4],"results":{"terraform_data.b":8},'
        '"deletions":[["terraform_data.a",null,12]],"resources":{"terraform_data.b":["terraform_data.a"]},'
        '"instances":{"terraform_data.b":{"create_before_destroy":true}}}'
    )


def number(value: int) -> JsonNumber:
    return JsonNumber(str(value))


def with_element(position: int, element: Tree) -> Callable[[dict[str, Tree]], None]:
    def change(record: dict[str, Tree]) -> None:
        elements = record["elements"]
        assert isinstance(elements, list)
        elements[position] = element

    return change


def with_part(name: str, part: Tree) -> Callable[[dict[str, Tree]], None]:
    def change(record: dict[str, Tree]) -> None:
        record[name] = part

    return change


def without_part(name: str) -> Callable[[dict[str, Tree]], None]:
    def change(record: dict[str, Tree]) -> None:
        del record[name]

    return change


REFUSED: Final[dict[str, Callable[[dict[str, Tree]], None]]] = {
    "its version is not 1": with_part("version", number(2)),
    'it has no "elements"': without_part("elements"),
    '"elements" has something else where a list is required': with_part("elements", "none"),
    "element 3 is neither an operation, nor a waiter": with_element(3, {"constant": "1"}),
    "element 4 is neither an operation, nor a waiter": with_element(4, []),
    "element 3 has an opcode that is not known here": with_element(3, [number(6), number(0)]),
    "element 5 has an opcode that is not known here": with_element(5, ["1", number(0)]),
    "ResourceInstancePrior takes 1 operands, not 2": with_element(3, [number(3), number(0), number(0)]),
    "operand 1 of ResourceInstancePrior must be of type Instance, not Provider": with_element(
        3, [number(3), number(2)]
    ),
    "operand 1 of ResourceInstancePrior must be of type Instance, not nil": with_element(3, [number(3), None]),
    "element 3 refers to element 3, which does not come before it": with_element(3, [number(3), number(3)]),
    "element 4 refers to element 12, which does not come before it": with_element(4, {"waiter": [number(12)]}),
    "element 4 refers to an element that is no operation": with_element(4, {"waiter": [number(0)]}),
    "element 4 has something else where the position": with_element(4, {"waiter": [JsonNumber("-1")]}),
    'element 0 has "terraform_data", which is no address of a resource instance': with_element(
        0, {"instance": "terraform_data"}
    ),
    'element 0 has "resource.terraform_data.a", which is no address': with_element(
        0, {"instance": "resource.terraform_data.a"}
    ),
    'element 2 has "provider.aws", which is no address of a provider configuration': with_element(
        2, {"provider": "provider.aws"}
    ),
    'element 3 is an operation that "operations" does not list': with_part("operations", []),
    'element 4 is a waiter that "waiters" does not list': with_part("waiters", [number(9)]),
    '"waiters" lists an element twice': with_part("waiters", [number(9), number(9)]),
    '"waiters" lists an element that does not exist': with_part("waiters", [number(9), number(99)]),
    "its numbering names elements that are of another kind": with_part("waiters", [number(9), number(4), number(0)]),
    "element 6 is numbered before an operation that it takes": with_part(
        "operations", [number(each) for each in (3, 10, 11, 12, 6, 5, 7, 8)]
    ),
    "the result of terraform_data.b refers to element 99": with_part("results", {"terraform_data.b": number(99)}),
    '"results" has "b", which is no address': with_part("results", {"b": number(8)}),
    '"deletions" has two entries for one object': with_part("deletions", [["terraform_data.a", None, number(12)]] * 2),
    '"deletions" has an entry that is not an address': with_part("deletions", [["terraform_data.a", number(12)]]),
    '"resources" has "terraform_data.a[0]", which is no address of a resource': with_part(
        "resources", {"terraform_data.b": ["terraform_data.a[0]"]}
    ),
    '"instances" must say of each one': with_part("instances", {"terraform_data.b": {}}),
    '"outputs" must be different names': with_part("outputs", ["x", "x"]),
    '"outputs" has something else where a list is required': with_part("outputs", "x"),
}


@pytest.mark.parametrize("message", REFUSED)
def test_what_does_not_fit_is_told_in_one_sentence(message: str) -> None:
    record = dump(small())
    assert isinstance(record, dict)
    REFUSED[message](record)
    problem = load(record)
    assert isinstance(problem, Diagnostic)
    assert problem.detail.startswith("The plan file's execution graph cannot be used: ")
    assert message in problem.detail
    assert problem.detail.endswith("Make a new plan.")


_SCALARS: Final = (
    st.none()
    | st.booleans()
    | st.sampled_from(["", "terraform_data.a", "module.m", "data", "12345678", "\ud800", "a[" * 400, "a" + ".b" * 400])
    | st.text(max_size=8)
    | st.sampled_from(["0", "1", "5", "12", "-1", "1.0", "1e3", "0" * 5, "9" * 5_000, "\u0661"]).map(JsonNumber)
)
_TREES: Final[st.SearchStrategy[Tree]] = st.recursive(
    _SCALARS,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["instance", "provider", "deposed", "waiter", "version", "x"]), inner, max_size=2
        )
    ),
    max_leaves=6,
)


def places(tree: Tree) -> Iterator[tuple[Tree, Callable[[Tree], None]]]:
    """Yield everything in a tree, each with a function that replaces it."""
    if isinstance(tree, list):
        for index, item in enumerate(tree):
            yield item, partial(tree.__setitem__, index)
            yield from places(item)
    elif isinstance(tree, dict):
        for key, item in tree.items():
            yield item, partial(tree.__setitem__, key)
            yield from places(item)


@given(graphs(), st.data())
def test_a_changed_file_is_a_sound_graph_or_a_diagnostic(graph: ExecutionGraph, data: st.DataObject) -> None:
    tree = copy.deepcopy(dump(graph))
    for _ in range(data.draw(st.integers(1, 3))):
        found = list(places(tree))
        _, put = data.draw(st.sampled_from(found))
        put(copy.deepcopy(data.draw(_TREES | st.sampled_from([item for item, _ in found]))))
    outcome = load(tree)
    if isinstance(outcome, ExecutionGraph):
        assert problems(outcome) == []
        assert load(dump(outcome)) == outcome


@given(_TREES)
def test_anything_at_all_is_refused_with_a_diagnostic(tree: Tree) -> None:
    assert isinstance(load(tree), Diagnostic)


def test_a_long_chain_is_saved_and_read() -> None:
    builder = GraphBuilder()
    legs = [create_leg(builder, instance(f"n{index}")) for index in range(2_500)]
    for leg, following in pairwise(legs):
        builder.add(leg.waiter, following.end)
    graph = builder.finish()
    assert load(loads(dumps(dump(graph)))) == graph
