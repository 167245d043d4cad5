"""Drawings of graphs: nothing overlaps, arrows lead where they should, and large graphs stay readable."""

from __future__ import annotations

import random
import re
from itertools import combinations
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner

from harness.cli import commands
from reports.graph.clusters import MOST_VERTICES, clustered
from reports.graph.layout import BOX_HEIGHT, Layout, lay_out
from reports.graph.svg import graph_svg

_NUMBERS = re.compile(r"-?\d+(?:\.\d+)?")


def make_graph(count: int, seed: int = 1) -> dict[str, list[str]]:
    chance = random.Random(seed)
    names = [f"thing.number_{number}" for number in range(count)]
    return {name: chance.sample(names[:at], min(at, chance.choice((0, 1, 1, 2, 4)))) for at, name in enumerate(names)}


def ends(layout: Layout) -> dict[tuple[str, str], tuple[tuple[float, float], tuple[float, float]]]:
    numbers = {
        (arrow.waiting, arrow.awaited): [float(each) for each in _NUMBERS.findall(arrow.path)]
        for arrow in layout.arrows
    }
    return {pair: ((found[0], found[1]), (found[-2], found[-1])) for pair, found in numbers.items()}


def test_boxes_do_not_lie_on_each_other_and_arrows_end_at_theirs() -> None:
    graph = make_graph(120)
    layout = lay_out(graph)
    boxes = {box.name: box for box in layout.boxes}
    assert boxes.keys() == graph.keys()
    for one, other in combinations(layout.boxes, 2):
        is_beside = one.left + one.width < other.left or other.left + other.width < one.left
        assert is_beside or abs(one.top - other.top) > BOX_HEIGHT
    for (waiting, awaited), (start, end) in ends(layout).items():
        assert awaited in graph[waiting]
        assert abs(start[0] - boxes[waiting].left) <= 1
        assert abs(start[1] - boxes[waiting].top - BOX_HEIGHT / 2) <= 1
        assert abs(end[0] - boxes[awaited].left - boxes[awaited].width) <= 1
        assert abs(end[1] - boxes[awaited].top - BOX_HEIGHT / 2) <= 1
        assert boxes[awaited].left < boxes[waiting].left
    assert len(layout.arrows) == sum(map(len, graph.values()))
    assert all(box.left >= 0 and box.left + box.width <= layout.width for box in layout.boxes)
    assert all(box.top >= 0 and box.top + BOX_HEIGHT <= layout.height for box in layout.boxes)


def test_a_tree_has_no_crossing() -> None:
    tree = {f"n{number}": [f"n{(number - 1) // 2}"] if number else [] for number in range(31)}
    lines = list(ends(lay_out(tree)).values())
    for (start, end), (other_start, other_end) in combinations(lines, 2):
        if start[0] == other_start[0] and end != other_end:
            assert (start[1] < other_start[1]) == (end[1] < other_end[1])


def test_cycles_are_drawn_with_an_arrow_that_leads_back() -> None:
    layout = lay_out({"a": ["b", "a"], "b": ["c"], "c": ["a"], "d": ["a", "nobody"]})
    assert {(arrow.waiting, arrow.awaited) for arrow in layout.arrows} == {
        ("a", "a"),
        ("a", "b"),
        ("b", "c"),
        ("c", "a"),
        ("d", "a"),
    }


def test_a_long_chain_is_no_trouble() -> None:
    chain = {f"n{number}": [f"n{number - 1}"] if number else [] for number in range(3000)}
    assert len(lay_out(chain).boxes) == 3000
    assert graph_svg({}).startswith("<svg")


def test_modules_of_a_large_graph_are_one_vertex_each() -> None:
    inside = [f"module.a.module.b[{key}].thing.x{number}" for key in range(3) for number in range(90)]
    graph: dict[str, list[str]] = {"var.v": [], "provider": [], **{name: ["var.v", "provider"] for name in inside}}
    graph["output.o"] = inside
    found = clustered(graph)
    assert set(found.dependencies) == {
        "var.v",
        "provider",
        "output.o",
        *(f"module.a.module.b[{n}] (90)" for n in range(3)),
    }
    assert found.dependencies["output.o"] == tuple(f"module.a.module.b[{n}] (90)" for n in range(3))
    assert found.dependencies["module.a.module.b[0] (90)"] == ("provider", "var.v")
    assert sum(map(len, found.members.values())) == 270
    opened = clustered(graph, opened={"module.a.module.b[1]"})
    assert len(opened.dependencies) == 2 + 1 + 2 + 90
    assert inside[95] in opened.dependencies


def test_what_a_module_cannot_make_smaller_is_merged_further() -> None:
    many = {
        "instances of a module": [f'module.m["k{number}"].thing.x (expand)' for number in range(400)],
        "instances of a resource": [f"thing.x[{number}]" for number in range(400)],
        "resources of a type": [f"data.thing.x{number}" for number in range(400)],
        "modules": [f"module.m{number}.thing.x" for number in range(400)],
    }
    wanted = {"module.m[*] (400)", "thing.x[*] (400)", "data.thing (400)", "module (400)"}
    assert {name for names in many.values() for name in clustered(dict.fromkeys(names, ())).dependencies} == wanted


def test_a_graph_that_can_be_read_is_left_as_it_is() -> None:
    graph = {f"module.m.thing.x{number}": ["module.m.thing.x0"] if number else [] for number in range(MOST_VERTICES)}
    assert clustered(graph).members == {}
    assert clustered(graph).dependencies == {name: tuple(others) for name, others in graph.items()}


def test_a_picture_is_well_formed_whatever_names_there_are() -> None:
    name = 'thing.x["</text><script>\u202e&\x1b"]'
    root = ElementTree.fromstring(graph_svg({name: [], "b" * 300: [name]}))
    tags = {element.tag.rpartition("}")[2] for element in root.iter()}
    assert tags == {"svg", "title", "style", "defs", "marker", "path", "g", "rect", "text"}
    assert 'thing.x["</text><script>\\u{202e}&\\u{1b}"]' in [element.text for element in root.iter()]
    assert max(float(box.get("width", "0")) for box in root.iter() if box.tag.endswith("rect")) < 400


def test_the_same_graph_gives_the_same_picture_in_any_order() -> None:
    graph = make_graph(60)
    assert graph_svg(dict(sorted(graph.items(), reverse=True))) == graph_svg(graph)


@pytest.mark.parametrize("engine", ["legacy", "new"])
def test_the_command_draws_a_large_module_as_one_unless_it_is_opened(tmp_path: Path, engine: str) -> None:
    (tmp_path / "m").mkdir()
    (tmp_path / "main.tf").write_text('module "m" {\n  source = "./m"\n}\n')
    blocks = "".join(f'resource "terraform_data" "x{number}" {{\n}}\n' for number in range(250))
    (tmp_path / "m" / "main.tf").write_text(blocks)

    def drawn(*options: str) -> str:
        answer = CliRunner().invoke(commands, ["engine", engine, "graph", str(tmp_path), "--format", "svg", *options])
        assert answer.exit_code == 0, answer.output
        return answer.stdout

    assert re.search(r">module\.m \(25\d\)</text>", drawn())
    assert drawn().count("<rect") < 10
    assert ">module.m.terraform_data.x77 (expand)</text>" in drawn("--open", "module.m")
