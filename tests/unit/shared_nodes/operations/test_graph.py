"""The graph: dependencies, problems, and its text forms."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from shared_nodes.operations.graph import Graph


@dataclass(frozen=True)
class Point:
    name: str


def graph_of(edges: str) -> tuple[Graph[Point], dict[str, Point]]:
    """Parse a graph: in `"a>b a>c"`, a waits for b and c."""
    graph: Graph[Point] = Graph()
    points: dict[str, Point] = {}
    for pair in edges.split():
        waiting, _, dependency = pair.partition(">")
        for name in (waiting, dependency):
            if name and name not in points:
                points[name] = Point(name)
                graph.add(points[name])
        if dependency:
            graph.connect(points[waiting], points[dependency])
    return graph, points


def names(points: list[Point]) -> str:
    return "".join(sorted(point.name for point in points))


def test_dependencies_are_what_a_vertex_waits_for() -> None:
    graph, at = graph_of("a>b b>c d>b")
    assert names(graph.dependencies(at["a"])) == "b"
    assert names(graph.dependents(at["b"])) == "ad"
    assert names(graph.all_dependencies(at["a"])) == "bc"
    assert names(graph.all_dependents(at["c"])) == "abd"
    assert names(graph.roots()) == "ad"


def test_components_come_after_all_they_depend_on() -> None:
    graph, _ = graph_of("a>b b>c c>b c>d")
    assert [names(component) for component in graph.components()] == ["d", "bc", "a"]


def test_every_cycle_is_reported_once_with_its_members_sorted() -> None:
    graph, _ = graph_of("b>a a>b x>y y>z z>x free>a")
    assert {problem.summary for problem in graph.problems()} == {"Cycle: a, b", "Cycle: x, y, z"}


def test_a_vertex_that_waits_for_itself_is_reported() -> None:
    graph, _ = graph_of("a>a")
    assert [problem.summary for problem in graph.problems()] == ["Self reference: a"]


def test_a_sound_graph_has_no_problems() -> None:
    assert graph_of("a>b a>c b>d c>d")[0].problems() == []


def test_reduction_drops_exactly_the_edges_that_others_imply() -> None:
    graph, _ = graph_of("a>b b>c a>c a>d d>c")
    assert graph.reduced().text() == "a\n  b\n  d\nb\n  c\nc\nd\n  c\n"
    assert graph.text() == "a\n  b\n  c\n  d\nb\n  c\nc\nd\n  c\n", "the graph itself stays"


def test_a_cyclic_graph_is_drawn_with_all_its_edges() -> None:
    graph, _ = graph_of("a>b b>a a>c b>c")
    assert graph.reduced().text() == graph.text()


def test_a_removed_vertex_takes_its_edges_along() -> None:
    graph, at = graph_of("a>b b>c b>b")
    graph.remove(at["b"])
    assert graph.text() == "a\nc\n"
    assert (graph.dependencies(at["a"]), graph.dependents(at["c"])) == ([], [])


def test_components_are_those_of_any_graph() -> None:
    """Two vertices are in one component exactly if each can be reached from the other."""
    random = Random(1)
    for _ in range(200):
        points = "abcdef"
        pairs = [f"{random.choice(points)}>{random.choice(points)}" for _ in range(random.randrange(12))]
        graph, at = graph_of(" ".join([*points, *pairs]))
        seen: list[Point] = []
        for component in graph.components():
            seen += component
            for vertex in component:
                mutual = [o for o in at.values() if graph.is_reachable(vertex, o) and graph.is_reachable(o, vertex)]
                assert {*mutual, vertex} == set(component)
                assert set(graph.dependencies(vertex)) <= set(seen)
        assert sorted(seen, key=lambda point: point.name) == [at[name] for name in points]


def test_dot_quotes_names() -> None:
    graph, _ = graph_of('r["x"]>b')
    assert '"r[\\"x\\"]" -> "b";' in graph.dot()


def test_a_long_chain_needs_no_recursion() -> None:
    graph, at = graph_of(" ".join(f"v{i}>v{i + 1}" for i in range(20_000)))
    assert graph.problems() == []
    assert len(graph.all_dependencies(at["v0"])) == 20_000
