"""The source range of a problem that a provider reports."""

from __future__ import annotations

import pytest

from shared_nodes.lang.parser import parse_body
from shared_nodes.lang.source import Source
from shared_nodes.nodes.body.attribute_ranges import attribute_range
from shared_nodes.values.paths import AttributeStep, IndexStep, Path
from shared_nodes.values.value import integer, string

TEXT = """resource "t" "n" {
  plain = 1
  list  = ["x", "y"]
  map   = { k = "v", "q" = "w" }
  other = plain
  item {
    key = 1
  }
  item {
    key = 2
  }
  labelled "one" {
    key = 3
  }
}
"""


def path(*steps: str | int) -> Path:
    """Names are attributes, whole numbers are positions, names in brackets are keys."""

    def step(given: str | int) -> AttributeStep | IndexStep:
        if isinstance(given, int):
            return IndexStep(integer(given))
        return IndexStep(string(given[1:-1])) if given.startswith("[") else AttributeStep(given)

    return tuple(map(step, steps))


@pytest.mark.parametrize(
    ("steps", "shown"),
    [
        ((), "1,18-18"),
        (("plain",), "2,11-12"),
        (("nowhere",), "1,18-18"),
        ((0,), "1,18-18"),
        (("list", 1), "3,17-20"),
        (("list", 5), "3,3-7"),
        (("map", "[k]"), "4,18-19"),
        (("map", "[q]"), "4,29-30"),
        (("map", "[none]"), "4,3-6"),
        (("other", 0), "5,11-16"),
        (("item", 1, "key"), "10,11-12"),
        (("item", 7, "key"), "1,18-18"),
        (("item", 0, "nowhere"), "6,8-8"),
        (("labelled", "[one]", "key"), "13,11-12"),
    ],
)
def test_ranges(steps: tuple[str | int, ...], shown: str) -> None:
    body, problems = parse_body(Source("main.tf", TEXT.encode()))
    assert problems == []
    assert str(attribute_range(body.blocks[0].body, path(*steps))) == f"main.tf:{shown}"
