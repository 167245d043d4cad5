"""The text of an execution graph: everything in it is read, and nothing else is taken for a part of it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.observe.execution_graph import (
    Operation,
    RealExecutionGraph,
    UnreadableGraph,
    find_execution_graph,
    parse_execution_graph,
)

TEXT = """
  v[0] = cty.ObjectVal(map[string]cty.Value{
      "note": cty.StringVal("r[0] = X();"),
      "size": cty.NumberIntVal(3),
  });
  v[1] = cty.StringVal("one; line");

  r[0] = ResourceInstanceCurrentMeta(box.lid, nil);
  r[1] = ResourceInstanceDesired(r[0]);
  r[2] = ManagedFinalPlan(r[0], r[1], nil, v[0]);
  r[3] = ManagedApply(r[2], nil, await(r[4], r[2]));
  r[4] = ResourceInstancePrior(module.m["a, b) = r[7]"].box.r[0]);

  box.lid = r[3];
  module.m["a, b) = r[7]"].box.r[0] = r[4];
"""


def read(text: str) -> RealExecutionGraph:
    graph = parse_execution_graph(text)
    assert isinstance(graph, RealExecutionGraph), graph
    return graph


def test_everything_in_the_text_is_read() -> None:
    graph = read(TEXT)
    assert list(graph.operations) == [0, 1, 2, 3, 4]
    assert graph.operations[3] == Operation(3, "ManagedApply", ("r[2]", "nil", "await(r[4], r[2])"))
    assert graph.operations[3].needs == (2, 4)
    assert graph.results == {"box.lid": 3, 'module.m["a, b) = r[7]"].box.r[0]': 4}
    assert len(graph.constants) == 2


def test_text_is_in_the_notation_it_was_read_from() -> None:
    assert [line.strip() for line in read(TEXT).text().split()] == TEXT.split()
    assert "v[0] =" not in read(TEXT).text(with_constants=False)
    assert str(read(TEXT).operations[3]) == "r[3] = ManagedApply(r[2], nil, await(r[4], r[2]));"


def test_an_address_that_looks_like_a_result_is_no_operand() -> None:
    """The resource `r` of the type `box` has an instance `box.r[0]`, which does not wait for operation 0."""
    assert read(TEXT).operations[4].needs == ()


def test_operations_are_about_the_instance_that_their_arguments_are_about() -> None:
    graph = read(TEXT)
    assert [graph.addresses[number] for number in (0, 1, 2, 3)] == ["box.lid"] * 4


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("hello there", "'hello there' is no operation, constant or result"),
        ("r[0] = A();\nr[0] = B();", "it has two operations r[0]"),
        ("r[0] = A(r[5]);", "r[5] is used, and no operation has this name"),
        ("box.lid = r[2];", "r[2] is used, and no operation has this name"),
    ],
)
def test_what_is_no_graph_has_a_reason(text: str, reason: str) -> None:
    found = parse_execution_graph(text)
    assert found == UnreadableGraph(reason)
    assert str(found) == f"the execution graph cannot be read: {reason}"


@given(st.text(alphabet='rv[]0123 =();,"\\\nabc.'))
def test_no_text_is_a_traceback(text: str) -> None:
    assert isinstance(parse_execution_graph(text), RealExecutionGraph | UnreadableGraph)


def test_the_last_graph_is_found_in_a_log() -> None:
    log = (
        "2020-01-01T00:00:00.000Z [DEBUG] Planned execution graph:\n  r[0] = Old();\n"
        "2020-01-01T00:00:00.001Z [INFO]  something else\n"
        "2020-01-01T00:00:00.002Z [DEBUG] Planned execution graph:\n  v[0] = cty.True;\n  \n  r[0] = New(v[0]);\n"
        "2020-01-01T00:00:00.003Z [DEBUG] the end\n"
    )
    text = find_execution_graph(log)
    assert text is not None
    assert read(text).operations == {0: Operation(0, "New", ("v[0]",))}
    assert find_execution_graph("nothing of the kind") is None


def test_what_a_crash_prints_is_not_part_of_the_graph() -> None:
    assert list(read("  r[0] = A();\n\npanic: oh no\ngoroutine 1 [running]:\n").operations) == [0]


@st.composite
def graphs(draw: st.DrawFn) -> RealExecutionGraph:
    count = draw(st.integers(1, 8))
    numbers = st.integers(0, count - 1)
    keys = st.text(alphabet="ab,)(;= ", max_size=4).map(lambda text: f'box.r["{text}"]')
    arguments = st.one_of(
        st.just("nil"),
        numbers.map(lambda number: f"r[{number}]"),
        st.lists(numbers, max_size=3).map(lambda several: f"await({', '.join(f'r[{each}]' for each in several)})"),
        keys,
    )
    operations = {
        number: Operation(number, draw(st.sampled_from(["ManagedApply", "Other"])), tuple(draw(st.lists(arguments))))
        for number in range(count)
    }
    return RealExecutionGraph(operations, draw(st.dictionaries(keys, numbers, max_size=3)))


@given(graphs())
def test_reading_what_was_written_gives_the_same_graph(graph: RealExecutionGraph) -> None:
    assert parse_execution_graph(graph.text()) == graph
