"""Warnings about deprecated values. What is expected was seen with OpenTofu 1.12.6."""

from __future__ import annotations

import pytest
from hypothesis import given

from shared_nodes.context.deprecation import remembered_deprecations, report_deprecations, without_deprecations
from shared_nodes.lang.parser import parse_expression
from shared_nodes.lang.source import Source
from shared_nodes.values.marks import SENSITIVE, Deprecation
from shared_nodes.values.paths import path_text
from shared_nodes.values.value import NULL_DYNAMIC, Value, object_of, string, tuple_of
from tests.strategies import values

OLD = Deprecation("module.m.old", "Use new.")
DEPRECATED = string("x").mark(OLD)


def details(value: Value) -> list[str]:
    expression, _ = parse_expression(Source("main.tf", "module.m.old"))
    assert expression is not None
    return [problem.detail for problem in report_deprecations(value, expression)[1]]


@pytest.mark.parametrize(
    ("value", "subject"),
    [
        (DEPRECATED, "This value"),
        (tuple_of([string("y"), DEPRECATED]), "This value's attribute [1]"),
        (object_of({"a": object_of({"b": DEPRECATED})}), "This value's attribute a.b"),
    ],
)
def test_a_warning_names_the_part_and_its_source(value: Value, subject: str) -> None:
    assert details(value) == [
        f"{subject} is derived from module.m.old, which is deprecated with the following message:\n\nUse new."
    ]


def test_other_marks_stay() -> None:
    assert without_deprecations(DEPRECATED.mark(SENSITIVE)) == string("x").mark(SENSITIVE)


@pytest.mark.parametrize(
    ("arguments", "place"),
    [
        ({"input": DEPRECATED, "triggers_replace": NULL_DYNAMIC}, ".triggers_replace"),
        (
            {"input": object_of({"a": DEPRECATED}), "triggers_replace": tuple_of([string("y"), string("z")])},
            ".triggers_replace[1]",
        ),
        ({"input": object_of({"a": DEPRECATED, "input": string("y")}), "triggers": NULL_DYNAMIC}, ".triggers.input"),
    ],
)
def test_places_are_those_of_the_last_steps(arguments: dict[str, Value], place: str) -> None:
    found = remembered_deprecations(object_of(arguments))
    assert [(path_text(path), cause) for path, cause in found] == [(place, OLD)]


@given(values())
def test_values_without_deprecations_do_not_change(value: Value) -> None:
    assert without_deprecations(value) == value
    assert remembered_deprecations(value) == []
