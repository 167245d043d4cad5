"""Expressions that become simpler, and repetition that is removed."""

from __future__ import annotations

import pytest

from harness.reduce.passes import expressions
from harness.reduce.specimens.specimen import Specimen
from tests.unit.harness.reduce.sample_specimens import main_texts, make_specimen


@pytest.mark.parametrize(
    ("expression", "simpler"),
    [
        ("7", ["0", "1"]),
        ('"long"', ['"a"']),
        ('"${t.a.id}-x"', ['"a"', "t.a.id"]),
        ("[1, 2]", ["[]", "[1]", "2"]),
        ("{ a = 1, b = 2 }", ["{}", "{ a = 1 }", "{ b = 2 }"]),
        ("true ? 1 : 2", ["1", "2"]),
        ("upper(var.x)", ['"a"', "var.x"]),
        ("[for x in var.y : x]", ["[]", "var.y"]),
        ("string", []),
    ],
)
def test_expressions_become_simpler(expression: str, simpler: list[str]) -> None:
    whole = make_specimen(f"locals {{\n  v = {expression}\n}}\n")
    found = main_texts(whole, expressions.simplify(whole))
    assert {f"locals {{\n  v = {text}\n}}\n" for text in simpler} <= set(found)
    assert bool(found) == bool(simpler)


def test_one_object_in_the_place_of_several_is_referred_to_without_keys() -> None:
    text = 'resource "t" "a" {\n  for_each = var.k\n  x = each.key\n}\nlocals {\n  v = [t.a["k"].id, t.a[*].id]\n}\n'
    step = {"op": "apply", "config": "v1", "target": ['t.a["k"]', "t.b[0]"]}
    whole = Specimen({"steps": [step]}, {"v1/main.tf": text})
    (change,) = expressions.remove_repetition(whole)
    changed = whole.changed(change)
    assert changed.files["v1/main.tf"] == 'resource "t" "a" {\n  x = "a"\n}\nlocals {\n  v = [t.a.id, t.a.id]\n}\n'
    assert changed.case_yaml["steps"][0]["target"] == ["t.a", "t.b[0]"]
